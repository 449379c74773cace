// "Compare": inside each cell the map without the mask, around it the map as it stands. A pointer
// holds it, a keyboard switches it on and off.

function compares(page) {
  const button = page.root.querySelector("[data-compare]");
  if (!button) return;
  const show = (on) => {
    if (on && button.getAttribute("aria-disabled") === "true") return;
    button.setAttribute("aria-pressed", String(on));
    const told = page.root.querySelector("[data-comparing]");
    if (on && told.hidden) say(page, told.textContent);
    told.hidden = !on;
    for (const renderer of page.models.get("map.figure").renderers) {
      if (renderer.name?.startsWith("map.under.") || renderer.name === "map.text.under") renderer.visible = on;
      if (renderer.name === "map.text.cells") renderer.visible = !on;
    }
  };
  button.addEventListener("pointerdown", () => show(true));
  for (const end of ["pointerup", "pointercancel", "pointerleave"]) {
    button.addEventListener(end, () => show(false));
  }
  button.addEventListener("click", (event) => { // detail is 0 when a key or a screen reader pressed it
    if (event.detail === 0) show(button.getAttribute("aria-pressed") !== "true");
  });
  button.addEventListener("blur", () => show(false));
}
