// Choosing the word whose arcs are shown: a click on its row or on its name, or the arrow keys while
// the map has the focus.

const WORD_KEYS = {ArrowDown: 1, ArrowRight: 1, ArrowUp: -1, ArrowLeft: -1, Home: -99, End: 99};

function chooseWords(page, dispatch) {
  for (const host of page.root.querySelectorAll("[data-figure][data-kind=pick]")) {
    const name = host.dataset.control;
    const choose = (word) => {
      const most = Number(host.getAttribute("aria-valuemax"));
      const next = Math.min(most, Math.max(1, word));
      if (String(next) === host.dataset.value) return;
      host.dataset.value = String(next); // so that a second key before the answer counts
      dispatch({set: {[name]: next}, last: name});
    };
    host.addEventListener("keydown", (event) => {
      const by = WORD_KEYS[event.key];
      if (!by || event.ctrlKey || event.altKey || event.metaKey) return;
      event.preventDefault();
      choose(Number(host.dataset.value) + by);
    });
    host.addEventListener("click", (event) => {
      const word = wordAt(page, host, event);
      if (word) choose(word);
    });
  }
}

function wordAt(page, host, event) {
  const view = page.views.find((one) => one.model.name === host.dataset.figure);
  const box = host.getBoundingClientRect();
  const {x_scale, y_scale} = view.frame;
  const x = x_scale.invert(event.clientX - box.left), y = y_scale.invert(event.clientY - box.top);
  const words = Number(host.getAttribute("aria-valuemax"));
  const at = Math.floor(y < 0 ? x : y) + 1; // above the rows stand the words once more
  return at >= 1 && at <= words ? at : null;
}
