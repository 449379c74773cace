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

// On paper a figure has another size than on the screen, which its canvas cannot follow. So a copy of it
// is printed, a picture that can be scaled, on the page's colour: what was dark stays readable.
function followPrint(page) {
  const ground = () => getComputedStyle(page.root.querySelector(".lesson")).backgroundColor;
  const copy = (view, host) => {
    const whole = view.export("png").canvas, ratio = whole.width / host.clientWidth;
    const across = page.slots[`model:${view.model.name.replace(/figure$/, "x_range")}`];
    const used = across ? view.frame.x_scale.compute(across.end) * ratio : whole.width;
    const canvas = document.createElement("canvas"), pen = canvas.getContext("2d");
    canvas.className = "printed";
    canvas.width = Math.min(whole.width, Math.ceil(used)); // no empty room at the right
    canvas.height = whole.height;
    pen.fillStyle = ground();
    pen.fillRect(0, 0, canvas.width, canvas.height);
    pen.drawImage(whole, 0, 0);
    return canvas;
  };
  window.addEventListener("beforeprint", () => {
    for (const view of page.views) {
      const host = page.root.querySelector(`[data-figure="${view.model.name}"]`);
      if (host?.clientWidth && !host.querySelector(".printed")) host.append(copy(view, host));
    }
  });
  window.addEventListener("afterprint", () => {
    for (const copy of page.root.querySelectorAll(".printed")) copy.remove();
  });
}

async function embedRest(page, rest) {
  for (const place of rest) {
    await new Promise((done) => setTimeout(done)); // whatever the student does goes first
    const view = await embedPlot(...place);
    page.views.push(view);
    const names = new Set(addModels(page.models, view.model));
    dress(page, view.model);
    applySlots(page, Object.fromEntries(Object.entries(page.slots).filter(([key]) =>
      names.has(key.startsWith("source:") ? key.slice(7, key.lastIndexOf(".")) : key.replace("model:", "")))));
    fitText(page, view.model);
  }
  page.whole = true;
  checkNames(page, page.slots);
}

function shell(page) {
  tabs(page.root);
  terms(page);
  followPixelRatio(page);
  followPrint(page);
  const fit = () => page.views.forEach((view) => fitText(page, view.model));
  page.fit = fit;
  const sizes = new ResizeObserver(fit);
  for (const area of page.root.querySelectorAll("[data-figure]")) sizes.observe(area);
  followScheme(page);
  page.root.addEventListener("click", (event) => {
    const take = event.target.closest("button[data-take]")?.dataset.take;
    if (take === "csv") takeCsv(page);
    if (take === "png") takePng(page);
    if (take === "script") copyScript(page);
  });
  return fit;
}

// The sentence about a change belongs to the tab where the change was made.
function sentences(root) {
  const line = root.querySelector("[data-live]"), start = line.textContent, said = new Map();
  return (from, to) => {
    if (from === to) return;
    said.set(from, line.textContent);
    line.textContent = said.get(to) ?? start;
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
    openLinked(root, list, all, show);
  }
}

// A link may open a part: ?tab=leak or #leak. The address of a page around is not ours to read.
function openLinked(root, list, all, show) {
  const sign = root.querySelector("[data-tab-problem]");
  if (!sign || !list.matches(".tabs") || !document.documentElement.hasAttribute("data-lesson-page")) return;
  const open = (name) => {
    const tab = all.find((one) => one.id === `tab-${name}`);
    if (tab) show(tab, false);
    sign.textContent = tab || !name ? "" : sign.dataset.tabProblem.replace("{name}", () => name.slice(0, 40));
  };
  const linked = () => decodeURIComponent(window.location.hash.slice(1));
  window.addEventListener("hashchange", () => quietly(() => open(linked())));
  quietly(() => open(linked() || new URLSearchParams(window.location.search).get("tab") || ""));
}

// A map is placed in units of one cell. Here it gets the largest square cells for which there is
// room, and its words and arcs the size that goes with them: a canvas cannot follow a style sheet.
function fitText(page, figure) {
  const [name] = (figure.name ?? "").split(".figure");
  const across = page.slots[`model:${name}.x_range`], down = page.slots[`model:${name}.y_range`];
  const labels = page.models.get(`${name}.labels`);
  const host = page.root.querySelector(`[data-figure="${name}.figure"]`);
  if (!labels || !across || !host?.clientWidth || !host.clientHeight) return;
  const cell = Math.min(host.clientWidth / (across.end - across.start),
    host.clientHeight / (down.start - down.end));
  const size = (model, values) => page.models.get(`${name}.${model}`)?.setv(values, {sync: false});
  size("x_range", {start: across.start, end: across.start + host.clientWidth / cell});
  size("y_range", {start: down.end + host.clientHeight / cell, end: down.end});
  size("arc_thickness", {y: [1, cell * 0.4]});
  const unit = -across.start * cell / 2.75; // of what surrounds the cells
  const fonts = {under: cell * 0.26, labels: labelSize(columnsOf(labels), cell, -across.start * cell * 0.94, unit * 0.28), notes: unit * 0.245,
    sums: Math.min(cell * 0.3, unit * 0.28), cells: cell * 0.3};
  for (const renderer of figure.renderers) {
    const font = fonts[renderer.name?.split(".text.")[1]];
    if (font) setFont(renderer.glyph, font);
  }
}

function setFont(glyph, size) {
  const text_font_size = {value: `${size.toFixed(1)}px`};
  if (glyph.text_font_size?.value !== text_font_size.value) glyph.setv({text_font_size}, {sync: false});
}

// Words side by side above the columns must not touch, and those at the rows must have room.
function labelSize({text, align, angle}, cell, room, largest) {
  const pen = document.createElement("canvas").getContext("2d");
  pen.font = "bold 100px system-ui, sans-serif";
  const widths = text.map((word) => pen.measureText(word).width / 100);
  const level = widths.filter((_, n) => align[n] === "center" && !angle[n]);
  const closest = level.slice(1).map((width, n) => cell * 1.9 / (width + level[n]));
  const longest = widths.filter((_, n) => align[n] === "right").map((width) => room / width);
  return Math.max(7, Math.min(largest, ...closest, ...longest));
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
  let said = "The script is on the clipboard.";
  try {
    await navigator.clipboard.writeText(text);
  } catch {
    give(page, "attention_map.py", new Blob([text], {type: "text/x-python"}));
    said = "The clipboard is not allowed here, so the script was saved as a file.";
  }
  page.root.querySelector("[data-live]").textContent = said;
  say(page, said);
}
