// Public randomness, from seed and slot: SplitMix64 as a keyed hash. It protects nobody: noise never comes from here.

function mix(word) {
  word = BigInt.asUintN(64, word + 0x9e3779b97f4a7c15n);
  word = BigInt.asUintN(64, (word ^ (word >> 30n)) * 0xbf58476d1ce4e5b9n);
  word = BigInt.asUintN(64, (word ^ (word >> 27n)) * 0x94d049bb133111ebn);
  return word ^ (word >> 31n);
}

export function words(seed, slot, count) {
  const key = mix(mix(BigInt(slot)) ^ BigInt(seed));
  return Array.from({ length: count }, (_, place) => mix(key ^ mix(BigInt(place))));
}

/** Of word × limit the upper word: uniform below the limit. */
export const below = (word, limit) => Number((word * BigInt(limit)) >> 64n);

/** Bits as signs ±1, the lowest first. */
function signsOf(drawn, width) {
  const halves = drawn.flatMap((word) => [Number(word & 0xffffffffn), Number(word >> 32n)]);
  return new Int8Array(width).map((_, at) => 2 * ((halves[at >> 5] >>> (at & 31)) & 1) - 1);
}

export const signs = (seed, slot, width) => signsOf(words(seed, slot, Math.ceil(width / 64)), width);

/** Times a row of the Hadamard matrix, (−1)^popcount(row & i). */
export const hadamard = (row, vector) =>
  vector.map((entry, place) => {
    let odd = row & place;
    odd ^= odd >>> 8;
    odd ^= odd >>> 4;
    return (1 - 2 * ((0x6996 >>> (odd & 15)) & 1)) * entry;
  });

/** In place, pairs that differ in bit 0 first. */
function walshHadamard(values) {
  for (let apart = 1; apart < values.length; apart *= 2) {
    for (const at of values.keys()) {
      if (at & apart) continue;
      const [left, right] = [values[at], values[at + apart]];
      [values[at], values[at + apart]] = [left + right, left - right];
    }
  }
}

/** A few rows of a vector, padded to `size` and turned three times (messages/turns.py). */
export function turned(seed, slot, vector, size, rows) {
  const drawn = words(seed, slot, (3 * size) / 64 + 1);
  const [signs, last] = [signsOf(drawn, 3 * size), drawn[drawn.length - 1]];
  const seen = new Float64Array(size);
  seen.set(vector);
  for (let turn = 0; turn < 3; turn++) {
    for (let at = 0; at < size; at++) seen[at] *= signs[turn * size + at];
    walshHadamard(seen);
  }
  const [first, step] = [Number(last & 0xffffffffn), Number((last >> 32n) | 1n)];
  return Array.from({ length: rows }, (_, row) => seen[(first + step * row) % size]);
}

// (−1)^n (2π)^(2n+1) / (2n+1)!, the last first.
const SINE = [
  0.0011309237482517954, -0.012031585942120619, 0.10422916220813978, -0.7181223017785001, 3.8199525848482803,
  -15.094642576822984, 42.058693944897634, -76.70585975306136, 81.60524927607504, -41.341702240399755,
  6.283185307179586,
];

/** cos(2π·turns) = −sin(2πz), z in [−¼, ¼], by its series: the same bits everywhere. */
export function cosine(turns) {
  const quarter = 0.25 - Math.abs(turns - Math.floor(turns) - 0.5);
  let series = 0;
  for (const at of SINE.keys()) series = series * (quarter * quarter) + SINE[at];
  return -quarter * series;
}
