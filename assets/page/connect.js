// Where progress is kept between visits, and what the page around is told.
// A learning system keeps it if there is one (scorm.js), else the page that frames this one if it
// answers (SPLICE), else the browser. Nothing here may ever break the lesson: every way out is
// guarded, and what comes in is only a text that the checkpoint checks.

const LONGEST_STATE = 5000;
const PATIENCE = 2000; // ms until a page that frames this one counts as silent

function connect(page, dispatch) {
  const own = document.documentElement.hasAttribute("data-lesson-page"); // not one of many on a page
  const framed = own && window.parent !== window;
  const id = activityId(page);
  const system = own && typeof scorm === "function" ? quietly(() => scorm(page.options?.scorm)) : null;
  const host = framed && !system ? spliceHost(id) : null;
  const shelf = browserShelf(id);
  let seen = progressOf(page), best = 0, atWork = false, next = null;
  let keeper = system ?? (host ? null : shelf); // null: the host has not answered yet

  const take = (kept) => { // go on from there, unless the student has meanwhile come further
    if (!kept) return;
    next = {kept, mine: atWork ? progressOf(page) : null};
    dispatch({restore: kept.record});
  };
  page.keep = () => quietly(() => {
    const now = progressOf(page);
    if (!now) return;
    if (next) {
      const {kept, mine} = next;
      next = null;
      best = Math.max(best, kept.best);
      seen = {...now, record: kept.record};
      if (mine && mine.score > now.score) return dispatch({restore: mine.record});
    }
    if (now.record === seen?.record) return;
    atWork = true;
    if (!keeper) return;
    const gained = now.score > (seen?.score ?? 0), lost = now.score < (seen?.score ?? 0);
    seen = now;
    if (lost && keeper !== system && !host?.answered) best = now.score; // it may be somebody else now
    const better = now.score > best;
    best = Math.max(best, now.score);
    for (const store of new Set([keeper, host])) {
      store?.save({record: now.record, best}, better ? now.score : null);
    }
    if (gained) host?.tell("step-earned", {earned: now.earned, of: now.of});
    if (gained && now.score === 1) host?.tell("checkpoint-finished", {});
    if (lost) host?.tell("checkpoint-restarted", {});
  });

  const record = page.kept?.record; // of the same history entry, so the same student a moment ago
  const before = readState({record, best: 0});
  if (keeper) take(quietly(() => keeper.load()) ?? before);
  else {
    take(before);
    const settle = (store, kept) => {
      keeper = store;
      if (kept) take(kept);
      else page.keep(); // what was done in the meantime
    };
    const silent = setTimeout(() => settle(shelf, before ? null : shelf.load()), PATIENCE);
    host.load((kept) => {
      clearTimeout(silent);
      settle(host, kept);
    });
  }
  if (framed) quietly(() => followHeight(page));
}

function quietly(work) {
  try { return work() ?? null; } catch { return null; }
}

function progressOf(page) {
  const slot = page.slots["checkpoint.record"], bar = page.slots["checkpoint.progress"];
  const record = slot?.value ?? slot;
  if (typeof record !== "string" || !(bar?.max > 0)) return null;
  return {record, score: bar.value / bar.max, earned: bar.value, of: bar.max};
}

// What a store gave back: {record, best} or its JSON, else null.
function readState(given) {
  if (typeof given === "string" && given.length <= LONGEST_STATE) given = quietly(() => JSON.parse(given));
  if (typeof given !== "object" || given === null) return null;
  const {record, best} = given;
  if (typeof record !== "string" || !record || record.length > LONGEST_STATE) return null;
  return {record, best: typeof best === "number" && best >= 0 && best <= 1 ? best : 0};
}

function activityId(page) {
  const named = page.options?.activity_id ?? new URLSearchParams(window.location.search).get("activity_id");
  return named || window.location.href.split(/[?#]/)[0];
}

function browserShelf(id) {
  const key = `attention-lesson ${id}`;
  return {
    load: () => quietly(() => readState(window.localStorage.getItem(key))),
    save: (state) => quietly(() => window.localStorage.setItem(key, JSON.stringify(state))),
  };
}

let messages = 0;
function post(subject, body) {
  const message_id = `${Date.now().toString(36)}-${Math.random().toString(36).slice(2)}-${++messages}`;
  quietly(() => window.parent.postMessage({subject, message_id, ...body}, "*"));
  return message_id;
}

// https://cssplice.org/slcp/iframe-protocol-specification.html
function spliceHost(activity_id) {
  const host = {
    answered: false,
    load(done) {
      const asked = post("SPLICE.getState", {activity_id});
      const hear = (event) => quietly(() => {
        const data = event.data;
        if (event.source !== window.parent || typeof data !== "object" || data === null) return;
        if (data.subject !== "SPLICE.getState.response" || data.message_id !== asked) return;
        window.removeEventListener("message", hear);
        if (data.error) return;
        host.answered = true;
        done(readState(data.state));
      });
      window.addEventListener("message", hear);
    },
    save(state, score) { // a score only when it rose: a mere save must not grade
      post("SPLICE.reportScoreAndState", score === null ? {activity_id, state} : {activity_id, score, state});
    },
    tell(name, data) { post("SPLICE.sendEvent", {activity_id, name, data}); },
  };
  return host;
}

// The height of what is on the page, not of the frame: otherwise a tall frame could never shrink.
// The room of a scroll bar stays reserved, so that its coming and going cannot change the height.
function followHeight(page) {
  const html = document.documentElement;
  html.style.scrollbarGutter = "stable";
  let told = 0;
  const tell = () => {
    const height = Math.ceil(html.getBoundingClientRect().height);
    if (height && height !== told) post("lti.frameResize", {height});
    told = height; // 0 while the frame is hidden, so that it is told again when it is shown
  };
  const watch = new ResizeObserver(tell);
  watch.observe(html);
  watch.observe(page.root);
  new IntersectionObserver((entries) => { // a frame that is hidden has no sizes to observe
    if (entries.at(-1).boundingClientRect.height) tell();
    else told = 0;
  }).observe(html);
  tell();
}
