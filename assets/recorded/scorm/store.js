// A learning system as a store: what it must have of a state, what it surely has, and how the rest
// gets there. Some systems mark a value as sent before it arrives and send only what has changed; so
// a value that may have been lost is sent as another one first, and then as itself.

const MOST = 4096; // characters of suspend_data that SCORM 1.2 allows
const COMPLETE = ["completed", "passed", "failed"];

function scormStore(version, passMark) {
  const names = SCORM[version], found = findRuntime(names.api);
  if (!found) return null;
  const api = speakTo(/** @type {[any, any]} */ (found), names), started = Date.now();
  const sure = new Map(), handed = new Map(); // what it has; what was given to it last
  const answered = new Map(); // place of a question -> the answers it surely has
  let open = false, practice = "", count = 0, healthy = true;
  const score = (end) => names.score + end;

  const begin = () => {
    open = api.begin();
    const mode = api.get(names.mode);
    practice = ["browse", "review"].includes(mode) ? mode : api.get(names.credit) === "no-credit" ? "browse" : "";
    handed.clear();
    sure.clear();
    for (const name of [names.state, names.status, score("raw"), score("scaled"), "cmi.success_status"]) {
      sure.set(name, api.get(name)); // as the system has it: nothing is set yet
    }
    return open;
  };
  const load = () => {
    const text = sure.get(names.state), raw = Number(sure.get(score("raw")) || 0);
    const kept = readState(text) ?? {record: "", best: 0, earned: 0, done: false, answers: []};
    count = Math.max(count, quietly(() => Number(JSON.parse(text).n)) || 0) + 1;
    const there = Number(api.get("cmi.interactions._count")) || 0;
    kept.answers.slice(0, there).forEach((row, n) => answered.set(n, row.join()));
    kept.best = Math.max(kept.best, raw >= 0 && raw <= 100 ? raw / 100 : 0);
    kept.done = kept.done || ["completed", "passed"].includes(sure.get(names.status));
    return kept;
  };
  begin();

  // What the system must have, as [name, value]; what it may refuse comes after.
  /** @type {(state: any) => {must: any[], may: any[]}} */
  const wanted = ({record, best, earned, done, answers}) => {
    const state = {record, best, earned, done, answers};
    const same = JSON.stringify(readState(sure.get(names.state))) === JSON.stringify(readState(state));
    const must = same ? [] : [[names.state, fitting({...state, n: count})]];
    const raw = Math.round(best * 1000) / 10;
    if (best > 0) must.push([score("raw"), raw]);
    const passed = passMark === undefined || best >= passMark;
    const status = !done ? "incomplete" : version === "2004" || passMark === undefined ? "completed"
      : passed ? "passed" : "failed";
    must.push([names.status, status]);
    const may = [[names.exit, "suspend"]];
    if (best > 0) may.push([score("min"), 0], [score("max"), 100]);
    if (version === "2004") {
      if (best > 0) may.push([score("scaled"), Math.round(best * 1e4) / 1e4]);
      if (done && passMark !== undefined) may.push(["cmi.success_status", passed ? "passed" : "failed"]);
    }
    return {must, may};
  };
  const has = ([name, value]) => {
    const there = sure.get(name);
    if (there === undefined || there === "") return false;
    if (name === names.status && version === "1.2" && passMark === undefined && value === "completed") {
      return there === "completed" || there === "passed"; // some systems say it so
    }
    if (name === names.status && value === "incomplete") return there !== "not attempted" && there !== "unknown";
    return typeof value === "number" ? Number(there) === value : there === String(value);
  };
  const other = (name, value) => typeof value === "number" ? otherNumber(name, value)
    : name === names.exit ? (version === "1.2" ? "logout" : "normal")
      : name === "cmi.success_status" ? "unknown" : "incomplete"; // of the state no two are alike

  const round = (must, may, leaving) => { // one commit
    let disguised = false, refused = false;
    for (const pair of [...must, ...may]) {
      const [name, value] = pair;
      const given = !leaving && handed.get(name) === String(value) ? other(name, value) : value;
      if (given !== value) disguised = true;
      if (api.set(name, given)) handed.set(name, String(given));
      else if (must.includes(pair)) refused = true;
    }
    api.set(names.time, sessionTime(version, (Date.now() - started) / 1000));
    if (refused) return {answer: "refused", disguised};
    const answer = api.commit();
    if (answer === "kept") for (const [name] of [...must, ...may]) sure.set(name, handed.get(name) ?? "");
    return {answer, disguised};
  };
  const agrees = ([name, value]) => { // with what the system says after a save
    const said = api.get(name);
    if (said === "" || name === names.state) return true;
    return typeof value === "number" ? Math.abs(Number(said) - value) < 1
      : name !== names.status || !COMPLETE.includes(value) || COMPLETE.includes(said);
  };
  const save = (given, leaving) => {
    let state = given;
    if (window.navigator.onLine === false) return "away";
    if (!open) {
      if (!begin()) return "shut";
      state = store.opened(load()) ?? state;
    }
    if (practice) return "practice"; // which changes nothing
    count++;
    const {must, may} = wanted(state);
    const lacks = (pair) => !has(pair);
    const told = healthy && !leaving ? tellAnswers(state.answers) : [];
    const first = round(must.filter(lacks), may.filter(lacks), leaving);
    let {answer} = first;
    if (answer === "kept" && first.disguised) ({answer} = round(must.filter(lacks), may.filter(lacks), leaving));
    if (answer === "kept" && !must.every(agrees)) {
      for (const pair of must) if (!agrees(pair)) sure.delete(pair[0]);
      answer = "refused";
    }
    healthy = answer === "kept";
    if (healthy) for (const {n, row} of told) answered.set(n, row.join());
    return answer;
  };
  // What was answered, for the teacher's report. A system may refuse it: nothing else suffers. It
  // goes along only while the line is well, for a lost one cannot be sent as another first.
  const tellAnswers = (answers) => {
    const fresh = answers.map((row, n) => ({n, row})).filter(({n, row}) => answered.get(n) !== row.join());
    for (const {n, row} of fresh) quietly(() => interaction(api, version, names, n, row));
    return fresh;
  };

  const store = {
    get graded() { return !practice; },
    get practice() { return practice; },
    get open() { return open; },
    who: api.student(),
    load,
    /** @type {(kept: any) => any} */
    opened: () => null, // it opened late: what it has, and what it must have then
    send(state, leaving, done) {
      let answer = save(state, leaving);
      if (answer === "refused" && api.shut()) { // it was ended behind our back: begin anew
        open = false;
        answer = save(state, leaving);
      }
      done(answer);
    },
    leave() {
      if (!open || practice) return; // a preview that is ended counts as an attempt in some systems
      open = false;
      // Some systems complete a unit that ends without a status.
      if (!handed.has(names.status) && !COMPLETE.includes(sure.get(names.status))) {
        api.set(names.status, "incomplete");
        api.set(names.exit, "suspend");
      }
      api.set(names.time, sessionTime(version, (Date.now() - started) / 1000));
      api.end();
    },
  };
  return store;
}

// A number beside the true one, within its bounds.
function otherNumber(name, value) {
  const step = name.endsWith("scaled") ? 0.001 : 0.1;
  return Math.round((value >= step ? value - step : value + step) * 1e4) / 1e4;
}

// JSON that SCORM 1.2 takes; the oldest answers go first where it is too long.
function fitting(state) {
  const answers = [...state.answers];
  let text = JSON.stringify(state);
  while (text.length > MOST && answers.length) {
    answers.shift();
    text = JSON.stringify({...state, answers});
  }
  return text;
}

function interaction(api, version, names, n, [id, response, right, when]) {
  const set = (end, value) => api.set(`cmi.interactions.${n}.${end}`, value);
  const time = new Date(when), iso = time.toISOString();
  set("id", id);
  set("type", "fill-in");
  set(names.moment, version === "2004" ? `${iso.slice(0, 19)}.0Z` : time.toTimeString().slice(0, 8));
  set(names.response, response.slice(0, 250));
  set("result", ["incorrect", "correct", "neutral"][right].replace("incorrect", names.wrong));
}
