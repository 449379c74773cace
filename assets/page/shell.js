// The page around the slots: tabs, sizes of text on the canvas, colours when the theme changes,
// downloads. Nothing here knows what attention is.

// Bokeh makes the figures from their JSON, each in its own place: those in sight first, those behind
// the other tabs when the page works already.
async function embedPlots(root, items) {
  const hosts = items.map((item) => [item, root.querySelector(`[data-figure="${item.name}"]`)])
    .filter(([, host]) => host);
  const inSight = ([, host]) => !host.closest("[hidden]");
  const views = [];
  for (const place of hosts.filter(inSight)) views.push(await embedPlot(...place));
  return {views, rest: hosts.filter((place) => !inSight(place))};
}

async function embedPlot(item, host) {
  const views = await Bokeh.embed.embed_item({...item.json, target_id: null}, host);
  const view = [...(views.roots ?? views)][0];
  view.canvas_view.events_el.removeAttribute("tabindex"); // a picture is no stop for the keyboard
  return view;
}

// A window that is moved to a finer screen keeps its size, so nothing else tells the canvas.
function followPixelRatio(page) {
  let ratio;
  const listen = () => {
    ratio = devicePixelRatio;
    window.matchMedia(`(resolution: ${ratio}dppx)`).addEventListener("change", look, {once: true});
  };
  const look = () => {
    if (ratio === devicePixelRatio) return;
    listen();
    for (const view of page.views) {
      view.canvas_view.resize();
      view.request_repaint();
    }
  };
  window.addEventListener("resize", look);
  listen();
}

async function embedRest(page, rest) {
  for (const place of rest) {
    await new Promise((done) => setTimeout(done)); // whatever the student does goes first
    const view = await embedPlot(...place);
    page.views.push(view);
    const names = new Set(addModels(page.models, view.model));
    applySlots(page, Object.fromEntries(Object.entries(page.slots).filter(([key]) =>
      names.has(key.startsWith("source:") ? key.slice(7, key.lastIndexOf(".")) : key.replace("model:", "")))));
    fitText(page, view.model);
  }
  page.whole = true;
  checkNames(page, page.slots);
}

function shell(page) {
  tabs(page.root);
  followPixelRatio(page);
  const fit = () => page.views.forEach((view) => fitText(page, view.model));
  if ("ResizeObserver" in window) { // also when the tab of a figure is opened
    const watch = new ResizeObserver(fit);
    for (const area of page.root.querySelectorAll("[data-figure]")) watch.observe(area);
  }
  window.matchMedia("(prefers-color-scheme: dark)").addEventListener("change", () => {
    for (const view of page.views) view.model.change.emit();
  });
  page.root.addEventListener("click", (event) => {
    const take = event.target.closest("button[data-take]")?.dataset.take;
    if (take === "csv") takeCsv(page);
    if (take === "png") takePng(page);
    if (take === "script") copyScript(page);
  });
  return fit;
}

// The sentence about a change belongs to the tab where the change was made. It is put back in
// silence, for a screen reader says the tab.
function sentences(root) {
  const region = root.querySelector("[data-live]"), start = region.textContent, said = new Map();
  return (from, to) => {
    if (from === to) return;
    said.set(from, region.textContent);
    region.setAttribute("aria-live", "off");
    region.textContent = said.get(to) ?? start;
    setTimeout(() => region.setAttribute("aria-live", "polite"), 100);
  };
}

function tabs(root) {
  const changeSentence = sentences(root);
  for (const list of root.querySelectorAll("[role=tablist]")) {
    const all = [...list.querySelectorAll("[role=tab]")];
    const show = (tab, focus) => {
      changeSentence(all.find((other) => other.getAttribute("aria-selected") === "true"), tab);
      for (const other of all) {
        const on = other === tab;
        other.setAttribute("aria-selected", String(on));
        other.tabIndex = on ? 0 : -1;
        root.querySelector(`#${other.getAttribute("aria-controls")}`).hidden = !on;
      }
      if (focus) tab.focus();
      tab.scrollIntoView({block: "nearest", inline: "nearest"});
    };
    list.addEventListener("click", (event) => {
      const tab = event.target.closest("[role=tab]");
      if (tab) show(tab, true);
    });
    list.addEventListener("keydown", (event) => {
      const at = all.indexOf(event.target);
      const to = {ArrowRight: at + 1, ArrowLeft: at - 1, Home: 0, End: all.length - 1}[event.key];
      if (at < 0 || to === undefined) return;
      event.preventDefault();
      show(all[(to + all.length) % all.length], true);
    });
    root.addEventListener("click", (event) => {
      const name = event.target.closest("[data-show-tab]")?.dataset.showTab;
      const tab = all.find((t) => t.id === name);
      if (tab) show(tab, true);
    });
  }
}

// Canvas text cannot follow a style sheet: its size follows the width of a cell.
function fitText(page, figure) {
  const [name] = (figure.name ?? "").split(".figure");
  const range = page.models.get(`${name}.x_range`);
  const host = page.root.querySelector(`[data-figure="${name}.figure"]`);
  if (!range || !host || !host.clientWidth) return;
  const labels = host.clientWidth < 420 ? 84 : 124;
  const cell = (host.clientWidth - labels) / (range.end - range.start);
  const size = `${Math.max(7, Math.min(15, cell * 0.4)).toFixed(1)}px`;
  for (const renderer of figure.renderers) {
    if (renderer.name?.includes(".text.") && renderer.glyph.text_font_size?.value !== size) {
      renderer.glyph.setv({text_font_size: {value: size}}, {sync: false});
    }
  }
}

function give(page, name, blob) {
  const link = document.createElement("a");
  link.href = URL.createObjectURL(blob);
  link.download = name;
  page.root.append(link);
  link.click();
  link.remove();
  setTimeout(() => URL.revokeObjectURL(link.href), 10000);
}

function takeCsv(page) {
  const data = columnsOf(page.models.get("map.cells"));
  const quote = (v) => `"${String(v).replaceAll('"', '""').replace(/^([=+@\t])/, "'$1")}"`;
  const shown = ["query", "key", "head", "state"];
  const lines = [[...shown, "value"].join(",")];
  for (let n = 0; n < data.x.length; n++) {
    const masked = data.state[n] === "masked" && data.text[n] === "−∞";
    lines.push([...shown.map((c) => quote(data[c][n])), masked ? "-inf" : data.value[n]].join(","));
  }
  give(page, "attention-map.csv", new Blob([lines.join("\r\n") + "\r\n"], {type: "text/csv"}));
}

function takePng(page) {
  const view = page.views.find((one) => one.model.name === "map.figure");
  const layer = view.export("png", false);
  layer.canvas.toBlob((blob) => give(page, "attention-map.png", blob));
}

async function copyScript(page) {
  const text = page.root.querySelector("[data-script]").textContent;
  const region = page.root.querySelector("[data-live]");
  try {
    await navigator.clipboard.writeText(text);
    region.textContent = "The script is on the clipboard.";
  } catch {
    give(page, "attention_map.py", new Blob([text], {type: "text/x-python"}));
    region.textContent = "The clipboard is not allowed here, so the script was saved as a file.";
  }
}
