// Undoes widgets/live/codec.py: a packed slot becomes the value that Python painted.

function unpackPaint(page, packed) {
  const paint = {};
  for (let n = 0; n < packed.length; n += 2) {
    const key = typeof packed[n] === "number" ? page.places[packed[n]] : packed[n];
    paint[key] = unpack(packed[n + 1], page.slots[key]);
  }
  return paint;
}

function unpack(packed, before) {
  if (!Array.isArray(packed)) return packed;
  const [kind, first, second] = packed;
  if (kind === "[") return packed.slice(1).map((item) => unpack(item));
  if (kind === "s") return first.replaceAll("~", "−").split("|");
  if (kind === "f") {
    const bytes = Uint8Array.from(atob(first), (c) => c.charCodeAt(0)), view = new DataView(bytes.buffer);
    return Array.from({length: bytes.length / 8}, (_, n) => view.getFloat64(8 * n, true));
  }
  if (kind === "{") {
    const out = {};
    for (let n = 1; n < packed.length; n += 2) out[packed[n]] = unpack(packed[n + 1]);
    return out;
  }
  const places = first.split(",").map(Number), leaves = unpack(second); // "~": a few leaves moved
  let at = 0, next = 0;
  const copy = (value) => {
    if (Array.isArray(value)) return value.map(copy);
    if (value !== null && typeof value === "object") {
      return Object.fromEntries(Object.entries(value).map(([k, v]) => [k, copy(v)]));
    }
    return at++ === places[next] ? leaves[next++] : value;
  };
  return copy(before);
}
