// Public randomness, from seed and slot: SplitMix64 as a keyed hash. It protects nobody; noise never comes from here.

/** One word to one word. @param {bigint} word */
function mix(word) {
  word = BigInt.asUintN(64, word + 0x9e3779b97f4a7c15n);
  word = BigInt.asUintN(64, (word ^ (word >> 30n)) * 0xbf58476d1ce4e5b9n);
  word = BigInt.asUintN(64, (word ^ (word >> 27n)) * 0x94d049bb133111ebn);
  return word ^ (word >> 31n);
}

/** `count` public words of a slot. @type {(seed: number, slot: number, count: number) => bigint[]} */
export function words(seed, slot, count) {
  const key = mix(mix(BigInt(slot)) ^ BigInt(seed));
  return Array.from({ length: count }, (_, place) => mix(key ^ mix(BigInt(place))));
}

/** Bits as signs ±1, the lowest of the first word first. @type {(drawn: bigint[], width: number) => Int8Array} */
export function signsOf(drawn, width) {
  const halves = drawn.flatMap((word) => [Number(word & 0xffffffffn), Number(word >> 32n)]);
  return new Int8Array(width).map((_, at) => 2 * ((halves[at >> 5] >>> (at & 31)) & 1) - 1);
}

/** Public signs of a slot. @type {(seed: number, slot: number, width: number) => Int8Array} */
export const signs = (seed, slot, width) => signsOf(words(seed, slot, Math.ceil(width / 64)), width);

/**
 * Times a row of the Hadamard matrix, whose entry (row, i) is (−1)^popcount(row & i).
 * @type {(row: number, vector: Float64Array) => Float64Array}
 */
export function hadamard(row, vector) {
  return vector.map((entry, place) => {
    let odd = row & place;
    odd ^= odd >>> 8;
    odd ^= odd >>> 4; // four bits are left, and a table of their parities
    return (1 - 2 * ((0x6996 >>> (odd & 15)) & 1)) * entry;
  });
}

/** H·values in place: pairs that differ in bit 0 first, then in bit 1, and so on. @param {Float64Array} values */
export function walshHadamard(values) {
  for (let apart = 1; apart < values.length; apart *= 2) {
    for (let at = 0; at < values.length; at += 1) {
      if (at & apart) continue;
      const [left, right] = [values[at], values[at + apart]];
      values[at] = left + right;
      values[at + apart] = left - right;
    }
  }
}

// (−1)^n (2π)^(2n+1) / (2n+1)!, the last first.
const SINE = [
  0.0011309237482517954, -0.012031585942120619, 0.10422916220813978, -0.7181223017785001, 3.8199525848482803,
  -15.094642576822984, 42.058693944897634, -76.70585975306136, 81.60524927607504, -41.341702240399755, 6.283185307179586,
];

/** cos(2π·turns) = −sin(2πz), z in [−¼, ¼], by its series: the same course and bits everywhere. @param {number} turns */
export function cosine(turns) {
  const quarter = 0.25 - Math.abs(turns - Math.floor(turns) - 0.5);
  let series = 0;
  for (let at = 0; at < SINE.length; at += 1) series = series * (quarter * quarter) + SINE[at];
  return -quarter * series;
}
