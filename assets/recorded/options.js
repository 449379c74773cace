// What a teacher chose for this file: presets, locked controls, parts. It stands in the file as JSON
// that a text editor can change, so nothing in it is trusted; what is wrong is said on the page.

// A sentence with its {name} and {given} filled in: as they were written, and short.
function filled(text, words, most = 40) {
  return text.replace(/\{(name|given)\}/g, (hole, key) => key in words ? String(words[key]).slice(0, most) : hole);
}

function readOptions(words) {
  /** @type {any} */
  const options = {preset: {}, lock: new Set(), parts: null, shown: null, partial: false, problems: []};
  const wrong = (text, name, most) => options.problems.push(filled(text, {name}, most));
  let given;
  try {
    given = JSON.parse(document.getElementById("lesson-options").textContent);
    if (typeof given !== "object" || given === null || Array.isArray(given)) throw new SyntaxError(words.braces);
  } catch (error) {
    wrong(words.json, /** @type {Error} */ (error).message, 200);
    return options;
  }
  const texts = (list) => Array.isArray(list) && list.every((item) => typeof item === "string");
  for (const [key, value] of Object.entries(given)) {
    if (!words.keys.includes(key)) wrong(words.key, key);
    else if (key === "preset" && typeof value === "object" && value !== null && !Array.isArray(value)) {
      options.preset = value;
    } else if (key === "lock" && texts(value)) options.lock = new Set(value);
    else if (key === "parts" && texts(value)) options.parts = value;
    else if (["activity_id", "name"].includes(key) && typeof value === "string") options[key] = value.slice(0, 500);
    else if (key === "score" && words.scores.includes(value)) options.score = value;
    else if (key === "pass_mark" && typeof value === "number" && value >= 0 && value <= 1) options.pass_mark = value;
    else if (key === "scorm" && Object.hasOwn(SCORM, value)) options.scorm = value;
    else wrong(words.shape, key);
  }
  return options;
}

// Which of the two figures a course gets is said before the first question.
function sayScore(root, {score}) {
  const note = root.querySelector("[data-score]");
  if (!score) return;
  note.dataset.score = score;
  note.textContent = JSON.parse(note.dataset.words)[score];
}

// Parts that were not asked for leave the page, and with them the steps that ask about them; the map
// always stays.
function keepParts(root, options, words, steps) {
  const tabs = [...root.querySelectorAll(".tabs [role=tab]")];
  const names = tabs.map((tab) => tab.id.slice("tab-".length));
  for (const name of options.parts ?? []) {
    if (!names.includes(name)) options.problems.push(filled(words.part, {name}));
  }
  options.shown = new Set(["map", ...(options.parts ?? names)]);
  for (const tab of tabs) {
    if (options.shown.has(tab.id.slice("tab-".length))) continue;
    options.partial = true;
    root.querySelector(`#${tab.getAttribute("aria-controls")}`).remove();
    tab.remove();
  }
  for (const {key} of steps.filter((step) => !options.shown.has(step.part))) {
    const places = [`#step-${key}`, `[data-open="${key}"]`, `[data-slot="checkpoint.step.${key}"]`, `[data-slot="checkpoint.again.${key}"]`];
    for (const el of root.querySelectorAll(places.join())) el.remove();
  }
  for (const link of root.querySelectorAll("[data-show-tab]")) {
    if (!root.querySelector(`#${link.dataset.showTab}`)) link.hidden = true;
  }
  root.querySelector(".tabs").hidden = root.querySelectorAll(".tabs [role=tab]").length < 2;
}

// Presets are where the sections start and where Reset goes back to.
function presetSections(page, sections, options, words) {
  const wished = [];
  for (const [full, value] of Object.entries(options.preset)) {
    const [section, name] = full.split(".");
    const axis = sections.get(section)?.table.axes.find((a) => a.name === name);
    const place = axis ? placeOf(axis, value) : -1;
    if (place >= 0) {
      axis.start = place;
      wished.push([full, axis, place]);
    } else {
      const text = axis ? axis.problem : words.control;
      const given = typeof value === "object" ? JSON.stringify(value) : value;
      options.problems.push(filled(text, {given, name: full}));
    }
  }
  for (const section of sections.values()) section.begin();
  for (const [full, axis, place] of wished) {
    if (axis.start !== place) options.problems.push(filled(words.settled, {name: full}));
  }
  for (const [section, {table}] of sections) {
    for (const axis of table.axes) {
      const el = page.controls.get(`${section}.${axis.name}`);
      if (el) el.dataset.default = String(axis.values[axis.start]); // a link holds what differs from it
    }
  }
}

// A locked control shows its value and takes no other; `paint` cannot enable it again.
function lockControls(page, options, words) {
  for (const full of options.lock) {
    const el = page.controls.get(full);
    if (!el) {
      options.problems.push(filled(words.control, {name: full}));
      continue;
    }
    const others = [...page.root.querySelectorAll("[data-choose]")].filter((b) => b.dataset.choose.split("=")[0] === full);
    for (const it of [el, ...others]) {
      it.dataset.locked = "";
      it.disabled = true;
    }
    const note = document.createElement("p");
    note.className = "help";
    note.textContent = words.fixed;
    el.closest(".control")?.append(note);
  }
}
