// A copy in this browser of what a learning system has not got yet. Its name is a digest of who the
// student is and of the activity, so that on a shared computer nobody gets what is another's.

const COPY = "attention-lesson unsaved";

// The digest that names it; "" when nobody knows whose it would be.
function copyName(who, activity) {
  return who ? `${COPY} ${digest(`${who}\n${activity}`)}` : "";
}

// It stands in two places: what is written to localStorage is there at once, but some courses empty
// that at every login; a database is left alone, and answers a moment later.
function unsavedCopy(name) {
  let mine = "", ready = false; // what this page wrote last; has the database been read
  const second = name ? database() : null;
  const read = () => name ? readState(quietly(() => window.localStorage.getItem(name))) : null;
  return {
    name,
    read,
    write(state) { // is everything earned in the browser now?
      if (!name) return false;
      const text = JSON.stringify(state);
      try {
        const there = window.localStorage.getItem(name), other = there === mine ? null : readState(there);
        if (other && other.earned > state.earned) return false; // of another window: it came further
        window.localStorage.setItem(name, text);
        mine = text;
        if (ready) second.set(name, text);
        return window.localStorage.getItem(name) === text;
      } catch { return false; }
    },
    clear() { // what the system has by now; not what another window has left since
      quietly(() => { if (mine && window.localStorage.getItem(name) === mine) window.localStorage.removeItem(name); });
      if (ready) second.remove(name);
      mine = "";
    },
    // What the database still has; `done` says whether that was further than anything else.
    later(done) {
      second?.get(name, (text) => {
        ready = true;
        const left = readState(text);
        if (left && done(left)) return;
        if (mine) second.set(name, mine);
        else second.remove(name);
      });
    },
    adopt() { mine = quietly(() => window.localStorage.getItem(name)) ?? ""; },
  };
}

function database() {
  const table = "unsaved";
  const opened = new Promise((done, fail) => {
    const asked = window.indexedDB.open("attention-lesson", 1);
    asked.onupgradeneeded = () => asked.result.createObjectStore(table);
    asked.onsuccess = () => done(asked.result);
    asked.onerror = fail;
  });
  const ask = (work, done = (result) => result) => opened.then((db) => {
    const asked = work(db.transaction(table, "readwrite").objectStore(table));
    asked.onsuccess = () => done(asked.result);
  }).catch(() => null); // then there is one place only
  return {
    get: (name, done) => ask((rows) => rows.get(name), done),
    set: (name, text) => ask((rows) => rows.put(text, name)),
    remove: (name) => ask((rows) => rows.delete(name)),
  };
}

// cyrb53: 53 bits are enough to keep the students of one browser apart.
function digest(text) {
  let a = 0xdeadbeef, b = 0x41c6ce57;
  for (let n = 0; n < text.length; n++) {
    const code = text.charCodeAt(n);
    a = Math.imul(a ^ code, 2654435761);
    b = Math.imul(b ^ code, 1597334677);
  }
  a = Math.imul(a ^ (a >>> 16), 2246822507) ^ Math.imul(b ^ (b >>> 13), 3266489909);
  b = Math.imul(b ^ (b >>> 16), 2246822507) ^ Math.imul(a ^ (a >>> 13), 3266489909);
  return (4294967296 * (2097151 & b) + (a >>> 0)).toString(36);
}
