// A copy in this browser of what a learning system has not got yet. Its name is a digest of who the
// student is and of the activity, so that on a shared computer nobody gets what is another's.

const COPY = "attention-lesson unsaved";

// The digest that names it; "" when nobody knows whose it would be.
function copyName(who, activity) {
  return who ? `${COPY} ${digest(`${who}\n${activity}`)}` : "";
}

function unsavedCopy(name) {
  let mine = ""; // what this page wrote there last
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
        return window.localStorage.getItem(name) === text;
      } catch { return false; }
    },
    clear() { // what the system has by now; not what another window has left since
      quietly(() => { if (mine && window.localStorage.getItem(name) === mine) window.localStorage.removeItem(name); });
      mine = "";
    },
    adopt() { mine = quietly(() => window.localStorage.getItem(name)) ?? ""; },
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
