// What a student does becomes {control: value}; what came of it is said by one live region, all at once:
// a screen reader that hears two at a time drops one of them.

function listen(page, dispatch) {
  const {root} = page;
  const read = (el) => el.dataset.kind === "switch" ? el.checked
    : el.dataset.kind === "range" ? Number(el.value) : el.value;
  const choose = (el) => {
    const pairs = el.dataset.choose.split("&").map((pair) => pair.split("="));
    dispatch({set: Object.fromEntries(pairs.map(([n, v]) => [n, JSON.parse(v)])), last: pairs[0][0]});
  };
  root.addEventListener("input", (event) => {
    const el = event.target.closest("[data-control]");
    if (event.target.dataset.choose) choose(event.target);
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
    const values = data.answer && readAnswer(button);
    if (values) {
      page.focusDue = data.answer;
      dispatch({answer: [data.answer, values], last: "checkpoint.answer"});
    }
    else if (data.go) {
      clearAnswers(root);
      page.focusDue = data.go;
      dispatch({answer: [data.go, "next"], last: "checkpoint.answer"});
    } else if (data.open) {
      page.focusDue = data.open;
      dispatch({open: data.open, last: "checkpoint.open"});
    } else if ("restart" in data) {
      dispatch({restart: true, last: "checkpoint.restart"});
      clearAnswers(root);
    } else if (data.kind === "step") {
      const next = Number(data.value) + 1;
      const top = Number(data.top);
      data.value = String(next > top ? 0 : next); // so that a second click before the answer counts
      dispatch({set: {[data.control]: Number(data.value)}, last: data.control});
    } else if (data.choose) choose(button);
    else if (data.reset) dispatch({reset: data.reset, last: `${data.reset}.reset`});
    else if (data.act) dispatch({act: data.act, last: data.act});
  });
}

// Every field of a step has to hold something; the browser says which does not. Only then is a field
// required: before anything was answered, a screen reader would call it invalid.
function readAnswer(button) {
  const values = [], fields = [...button.closest("[data-answers]").querySelectorAll("[data-field]")];
  const demand = (on) => { for (const field of fields) field.querySelector("input").required = on; };
  demand(true);
  for (const field of fields) {
    const inputs = [...field.querySelectorAll("input")];
    if (!inputs[0].reportValidity()) return null;
    const chosen = inputs.find((input) => input.type !== "radio" || input.checked);
    values.push(chosen.type === "radio" ? chosen.value : String(Number(chosen.value)));
  }
  demand(false);
  return values.join(",");
}

function clearAnswers(root) {
  for (const input of root.querySelectorAll("[data-answers] input")) {
    if (input.type === "radio") input.checked = false;
    else input.value = "";
  }
}

// A step that is opened or answered takes the focus once it is there: what had it is gone.
function focusStep(page) {
  const head = page.focusDue && page.root.querySelector(`[data-step-head="${page.focusDue}"]`);
  if (!head || head.closest("[hidden]")) return;
  page.focusDue = null;
  head.focus();
}

function announce(page, last) {
  focusStep(page);
  if (!last) return;
  const at = last.indexOf(".");
  const slot = page.slots[`${last.slice(0, at)}.announcement.${last.slice(at + 1)}`];
  const text = pick(page, slot);
  if (text) page.root.querySelector("[data-live]").textContent = slot.first ?? text;
  say(page, [text, page.slots["checkpoint.announcement"]].filter(Boolean).join(" "));
}

const SAY_AGAIN = 100; // ms: a text that comes back at once is no change

function say(page, text) {
  const region = page.root.querySelector("[data-said]");
  if (!text || region.textContent !== text) region.textContent = text || region.textContent;
  else {
    region.textContent = "";
    setTimeout(() => { if (!region.textContent) region.textContent = text; }, SAY_AGAIN);
  }
}
