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

// A step that is opened takes the focus once it is there.
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
  const text = pick(page, page.slots[`${last.slice(0, at)}.announcement.${last.slice(at + 1)}`]);
  const region = page.root.querySelector("[data-live]");
  if (text && region) region.textContent = text;
}
