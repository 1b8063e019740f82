// From a channel's input to a symbol: integer thresholds against uniform words, as many whatever the input (PRIVACY.md).

import { spanOf } from "./channels.js";
import { bit, clamp } from "./sums.js";

export function privatise(channel, inputs, entropy) {
  if (!inputs.every((input) => Number.isInteger(input) && input >= 0 && input <= spanOf(channel))) {
    throw new Error("an encoder left the channel's inputs"); // a bug, never a property of data
  }
  return SAMPLERS[channel.kind](channel, inputs, entropy);
}

const SAMPLERS = {
  table({ rows }, inputs, entropy) {
    const [rounding, words] = [entropy.words(inputs.length), entropy.words(inputs.length)];
    return inputs.map((input, use) => {
      const row = rows[Math.floor(input / 2 ** 32) + bit(rounding[use] < BigInt(input % 2 ** 32) << 32n)];
      let [limit, symbol] = [0n, -1];
      for (const chance of row) {
        symbol += bit(words[use] >= limit);
        limit += chance;
      }
      return [symbol];
    });
  },
  // A partial shuffle of the other items; the own item takes the last place, or not.
  subset({ items, size, threshold }, inputs, entropy) {
    const swaps = indices(items - 1, size, inputs.length, entropy);
    const words = entropy.words(inputs.length);
    return inputs.map((input, use) => {
      const deck = new Int32Array(items - 1).map((_, card) => card);
      for (let place = 0; place < size; place++) {
        const chosen = place + swaps[place][use];
        [deck[place], deck[chosen]] = [deck[chosen], deck[place]];
      }
      const picked = deck.subarray(0, size).map((item) => item + bit(item >= input)); // the others, renumbered
      picked[size - 1] += (input - picked[size - 1]) * bit(words[use] < threshold);
      const held = new Uint8Array(items); // in order without a sort, whose time could tell the own rank
      for (const item of picked) held[item] = 1;
      return [...held.keys()].filter((item) => held[item]);
    });
  },
  unary({ items, reach, threshold }, inputs, entropy) {
    const words = entropy.words(inputs.length * items);
    return inputs.map((input, use) =>
      Array.from(words.subarray(use * items, (use + 1) * items), (word, item) => {
        return bit(Math.abs(item - input) <= reach) ^ bit(word >= threshold);
      }),
    );
  },
  laplace({ steps, bound, digits }, inputs, entropy) {
    const [more, less] = [0, 0].map(() => geometric(digits, inputs.length, entropy));
    return inputs.map((input, use) => [clamp(input + more[use] - less[use], -Number(bound), steps + Number(bound))]);
  },
};

/** Uniform below each of so many limits from `most` down: words of the last incomplete block are redrawn. */
function indices(most, limits, count, entropy) {
  const words = entropy.words(limits * count).values();
  const next = () => words.next().value ?? entropy.words(1)[0];
  return Array.from({ length: limits }, (_, place) => {
    const limit = BigInt(most - place);
    const ceiling = 2n ** 64n - (2n ** 64n % limit);
    let drawn = Array.from({ length: count }, next);
    while (drawn.some((word) => word >= ceiling)) drawn = drawn.map((word) => (word >= ceiling ? next() : word));
    return drawn.map((word) => Number(word % limit));
  });
}

/** Binary digits, each one with probability digit / 2^128. */
function geometric(digits, count, entropy) {
  const totals = new Array(count).fill(0);
  digits.forEach((digit, place) => {
    const words = entropy.words(2 * count);
    for (let use = 0; use < count; use++) {
      totals[use] += bit((words[use] << 64n) + words[count + use] < digit) * 2 ** place;
    }
  });
  return totals;
}
