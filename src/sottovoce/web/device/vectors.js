// Vectors of a whole collection. An entry of which nothing was observed is NaN.

import { observed } from "./collection.js";
import { binOf, passed } from "./placements.js";
import { cosine } from "./public.js";
import { averages, bit, clamp, coarse, filled, here, present, squares, total } from "./sums.js";
import { sizeOf } from "./vocabulary.js";

/** @typedef {import("./collection.js").Collection} Collection */

/** What a question looks at. @type {(vector: any, own: Collection) => Float64Array} */
export const vectorOf = (vector, own) => VECTORS[vector.kind](vector, own, sizeOf(vector));

/** @type {Record<string, (vector: any, own: Collection, size: number) => Float64Array>} */
const VECTORS = {
  averages: (_, own, size) => averages(own, size),

  large: ({ threshold }, own, size) => averages(own, size).map((mean) => bit(Math.abs(mean) >= threshold)),

  inside({ middle, half, ball }, own, size) {
    const unit = averages(own, size).map((mean, at) => (mean - middle[at % middle.length]) / half[at % half.length]);
    if (ball === "linf") return unit.map((entry) => clamp(entry, -1, 1));
    const near = coarse(unit);
    const length = Math.max(Math.sqrt(squares(filled(near))), 1);
    return near.map((entry) => entry / length);
  },

  categories: ({ column, places }, own, size) => shares(observed(own, column), binOf(places), size, false),

  below: ({ column, thresholds }, own, size) => shares(observed(own, column), passed(thresholds, true), size, true),

  cosines({ column, low, high }, own, size) {
    const wave = waves(observed(own, column), low, high);
    return new Float64Array(size).map((_, at) => wave((at + 1) / 2, 0));
  },
};

/**
 * The shares of the observations in each place, or up to each.
 * @type {(numbers: Float64Array, place: import("./placements.js").Place, size: number, upTo: boolean) => Float64Array}
 */
function shares(numbers, place, size, upTo) {
  const [counts, count] = [new Float64Array(size + 2), present(numbers)]; // two more: above all thresholds, missing
  const seen = filled(numbers);
  for (let at = 0; at < seen.length; at += 1) {
    counts[size + 1 + (place(seen[at], 0) - size - 1) * here(numbers[at])] += 1;
  }
  let sum = 0;
  return counts.subarray(0, size).map((own) => (sum = own + bit(upTo) * sum) / count);
}

/**
 * Averages of √2 cos(2π·(turns·x − lag)), x the place on [low, high], clamped, in steps of 2^-53. By loops: numbers that
 * are whole return faster from a callback than others.
 * @type {(numbers: Float64Array, low: number, high: number) => (turns: number, lag: number) => number}
 */
export function waves(numbers, low, high) {
  const [width, count, places] = [high - low, present(numbers), filled(numbers)];
  const waves = new Float64Array(numbers.length);
  for (let at = 0; at < places.length; at += 1) {
    places[at] = (clamp(places[at], low, high) - low + width - width) / width;
  }
  return (turns, lag) => {
    for (let at = 0; at < places.length; at += 1) {
      waves[at] = Math.SQRT2 * cosine(turns * places[at] - lag) * here(numbers[at]);
    }
    return total(waves) / count;
  };
}
