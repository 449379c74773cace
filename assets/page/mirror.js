// A table that mirrors a map: one row a query, with the word that it must predict, one column a key, and
// the sums that stand beside the map now.
function renderMirror(page, table) {
  const map = (name) => columnsOf(page.models.get(table.dataset.mirror.replace(/cells$/, name)));
  const {x, y, key, query, state, text} = map("cells"), answers = map("answers"), sums = map("sums");
  const names = [], rows = [], words = table.dataset;
  x.forEach((_, n) => {
    if (y[n] === y[0]) names.push(key[n]);
    if (!n || y[n] !== y[n - 1]) rows.push([]);
    rows.at(-1).push(n);
  });
  const due = new Map(answers.y.map((at, n) => [at, answers.x[n]]));
  const isAnswer = (n) => due.get(y[n]) === x[n];
  // The labels are those of the rows, then of the columns, then of the sums.
  const beside = map("labels").text.slice(2 * rows.length).slice(0, sums.text.length / rows.length);
  const columns = [...beside.keys()].filter((n) => beside[n]);
  const head = [words.query, words.answer, ...names, ...columns.map((n) => beside[n])];
  const body = rows.map((cells, row) => ["tr", {}, ["th", {scope: "row"}, query[cells[0]]],
    ["td", {}, key[cells.find(isAnswer)] ?? words.beyond],
    ...cells.map((n) => ["td", {"data-state": state[n]},
      [text[n], state[n] === "seen" ? "" : state[n], isAnswer(n) ? words.mark : ""].filter(Boolean).join(" ")]),
    ...columns.map((n) => ["td", {}, sums.text[n * rows.length + row]])]);
  table.querySelector("thead").replaceChildren(makeNode(["tr", {}, ...head.map((name) => ["th", {scope: "col"}, name])]));
  table.querySelector("tbody").replaceChildren(...body.map(makeNode));
}

// A table that is folded away is written when it is opened.
function mirror(page, table) {
  const fold = table.closest("details");
  table.write = () => renderMirror(page, table);
  if (!fold || fold.open) return table.write();
  fold.ontoggle = () => { for (const other of fold.querySelectorAll("[data-mirror]")) other.write?.(); };
}

function mirrorAll(page, changed) {
  for (const table of page.mirrors) {
    const map = table.dataset.mirror.replace(/cells$/, "");
    if (page.models.has(table.dataset.mirror) && changed.some((name) => name.startsWith(map))) mirror(page, table);
  }
}
