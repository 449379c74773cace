// A page around this one that keeps progress: https://cssplice.org/slcp/iframe-protocol-specification.html

let messages = 0;
function post(subject, body) {
  const message_id = `${Date.now().toString(36)}-${Math.random().toString(36).slice(2)}-${++messages}`;
  quietly(() => window.parent.postMessage({subject, message_id, ...body}, "*"));
  return message_id;
}

function spliceHost(activity_id) {
  const open = new Map(); // message -> what to do with its answer
  let told = 0; // the best score that was sent
  window.addEventListener("message", (event) => quietly(() => {
    const data = event.data;
    if (event.source !== window.parent || typeof data !== "object" || data === null) return;
    const asked = open.get(data.message_id);
    if (!asked || data.subject !== `${asked.subject}.response`) return;
    open.delete(data.message_id);
    asked.done(data);
  }));
  const ask = (subject, body, done) => open.set(post(subject, body), {subject, done});
  return {
    swift: true, // a message takes no time
    answered: false,
    load(done) {
      ask("SPLICE.getState", {activity_id}, (data) => {
        if (data.error) return;
        this.answered = true;
        const kept = readState(data.state);
        told = Math.max(told, kept?.best ?? 0);
        done(kept);
      });
    },
    send({record, best, earned, done: finished}, leaving, done) { // a mere save must not grade
      const state = {record, best, earned, done: finished};
      const score = best > told ? {score: best} : {};
      ask("SPLICE.reportScoreAndState", {activity_id, ...score, state}, (data) => {
        if (data.error) told = Math.min(told, best - 1e-9); // it goes along again
        done(data.error ? "refused" : "kept");
      });
      told = Math.max(told, best);
    },
    tell(name, data) { post("SPLICE.sendEvent", {activity_id, name, data}); },
    forget() { told = 0; }, // it may be somebody else now
  };
}
