// The closed vocabulary of channels: a channel's law as whole numbers, what a symbol looks like, and what it costs, proven
// from the integers. The proofs are in device/PRIVACY.md.

import { big, int, list, member, number } from "./codec.js";
import { check } from "./errors.js";
import { UNITS, expBelow, fraction, logAbove, logUnits, times } from "./exact.js";
import { MAX_ITEMS, MAX_SYMBOLS, MAX_TABLE_CELLS } from "./limits.js";

/** @typedef {import("./codec.js").Member} Channel */
/** @typedef {import("./exact.js").Fraction} Fraction */
/** @typedef {(channel: any) => number} Says */
/**
 * @typedef {{fields: import("./codec.js").Fields, also: (one: any) => void, span: Says, unit: number, width: Says,
 *   cells: Says, bytes: Says, epsilon: (channel: any) => Fraction, pack: (symbol: number[]) => number[]}} Kind
 */

const ONE = 1n << 64n;
const ONE_WIDE = 1n << 128n;
/** Inputs between two neighbouring nodes of a table: a position is a node and a 32-bit fraction. */
export const TICKS = 2 ** 32;
const FAR = 4096n;

/** Rows of decimal strings as 64-bit words, each row a law: positive whole numbers that sum to 2^64. */
const law = list((value, where) => {
  const cells = list(big, 2, MAX_SYMBOLS)(value, where);
  check(cells.every((/** @type {bigint} */ cell) => cell > 0n), "every cell lies strictly between 0 and 2^64");
  const sum = cells.reduce((/** @type {bigint} */ total, /** @type {bigint} */ cell) => total + cell);
  check(sum === ONE, "every row of a table sums to 2^64");
  return BigUint64Array.from(cells);
}, 2, MAX_TABLE_CELLS / 2);

/** @type {Record<string, Kind>} */
const KINDS = {
  table: {
    fields: { rows: law, decode: list(number) },
    also({ rows, decode }) {
      const symbols = rows[0].length;
      check(rows.length * symbols <= MAX_TABLE_CELLS, `a table has at most ${MAX_TABLE_CELLS} cells`);
      const alike = rows.every((/** @type {BigUint64Array} */ row) => row.length === symbols);
      check(alike, "all rows of a table have the same length");
      check([0, symbols].includes(decode.length), "a table decodes all of its symbols or none");
    },
    span: (one) => (one.rows.length - 1) * TICKS,
    unit: TICKS,
    width: () => 1,
    cells: (one) => one.rows[0].length,
    bytes: () => 1,
    epsilon: columnRatio,
    pack: ([symbol]) => [symbol],
  },
  subset: {
    fields: { items: int(2, MAX_ITEMS), size: int(1), threshold: big },
    also({ items, size, threshold }) {
      check(size < items, "a subset holds at least one item and not all");
      check(0n < threshold && threshold < ONE, "the inclusion threshold lies strictly between 0 and 2^64");
    },
    span: (one) => one.items - 1,
    unit: 1,
    width: (one) => one.size,
    cells: (one) => one.items,
    bytes: (one) => 2 * one.size,
    epsilon({ items, size, threshold }) {
      const inside = threshold * BigInt(items - size);
      const outside = (ONE - threshold) * BigInt(size);
      return inside > outside ? logAbove(inside, outside) : logAbove(outside, inside);
    },
    pack: (symbol) => symbol.flatMap((item) => [item >> 8, item & 255]),
  },
  unary: {
    fields: { items: int(1, MAX_ITEMS), reach: int(0, 8), threshold: big },
    also: ({ threshold }) =>
      check(ONE / 2n <= threshold && threshold < ONE, "the keep threshold lies between 2^63 and 2^64"),
    span: (one) => one.items - 1,
    unit: 1,
    width: (one) => one.items,
    cells: (one) => one.items,
    bytes: (one) => Math.ceil(one.items / 8),
    epsilon: (one) => times(logAbove(one.threshold, ONE - one.threshold), disagreements(one)),
    pack(symbol) {
      const bytes = new Array(Math.ceil(symbol.length / 8)).fill(0);
      symbol.forEach((bit, place) => (bytes[place >> 3] |= bit << (7 - (place & 7))));
      return bytes;
    },
  },
  laplace: {
    fields: { steps: int(1, 2 ** 16), bound: big, digits: list(big, 1, 46) },
    also({ steps, bound, digits }) {
      const rare = digits.every((/** @type {bigint} */ digit) => 0n < digit && digit < ONE_WIDE / 2n);
      check(rare, "every digit is less likely one than zero");
      check(bound >= 1n, "the clamp lies beyond the grid");
      check(bound + BigInt(steps) < 1n << BigInt(digits.length), "the digits must reach beyond the clamp");
    },
    span: (one) => one.steps,
    unit: 1,
    width: () => 1,
    cells: () => 2,
    bytes: () => 8,
    epsilon: laplaceEpsilon,
    pack: ([symbol]) => {
      const bytes = new DataView(new ArrayBuffer(8));
      bytes.setBigInt64(0, BigInt(symbol));
      return [...new Uint8Array(bytes.buffer)];
    },
  },
};

/**
 * ln of the largest ratio of two cells of a column, found by multiplying crosswise.
 * @param {{rows: BigUint64Array[]}} table
 */
function columnRatio({ rows }) {
  let [largest, smallest] = [1n, 1n];
  for (const symbol of rows[0].keys()) {
    let [high, low] = [rows[0][symbol], rows[0][symbol]];
    for (const { [symbol]: cell } of rows) {
      if (cell > high) high = cell;
      if (cell < low) low = cell;
    }
    if (high * smallest > largest * low) [largest, smallest] = [high, low];
  }
  return logAbove(largest, smallest);
}

/**
 * The largest number of bits in which the hot sets of two indices differ.
 * @param {{items: number, reach: number}} unary
 */
function disagreements({ items, reach }) {
  const most = 2 * (2 * reach + 1);
  if (items >= most) return most;
  let found = 0;
  for (let one = 0; one < items; one += 1) {
    for (let other = 0; other < one; other += 1) {
      let differ = 0;
      for (let bit = 0; bit < items; bit += 1) {
        differ += Number(Math.abs(bit - one) <= reach !== Math.abs(bit - other) <= reach);
      }
      found = Math.max(found, differ);
    }
  }
  return found;
}

/**
 * steps·λ + 4η − ln(1 − 2 e^(−λN)), λ the negative log-odds of digit 0, η the rounding of the digits, N the room beyond
 * the clamp; every part in units (see exact.js), and rounded up.
 * @param {{steps: number, bound: bigint, digits: bigint[]}} laplace
 */
function laplaceEpsilon({ steps, bound, digits }) {
  const odds = digits.map((digit) => logUnits(ONE_WIDE - digit, digit));
  const [below, above] = odds[0];
  let rounding = 0n;
  odds.forEach(([low, high], place) => {
    const power = 1n << BigInt(place);
    const [over, under] = [high - power * below, power * above - low];
    rounding += over > under ? over : under;
  });
  const room = (1n << BigInt(digits.length)) - bound - BigInt(steps);
  const reach = below * room < FAR * UNITS ? below * room : FAR * UNITS;
  const { n, d } = expBelow(fraction(reach, UNITS));
  check(n > 2n * d, "the digits end too close to the clamp");
  const [, missing] = logUnits(n, n - 2n * d);
  return fraction(BigInt(steps) * above + 4n * rounding + missing, UNITS);
}

export const CHANNELS = new Set(Object.keys(KINDS));
export const readChannel = member(KINDS);

/** The largest input; an index counts in steps of the unit. @type {(channel: Channel) => number} */
export const spanOf = (channel) => KINDS[channel.kind].span(channel);
/** @type {(channel: Channel) => number} */
export const unitOf = (channel) => KINDS[channel.kind].unit;
/** Whole numbers of a symbol. @type {(channel: Channel) => number} */
export const widthOf = (channel) => KINDS[channel.kind].width(channel);
/** Cells of its tally. @type {(channel: Channel) => number} */
export const cellsOf = (channel) => KINDS[channel.kind].cells(channel);
/** Bytes of a symbol on the wire. @type {(channel: Channel) => number} */
export const payloadBytesOf = (channel) => KINDS[channel.kind].bytes(channel);
/** A proven upper bound on ε, from the integers. @type {(channel: Channel) => Fraction} */
export const epsilonOf = (channel) => KINDS[channel.kind].epsilon(channel);
/** A symbol as bytes. @type {(channel: Channel, symbol: number[]) => number[]} */
export const packed = (channel, symbol) => KINDS[channel.kind].pack(symbol);
