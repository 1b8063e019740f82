// Bounds on exp and log, in which ε is proven, in units of 2^-256. How little they miss: PRIVACY.md, "In the browser".

import { check } from "./errors.js";

const BITS = 256n;
export const UNITS = 1n << BITS;

/** In lowest terms; d is positive. @type {(n: any, d?: any) => any} */
export const fraction = (n, d = 1n) => {
  let [a, b] = [n < 0n ? -n : n, d];
  while (b) [a, b] = [b, a % b];
  return { n: n / a, d: d / a };
};

export const plus = (a, b) => fraction(a.n * b.d + b.n * a.d, a.d * b.d);
export const times = (a, k) => fraction(a.n * BigInt(k), a.d);
export const atMost = (a, b) => a.n * b.d <= b.n * a.d;
export const asNumber = (a) => Number((a.n << BITS) / a.d) / 2 ** 256;
export const text = (a) => `${a.n}/${a.d}`;
export const readFraction = (written) => {
  const [n, d] = written.split("/").map(BigInt);
  check(d > 0n, "a fraction was expected");
  return fraction(n, d);
};

/** What a person means by a float: its shortest decimal. */
export const exact = (number) => {
  const [digits, power = "0"] = String(number).split("e");
  const [whole, part = ""] = digits.split(".");
  const shift = Number(power) - part.length;
  const [n, ten] = [BigInt(whole + part), 10n ** BigInt(Math.abs(shift))];
  return shift < 0 ? fraction(n, ten) : fraction(n * ten);
};

/** 2 artanh(n/d) = ln((d + n)/(d − n)) for 0 ≤ n/d ≤ 1/3: not above, and less than MISSED below. */
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

/** Bounds on ln(n/d) = ln m + k ln 2, from below and above. @returns {bigint[]} */
export const logUnits = (n, d) => {
  if (n < d) return logUnits(d, n).map((bound) => -bound).reverse();
  let k = BigInt(n.toString(2).length - d.toString(2).length);
  if (n < d << k) k -= 1n;
  const low = k * LN2 + twiceArtanh(n - (d << k), n + (d << k));
  return [low, low + (k + 1n) * MISSED];
};
export const logAbove = (n, d) => fraction(logUnits(n, d)[1], UNITS);

/** At most e^x, for 0 ≤ x ≤ 4096. */
export const expBelow = ({ n, d }) => {
  const [units, two] = [(n << BITS) / d, LN2 + MISSED];
  let [sum, term] = [0n, UNITS];
  for (let j = 1n; term; j += 1n) {
    sum += term;
    term = (term * (units % two)) / (j << BITS);
  }
  return fraction(sum << (units / two), UNITS);
};
