// "Present": the map fills the screen, or the frame where full screen is refused. Its keys act only
// while it is on: M the mask, 1 to 4 the heads, D another draw, arrows the word, Escape the end.

function presents(page, dispatch) {
  const panel = page.root.querySelector("[data-present-panel]");
  const button = page.root.querySelector("button[data-present]");
  if (!panel || !button || !panel.showPopover) return button?.remove();
  const value = (name) => page.slots[`map.control.${name}`].value;
  const set = (name, to) => dispatch({set: {[`map.${name}`]: to}, last: `map.${name}`});
  const keys = {
    m: () => set("causal", !value("causal")),
    d: () => page.root.querySelector('[data-control="map.draw"]')?.click(),
    ArrowUp: () => set("word", Math.max(1, value("word") - 1)),
    ArrowDown: () => set("word", Math.min(page.slots["map.word"].of.length, value("word") + 1)),
    Escape: () => show(false),
  };
  for (const heads of [1, 2, 3, 4]) keys[heads] = () => set("heads", heads);
  keys.ArrowLeft = keys.ArrowUp;
  keys.ArrowRight = keys.ArrowDown;
  const onKey = (event) => {
    const act = keys[event.key.length === 1 ? event.key.toLowerCase() : event.key];
    if (!act || event.ctrlKey || event.altKey || event.metaKey) return;
    event.preventDefault();
    event.stopPropagation();
    act();
  };
  const left = () => { if (!document.fullscreenElement) show(false); };
  function show(on) {
    if (on === panel.classList.contains("presenting")) return;
    panel.classList.toggle("presenting", on);
    button.setAttribute("aria-pressed", String(on));
    if (on) {
      panel.popover = "manual";
      panel.showPopover(); // above everything, also inside a frame that may not fill the screen
      document.documentElement.requestFullscreen?.().then(
        () => document.addEventListener("fullscreenchange", left), () => {});
      document.addEventListener("keydown", onKey, true);
      panel.querySelector("[data-figure]").focus();
    } else {
      document.removeEventListener("keydown", onKey, true);
      document.removeEventListener("fullscreenchange", left);
      if (document.fullscreenElement) document.exitFullscreen();
      panel.hidePopover();
      panel.popover = null;
      button.focus();
    }
  }
  button.addEventListener("click", () => show(!panel.classList.contains("presenting")));
}
