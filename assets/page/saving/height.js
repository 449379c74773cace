// The height of what is on the page, not of the frame: otherwise a tall frame could never shrink.
// The room of a scroll bar stays reserved, so that its coming and going cannot change the height.

function followHeight(page) {
  const html = document.documentElement;
  html.style.scrollbarGutter = "stable";
  let told = 0;
  const tell = () => {
    const height = Math.ceil(html.getBoundingClientRect().height);
    if (height && height !== told) post("lti.frameResize", {height});
    told = height; // 0 while the frame is hidden, so that it is told again when it is shown
  };
  const watch = new ResizeObserver(tell);
  watch.observe(html);
  watch.observe(page.root);
  new IntersectionObserver((entries) => { // a frame that is hidden has no sizes to observe
    if (entries.at(-1).boundingClientRect.height) tell();
    else told = 0;
  }).observe(html);
  tell();
}
