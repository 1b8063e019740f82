// What a device computes from its collection: a number for each use, if only NaN.

import { observed } from "./collection.js";
import { binOf } from "./placements.js";
import { hadamard, signs } from "./public.js";
import { averages, away, bit, clamp, filled, kept, largest, pairwise, present, squares } from "./sums.js";
import { pointed } from "./turns.js";
import { vectorOf, waves } from "./vectors.js";
import { partsOf } from "./vocabulary.js";

/** @typedef {import("./collection.js").Collection} Collection */
/** @typedef {{groups: readonly number[], slot: number, entropy: import("./entropy.js").Entropy}} Asked */

/** The statistic, for every use. @type {(statistic: any, own: Collection, asked: Asked) => Float64Array} */
export function evaluate(statistic, own, asked) {
  const answer = STATISTICS[statistic.kind](statistic, own, asked);
  const several = partsOf(statistic) > 1;
  return Float64Array.from(asked.groups, (group, use) => answer(several ? group : 0, use));
}

/** The average of one column. @type {(own: Collection, column: number, first?: number | null) => number} */
const mean = (own, column, first) => averages({ values: observed(own, column, first ?? own.rows), columns: 1 }, 1)[0];

/** @type {Record<string, (statistic: any, own: Collection, asked: Asked) => (part: number, use: number) => number>} */
const STATISTICS = {
  average({ columns, first }, own) {
    const known = new Map(); // one walk through a column, however often it is asked for
    return (part) => {
      if (!known.has(columns[part])) known.set(columns[part], mean(own, columns[part], first));
      return known.get(columns[part]);
    };
  },

  item({ column }, own, { groups, entropy }) {
    const there = kept(observed(own, column));
    const words = entropy.words(groups.length); // of word × how many there are, the upper word
    return (_, use) => there[Number((words[use] * BigInt(there.length)) >> 64n)] ?? NaN;
  },

  each({ column }, own) {
    const there = kept(observed(own, column));
    return (_, use) => there[use % there.length] ?? NaN;
  },

  category({ vector }, own, asked) {
    const [drawn, place] = [STATISTICS.item(vector, own, asked), binOf(vector.places)];
    return (part, use) => {
      const number = drawn(part, use);
      return number === number ? place(number, 0) + 0.5 : NaN;
    };
  },

  share({ column, below }, own) {
    const numbers = observed(own, column);
    return (part) => {
      let count = 0;
      for (let at = 0; at < numbers.length; at += 1) count += bit(numbers[at] <= below[part]);
      return count / present(numbers);
    };
  },

  basis({ column, low, high, functions }, own) {
    const numbers = observed(own, column);
    const [wave, count] = [waves(numbers, low, high), present(numbers)];
    return (part) => {
      const index = functions[part]; // 2k is a cosine, 2k + 1 a sine, which lags by a quarter; 1 is 1
      return index === 1 ? count / count : wave(Math.floor(index / 2), 0.25 * (index % 2));
    };
  },

  rotated({ seed, size, centre, radius }, own) {
    const apart = away(averages(own, centre.length), centre);
    const shrunk = Math.min(1, radius / Math.max(Math.sqrt(squares(apart)), radius));
    const diagonal = signs(seed, 0, size);
    const turned = apart.map((entry, at) => entry * shrunk * diagonal[at]);
    return (part) => pairwise(hadamard(part, turned)) / Math.sqrt(size);
  },

  hashed({ seed, columns, threshold }, own, { slot }) {
    const drawn = signs(seed, slot, columns);
    const sum = pairwise(averages(own, columns).map((entry, at) => bit(Math.abs(entry) >= threshold) * drawn[at]));
    return () => sum;
  },

  residual({ seed, centres, column }, own, { slot }) {
    const average = mean(own, column);
    const nearest = smallest(centres, (centre) => Math.abs(average - centre));
    const sign = signs(seed, slot, centres.length)[nearest];
    return () => sign * (average - centres[nearest]);
  },

  nearest({ centres, metric }, own) {
    const seen = filled(averages(own, centres[0].length));
    const far = metric === "l2" ? squares : largest;
    const nearest = smallest(centres, (centre) => far(seen.map((entry, at) => entry - centre[at])));
    return () => nearest + 0.5;
  },

  joint({ centres, reach, levels, column }, own, { entropy }) {
    const average = clamp(mean(own, column), centres[0] - reach, centres[centres.length - 1] + reach);
    const nearest = smallest(centres, (centre) => Math.abs(average - centre));
    const place = (clamp(average - centres[nearest], -reach, reach) / reach + 1) / 2; // rounded at random to a level
    const level = Math.floor(place * (levels - 1) + Number(entropy.words(1)[0]) * 2 ** -64);
    return () => nearest * levels + Math.min(level, levels - 1) + 0.5;
  },

  entry({ vector }, own) {
    const entries = vectorOf(vector, own);
    return (part) => entries[part];
  },

  coefficient({ vector }, own) {
    const entries = vectorOf(vector, own);
    return (part) => pairwise(hadamard(part + 1, entries));
  },

  norm({ vector, centre }, own) {
    const length = Math.sqrt(squares(away(vectorOf(vector, own), centre)));
    return () => length;
  },

  direction(statistic, own, { slot, entropy }) {
    const apart = away(vectorOf(statistic.vector, own), statistic.centre);
    const symbol = pointed(statistic, slot, apart, entropy.words(1)[0]);
    return () => symbol + 0.5;
  },
};

/**
 * The nearest of several points, ties to the lower; the first where none is near.
 * @type {(points: readonly any[], far: (point: any) => number) => number}
 */
function smallest(points, far) {
  const all = points.map(far);
  return all.reduce((nearest, own, at) => (own < all[nearest] ? at : nearest), 0);
}
