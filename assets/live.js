// The live host: one message out, one message back. While one is on its way, what the student does
// is gathered (the last value of each control), so that a slow line never builds a backlog.

export default {render({model, el}) {
  const host = document.createElement("div");
  host.innerHTML = model.page; // made by the lesson's own template, with every text escaped
  const views = model.get_child("figures");
  const figures = model.data.figures;
  figures.forEach((figure, n) => {
    host.querySelector(`[data-figure="${figure.name}"]`)?.append(views[n]);
  });
  const page = makePage(host, figures);
  const fit = shell(page, figures);
  let waiting = null, count = 0;
  const queue = [];
  const send = (action) => {
    waiting = ++count;
    model.send_msg({...action, seq: waiting});
  };
  const dispatch = (action) => {
    for (const name of Object.keys(action.set ?? {})) page.held.add(name);
    const last = queue.at(-1);
    if (waiting === null) send(action);
    else if (last?.set && action.set) {
      Object.assign(last.set, action.set);
      last.last = action.last;
    } else queue.push(action);
  };
  model.on("msg:custom", (message) => {
    if (message.seq === waiting) waiting = null;
    const next = waiting === null ? queue.shift() : undefined;
    if (waiting === null && !next) page.held.clear();
    applyPaint(page, message.paint);
    announce(page, message.last);
    if (message.paint["model:map.x_range"]) fit();
    if (next) send(next);
    else { keepLink(page); page.keep?.(); }
  });
  applyPaint(page, model.first);
  listen(page, dispatch);
  keepLink(page);
  page.dispatch = dispatch;
  page.busy = () => waiting !== null;
  window.attentionWidget = page;
  connect(page, dispatch);
  host.dataset.ready = "true";
  document.querySelector("p.waiting")?.remove();
  model.on("after_render", fit);
  return host;
}};
