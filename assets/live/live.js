// The live host: one message out, one message back. While one is on its way, what the student does
// is gathered (the last value of each control), so that a slow line never builds a backlog.

export default {render({model, view}) {
  const host = document.createElement("div");
  host.innerHTML = model.page; // made by the lesson's own template, with every text escaped
  let begun = false;
  model.on("after_render", () => { // now the host is on the page, where figures can be measured
    if (!begun) begin(host, model, view);
    begun = true;
  });
  return host;
}};

async function begin(host, model, view) {
  const {views, rest} = await embedPlots(host, JSON.parse(model.plots));
  const page = makePage(host, views);
  const fit = shell(page);
  let waiting = null, count = 0;
  const queue = [];
  const send = (action) => {
    waiting = ++count;
    sendAction(model, view.model, JSON.stringify({...action, seq: waiting}));
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
  const hear = (text) => {
    const {seq, last, slots} = JSON.parse(text);
    if (seq === waiting) waiting = null;
    const next = waiting === null ? queue.shift() : undefined;
    applySlots(page, slots);
    if (waiting === null && !next) release(page);
    announce(page, last);
    if (slots["model:map.x_range"]) fit();
    if (next) send(next);
    else { keepLinkSoon(page); page.keep?.(); }
  };
  model.on("msg:custom", hear);
  model.on("answer", () => hear(model.answer)); // where a host hands on no messages
  applySlots(page, JSON.parse(model.first));
  fit();
  page.kept = keptBefore();
  listen(page, dispatch);
  chooseWords(page, dispatch);
  compares(page);
  presents(page, dispatch);
  page.dispatch = dispatch;
  page.busy = () => waiting !== null || !page.whole;
  window.attentionWidget = page;
  connect(page, dispatch);
  if (model.stale) dispatch({all: true}); // Python has moved on since this view was made
  if (Object.keys(page.kept.controls ?? {}).length) dispatch({set: page.kept.controls});
  watchLine(page, view.model.document, () => waiting);
  if (model.recording) {
    let answered = false;
    model.on("msg:custom", () => { answered = true; });
    recordsWithoutKernel(host, model.recording, () => !answered);
  }
  host.dataset.ready = "true";
  document.querySelector("p.waiting")?.remove();
  window.lessonStart?.done();
  embedRest(page, rest);
}

// The first message goes by Panel's own event and makes the model listen itself; from then on an action
// is an event of that model, which no busy indicator has to be told of.
function sendAction(model, bokehModel, text) {
  if (!bokehModel.subscribed_events.has("lesson_action")) return model.send_msg(text);
  /** @type {any} */
  const {ModelEvent} = Bokeh.require("core/bokeh_events");
  class LessonAction extends ModelEvent {
    get event_values() { return {model: this.origin, text}; }
  }
  LessonAction.prototype.event_name = "lesson_action";
  bokehModel.trigger_event(new LessonAction());
}

// A lost line is said at once. The page comes back by itself when the server answers: the address
// and the history entry hold everything that has to survive.
const SLOW = 6000; // ms without an answer after which a student wants to know why nothing moves

function watchLine(page, document, waitingFor) {
  const sign = page.root.querySelector("[data-connection]");
  let lost = false, since = null;
  const say = (text) => { sign.textContent = text; sign.hidden = !text; };
  const comeBack = async () => {
    try {
      const answer = await fetch(window.location.href, {cache: "no-store"});
      if (answer.ok) return window.location.reload();
    } catch { /* still away */ }
    setTimeout(comeBack, 1500 + Math.random() * 1500); // a class does not return in one moment
  };
  document.on_event("connection_lost", () => {
    if (lost) return;
    lost = true;
    keepLink(page);
    say("The connection to the server was lost. Trying again; your progress is kept.");
    setTimeout(comeBack, 300 + Math.random() * 700);
  });
  window.addEventListener("pageshow", ({persisted}) => { // out of the browser's memory, with a dead line
    if (!persisted) return;
    page.busy = () => true;
    window.location.reload();
  });
  setInterval(() => {
    if (lost) return;
    if (waitingFor() === null) {
      if (since !== null) say("");
      since = null;
    } else if (since === null || since.seq !== waitingFor()) since = {seq: waitingFor(), at: Date.now()};
    else if (Date.now() - since.at > SLOW) say("The server has not answered yet. Waiting; nothing is lost.");
  }, 1000);
}
