// The recorded checkpoint: a row of automata that Python wrote down as tables (widgets/checkpoint/
// checkpoint.py says what is in them). Only the current one hears what is seen and answered; one opens
// when all before it are earned; an earned one never moves. Every word comes from the tables.

function makeCheckpoint(table, shown) { // shown: names of the tabs; a step goes with the one it asks about
  const steps = table.steps.filter((step) => shown.has(step.part));
  const total = steps.filter((step) => step.graded).length, texts = table.totals[total];
  let at, states, announcement = "", told = null;
  const name = (n) => steps[n].states[states[n]];
  const earned = (n) => name(n).startsWith(table.earned);
  const opens = (n) => n in steps && (earned(n) || steps.every((step, m) => m >= n || !step.graded || earned(m)));
  const said = () => {
    const text = steps[at].pool[steps[at].announcements[states[at]]];
    return earned(at) ? texts.done[steps[at].number - 1].replace("{text}", () => text) : text;
  };
  const all = () => steps.every((step, n) => !step.graded || earned(n));
  const count = (start) => steps.filter((step, n) => step.graded && name(n).startsWith(start)).length;
  const after = (step, state, value) => { // the state after an answer; undefined when it is not taken
    if (Object.hasOwn(step.answers[state], value)) return step.answers[state][value];
    const number = String(Number(value)) === value ? Number(value) : NaN;
    return step.spans[state].find(([low, high]) => low <= number && number <= high && Number.isInteger(number))?.[2];
  };
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
      const next = after(steps[at], states[at], value);
      if (key !== steps[at].key || next === undefined) return;
      states[at] = next;
      if (steps[at].graded && value !== table.next) told = value;
    },
    open(key) {
      const n = steps.findIndex((step) => step.key === key);
      if (opens(n)) at = n;
    },
    // The first step that cannot be earned with these observations, if there is one.
    stuck(seen) {
      const places = [...seen].map((text) => table.observations.indexOf(text));
      return steps.find((step) => {
        if (!step.graded) return false;
        const reached = new Set([0]);
        for (const state of reached) { // grows while it is walked
          for (const n of places) reached.add(step.seen[state][step.class[n]]);
          for (const next of Object.values(step.answers[state])) reached.add(next);
          for (const [, , next] of step.spans[state]) reached.add(next);
        }
        return ![...reached].some((state) => step.states[state].startsWith(table.earned));
      });
    },
    // One action of the student, then a look at the widget; what came of it is the announcement.
    act(action, seen) {
      told = null;
      const before = {at, state: states[at], all: all()};
      const anew = action.restart === true, restored = !anew && typeof action.restore === "string";
      const opened = !anew && !restored && typeof action.open === "string";
      const moved = anew || restored || opened, answered = !moved && Array.isArray(action.answer);
      if (anew) checkpoint.reset();
      else if (restored) {
        try { checkpoint.fromText(action.restore); } catch { /* a record of another lesson is left alone */ }
      } else if (opened) checkpoint.open(action.open);
      else if (answered) checkpoint.answer(...action.answer);
      checkpoint.observe(seen);
      announcement = anew ? table.restarted : "";
      if (!moved && (answered || before.state !== states[at])) {
        const end = all() && !before.all ? [texts.closing] : [];
        announcement = [said(), ...end].join(" ");
      } else if (opened && action.open === steps[at].key) {
        announcement = [earned(at) || !steps[at].graded ? "" : texts.opened[steps[at].number - 1], said()].filter(Boolean).join(" ");
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
      const asked = total - count(table.spared);
      Object.assign(slots, texts.counts[count(table.earned)], table.firsts[asked][count(table.first)]);
      slots["checkpoint.announcement"] = announcement;
      steps[at].own.keys.forEach((key, m) => { slots[key] = steps[at].pool[steps[at].own.slots[states[at]][m]]; });
      const marks = steps.reduce((sum, step, n) => sum + step.marks[states[n]], 0);
      slots["checkpoint.record"] = {value: checkpoint.toText(),
        completion: texts.completion[count(table.earned)], mastery: table.mastery[asked][marks]};
      return slots;
    },
    toText: () => [table.version, steps.length, steps[at].key,
      ...steps.map((step, n) => `${step.key}=${name(n)}`)].join(";"),
    fromText(text) { // as widgets/checkpoint/record.py
      const refuse = () => { throw new RangeError(`no record of this checkpoint: ${text.slice(0, 60)}`); };
      if (text.length > 4096) refuse();
      const [version, number = "", ...rest] = text.split(";");
      let found, place;
      if (version === "1") {
        place = table.former[/^\d+$/.test(number) ? Number(number) : -1];
        if (rest.length !== table.former.length || place === undefined) refuse();
        found = new Map(table.former.map((key, n) => [key, rest[n]]));
      } else {
        const [key, ...pairs] = rest;
        place = key;
        if (version !== table.version || !pairs.length || String(pairs.length) !== number) refuse();
        if (!pairs.every((pair) => pair.includes("="))) refuse();
        found = new Map(pairs.map((pair) => [pair.slice(0, pair.indexOf("=")), pair.slice(pair.indexOf("=") + 1)]));
      }
      const over = new Set(steps.filter((step) => !step.graded).map((step) => step.key));
      const complete = [...found].every(([key, state]) => over.has(key) || state.startsWith(table.earned));
      const kept = table.kinds.at(-1);
      states = steps.map((step) => {
        const state = found.get(step.key) ?? (complete && step.graded ? table.spared : "");
        const kind = table.kinds.find((one) => state.startsWith(one)) ?? (state.startsWith(table.earned) ? kept : "");
        return Math.max(0, step.states.indexOf(kind || state));
      });
      at = steps.findIndex((step) => step.key === place);
      if (opens(at)) return;
      at = steps.findIndex((step, n) => step.graded && !earned(n));
      if (at < 0) at = steps.length - 1;
    },
  };
  checkpoint.reset();
  return checkpoint;
}
