/**
 * What a device computes from its collection: one number for each use. Any collection has an answer, if only NaN.
 *
 * @typedef {import("./collection.js").Collection} Collection
 * @typedef {{groups: readonly number[], slot: number, entropy: import("./entropy.js").Entropy}} Asked
 */

import { observed } from "./collection.js";
import { binOf, passed } from "./placements.js";
import { cosine, hadamard, signs } from "./public.js";
import { average, away, bit, clamp, coarse, filled, kept, length, pairwise, present, total } from "./sums.js";
import { pointed } from "./turns.js";
import { partsOf, sizeOf } from "./vocabulary.js";

/** The statistic, for every use. @type {(statistic: any, own: Collection, asked: Asked) => Float64Array} */
export function evaluate(statistic, own, { groups, slot, entropy }) {
  const { kind, vector, seed, centre, centres, radius, threshold } = statistic;
  const numbers = observed(own, vector?.column ?? statistic.column ?? 0);
  const parts = Float64Array.from(groups, (group) => (partsOf(statistic) > 1 ? group : 0));
  /** A number for each part, worked out once. @param {(part: number) => number} answer */
  const each = (answer) => {
    const known = new Map();
    for (const part of new Set(parts)) known.set(part, answer(part));
    return parts.map((part) => known.get(part));
  };
  /** One of the observations that are there, for each use; NaN where there are none. @param {(use: number) => number} which */
  const picked = (which) => {
    const there = kept(numbers);
    return parts.map((_, use) => there[which(use) % there.length]);
  };

  switch (kind) {
    case "average":
      return each((part) => average(observed(own, statistic.columns[part], statistic.first ?? own.rows)));
    case "each":
      return picked((use) => use);
    case "item":
    case "category": {
      const words = entropy.words(groups.length);
      const held = BigInt(present(numbers));
      const drawn = picked((use) => Number((words[use] * held) >> 64n)); // the upper word of the product
      if (kind === "item") return drawn;
      const place = binOf(vector.places);
      return drawn.map((number) => (number === number ? place(number, 0) + 0.5 : NaN));
    }
    case "share":
      return each((part) => share(numbers, statistic.below[part]));
    case "basis": {
      const mean = waves(numbers, statistic);
      return each((part) => {
        const index = statistic.functions[part]; // 2k is a cosine, 2k + 1 a sine, which lags by a quarter; 1 is 1
        return index === 1 ? share(numbers, Infinity) : mean(Math.floor(index / 2), 0.25 * (index % 2));
      });
    }
    case "rotated": {
      const apart = away(averages(own, centre.length), centre);
      const shrunk = Math.min(1, radius / Math.max(length(apart), radius));
      const diagonal = signs(seed, 0, statistic.size);
      const turned = apart.map((entry, place) => entry * shrunk * diagonal[place]);
      return each((part) => pairwise(hadamard(part, turned)) / Math.sqrt(statistic.size));
    }
    case "hashed": {
      const own_ = signs(seed, slot, statistic.columns);
      const signed = marks(averages(own, statistic.columns), threshold).map((mark, column) => mark * own_[column]);
      return each(() => pairwise(signed));
    }
    case "residual": {
      const mean = average(numbers);
      const nearest = smallest(centres, (point) => Math.abs(mean - point));
      return each(() => signs(seed, slot, centres.length)[nearest] * (mean - centres[nearest]));
    }
    case "nearest": {
      const seen = filled(averages(own, centres[0].length));
      return each(() => smallest(centres, (point) => far(seen, point, statistic.metric)) + 0.5);
    }
    case "joint": {
      const [word] = entropy.words(1);
      return each(() => joint(statistic, average(numbers), word));
    }
  }
  const entries = vectorOf(vector, own, numbers);
  if (kind === "entry") return each((part) => entries[part]);
  if (kind === "coefficient") return each((part) => pairwise(hadamard(part + 1, entries)));
  const apart = away(entries, centre);
  if (kind === "norm") return each(() => length(apart));
  const [word] = entropy.words(1);
  return each(() => pointed(statistic, slot, apart, word)); // a direction
}

/** The share of the observations that are at most `limit`. @type {(numbers: Float64Array, limit: number) => number} */
function share(numbers, limit) {
  let count = 0;
  for (const number of numbers) count += bit(number <= limit);
  return count / present(numbers);
}

/**
 * Averages of √2 cos(2π·(turns·x − lag)), x the place of an observation on [low, high], clamped: one course of arithmetic
 * for any of them.
 *
 * @type {(numbers: Float64Array, range: {low: number, high: number}) => (turns: number, lag: number) => number}
 */
function waves(numbers, { low, high }) {
  const width = high - low;
  const there = numbers.map((number) => bit(number === number));
  const places = filled(numbers).map((number) => (clamp(number, low, high) - low + width - width) / width);
  return (turns, lag) => {
    return total(places.map((x, at) => Math.SQRT2 * cosine(turns * x - lag) * there[at])) / present(numbers);
  };
}

/** The averages of the first `size` columns. @type {(own: Collection, size: number) => Float64Array} */
const averages = (own, size) => Float64Array.from({ length: size }, (_, column) => average(observed(own, column)));

/** 1 where an average is large, else 0. @type {(means: Float64Array, threshold: number) => Float64Array} */
const marks = (means, threshold) => means.map((mean) => bit(Math.abs(mean) >= threshold));

/**
 * A vector computed from the whole collection; entries of which nothing was seen are NaN.
 *
 * @type {(vector: any, own: Collection, numbers: Float64Array) => Float64Array}
 */
function vectorOf(vector, own, numbers) {
  const { kind, middle, half } = vector;
  const size = sizeOf(vector);
  if (kind === "below" || kind === "categories") return shares(vector, numbers, size);
  if (kind === "cosines") {
    const mean = waves(numbers, vector);
    return Float64Array.from({ length: size }, (_, at) => mean((at + 1) / 2, 0));
  }
  const means = averages(own, size);
  if (kind === "averages") return means;
  if (kind === "large") return marks(means, vector.threshold);
  const unit = means.map((mean, at) => (mean - middle[at % middle.length]) / half[at % half.length]);
  if (vector.ball === "linf") return unit.map((entry) => clamp(entry, -1, 1));
  const near = coarse(unit);
  const longer = Math.max(length(filled(near)), 1);
  return near.map((entry) => entry / longer);
}

/**
 * The shares of the observations in each category, or up to each threshold.
 *
 * @type {(vector: any, numbers: Float64Array, size: number) => Float64Array}
 */
function shares(vector, numbers, size) {
  const counts = new Float64Array(size + 2); // two more: above all thresholds, missing
  const below = vector.kind === "below";
  const place = below ? passed(vector.thresholds, true) : binOf(vector.places);
  filled(numbers).forEach((number, at) => {
    const index = place(number, 0);
    counts[index + (size + 1 - index) * bit(numbers[at] !== numbers[at])] += 1;
  });
  for (let at = 1; below && at < size; at += 1) counts[at] += counts[at - 1];
  return counts.subarray(0, size).map((held) => held / present(numbers));
}

/** How far two vectors lie apart, squared in l2. @type {(left: Float64Array, right: number[], metric: string) => number} */
function far(left, right, metric) {
  const apart = left.map((entry, column) => entry - right[column]);
  if (metric === "l2") return pairwise(apart.map((entry) => entry * entry));
  return apart.reduce((most, entry) => Math.max(most, Math.abs(entry)), 0);
}

/**
 * Which of several points is nearest, ties to the lower; the first where none is near.
 *
 * @type {<Point>(points: readonly Point[], far: (point: Point) => number) => number}
 */
function smallest(points, far) {
  const all = points.map(far);
  return all.reduce((nearest, own, at) => (own < all[nearest] ? at : nearest), 0);
}

/**
 * `levels·k + level + ½`: the centre k nearest to an average, and where the average lies around it, rounded at random.
 *
 * @type {(statistic: {centres: number[], reach: number, levels: number}, mean: number, word: bigint) => number}
 */
function joint({ centres, reach, levels }, mean, word) {
  const near = clamp(mean, centres[0] - reach, centres[centres.length - 1] + reach);
  const nearest = smallest(centres, (centre) => Math.abs(near - centre));
  const place = (clamp(near - centres[nearest], -reach, reach) / reach + 1) / 2;
  return nearest * levels + Math.min(Math.floor(place * (levels - 1) + Number(word) * 2 ** -64), levels - 1) + 0.5;
}
