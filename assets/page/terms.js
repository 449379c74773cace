// A term is explained where it stands: its button opens one sentence beside it. Escape, a click
// anywhere or another term shuts it again, and nothing on the page moves.

function terms(page) {
  const {root} = page;
  let open = null; // the button whose sentence is in sight
  const cardOf = (button) => root.querySelector(`[data-term-card="${button.dataset.term}"]`);
  const shut = () => {
    if (!open) return;
    open.setAttribute("aria-expanded", "false");
    cardOf(open).classList.remove("open");
    open = null;
  };
  root.addEventListener("click", (event) => {
    const button = event.target.closest("[data-term]"), again = button === open;
    shut();
    if (!button || again) return;
    open = button;
    button.setAttribute("aria-expanded", "true");
    place(cardOf(button), button);
  });
  root.addEventListener("keydown", (event) => {
    if (event.key !== "Escape" || !open) return;
    open.focus();
    shut();
  });
  root.addEventListener("focusout", (event) => { // on to another control, not to another window
    if (open && event.relatedTarget && event.relatedTarget !== open) shut();
  });
}

// Under the word, or above it where the page ends; as far to the left as it has to be.
function place(card, button) {
  card.classList.add("open");
  const around = card.offsetParent.getBoundingClientRect(), at = button.getBoundingClientRect();
  const left = Math.min(at.left - around.left, around.width - card.offsetWidth);
  const below = at.bottom - around.top + 4;
  const fits = at.bottom + card.offsetHeight + 4 <= window.innerHeight;
  card.style.left = `${Math.max(0, left)}px`;
  card.style.top = `${fits ? below : Math.max(0, at.top - around.top - card.offsetHeight - 4)}px`;
}
