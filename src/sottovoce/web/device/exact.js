// Rational bounds on exp and log: the arithmetic in which every privacy claim is checked. Whole numbers only.
//
// Logarithms are counted in units of 2^-256 and every division rounds down, so a result is never above the truth; what
// may be missing is proven below. All bounds are closer than 2^-230 (10^-69) to the truth, for ratios up to 2^8000.

import { check } from "./errors.js";

/** @typedef {{readonly n: bigint, readonly d: bigint}} Fraction A rational in lowest terms; d is positive. */

const BITS = 256n;
export const UNITS = 1n << BITS;
const MISSING = 512n;
const LN2 = twiceArtanh(1n, 3n);

/**
 * @param {bigint} n
 * @param {bigint} d not zero
 * @returns {Fraction}
 */
export function fraction(n, d = 1n) {
  let [a, b] = [n < 0n ? -n : n, d < 0n ? -d : d];
  while (b) [a, b] = [b, a % b];
  if (d < 0n) a = -a;
  return { n: n / a, d: d / a };
}

/** @type {(a: Fraction, b: Fraction) => Fraction} */
export const plus = (a, b) => fraction(a.n * b.d + b.n * a.d, a.d * b.d);

/** @type {(a: Fraction, k: bigint | number) => Fraction} */
export const times = (a, k) => fraction(a.n * BigInt(k), a.d);

/** @type {(a: Fraction, b: Fraction) => boolean} */
export const atMost = (a, b) => a.n * b.d <= b.n * a.d;

/**
 * The number a person means by a float: its shortest decimal. Ten times 0.1 is one, here.
 * @param {number} number
 */
export function exact(number) {
  const found = /^(-?\d+)(?:\.(\d+))?(?:e([+-]\d+))?$/.exec(String(number));
  check(found, "a finite number was expected");
  const [, whole, part = "", power = "0"] = found;
  const shift = Number(power) - part.length;
  const ten = 10n ** BigInt(Math.abs(shift));
  const digits = BigInt(whole + part);
  return shift < 0 ? fraction(digits, ten) : fraction(digits * ten);
}

/**
 * The nearest double, for people to read.
 * @param {Fraction} value
 */
export function asNumber({ n, d }) {
  const shift = Math.max(0, 70 + length(d) - length(n)); // at least 69 digits, of which the last stands for all others
  const quotient = (n << BigInt(shift)) / d;
  const rest = (n << BigInt(shift)) % d ? (n < 0n ? -1n : 1n) : 0n;
  return (Number(4n * quotient + rest) / 2 ** Math.floor(shift / 2 + 1)) / 2 ** (Math.ceil(shift / 2) + 1);
}

/** @type {(value: Fraction) => string} */
export const text = ({ n, d }) => `${n}/${d}`;

/**
 * @param {string} written as by `text`
 * @returns {Fraction}
 */
export function readFraction(written) {
  const found = /^(0|-?[1-9]\d*)\/([1-9]\d*)$/.exec(written);
  check(found, "a fraction was expected");
  return fraction(BigInt(found[1]), BigInt(found[2]));
}

/** @type {(n: bigint) => number} */
const length = (n) => n.toString(2).replace("-", "").length;

/**
 * 2 artanh(n/d) = ln((d + n)/(d − n)) for 0 ≤ n/d ≤ 1/3, in units: not above, and less than 512 below.
 *
 * With z = n/d, write p_j = z^(2j+1) in units, q_j for `power`, e_j = p_j − q_j for what it misses. e_0 < 1. `square`
 * misses f ≤ 2z + 1 < 2. From p_j to p_(j+1), e_(j+1) ≤ e_j z² + f z^(2j+1) + 1 < 2/9 + 2/3 + 1 < 2, by induction. So
 * each term p_j/(2j+1) misses less than 3. q_j is 0 once 3^(2j+1) > 2^256: after 81 terms at most. Of the terms that
 * follow, p_j < 2 and falls ninefold: less than 1 in all. Together less than 3·81 + 1 = 244, and twice that.
 * @param {bigint} n
 * @param {bigint} d
 */
function twiceArtanh(n, d) {
  let power = (n << BITS) / d;
  let sum = 0n;
  const square = (power * power) >> BITS;
  for (let odd = 1n; power; odd += 2n) {
    sum += power / odd;
    power = (power * square) >> BITS;
  }
  return 2n * sum;
}

/**
 * Bounds on ln(n/d) in units, from below and from above. With n/d = 2^k m, 1 ≤ m < 2, it is k ln 2 + ln m, k + 1
 * logarithms that miss less than 512 units each: 2^22 units for k < 8000, which is 2^-234.
 * @param {bigint} n positive
 * @param {bigint} d positive
 * @returns {[bigint, bigint]}
 */
export function logUnits(n, d) {
  if (n < d) {
    const [low, high] = logUnits(d, n);
    return [-high, -low];
  }
  let k = BigInt(length(n) - length(d));
  if (n < d << k) k -= 1n;
  const whole = d << k;
  const low = k * LN2 + twiceArtanh(n - whole, n + whole);
  return [low, low + (k + 1n) * MISSING];
}

/** A rational at most ln(n/d). @type {(n: bigint, d: bigint) => Fraction} */
export const logBelow = (n, d) => fraction(logUnits(n, d)[0], UNITS);

/** A rational at least ln(n/d). @type {(n: bigint, d: bigint) => Fraction} */
export const logAbove = (n, d) => fraction(logUnits(n, d)[1], UNITS);

/**
 * A rational at most e^x, for 0 ≤ x ≤ 4096, closer than one part in 2^230.
 *
 * x = k ln 2 + r. r is cut by 1 unit and by less than 512 for each ln 2: k < 6000 of them, 2^22 units, in all. Of the
 * series of e^r, r < 0.7, each of 60 terms misses less than 2 units (r/j times what the last one missed, and 1), the
 * rest less than 2 together.
 * @param {Fraction} x
 */
export function expBelow({ n, d }) {
  const [units, two] = [(n << BITS) / d, LN2 + MISSING];
  const rest = units % two;
  let sum = 0n;
  let term = UNITS;
  for (let j = 1n; term; j += 1n) {
    sum += term;
    term = (term * rest) / (j << BITS);
  }
  return fraction(sum << (units / two), UNITS);
}
