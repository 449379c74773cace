// The address follows the view, and the history entry the rest: what a reload comes back to.

const ADDRESS_EVERY = 150; // ms: browsers take some 100 writes in 10 s and refuse the next
const ADDRESS_AGAIN = 1000; // ms after a refusal
const ADDRESS_TRIES = 15; // a frame that may never write is left in peace until the next action

// The query of a link that reproduces the view: every control of the map that left its default.
function linkQuery(page) {
  const parts = [];
  for (const [name, el] of page.controls) {
    if (!name.startsWith("map.")) continue;
    const value = el.dataset.value;
    if (value === undefined || value === el.dataset.default) continue;
    const word = value === "true" ? "1" : value === "false" ? "0" : value;
    parts.push(`${name.slice(4)}=${encodeURIComponent(word)}`);
  }
  return parts.join("&");
}

// What brings the lesson back; a control of the map needs no place there, where the address holds it.
function lessonNow(page, withMap) {
  const controls = {};
  for (const [name, el] of page.controls) {
    const value = el.dataset.value, ofMap = name.startsWith("map.");
    if (value !== undefined && (ofMap ? withMap : value !== el.dataset.default)) controls[name] = value;
  }
  const record = page.slots["checkpoint.record"]?.value ?? page.slots["checkpoint.record"] ?? null;
  return {entry: page.kept?.entry, controls, record};
}

const ownsAddress = () => document.documentElement.hasAttribute("data-lesson-page");

// The address follows the map; what it does not hold (the labs' controls and the progress) goes into
// the page's history entry, which survives a reload even where all storage is blocked.
function keepLink(page) {
  if (!ownsAddress()) return true; // another page's address
  const query = linkQuery(page), state = {...window.history.state, lesson: lessonNow(page, false)};
  try {
    const url = new URL(window.location.href);
    const others = [...url.searchParams].filter(([name]) => !page.controls.has(`map.${name}`));
    const rest = new URLSearchParams(others).toString();
    url.search = [query, rest].filter(Boolean).join("&");
    window.history.replaceState(state, "", url);
    return true;
  } catch {
    quietly(() => window.history.replaceState(state, "")); // better than nothing, and the address is tried again
    return false;
  }
}

// Who reloads before the address is written takes the rest along in the tab's storage: a browser drops
// what is written to the history then. It is named for the entry, so it never reaches anybody else.
const LEFT = "attention-lesson left";

function leave(page) {
  if (!page.linkDue || !ownsAddress()) return;
  keepLink(page);
  quietly(() => window.sessionStorage.setItem(LEFT, JSON.stringify(lessonNow(page, true))));
}

function takeLeft(entry) {
  return quietly(() => {
    const left = JSON.parse(window.sessionStorage.getItem(LEFT));
    window.sessionStorage.removeItem(LEFT);
    return left?.entry === entry ? left : null;
  });
}

// Writing the address takes longer than painting, so it waits until what came of an action is seen.
// Of many actions the last is written; what was refused is tried again.
function keepLinkSoon(page) {
  page.linkDue = true;
  page.linkTries = 0;
  if (page.linkTimer) return;
  if (page.linkTimer === undefined) window.addEventListener("pagehide", () => leave(page));
  const wait = Math.max(0, (page.linkWritten ?? -Infinity) + ADDRESS_EVERY - performance.now());
  page.linkTimer = setTimeout(() => whenPainted(() => writeLink(page)), wait);
}

function writeLink(page) {
  page.linkTimer = 0;
  page.linkWritten = performance.now();
  const kept = keepLink(page);
  if (kept) quietly(() => window.sessionStorage.removeItem(LEFT)); // of a page that came back from the cache
  if (kept || ++page.linkTries >= ADDRESS_TRIES) page.linkDue = false;
  else page.linkTimer = setTimeout(() => writeLink(page), ADDRESS_AGAIN);
}

function whenPainted(act) {
  let done = false;
  const once = () => { if (!done) act(); done = true; };
  requestAnimationFrame(() => setTimeout(once));
  setTimeout(once, 250); // a page out of sight draws no frames
}

// What a page before this one kept in the same history entry.
function keptBefore() {
  const kept = quietly(() => window.history.state?.lesson) ?? {};
  if (kept.entry) return takeLeft(kept.entry) ?? kept;
  const named = {...kept, entry: `${Date.now()} ${Math.random()}`};
  if (ownsAddress()) quietly(() => window.history.replaceState({...window.history.state, lesson: named}, ""));
  return named;
}
