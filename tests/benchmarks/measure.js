// Runs in the page before its own scripts: notes when a big canvas is drawn on, and gives the clocks.
(() => {
  let drawn = 0;
  for (const name of ["fill", "fillRect", "fillText", "drawImage", "clearRect"]) {
    const own = CanvasRenderingContext2D.prototype[name];
    CanvasRenderingContext2D.prototype[name] = function (...args) {
      if (this.canvas.width > 150) drawn = performance.now();
      return own.apply(this, args);
    };
  }
  const find = (key, root = document) => {
    const here = root.querySelector(`[data-kpi="${key}"]`);
    if (here) return here;
    for (const el of root.querySelectorAll("*")) {
      const there = el.shadowRoot && find(key, el.shadowRoot);
      if (there) return there;
    }
    return null;
  };
  const text = (key) => find(key)?.textContent ?? "";
  const clock = (moment) => performance.timeOrigin + moment; // one for all frames
  const later = (ms) => new Promise((done) => setTimeout(done, ms));
  // From the event to the first frame after the figure in words and the canvas have changed.
  const until = (start, changed) => new Promise((done, fail) => {
    const look = () => {
      const now = performance.now();
      if (changed()) done(now - start);
      else if (now - start > 20000) fail(new Error("nothing changed"));
      else requestAnimationFrame(look);
    };
    requestAnimationFrame(look);
  });
  const act = { // what moves a control, in our page and in the naive one
    lesson(name, value) {
      const el = attentionWidget.controls.get(`map.${name}`);
      if (typeof value === "boolean") el.checked = value;
      else el.value = value;
      el.dispatchEvent(new Event("input", {bubbles: true, composed: true}));
    },
    naive(name, value) {
      const type = {causal: "Switch", heads: "Slider"}[name];
      const model = [...Bokeh.documents[0]._all_models.values()].find((m) => m.type === type);
      model.setv(typeof value === "boolean" ? {active: value} : {value});
    },
  };
  const steps = [["causal", true, "masked-cells", "15"], ["heads", 4, "d-head", "3"],
    ["causal", false, "masked-cells", "0"], ["heads", 1, "d-head", "12"]];
  window.measured = {
    async interactions(kind, count) {
      const times = [];
      for (let n = 0; n < count; n++) {
        const [name, value, key, wanted] = steps[n % steps.length];
        await later(60 + Math.random() * 60);
        const start = performance.now();
        act[kind](name, value);
        times.push(await until(start, () => drawn > start && text(key) === wanted));
      }
      return times;
    },
    // From the switch to the frame after the last of the mask's sweep.
    async sweeps(count) {
      const times = [];
      for (let n = 0; n < count; n++) {
        await later(60 + Math.random() * 60);
        const start = performance.now();
        let began = false;
        act.lesson("causal", n % 2 === 0);
        times.push(await until(start, () => {
          began ||= Boolean(attentionWidget.sweeping);
          return began && !attentionWidget.sweeping;
        }));
      }
      return times;
    },
    // A student in the checkpoint: what is to be saved changes, then eight moves. A move counts from the
    // moment it was due: a page that stands still then makes the student wait.
    async answering(count) {
      const times = [], questions = ["read", "hidden"];
      for (let n = 0; n < count; n++) {
        attentionWidget.dispatch({open: questions[n % 2], last: "checkpoint.open"});
        for (let move = 0; move < 8; move++) {
          const [name, value, key, wanted] = steps[move % steps.length];
          const wait = move ? 60 + Math.random() * 60 : 300 + Math.random() * 2700;
          const due = performance.now() + wait;
          await later(wait);
          const start = performance.now();
          act.lesson(name, value);
          const waited = (parent.held ?? []).some(([from, to]) => from <= clock(due) && clock(due) < to);
          if (waited) parent.waits = (parent.waits ?? 0) + 1;
          times.push(start - due + await until(start, () => drawn > start && text(key) === wanted));
        }
      }
      return times;
    },
    // Moves one control after another at random, as a student who tries everything.
    async varied(count) {
      const any = (from, to) => from + Math.floor(Math.random() * (to - from + 1));
      const moves = [() => ["causal", Math.random() < 0.5], () => ["heads", any(1, 4)],
        () => ["head", any(1, 4)], () => ["dropout", any(0, 9) / 10], () => ["draw", any(0, 99)],
        () => ["stage", ["scores", "masked", "weights", "dropped"][any(0, 3)]]];
      attentionWidget.dispatch({set: {"map.training": true}, last: "map.training"});
      for (let n = 0; n < count; n++) {
        const [name, value] = moves[n % moves.length]();
        while (attentionWidget.busy()) await later(2);
        attentionWidget.dispatch({set: {[`map.${name}`]: value}, last: `map.${name}`});
      }
      while (attentionWidget.busy()) await later(2);
    },
    async floor(count) {
      const mark = document.body.appendChild(document.createElement("i"));
      const times = [];
      for (let n = 0; n < count; n++) {
        await later(60 + Math.random() * 60);
        const start = performance.now();
        mark.textContent = String(n);
        times.push(await until(start, () => mark.textContent === String(n)));
      }
      mark.remove();
      return times;
    },
    // Milliseconds from the start of the navigation until the first control has worked.
    async firstControl() {
      await until(0, () => window.attentionWidget && text("masked-cells") === "0"
        && attentionWidget.root.isConnected);
      act.lesson("causal", true);
      const start = performance.now();
      await until(start, () => text("masked-cells") === "15" && drawn > 0);
      return performance.now();
    },
  };
})();
