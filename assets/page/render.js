// How painted slots reach the page. The same code serves the live and the recorded host.
// A page is {root, models, slots}: an element, Bokeh models by name, and the last value of each slot.

const SAFE_TAGS = new Set(["p", "span", "strong", "em", "code", "ul", "ol", "li", "tr", "th", "td",
  "thead", "tbody", "table", "caption", "meter", "div", "h3", "h4", "i", "pre",
  "button"]);
const SAFE_ATTRIBUTES = new Set(["class", "scope", "colspan", "rowspan", "value", "min", "max",
  "aria-label", "aria-hidden", "aria-pressed", "aria-current", "aria-invalid", "aria-expanded",
  "aria-disabled", "aria-valuetext", "aria-valuenow", "aria-valuemin", "aria-valuemax", "hidden", "disabled", "checked", "title", "data-kind", "data-state",
  "data-level", "data-term", "aria-describedby", "type", "role", "lang", "dir"]);
const PROPERTIES = new Set(["hidden", "disabled", "value", "max", "min", "checked"]);

function makePage(root, views) {
  const models = new Map();
  for (const view of views) addModels(models, view.model);
  const targets = new Map();
  for (const el of root.querySelectorAll("[data-slot]")) {
    for (const key of el.dataset.slot.split(" ")) {
      if (!targets.has(key)) targets.set(key, []);
      targets.get(key).push(el);
    }
  }
  const controls = new Map();
  for (const el of root.querySelectorAll("[data-control]")) controls.set(el.dataset.control, el);
  const mirrors = [...root.querySelectorAll("[data-mirror]")];
  const page = {root, models, views, targets, controls, mirrors, slots: {}, held: new Set(),
    schemes: readSchemes(root), picks: new Map(), // control -> the slots that it chooses a part of
    linkDue: false, whole: false}; // is the address behind; are the figures of all tabs there
  for (const view of views) dress(page, view.model);
  return page;
}

// A slot {by, of} holds one value for each value of a control, from 1, which chooses among them; a
// slot {first, like} says a text of its own, if any, and then what another slot says; one {by, row_of}
// is a row of another's cells, and "fill" names the cells whose texts stand in a sentence. A column
// {texts} is looked up in another: in the marks of the cells' states, or in the places of the texts.
function pick(page, value) {
  if (value?.like) return [value.first, pick(page, page.slots[value.like])].filter(Boolean).join(" ");
  if (value?.texts) {
    const {marks, places, beyond} = value, texts = pick(page, page.slots[value.texts]);
    if (places) return texts.map((text) => places[text] ?? beyond);
    const states = page.slots[value.states];
    return texts.map((text, n) => marks[states[n]] ?? text);
  }
  if (!value?.by) return value;
  const at = page.slots[value.by].value - 1;
  if (value.fill) {
    const texts = page.slots[value.fill];
    return value.of[at].replace(/\t(\d+)/g, (_, n) => texts[n]);
  }
  if (value.of) return value.of[at];
  const cells = page.slots[value.row_of], width = Math.sqrt(cells.length);
  return cells.slice(at * width, (at + 1) * width).map(Number);
}

// What a paint reaches: its own slots, and those that a control in it chooses a part of.
function withPicks(page, paint) {
  const due = {...paint};
  Object.assign(page.slots, paint);
  for (const [key, value] of Object.entries(paint)) {
    if (!value?.by && !value?.texts) continue;
    for (const source of [value.by, value.row_of, value.fill, value.texts, value.states].filter(Boolean)) {
      if (!page.picks.has(source)) page.picks.set(source, new Set());
      page.picks.get(source).add(key);
    }
  }
  const reached = Object.keys(paint);
  for (const key of reached) { // grows while it is walked
    for (const chosen of page.picks.get(key) ?? []) {
      if (!(chosen in due)) reached.push(chosen);
      due[chosen] = page.slots[chosen];
    }
  }
  return due;
}

function addModels(models, figure) {
  const named = [...figure.references()].filter((model) => model.name);
  for (const model of named) models.set(model.name, model);
  return named.map((model) => model.name);
}

// Text never becomes markup: nodes are made one by one from ["tag", {attributes}, ...children].
function makeNode(spec) {
  if (!Array.isArray(spec)) return document.createTextNode(String(spec));
  const [tag, attributes, ...children] = spec;
  const el = document.createElement(SAFE_TAGS.has(tag) ? tag : "span");
  setAttributes(el, attributes);
  el.append(...children.map(makeNode));
  return el;
}

function setAttributes(el, attributes) {
  for (const [name, value] of Object.entries(attributes)) {
    if (!SAFE_ATTRIBUTES.has(name)) continue;
    if (name === "disabled" && el.dataset.locked !== undefined) continue; // a teacher fixed it
    if (PROPERTIES.has(name) && name in el) el[name] = value;
    else if (name === "data-level") el.style.setProperty("--level", Number(value));
    else if (value === null || value === false) el.removeAttribute(name);
    else el.setAttribute(name, value === true ? "" : value);
  }
}

function renderPixels(page, canvas, {width, palette_indices: indices}) {
  if (!indices.length) return;
  const scheme = schemeNow(page), palette = scheme.pixels;
  const masked = palette.length - 2, dropped = palette.length - 1;
  const height = indices.length / width;
  canvas.width = width * 8;
  canvas.height = height * 8;
  const pen = canvas.getContext("2d");
  indices.forEach((index, i) => {
    const x = (i % width) * 8, y = Math.floor(i / width) * 8;
    pen.fillStyle = palette[index];
    pen.fillRect(x, y, 8, 8);
    if (index >= masked) { // a mark besides the colour
      pen.strokeStyle = index === masked ? scheme.masked_ink : scheme.cross;
      pen.beginPath();
      pen.moveTo(x + 1, y + 7);
      pen.lineTo(x + 7, y + 1);
      if (index === dropped) { pen.moveTo(x + 1, y + 1); pen.lineTo(x + 7, y + 7); }
      pen.stroke();
    }
  });
}

function setControl(el, value) {
  const type = el.dataset.kind;
  if (type === "switch") el.checked = value;
  else if (type === "choice") {
    for (const radio of el.querySelectorAll("input")) radio.checked = radio.value === String(value);
  } else if (type === "text") {
    if (document.activeElement !== el && el.getRootNode().activeElement !== el) el.value = value;
  } else if (type === "range") el.value = value;
  el.dataset.value = String(value);
}

// While an answer is on its way a control shows what the student did; now it shows what came of it.
function release(page) {
  for (const name of page.held) {
    const [section, control] = name.split(".");
    const el = page.controls.get(name), slot = page.slots[`${section}.control.${control}`];
    if (el && slot) setControl(el, slot.value);
  }
  page.held.clear();
}

function columnsOf(source) {
  return source.data instanceof Map ? Object.fromEntries(source.data) : {...source.data};
}

// In tests a name that the page has no place for is an error: a typo must not pass for an empty place.
const READ_BY_SCRIPTS = /\.announcement\.|^checkpoint\.(record|announcement)$|^map\.observation$/;

function checkNames(page, paint) {
  if (!window.strictNames || page.options?.partial) return; // parts that were left out have no places
  const buttons = [...page.root.querySelectorAll("[data-choose]")].map((el) => el.dataset.choose);
  const isControl = (name) => page.controls.has(name) || buttons.some((set) => set.includes(`${name}=`));
  const hasPlace = (key) => key.startsWith("source:") ? page.models.has(key.slice(7, key.lastIndexOf(".")))
    : key.startsWith("model:") ? page.models.has(key.slice(6))
    : key.includes(".control.") ? isControl(key.replace(".control.", "."))
    : page.targets.has(key) || READ_BY_SCRIPTS.test(key);
  const wrong = Object.keys(paint).filter((key) => !hasPlace(key));
  if (!wrong.length) return;
  page.wrong = `no place on the page for ${wrong.join(", ")}`;
  throw new ReferenceError(page.wrong);
}

function applySlots(page, paint) {
  if (page.whole) checkNames(page, paint);
  const columns = new Map(), moved = [], before = sweepFrom(page, paint);
  for (const [key, whole] of Object.entries(withPicks(page, paint))) {
    const value = pick(page, whole);
    const [kind, rest] = key.includes(":") ? key.split(":", 2) : ["", key];
    if (kind === "source") {
      const at = rest.lastIndexOf("."), name = rest.slice(0, at);
      if (!columns.has(name)) columns.set(name, {});
      columns.get(name)[rest.slice(at + 1)] = value;
    } else if (kind === "model") {
      const model = page.models.get(rest);
      const attributes = {...value};
      if ("major_label_overrides" in attributes) {
        attributes.major_label_overrides = new Map(attributes.major_label_overrides);
      }
      const fitted = rest.endsWith("_range") && page.models.has(rest.replace(/[xy]_range$/, "labels"));
      if (!fitted) model?.setv(attributes, {sync: false}); // a map's ranges depend on its size, too
    } else if (rest.includes(".control.")) {
      const name = rest.replace(".control.", ".");
      const el = page.controls.get(name);
      if (el && !page.held.has(name)) moved.push([el, value.value]);
    } else {
      for (const el of page.targets.get(key) ?? []) {
        if (typeof value === "string" || typeof value === "number") el.textContent = value;
        else if (Array.isArray(value)) el.replaceChildren(...value.map(makeNode));
        else if ("palette_indices" in value) renderPixels(page, el, value);
        else setAttributes(el, value);
      }
    }
  }
  for (const [el, value] of moved) setControl(el, value); // after its limits, which would clip it
  const plots = page.views.filter(({model}) =>
    [...columns.keys()].some((name) => name.startsWith(model.name.replace(/figure$/, ""))));
  if (plots.length) nextTurn().then(() => plots.forEach(paintCanvas));
  for (const [name, changed] of columns) {
    const source = page.models.get(name);
    if (!source) continue;
    const data = {...columnsOf(source), ...changed};
    for (const column of Object.keys(data)) { // a slot may give one value for a whole column
      const cells = pick(page, page.slots[`source:${name}.${column}`]) ?? data[column];
      if (typeof cells === "string" || typeof cells === "number") {
        data[column] = Object.values(data).find(Array.isArray).map(() => cells);
      }
    }
    source.setv({data}, {sync: false});
  }
  mirrorAll(page, [...columns.keys()]);
  if (Object.keys(paint).some((key) => key.endsWith("_range"))) page.fit?.();
  if ([...columns.keys()].includes("map.cells")) sweep(page, before);
}

// Paints what was invalidated and nothing else: no range and no label here follows the data, and to
// measure that again takes longer than to paint. Bokeh's own paint still does it, a frame later.
function paintCanvas(view) {
  view.invalidate_dataranges = false;
  view.paint();
}

// Bokeh gets new columns ready in promises, which are settled when the next turn begins, and then
// waits for one more frame. Here the figure is painted in that turn already: a task of its own, or the
// frame if that comes first.
function nextTurn() {
  return new Promise((/** @type {(value?: any) => void} */ done) => {
    const {port1, port2} = new MessageChannel();
    port1.onmessage = () => { port1.close(); done(); };
    port2.postMessage(null);
    requestAnimationFrame(done);
  });
}
