// A learning system with Moodle's habits, a student, a line and a clock, all of them pretended; the
// lesson's own scripts run in it. `simulate` plays events and gives what went wrong.
//
// Habits: 1.2 marks a value as sent before it arrives and sends only what has changed since; 2004
// sends what differs from the launch; a request while the page leaves goes by beacon and counts as
// "true"; so does one that fails (or it throws); after a logout, and with an older session's page, the
// answer is "false"; interactions may be refused; a second Initialize is refused, and in 2004 one after Terminate.
(scripts, words) => {
  const STEPS = 7;
  const NAMES = {
    "1.2": {raw: "cmi.core.score.raw", status: "cmi.core.lesson_status", who: "cmi.core.student_id",
      mode: "cmi.core.lesson_mode", credit: "cmi.core.credit", time: "cmi.core.session_time"},
    "2004": {raw: "cmi.score.raw", status: "cmi.completion_status", who: "cmi.learner_id",
      mode: "cmi.mode", credit: "cmi.credit", time: "cmi.session_time"},
  };
  const code = `${scripts}\nreturn {connect, copyName, scormStore};`;
  const lesson = new Function("window", "document", "setTimeout", "clearTimeout", "Date", code);

  return function simulate({version, events, stores = true, throws = false, lies = false, deaf = false, slow = 0}) {
    const names = NAMES[version], wrong = [];
    const world = {now: 1e12, up: true, session: 1, logged: true, db: new Map(), refused: null, commits: 0};
    const shelf = new Map();
    const storage = {
      getItem: (key) => { if (!stores) throw new Error("blocked"); return shelf.get(key) ?? null; },
      setItem: (key, value) => { if (!stores) throw new Error("blocked"); shelf.set(key, String(value)); },
      removeItem: (key) => { if (!stores) throw new Error("blocked"); shelf.delete(key); },
    };
    class Clock extends Date {
      constructor(...words) { super(...(words.length ? words : [world.now])); }
      static now() { return world.now; }
    }

    const arrive = (session, data) => { // at the server
      if (!world.up) return "lost";
      if (!world.logged || session !== world.session) return "false";
      for (const [name, value] of data) world.db.set(name, String(value));
      return "true";
    };
    const player = (mode) => { // the page around: a run-time of its own, as the server filled it
      const session = world.session, given = new Map(world.db), values = new Map(given);
      values.set(names.mode, mode).set(names.credit, mode === "normal" ? "credit" : "no-credit").set(names.who, "st-1");
      if (version === "1.2" && !values.get(names.status)) values.set(names.status, "not attempted");
      let begun = false, ended = false, error = "0";
      const home = {leaving: false, navigator: {sendBeacon: (url, data) => { arrive(session, data); return true; }}};
      home.parent = home;
      const request = (data) => {
        world.commits++;
        if (home.leaving) {
          home.navigator.sendBeacon("", data);
          return "true";
        }
        world.now += slow;
        const answer = arrive(session, data);
        if (answer !== "true" && mode === "normal") world.refused = world.now;
        if (answer !== "lost") return answer;
        if (throws) throw new Error("NetworkError");
        home.navigator.sendBeacon("", data);
        return "true";
      };
      const store = () => {
        const data = [];
        for (const [name, value] of values) {
          if ([names.mode, names.credit, names.who, names.time].includes(name) || given.get(name) === value) continue;
          data.push([name, value]);
          if (version === "1.2") given.set(name, value);
        }
        return request(data);
      };
      const say = (done, code) => { error = done === "true" ? "0" : code; return done; };
      const verbs = {
        Initialize() {
          for (const [name, value] of given) values.set(name, value); // as Moodle does, even when it refuses
          if (begun || (ended && version === "2004")) {
            if (mode === "normal") world.refused ??= world.now;
            return say("false", "101");
          }
          begun = true;
          return say("true");
        },
        GetValue: (name) => begun ? String(values.get(name) ?? "") : (error = ended ? "123" : "301", ""),
        SetValue(name, value) {
          if (!begun) return say("false", version === "2004" ? (ended ? "133" : "132") : "301");
          if (mode !== "normal") wrong.push(`a ${mode} sets ${name}`);
          if (deaf && name.startsWith("cmi.interactions")) return say("false", "401");
          const number = version === "1.2" && /score\.(raw|min|max)$/.test(name);
          if (number && !(value * 1 >= 0 && value * 1 <= 100)) return say("false", "405");
          values.set(name, number ? value * 1 : value);
          return say("true");
        },
        Commit: () => begun ? say(store(), "101") : say("false", version === "2004" ? (ended ? "143" : "142") : "301"),
        Finish() {
          if (!begun) return say("false", "301");
          begun = false;
          ended = true;
          if (mode !== "normal") wrong.push(`a ${mode} is ended`);
          if (values.get(names.status) === "not attempted") values.set(names.status, "completed");
          return say(store(), "101");
        },
        GetLastError: () => error,
      };
      const api = {};
      for (const [verb, work] of Object.entries(verbs)) {
        api[(version === "1.2" ? "LMS" : "") + (verb === "Finish" && version === "2004" ? "Terminate" : verb)] = work;
      }
      home[version === "1.2" ? "API" : "API_1484_11"] = api;
      return home;
    };

    let now = null, best = 0, lacking = null, events_done = "";
    const opened = (home, mode, history) => { // the lesson's page in it
      lacking = world.refused = null;
      const ears = {}, timers = new Map();
      let count = 0;
      const element = () => ({dataset: {words: JSON.stringify(words)}, textContent: "", hidden: true});
      const alarm = element(), note = element();
      const page = {mode, home, timers, alarm, note, frozen: false, earned: 0, answers: 0, top: 0,
        navigator: {get onLine() { return lies || world.up; }}, history};
      const win = {parent: home, localStorage: storage, navigator: page.navigator, document: {hidden: false},
        location: {href: "http://lms/sco/lesson.html", search: ""},
        history: {get state() { return history.state; }, replaceState: (state) => { history.state = state; }},
        addEventListener: (name, work) => (ears[name] ??= new Set()).add(work),
        removeEventListener: (name, work) => ears[name]?.delete(work)};
      win.top = home;
      page.window = win;
      page.fire = (name, event = {}) => { for (const work of [...(ears[name] ?? [])]) work({preventDefault() {}, ...event}); };
      const document = {documentElement: {hasAttribute: () => true, style: {}}};
      const later = (work, ms) => { timers.set(++count, [world.now + ms, work]); return count; };
      const {connect} = lesson(win, document, later, (id) => timers.delete(id), Clock);
      const root = {querySelector: (text) => text === "[data-saving]" ? alarm : note};
      const it = {root, options: {scorm: version, name: "attention-1"}, slots: {}, kept: history.state?.lesson};
      const paint = () => {
        it.slots["checkpoint.record"] = {value: `1;${page.earned};${page.answers}`, completion: page.earned / STEPS};
        it.slots["checkpoint.progress"] = {value: page.earned, max: STEPS};
        history.state = {...history.state, lesson: {record: it.slots["checkpoint.record"].value}};
      };
      const dispatch = (action) => {
        const [, earned, answers] = (action.restore ?? "").split(";");
        if (earned !== undefined) [page.earned, page.answers] = [Number(earned), Number(answers)];
        page.top = Math.max(page.top, page.earned);
        paint();
        it.keep?.();
      };
      page.earn = () => {
        if (page.earned === STEPS) return;
        page.earned++;
        page.top = Math.max(page.top, page.earned);
        page.answers++;
        it.answered?.(`step-${page.earned}`, "15", [true, false, null][page.answers % 3]);
        paint();
        it.keep?.();
      };
      page.restart = () => { page.earned = 0; paint(); it.keep?.(); };
      paint();
      connect(it, dispatch);
      page.top = Math.max(page.top, page.earned);
      return page;
    };

    const score = () => Number(world.db.get(names.raw) ?? 0);
    const percent = (earned) => Math.round(earned / STEPS * 1000) / 10;
    const lacks = () => now && now.mode === "normal" && score() < percent(now.top) - 0.01;
    const look = () => {
      if (!now || now.mode !== "normal" || now.frozen) { lacking = null; return; }
      best = Math.max(best, now.top);
      if (!lacks()) { lacking = world.refused = null; } else lacking ??= world.now;
      const due = lacking !== null && (world.now - lacking > 6000
        || (world.refused !== null && world.now - Math.max(world.refused, lacking) > 1000));
      if (due && now.alarm.hidden) wrong.push(`not saved and not said after ${world.now - lacking} ms (${events_done})`);
      if (!now.alarm.hidden) {
        const [has, must] = stores ? ["copy", "no_copy"] : ["no_copy", "copy"];
        if (!now.alarm.textContent.includes(words[has])) wrong.push(`it does not say ${has}: ${now.alarm.textContent}`);
        if (now.alarm.textContent.includes(words[must])) wrong.push(`it says ${must}`);
      }
      if (stores && !now.alarm.hidden && lacks() && ![...shelf.values()].some((text) => JSON.parse(text).best * 100 >= percent(now.top) - 0.1)) {
        wrong.push(`it is nowhere (${events_done})`);
      }
    };
    const wait = (ms) => {
      for (const end = world.now + ms; world.now < end;) {
        world.now += 100;
        if (now && !now.frozen) {
          for (const [id, [at, work]] of [...now.timers]) {
            if (at <= world.now && now.timers.delete(id)) work();
          }
        }
        look();
      }
    };
    const close = (persisted = false) => {
      if (!now) return;
      now.window.document.hidden = true;
      now.home.leaving = true;
      now.fire("visibilitychange");
      now.fire("pagehide", {persisted});
      if (persisted) now.frozen = true;
      else now = null;
    };
    const show = (mode) => {
      if (!world.up || !world.logged) return;
      if (now?.frozen) now = null;
      close();
      const db = JSON.stringify([...world.db]);
      now = opened(player(mode), mode, {state: null});
      if (mode !== "normal" && db !== JSON.stringify([...world.db])) wrong.push("a preview wrote at its launch");
      if (mode !== "normal" && now.note.hidden) wrong.push("a preview does not say that it is one");
    };
    const again = () => { // the frame alone
      if (!now || now.frozen) return;
      const {home, mode, history} = now;
      const was = home.leaving;
      now.fire("pagehide", {persisted: false});
      home.leaving = was;
      now = opened(home, mode, history);
    };
    const acts = {
      earn: () => { if (now && !now.frozen) now.earn(); },
      restart: () => { if (now && !now.frozen) now.restart(); },
      down: () => { world.up = false; },
      up: () => { world.up = true; if (now && !now.frozen) now.fire("online"); },
      logout: () => { world.logged = false; world.session++; },
      login: () => { if (world.up) { world.logged = true; world.session++; } },
      hide: () => { if (now && !now.frozen) { now.window.document.hidden = now.home.leaving = true; now.fire("visibilitychange"); } },
      show: () => { if (now && !now.frozen) { now.window.document.hidden = now.home.leaving = false; now.fire("visibilitychange"); } },
      reload: again,
      reopen: () => { // a popup that went away without a word, and a new one
        if (now && !now.frozen) now = opened(now.home, now.mode, {state: null});
      },
      close: () => close(),
      kill: () => { now = null; },
      open: () => show("normal"),
      preview: () => show("browse"),
      away: () => { if (now && !now.frozen) close(true); },
      back: () => {
        if (!now?.frozen) return;
        now.frozen = now.home.leaving = now.window.document.hidden = false;
        now.fire("pageshow", {persisted: true});
        now.fire("visibilitychange");
      },
      soon: () => wait(300),
      later: () => wait(3000),
      long: () => wait(20000),
    };
    for (const event of ["open", ...events]) {
      events_done += ` ${event}`;
      const before = JSON.stringify([...world.db]), practice = now && now.mode !== "normal";
      acts[event]();
      look();
      if (practice && now && now.mode !== "normal" && before !== JSON.stringify([...world.db])) wrong.push("a preview changed the system");
    }
    // The line comes back and the student opens the lesson again.
    close();
    world.up = world.logged = true;
    world.session++;
    acts.open();
    wait(12000);
    const kept = JSON.parse(world.db.get("cmi.suspend_data") || "null");
    if (!kept) wrong.push("no record");
    else {
      if (score() !== (kept.best > 0 ? Math.round(kept.best * 1000) / 10 : 0)) wrong.push(`score ${score()}, record ${kept.best}`);
      const status = world.db.get(names.status);
      if ((status === "completed") !== (kept.best === 1)) wrong.push(`status ${status}, record ${kept.best}`);
      if (stores && score() !== percent(best)) wrong.push(`earned ${percent(best)}, the system has ${score()}`);
    }
    if (!now.alarm.hidden) wrong.push(`it still says: ${now.alarm.textContent}`);
    return {wrong, commits: world.commits, score: score(), status: world.db.get(names.status),
      text: world.db.get("cmi.suspend_data"), said: now.note.textContent, best};
  };
}
