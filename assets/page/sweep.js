// The mask's sweep: the picture that stood fades out, cell by cell, over the one that stands now.
// Figures and words are the new ones at once. No weight is computed here and no number is shown in
// between: a veil in the colours of the recorded state before lies over the cells and grows thin.

const SWEEP = 560; // ms in all; each cell beyond the diagonal fades for a part of it
const FADE = 260;

// What the veil is made of has to be read before the new columns arrive.
function sweepFrom(page, paint) {
  const name = "map", control = page.slots[`${name}.control.causal`], cells = page.models.get(`${name}.cells`);
  if (!cells || !paint[`${name}.control.causal`] || !control || document.hidden) return null;
  if (window.matchMedia("(prefers-reduced-motion: reduce)").matches) return null;
  const before = columnsOf(cells);
  const arcs = columnsOf(page.models.get(`${name}.arcs`));
  return {name, before, arcs: {...arcs}};
}

function sweep(page, from) {
  stopSweep(page);
  if (!from) return;
  const {name, before} = from, now = columnsOf(page.models.get(`${name}.cells`));
  if (before.palette_index.length !== now.palette_index.length) return;
  const veil = page.models.get(`${name}.veil`), fading = page.models.get(`${name}.fading_arcs`);
  const places = now.x.map((_, n) => n).filter((n) => before.palette_index[n] !== now.palette_index[n]);
  const ahead = (n) => now.x[n] - now.y[n]; // how far beyond the diagonal
  const most = Math.max(1, ...places.map(ahead));
  const masked = (n) => before.state[n] === "masked";
  const take = (column) => places.map((n) => column[n]);
  const still = {x: take(now.x), y: take(now.y), palette_index: take(before.palette_index),
    size: places.map((n) => masked(n) ? 0.92 : 0.96)};
  const lay = (passed) => {
    const alpha = places.map((n) => ahead(n) > 0
      ? left(passed - (SWEEP - FADE) * (ahead(n) - 1) / most, FADE) : left(passed, SWEEP));
    veil.setv({data: {...still, alpha}}, {sync: false});
    const rest = left(passed, FADE);
    fading.setv({data: rest ? {...from.arcs, alpha: from.arcs.width.map((w) => w ? 0.8 * rest : 0)}
      : Object.fromEntries(Object.keys(columnsOf(fading)).map((key) => [key, []]))}, {sync: false});
  };
  const start = performance.now();
  page.sweeping = {stop: () => lay(SWEEP), frame: 0};
  const step = () => {
    const passed = performance.now() - start;
    if (passed >= SWEEP) return stopSweep(page);
    lay(passed);
    page.sweeping.frame = requestAnimationFrame(step);
  };
  lay(0);
  page.sweeping.frame = requestAnimationFrame(step);
}

const left = (passed, whole) => Math.min(1, Math.max(0, 1 - passed / whole));

function stopSweep(page) {
  if (!page.sweeping) return;
  cancelAnimationFrame(page.sweeping.frame);
  page.sweeping = null;
  for (const name of ["veil", "fading_arcs"]) {
    const source = page.models.get(`map.${name}`);
    const none = Object.fromEntries(Object.keys(columnsOf(source)).map((key) => [key, []]));
    source.setv({data: none}, {sync: false});
  }
}
