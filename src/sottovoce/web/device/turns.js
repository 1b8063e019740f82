/**
 * Public turns: in which of a few public directions a vector points, as its slot looks at it. A turn is a diagonal of
 * public signs and then a Hadamard matrix; three in a row send any vector to nearly Gaussian entries. A slot's public
 * words are the signs of the first turn, of the second, of the third; then one for the rows, whose low half says where
 * they begin and whose high half, made odd, how far apart they are.
 */

import { signsOf, walshHadamard, words } from "./public.js";
import { bit, length } from "./sums.js";

const TURNS = 3;
const LEAST_TURNED = 128;

/**
 * The symbol of a vector from the centre, plus ½; a uniform word says whether the vector is turned to its opposite. Of
 * entries that are equally large the first row counts; a vector of length zero points along the first row.
 *
 * @type {(
 *   statistic: {seed: number, rows: number, radius: number}, slot: number, apart: Float64Array, uniform: bigint,
 * ) => number}
 */
export function pointed({ seed, rows, radius }, slot, apart, uniform) {
  const size = Math.max(LEAST_TURNED, 2 ** (32 - Math.clz32(apart.length - 1)));
  const drawn = words(seed, slot, (TURNS * size) / 64 + 1);
  const signs = signsOf(drawn, TURNS * size);
  const last = drawn[drawn.length - 1];
  const [first, step] = [Number(last & 0xffffffffn), Number((last >> 32n) | 1n)];
  const longer = Math.min(length(apart) / radius, 1);
  const opposite = bit(Number(uniform) * 2 ** -64 >= 0.5 + 0.5 * longer);

  const largest = apart.reduce((most, entry) => Math.max(most, Math.abs(entry)), 1e-300);
  const seen = new Float64Array(size);
  seen.set(apart.map((entry) => entry / largest));
  for (let turn = 0; turn < TURNS; turn += 1) {
    for (let at = 0; at < size; at += 1) seen[at] *= signs[turn * size + at];
    walshHadamard(seen);
  }
  const chosen = Array.from({ length: rows }, (_, row) => seen[(first + step * row) % size]);
  const best = chosen.reduce((most, entry, row) => (Math.abs(entry) > Math.abs(chosen[most]) ? row : most), 0);
  return 2 * best + (bit(chosen[best] < 0) ^ opposite) + 0.5;
}
