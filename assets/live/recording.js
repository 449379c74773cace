// A notebook without a kernel: nobody answers, so a recording takes the place of the live lesson. A
// kernel that was only busy answers later, and the live lesson comes back.

const NO_ANSWER = 2500; // ms

async function unpacked(text) {
  const bytes = Uint8Array.from(atob(text), (letter) => letter.charCodeAt(0));
  const stream = new Blob([bytes]).stream().pipeThrough(new DecompressionStream("gzip"));
  return new Response(stream).text();
}

// Beside the lesson lies the script element with the recording; `waiting` says whether the first
// action has no answer yet.
function recordsWithoutKernel(host, id, waiting) {
  const packed = document.getElementById(id);
  if (!packed) return;
  setTimeout(async () => {
    if (!waiting()) return;
    const note = document.createElement("p"), frame = document.createElement("iframe");
    note.className = "saving";
    note.textContent = packed.dataset.words;
    frame.title = host.querySelector("h1").textContent;
    frame.style.cssText = "width: 100%; height: 900px; border: 0; display: block";
    frame.srcdoc = await unpacked(packed.textContent);
    window.addEventListener("message", ({source, data}) => {
      if (source === frame.contentWindow && data?.subject === "lti.frameResize") frame.style.height = `${data.height}px`;
    });
    const lesson = host.querySelector(".lesson");
    lesson.hidden = true;
    host.append(note, frame);
    const back = setInterval(() => {
      if (waiting()) return;
      clearInterval(back);
      note.remove();
      frame.remove();
      lesson.hidden = false;
    }, 500);
  }, NO_ANSWER);
}
