// The channels: laws in whole numbers, what a symbol looks like, and what it costs.

import { big, list, member, records } from "./codec.js";
import { check } from "./errors.js";
import { UNITS, expBelow, fraction, logAbove, logUnits, times } from "./exact.js";
import { MAX_CELLS } from "./limits.js";

const [ONE, ONE_WIDE, TICKS] = [1n << 64n, 1n << 128n, 2 ** 32];

const { Decodings } = records("Decodings core:number+ lower:number+ upper:number+ whole:number+", {});
const KINDS = records(
  `table rows:row+ decode:number* decodings:decodings=
  subset items:2..65536 size:1.. threshold:big
  unary items:1..65536 reach:0..8 threshold:big
  laplace steps:1..65536 bound:big digits:big+`,
  {
    decodings: Decodings,
    row: (value, where) => {
      const row = list(big, 2, 256)(value, where);
      const law = row.every((cell) => cell > 0n) && row.reduce((a, b) => a + b) === ONE;
      check(law, `${where}: no law`);
      return BigUint64Array.from(row);
    },
  },
  {
    table: ({ rows, decode, decodings }) => {
      const symbols = rows[0].length;
      const lists = decodings ? [...rows, ...Object.values(decodings)] : rows;
      const even = lists.every(({ length }) => length === symbols) && (decodings ? [0] : [0, symbols]).includes(decode.length);
      return even && rows.length > 1 && rows.length * symbols <= MAX_CELLS;
    },
    subset: ({ items, size, threshold }) => size < items && 0n < threshold && threshold < ONE,
    unary: ({ threshold }) => ONE / 2n <= threshold && threshold < ONE,
    laplace: ({ steps, bound, digits }) => {
      const rare = digits.every((digit) => 0n < digit && digit < ONE_WIDE / 2n);
      return digits.length <= 46 && 1n <= bound && bound < roomOf(digits, steps) && rare;
    },
  },
);
const roomOf = (digits, steps) => (1n << BigInt(digits.length)) - BigInt(steps);

export const CHANNELS = Object.keys(KINDS);
export const readChannel = member(KINDS);
export const readTable = member({ table: KINDS.table });

/** The largest input; an index counts in steps of the unit. */
export const spanOf = ({ steps, rows, items }) => steps ?? (rows ? (rows.length - 1) * TICKS : items - 1);
export const unitOf = ({ rows }) => (rows ? TICKS : 1);
export const widthOf = ({ kind, size, items }) => (kind === "unary" ? items : (size ?? 1));
export const cellsOf = ({ items, rows }) => items ?? rows?.[0].length ?? 2;
const BITS = { table: 8, subset: 16, unary: 1, laplace: 64 };
export const payloadBytesOf = (channel) => Math.ceil((BITS[channel.kind] * widthOf(channel)) / 8);

export const packed = (channel, symbol) => {
  const [bits, bytes] = [BITS[channel.kind], payloadBytesOf(channel)];
  const binary = symbol.map((value) => BigInt.asUintN(bits, BigInt(value)).toString(2).padStart(bits, "0")).join("");
  return BigInt(`0b${binary.padEnd(8 * bytes, "0")}`).toString(16).padStart(2 * bytes, "0");
};

/** A proven upper bound on ε, from the integers. */
export const epsilonOf = (channel) => {
  const { rows, items, steps, size, threshold } = channel;
  if (rows) return columnRatio(rows);
  if (steps) return laplace(channel);
  if (!size) return times(logAbove(threshold, ONE - threshold), disagreements(channel));
  const [inside, outside] = [threshold * BigInt(items - size), (ONE - threshold) * BigInt(size)];
  return inside > outside ? logAbove(inside, outside) : logAbove(outside, inside);
};

const columnRatio = (rows) => {
  let [largest, smallest] = [1n, 1n];
  for (const symbol of rows[0].keys()) {
    const column = BigUint64Array.from(rows, (row) => row[symbol]).sort();
    const [low, high] = [column[0], column[rows.length - 1]];
    if (high * smallest > largest * low) [largest, smallest] = [high, low];
  }
  return logAbove(largest, smallest);
};

/** In how many bits two sets differ at most. */
const disagreements = ({ items, reach }) => Math.max(0, Math.min(items, 4 * reach + 2, 2 * (items - 1 - reach)));

/** steps·λ + 4η − ln(1 − 2 e^(−λN)), as in PRIVACY.md, each part rounded up. */
const laplace = ({ steps, bound, digits }) => {
  const odds = digits.map((digit) => logUnits(ONE_WIDE - digit, digit));
  const [below, above] = odds[0];
  const rounding = odds.reduce((sum, [low, high], place) => {
    const [over, under] = [high - (below << BigInt(place)), (above << BigInt(place)) - low];
    return sum + (over > under ? over : under);
  }, 0n);
  const reach = below * (roomOf(digits, steps) - bound);
  const { n, d } = expBelow(fraction(reach < UNITS << 12n ? reach : UNITS << 12n, UNITS));
  check(n > 2n * d, "digits end too close to the clamp");
  return fraction(BigInt(steps) * above + 4n * rounding + logUnits(n, n - 2n * d)[1], UNITS);
};
