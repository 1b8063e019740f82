/**
 * What a device computes from its collection: one number for each use. Any collection has an answer, if only NaN.
 *
 * @typedef {import("./collection.js").Collection} Collection
 * @typedef {{groups: readonly number[], slot: number, entropy: import("./entropy.js").Entropy}} Asked
 */

import { observed } from "./collection.js";
import { binOf, passed } from "./placements.js";
import { cosine, hadamard, signs } from "./public.js";
import { average, away, bit, coarse, filled, kept, length, pairwise, present, total } from "./sums.js";
import { pointed } from "./turns.js";
import { dimensionOf, partsOf, sizeOf } from "./vocabulary.js";

/**
 * The statistic of a collection, for every use.
 *
 * @param {any} statistic
 * @param {Collection} own
 * @param {Asked} asked
 * @returns {Float64Array}
 */
export function evaluate(statistic, own, { groups, slot, entropy }) {
  const parts = partsOf(statistic) > 1 ? groups : groups.map(() => 0);
  /** @param {(part: number) => number} answer worked out once for each part */
  const each = (answer) => {
    const known = new Map(parts.map((part) => [part, NaN]));
    for (const part of known.keys()) known.set(part, answer(part));
    return Float64Array.from(parts, (part) => known.get(part) ?? NaN);
  };
  /** @param {number} answer for a statistic without parts */
  const alike = (answer) => new Float64Array(groups.length).fill(answer);

  switch (statistic.kind) {
    case "average":
      return each((part) => average(observed(own, statistic.columns[part], statistic.first ?? own.rows)));
    case "item":
      return drawn(observed(own, statistic.column), groups.length, entropy);
    case "each": {
      const there = kept(observed(own, statistic.column));
      return alike(NaN).map((_, use) => there[use % there.length]); // NaN of none
    }
    case "share": {
      const numbers = observed(own, statistic.column);
      return each((part) => share(numbers, statistic.below[part]));
    }
    case "basis": {
      const numbers = observed(own, statistic.column);
      const mean = waves(numbers, statistic);
      return each((part) => {
        const index = statistic.functions[part]; // 2k is a cosine, 2k + 1 a sine, which lags by a quarter; 1 is 1
        return index === 1 ? share(numbers, Infinity) : mean(Math.floor(index / 2), 0.25 * (index % 2));
      });
    }
    case "rotated": {
      const apart = away(averages(own, statistic.centre.length), statistic.centre);
      const shrunk = Math.min(1, statistic.radius / Math.max(length(apart), statistic.radius));
      const diagonal = signs(statistic.seed, 0, statistic.size);
      const turned = apart.map((entry, place) => entry * shrunk * diagonal[place]);
      return each((part) => pairwise(hadamard(part, turned)) / Math.sqrt(statistic.size));
    }
    case "hashed": {
      const public_ = signs(statistic.seed, slot, statistic.columns);
      const large = marks(averages(own, statistic.columns), statistic.threshold);
      return alike(pairwise(large.map((mark, column) => mark * public_[column])));
    }
    case "residual": {
      const mean = average(observed(own, statistic.column));
      const nearest = smallest(statistic.centres, (centre) => Math.abs(mean - centre));
      return alike(signs(statistic.seed, slot, statistic.centres.length)[nearest] * (mean - statistic.centres[nearest]));
    }
    case "nearest": {
      const seen = filled(averages(own, dimensionOf(statistic)));
      /** @param {number[]} centre */
      const far = (centre) => {
        const apart = seen.map((entry, column) => entry - centre[column]);
        if (statistic.metric === "l2") return pairwise(apart.map((entry) => entry * entry));
        return apart.reduce((most, entry) => Math.max(most, Math.abs(entry)), 0);
      };
      return alike(smallest(statistic.centres, far) + 0.5);
    }
    case "entry": {
      const vector = vectorOf(statistic.vector, own);
      return each((part) => vector[part]);
    }
    case "coefficient": {
      const vector = vectorOf(statistic.vector, own);
      return each((part) => pairwise(hadamard(part + 1, vector)));
    }
    case "norm":
      return alike(length(away(vectorOf(statistic.vector, own), statistic.centre)));
    case "direction": {
      const apart = away(vectorOf(statistic.vector, own), statistic.centre);
      return alike(pointed(statistic, slot, apart, entropy.words(1)[0]));
    }
    case "category": {
      const place = binOf(statistic.vector.places);
      const numbers = drawn(observed(own, statistic.vector.column), groups.length, entropy);
      return numbers.map((number) => (number === number ? place(number, 0) + 0.5 : NaN));
    }
    case "joint":
      return alike(joint(statistic, average(observed(own, statistic.column)), entropy.words(1)[0]));
    default:
      throw new Error("a statistic that no device knows"); // a bug: questions are checked when they are read
  }
}

/**
 * One observation that is there for each use, drawn uniformly: the upper word of word × how many there are.
 *
 * @param {Float64Array} numbers
 * @param {number} uses
 * @param {import("./entropy.js").Entropy} entropy
 */
function drawn(numbers, uses, entropy) {
  const there = kept(numbers);
  const held = BigInt(there.length);
  return Float64Array.from(entropy.words(uses), (word) => there[Number((word * held) >> 64n)]); // NaN of none
}

/**
 * The share of the observations that are at most `limit`.
 *
 * @param {Float64Array} numbers
 * @param {number} limit
 */
function share(numbers, limit) {
  let count = 0;
  for (const number of numbers) count += bit(number <= limit);
  return count / present(numbers);
}

/**
 * Averages of √2 cos(2π·(turns·x − lag)), x the place of an observation on [low, high], clamped: one course of
 * arithmetic for any of them.
 *
 * @param {Float64Array} numbers
 * @param {{low: number, high: number}} range
 * @returns {(turns: number, lag: number) => number}
 */
function waves(numbers, { low, high }) {
  const width = high - low;
  const there = numbers.map((number) => bit(number === number));
  const places = filled(numbers).map((number) => {
    return (Math.min(Math.max(number, low), high) - low + width - width) / width; // in steps of 2^-53
  });
  const count = present(numbers);
  return (turns, lag) => total(places.map((x, at) => Math.SQRT2 * cosine(turns * x - lag) * there[at])) / count;
}

/**
 * The averages of the first `size` columns.
 *
 * @param {Collection} own
 * @param {number} size
 */
const averages = (own, size) => Float64Array.from({ length: size }, (_, column) => average(observed(own, column)));

/**
 * 1 where an average is large, else 0.
 *
 * @param {Float64Array} means
 * @param {number} threshold
 */
const marks = (means, threshold) => means.map((mean) => bit(Math.abs(mean) >= threshold));

/**
 * What a question looks at: a vector computed from the whole collection. Entries of which nothing was seen are NaN.
 *
 * @param {any} vector
 * @param {Collection} own
 * @returns {Float64Array}
 */
function vectorOf(vector, own) {
  const size = sizeOf(vector);
  switch (vector.kind) {
    case "averages":
      return averages(own, size);
    case "large":
      return marks(averages(own, size), vector.threshold);
    case "inside": {
      const { middle, half } = vector;
      const unit = averages(own, size).map((mean, at) => (mean - middle[at % middle.length]) / half[at % half.length]);
      if (vector.ball === "linf") return unit.map((entry) => Math.min(Math.max(entry, -1), 1));
      const near = coarse(unit);
      const longer = Math.max(length(filled(near)), 1);
      return near.map((entry) => entry / longer);
    }
    case "cosines": {
      const mean = waves(observed(own, vector.column), vector);
      return Float64Array.from({ length: size }, (_, at) => mean((at + 1) / 2, 0));
    }
    default:
      return shares(vector, observed(own, vector.column), size);
  }
}

/**
 * The shares of the observations in each category, or up to each threshold.
 *
 * @param {any} vector
 * @param {Float64Array} numbers
 * @param {number} size
 */
function shares(vector, numbers, size) {
  const counts = new Float64Array(size + 2); // two more: above all thresholds, missing
  const place = vector.kind === "below" ? passed(vector.thresholds, true) : binOf(vector.places);
  filled(numbers).forEach((number, at) => {
    const index = place(number, 0);
    counts[index + (size + 1 - index) * bit(numbers[at] !== numbers[at])] += 1;
  });
  if (vector.kind === "below") for (let at = 1; at < size; at += 1) counts[at] += counts[at - 1];
  const count = present(numbers);
  return counts.subarray(0, size).map((held) => held / count);
}

/**
 * Which of several is nearest, ties to the lower; the first where none is near.
 *
 * @template Centre
 * @param {readonly Centre[]} centres
 * @param {(centre: Centre) => number} far
 */
function smallest(centres, far) {
  let [nearest, least] = [0, Infinity];
  centres.forEach((centre, at) => {
    const own = far(centre);
    if (own < least) [nearest, least] = [at, own];
  });
  return nearest;
}

/**
 * `levels·k + level + ½`: the centre k nearest to an average, and where the average lies around it, rounded at random.
 *
 * @param {{centres: readonly number[], reach: number, levels: number}} statistic
 * @param {number} mean
 * @param {bigint} word
 */
function joint({ centres, reach, levels }, mean, word) {
  const near = Math.min(Math.max(mean, centres[0] - reach), centres[centres.length - 1] + reach);
  const nearest = smallest(centres, (centre) => Math.abs(near - centre));
  const place = (Math.min(Math.max(near - centres[nearest], -reach), reach) / reach + 1) / 2;
  const level = Math.min(Math.floor(place * (levels - 1) + Number(word) * 2 ** -64), levels - 1);
  return nearest * levels + level + 0.5;
}
