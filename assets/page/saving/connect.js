// Who keeps the progress between visits: a learning system if this page was packed for one
// (recorded/scorm), else the page that frames this one if it answers (splice.js), else the browser.
// Nothing here may ever break the lesson: every way out is guarded, and what comes in is only a text
// that the checkpoint checks.

const PATIENCE = 2000; // ms until a page that frames this one counts as silent

function connect(page, dispatch) {
  const own = document.documentElement.hasAttribute("data-lesson-page"); // not one of many on a page
  const framed = own && window.parent !== window;
  const packed = own && page.options?.scorm && typeof scormStore === "function";
  const id = activityId(page), sign = savingSign(page.root), progress = follow(page, dispatch);
  const before = readState({record: page.kept?.record}); // of the same history entry, so the same student
  const system = packed ? quietly(() => scormStore(page.options.scorm, page.options.pass_mark)) : null;
  if (system) quietly(() => useSystem(system, id, progress, before, sign));
  else if (framed && !packed) quietly(() => useHost(spliceHost(id), browserShelf(id), progress, before, sign));
  else {
    const shelf = browserShelf(id);
    progress.take(shelf.load() ?? before);
    progress.put = outbox(shelf, unsavedCopy(""), sign).put;
    if (packed) sign.note("lone");
  }
  if (framed) quietly(() => followHeight(page));
}

// A learning system. What it has not got yet is in the browser under the student's digest.
function useSystem(system, id, progress, before, sign) {
  const copy = unsavedCopy(copyName(system.who, id));
  const kept = system.load();
  progress.take(kept.record ? kept : {...kept, record: before?.record ?? ""});
  sign.note(system.practice);
  if (system.practice) return;
  const left = copy.read();
  copy.adopt();
  if (left && progress.bring(left)) sign.note("brought");
  const box = outbox(system, copy, sign);
  system.opened = (late) => {
    sign.note(system.practice);
    if (!system.practice) progress.bring(late);
    return progress.state();
  };
  progress.put = box.put;
  progress.busy = box.active;
  progress.forgets = null; // it is one student's
  box.put(progress.state()); // whatever it lacks goes there now
  if (!system.open) box.fail("shut");
  copy.later((found) => {
    const gained = progress.bring(found) === true;
    if (gained) sign.note("brought");
    if (gained) box.put(progress.state());
    return gained;
  });
}

// A page around this one. Until it has answered, what this browser has is shown; it knows better.
function useHost(host, shelf, progress, before, sign) {
  const start = progress.state(), found = before ?? shelf.load();
  progress.take(found);
  const silent = setTimeout(() => {
    const box = outbox(shelf, unsavedCopy(""), sign);
    progress.put = (state) => {
      box.put(state);
      host.send(state, false, () => {}); // it may listen without speaking
    };
    progress.forgets = () => host.forget();
    if (progress.atWork) progress.put(progress.state());
  }, PATIENCE);
  host.load((kept) => {
    clearTimeout(silent);
    const mine = !found || before ? progress.state() : null; // of the browser: perhaps another's
    const settled = () => {
      if (mine) progress.bring(mine);
      progress.put = outbox(host, unsavedCopy(""), sign).put;
      progress.forgets = null;
      progress.tell = (event, data) => host.tell(event, data);
      if (progress.state().record !== (kept ?? start).record) progress.put(progress.state());
    };
    if (kept || !before) progress.drop(kept ?? start, settled);
    else settled();
  });
}

// The student's progress as it goes on: what was reached, and what a store gives back of it.
function follow(page, dispatch) {
  let seen = progressOf(page), best = 0, done = false, answers = [], next = null;
  const merge = (kept) => { // what was reached is never taken away
    best = Math.max(best, kept?.best ?? 0, seen?.score ?? 0);
    done = done || kept?.done === true || seen?.finished === true;
    for (const row of kept?.answers ?? []) if (!answers.some(([key]) => key === row[0])) answers = [...answers, row];
  };
  const progress = {
    atWork: false,
    /** @type {(state: any) => void} */
    put: () => {},
    busy: () => {},
    /** @type {(event: string, data: object) => void} */
    tell: () => {},
    /** @type {null | (() => void)} */
    forgets: () => {}, // null where somebody keeps the best score
    state: () => ({record: seen?.record ?? "", best, earned: seen?.earned ?? 0, done, answers}),
    take(kept, then = () => {}) { // go on from there
      if (!kept) return;
      next = {kept, then};
      if (kept.record) dispatch({restore: kept.record});
      else page.keep();
    },
    drop(kept, then) { // go on from there with nothing of what was before
      [best, done, answers] = [0, false, []];
      progress.take(kept, then);
    },
    bring(kept) { // go on from there if that is further; was anything gained?
      const gains = kept.best > best + 1e-9 || (kept.done && !done), further = kept.earned > (seen?.earned ?? 0);
      if (further) progress.take(kept);
      else merge(kept);
      return gains || further;
    },
  };
  // The first result of a question stays; every answer is noted. Nothing is noted while a record that
  // a store gave back is shown.
  page.answered = (key, response, right) => quietly(() => {
    const row = answers.find((one) => one[0] === key);
    const result = right === null ? OPEN : Number(right);
    if (!row && response !== null && !next) answers = [...answers, [key, response.slice(0, 120), result, Date.now()]];
    if (!row || next) return;
    const changed = [key, response === null ? row[1] : `${row[1]}; ${response}`.slice(0, 120),
      row[2] === OPEN ? result : row[2], row[3]];
    if (changed.join() !== row.join()) answers = answers.map((one) => one === row ? changed : one);
  });
  page.keep = () => quietly(() => {
    progress.busy();
    let now = progressOf(page);
    if (!now) return;
    if (next) {
      const {kept, then} = next;
      next = null;
      seen = {...now, record: kept.record || now.record};
      merge(kept);
      then();
      now = progressOf(page); // it may have gone on from something else
    }
    if (now.record === seen?.record) return;
    progress.atWork = true;
    const change = now.earned - (seen?.earned ?? 0);
    seen = now;
    if (change < 0 && progress.forgets) { // it may be somebody else now
      [best, done, answers] = [0, false, []];
      progress.forgets();
    }
    merge(null);
    progress.put(progress.state());
    if (change > 0) progress.tell("step-earned", {earned: now.earned, of: now.of});
    if (change > 0 && now.finished) progress.tell("checkpoint-finished", {});
    if (change < 0) progress.tell("checkpoint-restarted", {});
  });
  return progress;
}
