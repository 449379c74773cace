// The colours of the page's scheme. A model says in its tags which role each of its colours plays;
// what colour plays it on a light page and on a dark one is written by Python.

function readSchemes(root) {
  return JSON.parse(root.querySelector("[data-schemes]").dataset.schemes);
}

function schemeNow(page) {
  const dark = window.matchMedia("(prefers-color-scheme: dark)").matches;
  const scheme = page.schemes[dark ? "dark" : "light"];
  // The page's own ink, which is the system's while forced colours are on.
  const ink = getComputedStyle(page.root.querySelector("[data-schemes]")).color || scheme.ink;
  return {...scheme, ink, sums: [ink, scheme.sums[1]]};
}

function dress(page, figure) {
  const scheme = schemeNow(page);
  for (const model of figure.references()) {
    for (const tag of model.tags ?? []) {
      const {roles} = tag instanceof Map ? Object.fromEntries(tag) : tag;
      for (const [property, role] of roles instanceof Map ? roles : Object.entries(roles ?? {})) {
        model.setv({[property]: property === "palette" ? scheme[role] : {value: scheme[role]}}, {sync: false});
      }
    }
  }
}

function followScheme(page) {
  const change = () => {
    for (const view of page.views) {
      dress(page, view.model);
      view.model.change.emit();
    }
    for (const [key, value] of Object.entries(page.slots)) {
      if (value?.palette_indices) for (const el of page.targets.get(key) ?? []) renderPixels(page, el, value);
    }
  };
  for (const query of ["(prefers-color-scheme: dark)", "(forced-colors: active)"]) {
    window.matchMedia(query).addEventListener("change", change);
  }
}
