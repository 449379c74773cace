// The recorded host: Python filled a table for every state; here it is only looked up.
// A section's table: axes with their values, and for each slot the axes it depends on.

function makeSection(table) {
  for (const slot of Object.values(table.slots)) { // several share one
    slot.index = table.indices[slot.index];
    slot.pool = table.pools[slot.pool];
  }
  const at = table.axes.map((axis) => axis.start);
  const lookUp = (slot) => {
    let place = 0;
    for (const n of slot.axes) place = place * table.axes[n].values.length + at[n];
    return slot.pool[slot.index[place]];
  };
  const settle = () => { // what Python made of the wish, for example a viewing head that must exist
    table.axes.forEach((axis, n) => {
      const slot = table.slots[`${table.name}.control.${axis.name}`];
      wish[n] = slot ? axis.values.indexOf(lookUp(slot).value) : at[n];
    });
    wish.forEach((place, n) => { at[n] = place; });
  };
  const wish = [];
  return {
    set(name, value) {
      const n = table.axes.findIndex((axis) => axis.name === name);
      const place = n < 0 ? -1 : table.axes[n].values.findIndex((v) => v === value || String(v) === value);
      if (place < 0) return false;
      at[n] = place;
      settle();
      return true;
    },
    reset() { table.axes.forEach((axis, n) => { at[n] = axis.start; }); },
    begin() { // presets may have moved the starts
      this.reset();
      settle();
      table.axes.forEach((axis, n) => { axis.start = at[n]; });
    },
    render() {
      return Object.fromEntries(Object.entries(table.slots).map(([key, slot]) => [key, lookUp(slot)]));
    },
    reached(key, fixed) { // every value of a slot when these axes stay at their start
      const {axes, index, pool} = table.slots[key];
      let places = [0];
      for (const axis of axes.map((n) => table.axes[n])) {
        const open = fixed.has(`${table.name}.${axis.name}`) ? [axis.start] : axis.values.keys();
        const all = [...open];
        places = places.flatMap((place) => all.map((at) => place * axis.values.length + at));
      }
      return new Set(places.map((place) => pool[index[place]]));
    },
    table,
  };
}

const WORDS = {"true": ["1", "true", "on", "yes"], "false": ["0", "false", "off", "no"]};

// Where a value from a link or from the options stands among the recorded ones; -1 for nowhere.
function placeOf(axis, given) {
  const text = typeof given === "object" ? "" : String(given).trim();
  return axis.values.findIndex((v) => typeof v === "boolean" ? WORDS[v].includes(text.toLowerCase())
    : typeof v === "number" ? text !== "" && Math.abs(Number(text) - v) < 1e-9 : v === text);
}

// A link's query: a value that was recorded is set; another one leaves the start and says so.
function readQuery(section, search, options, words) {
  const problems = [];
  for (const [name, text] of new URLSearchParams(search)) {
    const axis = section.table.axes.find((a) => a.name === name);
    const place = axis ? placeOf(axis, text) : -1;
    if (!axis) {
      if (section.table.live.includes(name)) problems.push(filled(section.table.words.live, {name}));
    } else if (place < 0) problems.push(filled(axis.problem, {given: text}));
    else if (!options.lock.has(`${section.table.name}.${name}`)) section.set(name, axis.values[place]);
    else if (place !== axis.start) problems.push(filled(words.locked, {name}));
  }
  return problems;
}

async function play() {
  const data = JSON.parse(document.getElementById("lesson-data").textContent);
  const root = document.querySelector(".lesson").parentElement;
  const options = readOptions(data.options);
  keepParts(root, options, data.options, data.checkpoint.steps);
  sayScore(root, options);
  const {views, rest} = await embedPlots(root, data.figures);
  const page = makePage(root, views);
  const sections = new Map(data.sections.map((table) => [table.name, makeSection(table)]));
  page.options = options;
  presetSections(page, sections, options, data.options);
  lockControls(page, options, data.options);
  const checkpoint = makeCheckpoint(data.checkpoint, options.shown);
  const stuck = checkpoint.stuck(sections.get("map").reached("map.observation", options.lock));
  if (stuck) options.problems.push(filled(data.options.stuck, {name: stuck.title}));
  const mistakes = options.problems.map((text) => ["p", {}, text]);
  const seen = () => sections.get("map").render()["map.observation"];
  const fit = shell(page);
  let problems = [];
  const render = () => {
    const next = {}, changed = {};
    for (const section of sections.values()) Object.assign(next, section.render());
    Object.assign(next, checkpoint.render());
    next["map.problems"] = problems.map((text) => ["p", {}, text]);
    next["lesson.problems"] = mistakes;
    for (const [key, value] of Object.entries(next)) if (page.slots[key] !== value) changed[key] = value;
    applySlots(page, changed);
  };
  const dispatch = (action) => {
    for (const [full, value] of Object.entries(action.set ?? {})) {
      const [section, name] = full.split(".");
      if (!options.lock.has(full)) sections.get(section)?.set(name, value);
      problems = [];
    }
    if (action.reset) { sections.get(action.reset)?.reset(); problems = []; }
    checkpoint.act(action, seen());
    page.answered?.(...checkpoint.told());
    render();
    announce(page, action.last);
    keepLinkSoon(page);
    page.keep?.();
  };
  problems = readQuery(sections.get("map"), window.location.search, options, data.options);
  checkpoint.observe(seen());
  render();
  listen(page, dispatch);
  chooseWords(page, dispatch);
  compares(page);
  presents(page, dispatch);
  fit();
  page.dispatch = dispatch;
  page.busy = () => !page.whole;
  page.kept = keptBefore();
  if (Object.keys(page.kept.controls ?? {}).length) dispatch({set: page.kept.controls});
  connect(page, dispatch);
  root.dataset.ready = "true";
  window.lessonStart?.done();
  window.attentionWidget = page;
  embedRest(page, rest);
}

play();
