/**
 * From a channel's input to a symbol: integer thresholds against uniform words. No fractions in this file.
 *
 * Every sampler makes the same number of draws and comparisons whatever the input and whatever the noise, except that a
 * uniform index is redrawn with probability below 2^-48, independently of the input. The proofs, and the order in which
 * words are drawn, are those of device/PRIVACY.md and device/privatise.py.
 *
 * @typedef {import("./entropy.js").Entropy} Entropy
 * @typedef {(channel: any, inputs: readonly number[], entropy: Entropy) => number[][]} Sampler
 */

import { spanOf } from "./channels.js";
import { bit, clamp } from "./sums.js";

const TICKS = 2 ** 32;
const ONE = 1n << 64n;

/** Symbols of `width` integers each, for inputs in `0 … span`. @type {Sampler} */
export function privatise(channel, inputs, entropy) {
  const span = spanOf(channel);
  if (!inputs.every((input) => Number.isInteger(input) && input >= 0 && input <= span)) {
    throw new Error("an encoder left the channel's inputs"); // a bug, never a property of data
  }
  return SAMPLERS[channel.kind](channel, inputs, entropy);
}

/** @type {Sampler} */
function table({ rows }, inputs, entropy) {
  const rounding = entropy.words(inputs.length);
  const words = entropy.words(inputs.length);
  return inputs.map((input, use) => {
    const below = Math.floor(input / TICKS);
    const row = rows[below + bit(rounding[use] < BigInt(input - below * TICKS) << 32n)];
    let [limit, symbol] = [0n, 0];
    for (let next = 0; next < row.length - 1; next += 1) {
      limit += row[next]; // the last would be 2^64, which no word reaches
      symbol += bit(words[use] >= limit);
    }
    return [symbol];
  });
}

/** The first `size` places of a partial shuffle of the other items; the own one takes the last, or not. @type {Sampler} */
function subset({ items, size, threshold }, inputs, entropy) {
  const swaps = indices(items - 1, size, inputs.length, entropy);
  const words = entropy.words(inputs.length);
  return inputs.map((input, use) => {
    const deck = Int32Array.from({ length: items - 1 }, (_, card) => card);
    for (let place = 0; place < size; place += 1) {
      const chosen = place + swaps[place * inputs.length + use];
      [deck[place], deck[chosen]] = [deck[chosen], deck[place]];
    }
    const picked = deck.subarray(0, size).map((item) => item + bit(item >= input)); // the others, renumbered
    picked[size - 1] += (input - picked[size - 1]) * bit(words[use] < threshold);
    const held = new Uint8Array(items);
    for (const item of picked) held[item] = 1;
    const symbol = new Int32Array(size + 1); // in order without a sort, whose time could tell the own item's rank
    for (let item = 0, at = 0; item < items; item += 1) {
      symbol[at] = item;
      at += held[item];
    }
    return Array.from(symbol.subarray(0, size));
  });
}

/**
 * Uniform integers, `count` below each of `most`, `most` − 1, …, exactly: words in the last incomplete block give way to
 * the next, and what was read for later limits moves up.
 *
 * @type {(most: number, limits: number, count: number, entropy: Entropy) => number[]}
 */
function indices(most, limits, count, entropy) {
  let words = [...entropy.words(limits * count)];
  const below = words.map((_, at) => BigInt(most - Math.floor(at / count)));
  const over = () => [...words.keys()].filter((at) => words[at] >= ONE - (ONE % below[at]));
  for (let wrong = over(); wrong.length; wrong = over()) {
    const next = (Math.floor(wrong[0] / count) + 1) * count;
    const again = wrong.filter((at) => at < next);
    const moved = [...words.slice(next), ...entropy.words(again.length)];
    words = [...words.slice(0, next), ...moved.slice(again.length)];
    again.forEach((at, place) => (words[at] = moved[place]));
  }
  return words.map((word, at) => Number(word % below[at]));
}

/** @type {Sampler} */
function unary({ items, reach, threshold }, inputs, entropy) {
  const words = entropy.words(inputs.length * items);
  return inputs.map((input, use) =>
    Array.from({ length: items }, (_, item) => {
      return bit(Math.abs(item - input) <= reach) ^ bit(words[use * items + item] >= threshold);
    }),
  );
}

/** @type {Sampler} */
function laplace({ steps, bound, digits }, inputs, entropy) {
  const more = geometric(digits, inputs.length, entropy);
  const less = geometric(digits, inputs.length, entropy);
  return inputs.map((input, use) => [clamp(input + more[use] - less[use], -Number(bound), steps + Number(bound))]);
}

/**
 * Binary digits, each one with probability digit / 2^128: a 128-bit word against a 128-bit threshold.
 *
 * @type {(digits: readonly bigint[], count: number, entropy: Entropy) => number[]}
 */
function geometric(digits, count, entropy) {
  const totals = new Array(count).fill(0); // whole numbers below 2^46
  digits.forEach((digit, place) => {
    const words = entropy.words(2 * count);
    const [high, low] = [digit >> 64n, BigInt.asUintN(64, digit)];
    for (let use = 0; use < count; use += 1) {
      const one = bit(words[use] < high) | (bit(words[use] === high) & bit(words[count + use] < low));
      totals[use] += one * 2 ** place;
    }
  });
  return totals;
}

/** @type {Record<string, Sampler>} */
const SAMPLERS = { table, subset, unary, laplace };
