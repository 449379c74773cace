// The recorded checkpoint: a row of automata that Python wrote down as tables (widgets/checkpoint/
// checkpoint.py says what is in them). Only the current one hears what is seen and answered; one opens
// when all before it are earned; an earned one never moves. Every word comes from the tables.

function makeCheckpoint(table) {
  const {steps} = table;
  let at, states, announcement = "", told = null;
  const name = (n) => steps[n].states[states[n]];
  const earned = (n) => name(n).startsWith(table.earned);
  const opens = (n) => n in steps && steps.every((_, m) => m >= n || earned(m));
  const all = () => steps.every((_, n) => earned(n));
  const count = (start) => steps.filter((_, n) => name(n).startsWith(start)).length;
  const checkpoint = {
    reset() {
      at = 0;
      states = steps.map(() => 0);
    },
    observe(seen) { // the place of an observation in the table, or its text
      const n = typeof seen === "number" ? seen : table.observations.indexOf(seen);
      if (n in table.observations) states[at] = steps[at].seen[states[at]][steps[at].class[n]];
    },
    answer(key, value) {
      const answers = steps[at].answers[states[at]];
      if (key !== steps[at].key || !Object.hasOwn(answers, value)) return;
      states[at] = answers[value];
      told = value;
    },
    open(key) {
      const n = steps.findIndex((step) => step.key === key);
      if (opens(n)) at = n;
    },
    // The first step that cannot be earned with these observations, if there is one.
    stuck(seen) {
      const places = [...seen].map((text) => table.observations.indexOf(text));
      return steps.find((step) => {
        const reached = new Set([0]);
        for (const state of reached) { // grows while it is walked
          for (const n of places) reached.add(step.seen[state][step.class[n]]);
          for (const next of Object.values(step.answers[state])) reached.add(next);
        }
        return ![...reached].some((state) => step.states[state].startsWith(table.earned));
      });
    },
    // One action of the student, then a look at the widget; what came of it is the announcement.
    act(action, seen) {
      told = null;
      const before = {at, state: states[at], all: all()};
      const moved = action.restart === true || typeof (action.restore ?? action.open) === "string";
      const answered = !moved && Array.isArray(action.answer);
      if (action.restart === true) checkpoint.reset();
      else if (typeof action.restore === "string") {
        try { checkpoint.fromText(action.restore); } catch { /* a record of another lesson is left alone */ }
      } else if (moved) checkpoint.open(action.open);
      else if (answered) checkpoint.answer(...action.answer);
      checkpoint.observe(seen);
      announcement = action.restart === true ? table.restarted : "";
      if (!moved && (answered || before.state !== states[at])) {
        const end = all() && !before.all ? [table.closing] : [];
        announcement = [steps[at].pool[steps[at].announcements[states[at]]], ...end].join(" ");
      }
    },
    // What the last action answered (null: nothing), and whether the question that is open now was
    // right at the first try (null: nobody knows yet). For a course's report.
    told() {
      const {key, marks, missed} = steps[at];
      const right = marks[states[at]] === 2 ? true : missed[states[at]] ? false : null;
      return [key, told, right];
    },
    render() {
      const slots = {};
      steps.forEach((step, n) => {
        step.keys.forEach((key, m) => { slots[key] = step.pool[step.slots[states[n]][m]]; });
        const place = n === at ? (earned(n) ? "current-earned" : "current")
          : earned(n) ? "earned" : opens(n) ? "open" : "locked";
        Object.assign(slots, step.places[place]);
      });
      Object.assign(slots, table.counts[count(table.earned)], table.firsts[count(table.first)]);
      slots["checkpoint.announcement"] = announcement;
      const marks = steps.reduce((sum, step, n) => sum + step.marks[states[n]], 0);
      slots["checkpoint.record"] = {value: checkpoint.toText(),
        completion: table.completion[count(table.earned)], mastery: table.mastery[marks]};
      return slots;
    },
    toText: () => [table.version, at, ...steps.map((_, n) => name(n))].join(";"),
    fromText(text) {
      const [version, place, ...names] = text.split(";");
      const found = steps.map((step, n) => step.states.indexOf(names[n]));
      const kept = {at, states};
      if (version === table.version && names.length === steps.length && !found.includes(-1)) {
        [at, states] = [/^\d+$/.test(place) ? Number(place) : -1, found];
        const done = count(table.earned);
        if (opens(at) && steps.every((_, n) => n < done ? earned(n) : n === done || !states[n])) return;
      }
      ({at, states} = kept);
      throw new RangeError(`no record of this checkpoint: ${text.slice(0, 60)}`);
    },
  };
  checkpoint.reset();
  return checkpoint;
}
