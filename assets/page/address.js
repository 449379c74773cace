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

// The address follows the map; what it does not hold (the labs' controls and the progress) goes into
// the page's history entry, which survives a reload even where all storage is blocked.
function keepLink(page) {
  if (!document.documentElement.hasAttribute("data-lesson-page")) return true; // another page's address
  const query = linkQuery(page);
  const controls = {};
  for (const [name, el] of page.controls) {
    if (!name.startsWith("map.") && el.dataset.value !== undefined && el.dataset.value !== el.dataset.default) {
      controls[name] = el.dataset.value;
    }
  }
  const record = page.slots["checkpoint.record"]?.value ?? page.slots["checkpoint.record"] ?? null;
  const state = {...window.history.state, lesson: {controls, record}};
  try {
    const url = new URL(window.location.href);
    const others = [...url.searchParams].filter(([name]) => !page.controls.has(`map.${name}`));
    const rest = new URLSearchParams(others).toString();
    url.search = [query, rest].filter(Boolean).join("&");
    window.history.replaceState(state, "", url);
    return true;
  } catch {
    try { window.history.replaceState(state, ""); return true; } catch { return false; }
  }
}

// Writing the address takes longer than painting, so it waits until what came of an action is seen.
// Of many actions the last is written; what was refused is tried again.
function keepLinkSoon(page) {
  page.linkDue = true;
  page.linkTries = 0;
  if (page.linkTimer) return;
  if (page.linkTimer === undefined) window.addEventListener("pagehide", () => page.linkDue && keepLink(page));
  const wait = Math.max(0, (page.linkWritten ?? -Infinity) + ADDRESS_EVERY - performance.now());
  page.linkTimer = setTimeout(() => whenPainted(() => writeLink(page)), wait);
}

function writeLink(page) {
  page.linkTimer = 0;
  page.linkWritten = performance.now();
  if (keepLink(page) || ++page.linkTries >= ADDRESS_TRIES) page.linkDue = false;
  else page.linkTimer = setTimeout(() => writeLink(page), ADDRESS_AGAIN);
}

function whenPainted(act) {
  let done = false;
  const once = () => { if (!done) act(); done = true; };
  requestAnimationFrame(() => setTimeout(once));
  setTimeout(once, 250); // a page out of sight draws no frames
}

function keptBefore() {
  try { return window.history.state?.lesson ?? {}; } catch { return {}; }
}
