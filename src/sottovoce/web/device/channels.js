// The closed vocabulary of channels: a law in whole numbers, what a symbol looks like, and what it costs, proven from the
// integers. The proofs are in device/PRIVACY.md.

import { big, int, list, member, number } from "./codec.js";
import { check } from "./errors.js";
import { UNITS, expBelow, fraction, logAbove, logUnits, times } from "./exact.js";
import { MAX_ITEMS, MAX_TABLE_CELLS } from "./limits.js";

/** @typedef {import("./exact.js").Fraction} Fraction */

const ONE = 1n << 64n;
const ONE_WIDE = 1n << 128n;
const TICKS = 2 ** 32; // inputs from one node of a table to the next

/** A row of a table: positive whole numbers that sum to 2^64. @type {import("./codec.js").Reader} */
const row = (value, where) => {
  /** @type {bigint[]} */
  const cells = list(big, 2, 256)(value, where);
  const sum = cells.reduce((total, cell) => total + cell);
  check(sum === ONE && cells.every((cell) => cell > 0n), `${where}: cells above 0 with a sum of 2^64 were expected`);
  return BigUint64Array.from(cells);
};

/** @type {Record<string, [import("./codec.js").Fields, (one: any) => boolean]>} */
const KINDS = {
  table: [
    { rows: list(row, 2), decode: list(number) },
    ({ rows, decode }) => {
      const [lengths, symbols] = [rows.map((/** @type {BigUint64Array} */ { length }) => length), rows[0].length];
      const even = new Set(lengths).size === 1 && rows.length * symbols <= MAX_TABLE_CELLS;
      return even && [0, symbols].includes(decode.length);
    },
  ],
  subset: [
    { items: int(2, MAX_ITEMS), size: int(1), threshold: big },
    ({ items, size, threshold }) => size < items && 0n < threshold && threshold < ONE,
  ],
  unary: [
    { items: int(1, MAX_ITEMS), reach: int(0, 8), threshold: big },
    ({ threshold }) => ONE / 2n <= threshold && threshold < ONE,
  ],
  laplace: [
    { steps: int(1, 2 ** 16), bound: big, digits: list(big, 1, 46) },
    ({ steps, bound, digits }) =>
      digits.every((/** @type {bigint} */ digit) => 0n < digit && digit < ONE_WIDE / 2n) &&
      bound >= 1n && bound + BigInt(steps) < 1n << BigInt(digits.length),
  ],
};

export const CHANNELS = Object.keys(KINDS);
export const readChannel = member(KINDS);

/** The largest input; an index counts in steps of the unit. @type {(channel: any) => number} */
export const spanOf = ({ steps, rows, items }) => steps ?? (rows ? (rows.length - 1) * TICKS : items - 1);
/** @type {(channel: any) => number} */
export const unitOf = ({ rows }) => (rows ? TICKS : 1);
/** How many numbers a symbol has. @type {(channel: any) => number} */
export const widthOf = ({ size, reach, items }) => size ?? (reach === undefined ? 1 : items);
/** How many cells its tally has. @type {(channel: any) => number} */
export const cellsOf = ({ items, rows }) => items ?? rows?.[0].length ?? 2;
/** How many bytes a symbol has on the wire. @type {(channel: any) => number} */
export const payloadBytesOf = ({ size, reach, rows, items }) => {
  if (size) return 2 * size;
  return reach === undefined ? (rows ? 1 : 8) : Math.ceil(items / 8);
};

/** A symbol as bytes. @type {(channel: any, symbol: number[]) => number[]} */
export const packed = ({ kind }, symbol) => {
  if (kind === "table") return symbol;
  if (kind === "subset") return symbol.flatMap((item) => [item >> 8, item & 255]);
  if (kind === "laplace") {
    const view = new DataView(new ArrayBuffer(8));
    view.setBigInt64(0, BigInt(symbol[0]));
    return [...new Uint8Array(view.buffer)];
  }
  const bytes = new Array(Math.ceil(symbol.length / 8)).fill(0);
  symbol.forEach((bit, place) => (bytes[place >> 3] |= bit << (7 - (place & 7))));
  return bytes;
};

/** A proven upper bound on ε, from the integers. @type {(channel: any) => Fraction} */
export const epsilonOf = (channel) => {
  const { kind, rows, items, size, threshold } = channel;
  if (kind === "laplace") return laplace(channel);
  if (kind === "table") return columnRatio(rows);
  if (kind === "unary") return times(logAbove(threshold, ONE - threshold), disagreements(channel));
  const [inside, outside] = [threshold * BigInt(items - size), (ONE - threshold) * BigInt(size)];
  return inside > outside ? logAbove(inside, outside) : logAbove(outside, inside);
};

/** ln of the largest ratio of two cells of a column. @param {BigUint64Array[]} rows */
function columnRatio(rows) {
  let [largest, smallest] = [1n, 1n];
  for (const symbol of rows[0].keys()) {
    let [high, low] = [0n, ONE];
    for (const { [symbol]: cell } of rows) {
      if (cell > high) high = cell;
      if (cell < low) low = cell;
    }
    if (high * smallest > largest * low) [largest, smallest] = [high, low];
  }
  return logAbove(largest, smallest);
}

/** In how many bits the hot sets of two indices differ at most. @param {{items: number, reach: number}} unary */
function disagreements({ items, reach }) {
  const most = 2 * (2 * reach + 1);
  if (items >= most) return most;
  const places = [...Array(items).keys()];
  const hot = (/** @type {number} */ index, /** @type {number} */ bit) => Math.abs(bit - index) <= reach;
  const apart = places.flatMap((a) => places.map((b) => places.filter((bit) => hot(a, bit) !== hot(b, bit)).length));
  return Math.max(...apart);
}

/**
 * steps·λ + 4η − ln(1 − 2 e^(−λN)), λ the negative log-odds of digit 0, η the rounding of the digits, N the room beyond
 * the clamp; each part in units (see exact.js) and rounded up.
 * @param {{steps: number, bound: bigint, digits: bigint[]}} channel
 */
function laplace({ steps, bound, digits }) {
  const odds = digits.map((digit) => logUnits(ONE_WIDE - digit, digit));
  const [below, above] = odds[0];
  const rounding = odds.reduce((sum, [low, high], place) => {
    const [over, under] = [high - (below << BigInt(place)), (above << BigInt(place)) - low];
    return sum + (over > under ? over : under);
  }, 0n);
  const reach = below * ((1n << BigInt(digits.length)) - bound - BigInt(steps));
  const { n, d } = expBelow(reach < UNITS << 12n ? fraction(reach, UNITS) : fraction(4096n));
  check(n > 2n * d, "the digits end too close to the clamp");
  return fraction(BigInt(steps) * above + 4n * rounding + logUnits(n, n - 2n * d)[1], UNITS);
}
