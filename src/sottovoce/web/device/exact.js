// Rational bounds on exp and log: the arithmetic in which every privacy claim is checked. Whole numbers only, in units
// of 2^-256. Divisions round down, so that no result lies above the truth; what it may miss is proven below: less than
// 2^-230 (10^-69) for ratios up to 2^8000.

import { check } from "./errors.js";

/** @typedef {{readonly n: bigint, readonly d: bigint}} Fraction In lowest terms; d is positive. */

const BITS = 256n;
export const UNITS = 1n << BITS;

/** @type {(n: bigint, d?: bigint) => Fraction} */
export const fraction = (n, d = 1n) => {
  let [a, b] = [n < 0n ? -n : n, d];
  while (b) [a, b] = [b, a % b];
  return { n: n / a, d: d / a };
};

/** @type {(a: Fraction, b: Fraction) => Fraction} */
export const plus = (a, b) => fraction(a.n * b.d + b.n * a.d, a.d * b.d);
export const times = (a, k) => fraction(a.n * BigInt(k), a.d);
export const atMost = (a, b) => a.n * b.d <= b.n * a.d;
/** About so much, for people to read. */
export const asNumber = (a) => Number((a.n << BITS) / a.d) / 2 ** 256;
export const text = (a) => `${a.n}/${a.d}`;
/** @param {string} written */
export const readFraction = (written) => {
  check(/^(0|-?[1-9]\d*)\/[1-9]\d*$/.test(written), "a fraction was expected");
  const [n, d] = written.split("/").map(BigInt);
  return fraction(n, d);
};

/** The number a person means by a float: its shortest decimal. Ten times 0.1 is one. @param {number} number */
export const exact = (number) => {
  const [digits, power = "0"] = String(number).split("e");
  const [whole, part = ""] = digits.split(".");
  const shift = Number(power) - part.length;
  const [n, ten] = [BigInt(whole + part), 10n ** BigInt(Math.abs(shift))];
  return shift < 0 ? fraction(n, ten) : fraction(n * ten);
};

/**
 * 2 artanh(z) = ln((1 + z)/(1 − z)) in units, for 0 ≤ z = n/d ≤ 1/3: not above, and less than MISSED below. Let p_j be
 * z^(2j+1), q_j `power`, e_j = p_j − q_j. `square` misses f < 2z + 1 < 2. e_0 < 1 and e_(j+1) < e_j z² + f z^(2j+1) + 1
 * < 2/9 + 2/3 + 1 < 2, so a term misses less than 3. q_j is 0 when 3^(2j+1) > 2^256: after 81 terms at most. Then p_j <
 * 2, falling ninefold: less than 1 for all that follow. In all less than 3·81 + 1 = 244, and twice that.
 */
const twiceArtanh = (n, d) => {
  let [power, sum] = [(n << BITS) / d, 0n];
  const square = (power * power) >> BITS;
  for (let odd = 1n; power; odd += 2n) {
    sum += power / odd;
    power = (power * square) >> BITS;
  }
  return 2n * sum;
};
const MISSED = 512n;
const LN2 = twiceArtanh(1n, 3n);

/** Bounds on ln(n/d) in units, from below and above. With n/d = m 2^k, 1 ≤ m < 2, it is ln m and k times ln 2, each of
 * which misses less than MISSED. @type {(n: bigint, d: bigint) => bigint[]} */
export const logUnits = (n, d) => {
  if (n < d) return logUnits(d, n).map((bound) => -bound).reverse();
  let k = BigInt(n.toString(2).length - d.toString(2).length);
  if (n < d << k) k -= 1n;
  const low = k * LN2 + twiceArtanh(n - (d << k), n + (d << k));
  return [low, low + (k + 1n) * MISSED];
};
export const logAbove = (n, d) => fraction(logUnits(n, d)[1], UNITS);

/** At most e^x, for 0 ≤ x ≤ 4096, closer than one part in 2^230. With x = k ln 2 + r, r is cut by 1 unit, and by less
 * than MISSED for each of k < 6000: less than 2^22. In the series of e^r, r < 0.7, a term misses 1 unit and r/j of what
 * the last one missed: less than 2 for each of 60, and for all that follow. */
export const expBelow = ({ n, d }) => {
  const [units, two] = [(n << BITS) / d, LN2 + MISSED];
  let [sum, term] = [0n, UNITS];
  for (let j = 1n; term; j += 1n) {
    sum += term;
    term = (term * (units % two)) / (j << BITS);
  }
  return fraction(sum << (units / two), UNITS);
};
