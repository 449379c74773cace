// What the page says about where the progress is. Python wrote every sentence into the markup; here
// the right ones are shown: a problem that is there now, or a note.

function savingSign(root) {
  const alarm = root.querySelector("[data-saving]"), line = root.querySelector("[data-saving-note]");
  const words = quietly(() => JSON.parse(alarm.dataset.words)) ?? {};
  const show = (el, keys) => {
    if (!el) return;
    const text = keys.map((key) => words[key]).filter(Boolean).join(" ");
    if (el.textContent !== text) el.textContent = text;
    el.hidden = !text;
  };
  return {
    problem: (...keys) => show(alarm, keys), // none: all is well
    note: (...keys) => show(line, keys),
  };
}
