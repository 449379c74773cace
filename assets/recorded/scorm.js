// A learning system's run-time, SCORM 1.2 or 2004, if one of the windows around offers it.

const SCORM = {
  "1.2": {
    api: "API", call: "LMS", finish: "Finish", state: "cmi.suspend_data", exit: "cmi.core.exit",
    score: "cmi.core.score.", status: "cmi.core.lesson_status", time: "cmi.core.session_time",
  },
  "2004": {
    api: "API_1484_11", call: "", finish: "Terminate", state: "cmi.suspend_data", exit: "cmi.exit",
    score: "cmi.score.", status: "cmi.completion_status", time: "cmi.session_time",
  },
};

// Another origin's window throws when it is asked; there is nothing for us then.
function findScorm(name) {
  for (const start of [() => window, () => window.top.opener, () => window.opener]) {
    try {
      let at = start();
      for (let n = 0; at && n < 12; n++) {
        if (at[name]) return at[name];
        if (at.parent === at) break;
        at = at.parent;
      }
    } catch { /* look elsewhere */ }
  }
  return null;
}

function scorm(wanted) {
  for (const version of wanted ? [wanted] : ["2004", "1.2"]) {
    const names = SCORM[version], api = names && findScorm(names.api);
    if (!api) continue;
    const call = (verb, ...words) => quietly(() => api[names.call + verb](...words));
    const set = (name, value) => call("SetValue", name, String(value));
    if (String(call("Initialize", "")) !== "true") continue;
    return scormKeeper(version, names, call, set);
  }
  return null;
}

function scormKeeper(version, names, call, set) {
  const started = Date.now();
  const get = (name) => String(call("GetValue", name) ?? "");
  let open = true;
  const done = ["completed", "passed"].includes(get(names.status));
  if (!done) set(names.status, "incomplete");
  set(names.exit, "suspend"); // come back to the same attempt, with its progress
  call("Commit", "");
  window.addEventListener("pagehide", () => {
    if (!open) return;
    open = false;
    set(names.time, sessionTime(version, (Date.now() - started) / 1000));
    call("Commit", "");
    call(names.finish, "");
  });
  return {
    load: () => readState(get(names.state)),
    save(state, score) {
      if (!open) return;
      const text = JSON.stringify(state);
      if (text.length <= 4096) set(names.state, text);
      if (score !== null) {
        const words = {min: 0, max: 100, raw: Math.round(score * 1000) / 10};
        if (version === "2004") words.scaled = Math.round(score * 1e4) / 1e4;
        for (const [name, value] of Object.entries(words)) set(names.score + name, value);
        if (score === 1) {
          set(names.status, "completed");
          if (version === "2004") set("cmi.success_status", "passed");
        }
      }
      call("Commit", "");
    },
  };
}

function sessionTime(version, seconds) {
  if (version === "2004") return `PT${seconds.toFixed(2)}S`;
  const two = (n) => String(Math.floor(n)).padStart(2, "0");
  return `${two(seconds / 3600)}:${two((seconds / 60) % 60)}:${(seconds % 60).toFixed(2).padStart(5, "0")}`;
}
