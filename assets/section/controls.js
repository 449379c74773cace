// What a student does becomes {control: value}; what came of it is said in the live region.

function listen(page, dispatch) {
  const {root} = page;
  const read = (el) => el.dataset.kind === "switch" ? el.checked
    : el.dataset.kind === "range" ? Number(el.value) : el.value;
  root.addEventListener("input", (event) => {
    const el = event.target.closest("[data-control]");
    if (!el || el.dataset.kind === "text") return;
    const value = el.dataset.kind === "choice" ? event.target.value : read(el);
    dispatch({set: {[el.dataset.control]: value}, last: el.dataset.control});
  });
  root.addEventListener("change", (event) => {
    const el = event.target.closest("[data-control]");
    if (el?.dataset.kind === "text") {
      dispatch({set: {[el.dataset.control]: el.value}, last: el.dataset.control});
    }
  });
  root.addEventListener("keydown", (event) => {
    const el = event.target;
    if (event.key === "Enter" && el.matches?.("input[data-kind=text], input[data-answer-input]")) {
      event.preventDefault();
      if (el.matches("[data-answer-input]")) el.closest("[data-answers]").querySelector("button[data-answer]").click();
      else el.dispatchEvent(new Event("change", {bubbles: true}));
    }
  });
  root.addEventListener("click", (event) => {
    const button = event.target.closest("button");
    if (!button || button.disabled || button.getAttribute("aria-disabled") === "true") return;
    const data = button.dataset;
    if (data.answer) sendAnswer(button, dispatch);
    else if (data.open) {
      dispatch({open: data.open, last: "checkpoint.open"});
      root.querySelector(`[data-step-head="${data.open}"]`).focus();
    } else if ("restart" in data) {
      dispatch({restart: true, last: "checkpoint.restart"});
      clearAnswers(root);
    } else if (data.kind === "step") {
      const next = Number(data.value) + 1;
      const top = Number(data.top);
      data.value = String(next > top ? 0 : next); // so that a second click before the answer counts
      dispatch({set: {[data.control]: Number(data.value)}, last: data.control});
    } else if (data.choose) {
      const pairs = data.choose.split("&").map((pair) => pair.split("="));
      dispatch({set: Object.fromEntries(pairs.map(([n, v]) => [n, JSON.parse(v)])), last: pairs[0][0]});
    } else if (data.reset) dispatch({reset: data.reset, last: `${data.reset}.reset`});
    else if (data.act) dispatch({act: data.act, last: data.act});
  });
}

// Every field of a step has to hold something; the browser says which does not.
function sendAnswer(button, dispatch) {
  const values = [];
  for (const field of button.closest("[data-answers]").querySelectorAll("[data-field]")) {
    const inputs = [...field.querySelectorAll("input")];
    if (!inputs[0].reportValidity()) return;
    const chosen = inputs.find((input) => input.type !== "radio" || input.checked);
    values.push(chosen.type === "radio" ? chosen.value : String(Number(chosen.value)));
  }
  dispatch({answer: [button.dataset.answer, values.join(",")], last: "checkpoint.answer"});
}

function clearAnswers(root) {
  for (const input of root.querySelectorAll("[data-answers] input")) {
    if (input.type === "radio") input.checked = false;
    else input.value = "";
  }
}

function announce(page, last) {
  if (!last) return;
  const at = last.indexOf(".");
  const text = page.slots[`${last.slice(0, at)}.announcement.${last.slice(at + 1)}`];
  const region = page.root.querySelector("[data-live]");
  if (text && region) region.textContent = text;
}

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
  if (!document.documentElement.hasAttribute("data-lesson-page")) return; // another page's address
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
  } catch {
    try { window.history.replaceState(state, ""); } catch { /* a frame may not even do that */ }
  }
}

// Writing the address takes longer than painting, so it waits until what came of an action is seen.
function keepLinkSoon(page) {
  if (page.linkDue) return;
  const write = () => {
    if (page.linkDue) keepLink(page);
    page.linkDue = false;
    window.removeEventListener("pagehide", write);
  };
  page.linkDue = true;
  requestAnimationFrame(() => setTimeout(write));
  setTimeout(write, 250); // a page out of sight draws no frames
  window.addEventListener("pagehide", write);
}

function keptBefore() {
  try { return window.history.state?.lesson ?? {}; } catch { return {}; }
}
