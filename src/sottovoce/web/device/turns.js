// In which of a few public directions a vector points. A turn is a diagonal of public signs and then a Hadamard matrix. A
// slot's words are the signs of three turns, then one for the rows: where they begin (low half), how far apart (high).

import { signsOf, walshHadamard, words } from "./public.js";
import { bit, largest, squares } from "./sums.js";

const TURNS = 3;
const LEAST_TURNED = 128;

/**
 * The symbol of a vector from the centre; a uniform word says whether it is turned to its opposite.
 * @type {(statistic: any, slot: number, apart: Float64Array, uniform: bigint) => number}
 */
export function pointed({ seed, rows, radius }, slot, apart, uniform) {
  const size = Math.max(LEAST_TURNED, 2 ** (32 - Math.clz32(apart.length - 1)));
  const drawn = words(seed, slot, (TURNS * size) / 64 + 1);
  const signs = signsOf(drawn, TURNS * size);
  const last = drawn[drawn.length - 1];
  const [first, step] = [Number(last & 0xffffffffn), Number((last >> 32n) | 1n)];
  const longer = Math.min(Math.sqrt(squares(apart)) / radius, 1);
  const opposite = bit(Number(uniform) * 2 ** -64 >= 0.5 + 0.5 * longer);

  const seen = new Float64Array(size);
  const most = Math.max(largest(apart), 1e-300);
  seen.set(apart.map((entry) => entry / most));
  for (let turn = 0; turn < TURNS; turn += 1) {
    for (let at = 0; at < size; at += 1) seen[at] *= signs[turn * size + at];
    walshHadamard(seen);
  }
  const chosen = Array.from({ length: rows }, (_, row) => seen[(first + step * row) % size]);
  const best = chosen.reduce((best, entry, row) => (Math.abs(entry) > Math.abs(chosen[best]) ? row : best), 0);
  return 2 * best + (bit(chosen[best] < 0) ^ opposite);
}
