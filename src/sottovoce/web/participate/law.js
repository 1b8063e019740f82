/**
 * What a channel would send, and how little that says: chances from the channel's own integers, in the words of its law
 * (messages/channels). Nothing is drawn here. Two inputs are *alike* in the part of the chance that their laws share,
 * Σ min(P(report | one), P(report | other)): chance can be arranged so that in this part of all cases the other input
 * leads to the very same report, and in no larger one. Closed forms; a test adds up small channels report by report.
 */

/** @typedef {any} Channel */

const ONE = 2 ** 64;
const TICKS = 2 ** 32;

/** Statistics for which the device draws lots: what goes into the channel is not known before. */
export const DRAWS = new Set(["item", "category", "joint", "direction"]);

/**
 * The chance of each symbol of a table at an input, rounding to nodes included.
 * @param {Channel} table
 * @param {number} input
 * @returns {number[]}
 */
export function chancesAt(table, input) {
  const node = Math.min(Math.floor(input / TICKS), table.rows.length - 1);
  const rest = (input - node * TICKS) / TICKS;
  const low = Array.from(table.rows[node], part);
  if (rest === 0) return low;
  const high = Array.from(table.rows[node + 1], part);
  return low.map((chance, symbol) => chance * (1 - rest) + high[symbol] * rest);
}

/** An integer of a law as a chance. @param {bigint} integer */
export function part(integer) {
  return Number(integer) / ONE;
}

/**
 * The chance that a report of a subset channel holds an item: the own one, and any other.
 * @param {Channel} subset
 */
export function inclusion(subset) {
  const own = part(subset.threshold);
  return { own, other: (subset.size - own) / (subset.items - 1) };
}

/**
 * The chance that a bit of a unary channel is sent as it is.
 * @param {Channel} unary
 */
export function kept(unary) {
  return part(unary.threshold);
}

/**
 * The rate of laplace noise: k steps of it are e^(−rate·|k|) times as likely as none.
 * @param {Channel} laplace
 */
export function rateOf(laplace) {
  const digit = laplace.digits[0];
  return Math.log(Number(2n ** 128n - digit) / Number(digit));
}

/**
 * For unary and subset channels: the chance that each item is named, when the own input is one of these, each with its
 * share.
 * @param {Channel} channel
 * @param {Map<number, number>} shares by input; they add up to 1
 * @returns {number[]}
 */
export function namedAt(channel, shares) {
  const reach = channel.kind === "unary" ? channel.reach : 0;
  const { own, other } =
    channel.kind === "unary" ? { own: kept(channel), other: 1 - kept(channel) } : inclusion(channel);
  const held = new Array(channel.items).fill(0);
  for (const [input, share] of shares) {
    for (let item = Math.max(0, input - reach); item <= Math.min(channel.items - 1, input + reach); item++) {
      held[item] += share;
    }
  }
  return held.map((share) => other + (own - other) * share);
}

/**
 * How much of the chance two inputs share, 0 to 1.
 * @param {Channel} channel
 * @param {number} one
 * @param {number} other
 * @returns {number}
 */
export function alike(channel, one, other) {
  switch (channel.kind) {
    case "table": {
      const there = chancesAt(channel, other);
      return chancesAt(channel, one).reduce((sum, chance, symbol) => sum + Math.min(chance, there[symbol]), 0);
    }
    case "subset": {
      const chance = inclusion(channel);
      return one === other ? 1 : 1 - Math.abs(chance.own - chance.other);
    }
    case "unary":
      return alikeInBits(kept(channel), differing(channel, one, other));
    case "laplace": {
      const ratio = Math.exp(-rateOf(channel));
      const far = Math.abs(one - other);
      return far % 2 ? (2 * ratio ** ((far + 1) / 2)) / (1 + ratio) : ratio ** (far / 2);
    }
    default:
      throw new Error(`no law is known of a channel called ${channel.kind}`);
  }
}

/**
 * The same for bits that are each sent as they are with chance `keep`, of which so many differ.
 * @param {number} keep
 * @param {number} bits
 */
function alikeInBits(keep, bits) {
  let sum = 0;
  let ways = 1;
  for (let agree = 0; agree <= bits; agree++) {
    const less = Math.min(agree, bits - agree);
    sum += ways * keep ** less * (1 - keep) ** (bits - less);
    ways = (ways * (bits - agree)) / (agree + 1);
  }
  return sum;
}

/**
 * How many bits two indices light differently.
 * @param {Channel} unary
 * @param {number} one
 * @param {number} other
 */
function differing(unary, one, other) {
  const ends = (/** @type {number} */ index) => [
    Math.max(0, index - unary.reach),
    Math.min(unary.items - 1, index + unary.reach),
  ];
  const [low, high] = ends(one);
  const [from, to] = ends(other);
  const both = Math.max(0, Math.min(high, to) - Math.max(low, from) + 1);
  return high - low + 1 + (to - from + 1) - 2 * both;
}

/**
 * The input whose law is farthest from that of an own one: of a table always a node, since what lies between two nodes
 * is a mixture of both.
 * @param {Channel} channel
 * @param {number} own
 * @returns {number}
 */
export function farthest(channel, own) {
  switch (channel.kind) {
    case "laplace":
      return own > channel.steps - own ? 0 : channel.steps;
    case "subset":
      return own === 0 ? channel.items - 1 : 0;
    default: {
      const [count, unit] = channel.kind === "table" ? [channel.rows.length, TICKS] : [channel.items, 1];
      let found = 0;
      let least = 2;
      for (let place = 0; place < count; place++) {
        const share = alike(channel, own, place * unit);
        if (share < least) [found, least] = [place * unit, share];
      }
      return found;
    }
  }
}

/**
 * The least that an own input, or any at all where it is not known, has in common with any other.
 * @param {Channel} channel
 * @param {number | null} own
 * @returns {number}
 */
export function leastAlike(channel, own) {
  if (own !== null) return alike(channel, own, farthest(channel, own));
  if (channel.kind === "laplace") return alike(channel, 0, channel.steps);
  if (channel.kind === "subset") return alike(channel, 0, 1);
  const unary = channel.kind === "unary";
  const unit = unary ? 1 : TICKS;
  const count = unary ? Math.min(channel.items, 4 * channel.reach + 3) : channel.rows.length;
  let least = 1;
  for (let place = 0; place < count; place++) least = Math.min(least, leastAlike(channel, place * unit));
  return least;
}

/**
 * Of a whole report with all its parts: at least so much of the chance is shared with any other data. Parts are drawn
 * on their own, so what all of them share is at least the product; and ε alone, whatever the parts, leaves
 * 2/(1 + e^ε).
 * @param {Channel} channel
 * @param {(number | null)[]} inputs one for each use; null where lots decide
 * @param {number} epsilon
 * @returns {number}
 */
export function reportAlike(channel, inputs, epsilon) {
  const known = new Map();
  let product = 1;
  for (const own of inputs) {
    if (!known.has(own)) known.set(own, leastAlike(channel, own));
    product *= known.get(own);
  }
  return Math.max(product, 2 / (1 + Math.exp(Math.min(700, epsilon))));
}

/**
 * How likely a symbol of a table is, from the data from which it is least likely, and from those from which it is most.
 * @param {Channel} table
 * @param {number} symbol
 */
export function chanceOf(table, symbol) {
  const all = Array.from(table.rows, (/** @type {BigUint64Array} */ row) => part(row[symbol]));
  return { least: Math.min(...all), most: Math.max(...all) };
}

/** So many of 100, at least: never more than is true. @param {number} share */
export function atLeast(share) {
  return Math.floor(100 * share + 1e-9);
}

/** So many of 100, at most: never less than is true. @param {number} share */
export function atMost(share) {
  return Math.ceil(100 * share - 1e-9);
}

/**
 * How often somebody is right at most who guesses between these data and any others, both as likely before, and sees
 * the report.
 * @param {number} shared
 */
export function guessed(shared) {
  return 1 - shared / 2;
}
