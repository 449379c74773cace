// The last state that a store has not confirmed. It is handed over when the student pauses, tried
// again until the store has it, and meanwhile kept in the browser; what happens is said on the page.

const PAUSE = 700; // ms without a change; a learning system's run-time stops the page while it saves
const LONGEST = 4000; // ms after which a pause is not waited for
const SILENCE = 5000; // ms without an answer
const AGAIN = [1000, 2000, 5000, 10000, 20000, 30000]; // ms until the next try

function outbox(store, copy, sign) {
  let due = null, since = 0, tries = 0, turn = 0, timer = null, safe = true, problem = "";
  const arm = (ms) => {
    clearTimeout(timer);
    timer = setTimeout(() => send(false), ms);
  };
  const say = (kind) => {
    problem = kind;
    if (kind === "silent") sign.problem(kind); // whether it arrived, nobody knows
    else if (kind) sign.problem(kind, safe ? "copy" : "no_copy");
    else sign.problem();
    window.removeEventListener("beforeunload", hold);
    if (kind && !safe && store.graded) window.addEventListener("beforeunload", hold);
  };
  const settle = (sent, answer) => {
    if (answer === "practice") due = null;
    if (answer === "practice") return say("");
    if (answer === "kept") {
      tries = 0;
      if (sent === due) {
        due = null;
        copy.clear();
      }
      say("");
      return;
    }
    say(answer);
    if (sent === due) arm(AGAIN[Math.min(tries++, AGAIN.length - 1)]);
  };
  const send = (leaving) => {
    clearTimeout(timer);
    if (!due) return;
    const sent = due, mine = ++turn;
    const late = setTimeout(() => { if (mine === turn) settle(sent, "silent"); }, SILENCE);
    store.send(sent, leaving, (answer) => {
      clearTimeout(late);
      if (mine === turn) settle(sent, answer);
    });
  };
  const wait = () => {
    if (store.swift) send(false);
    else arm(Math.max(0, Math.min(PAUSE, since + LONGEST - Date.now())));
  };
  const hold = (event) => event.preventDefault(); // the browser asks before it closes the page

  window.addEventListener("visibilitychange", () => {
    if (window.document.hidden || problem) send(false);
  });
  window.addEventListener("online", () => { if (problem) send(false); });
  window.addEventListener("pageshow", (event) => { if (event.persisted) send(false); });
  window.addEventListener("pagehide", (event) => {
    send(true);
    if (!event.persisted) store.leave?.(); // a page that may come back is still open
  });
  return {
    put(state) {
      if (!due) since = Date.now();
      due = state;
      safe = copy.write(state);
      if (problem) say(problem);
      wait();
    },
    fail: say,
    active() { if (due && !problem) wait(); }, // the student is at work: not now
  };
}
