// What a device computes from its collection: a number for each use.

import { below, cosine, hadamard, signs, turned } from "./public.js";
import { average, averages, away, binOf, bit, clamp, coarse, filled, here, kept, largest, observed, pairwise, passed, present, squares, total } from "./sums.js";
import { dimensionOf, partsOf, power, sizeOf } from "./vocabulary.js";

/** The statistic for every use; `asked` holds groups, slot and entropy. */
export function evaluate({ statistic, within }, own, asked) {
  if (within) return inside(within, statistic, own, asked);
  const numbers = observed(own, (statistic.vector ?? statistic).column);
  const answer = STATISTICS[statistic.kind](statistic, { ...own, numbers }, asked);
  const several = partsOf(statistic) > 1;
  return Float64Array.from(asked.groups, (group, use) =>
    typeof answer === "number" ? answer : answer(several ? group : 0, use),
  );
}

/** Use by use, as if only the observations in its group were there. A group is drawn before all other lots. */
function inside({ column, count, stride }, statistic, own, { groups, entropy }) {
  const [codes, numbers] = [column, dimensionOf(statistic) - 1].map((one) => observed(own, one));
  const [seen, index, held] = [filled(codes), new Int32Array(own.rows), new Uint8Array(count + 1)];
  for (let at = 0; at < own.rows; at++) {
    const near = Math.trunc(clamp(seen[at], -0.5, count));
    const equal = bit(near >= codes[at]) * bit(near <= codes[at]);
    index[at] = count + (near - count) * equal * here(numbers[at]); // count: in no group
    held[index[at]] = 1;
  }
  held[count] = 0;
  if (stride) {
    let place = below(entropy.words(1)[0], held.reduce((sum, one) => sum + one, 0));
    groups = [held.reduce((group, one) => group + bit((place -= one) >= 0), 0)]; // beyond all where none is held
  }
  return groups.map((group) => {
    const [there, values] = [new Float64Array(count + 2).fill(NaN), new Float64Array(own.values)];
    there[group] = -0; // added, it changes nothing
    for (const at of values.keys()) values[at] += there[index[Math.floor(at / own.columns)]];
    return evaluate({ statistic, within: null }, { ...own, values }, { groups: [0], entropy })[0] + stride * group;
  });
}

/** Each gives one number, or one for each part and use. */
const STATISTICS = {
  average({ columns, first }, own) {
    const rows = Math.min(first ?? own.rows, own.rows);
    return (part) => average(observed({ ...own, rows }, columns[part]));
  },
  item(_, { numbers }, { groups, entropy }) {
    const [there, words] = [kept(numbers), entropy.words(groups.length)];
    return (_, use) => there[below(words[use], there.length)] ?? NaN;
  },
  each(_, { numbers }) {
    const there = kept(numbers);
    return (_, use) => there[use % there.length] ?? NaN;
  },
  category({ vector }, own, asked) {
    const [drawn, place] = [STATISTICS.item(vector, own, asked), binOf(vector.places)];
    return (part, use) => {
      const number = drawn(part, use);
      return number === number ? place(number, 0) + 0.5 : NaN;
    };
  },
  share: ({ below }, { numbers }) => (part) => shares(numbers, passed([below[part]], true), 1, 1)[0],
  basis({ low, high, functions }, { numbers }) {
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
    const signed = apart.map((entry, at) => entry * shrunk * diagonal[at]);
    return (part) => pairwise(hadamard(part, signed)) / Math.sqrt(size);
  },
  hashed({ seed, columns, threshold }, own, { slot }) {
    const drawn = signs(seed, slot, columns);
    return pairwise(VECTORS.large({ threshold }, own, columns).map((entry, at) => entry * drawn[at]));
  },
  residual({ seed, centres }, { numbers }, { slot }) {
    const mean = average(numbers);
    const nearest = nearestOf(centres, mean);
    return signs(seed, slot, centres.length)[nearest] * (mean - centres[nearest]);
  },
  nearest({ centres, metric }, own) {
    const seen = filled(averages(own, centres[0].length));
    const far = metric === "l2" ? squares : largest;
    return 0.5 + smallest(centres, (centre) => far(seen.map((mean, at) => mean - centre[at])));
  },
  joint({ centres, reach, levels }, { numbers }, { entropy }) {
    const mean = clamp(average(numbers), centres[0] - reach, centres[centres.length - 1] + reach);
    const nearest = nearestOf(centres, mean);
    const place = (clamp(mean - centres[nearest], -reach, reach) / reach + 1) / 2;
    const level = Math.floor(place * (levels - 1) + uniform(entropy));
    return nearest * levels + Math.min(level, levels - 1) + 0.5;
  },
  entry({ vector }, own) {
    const entries = vectorOf(vector, own);
    return (part) => entries[part];
  },
  coefficient({ vector }, own) {
    const entries = vectorOf(vector, own);
    return (part) => pairwise(hadamard(part + 1, entries));
  },
  norm: ({ vector, centre }, own) => Math.sqrt(squares(away(vectorOf(vector, own), centre))),
  direction({ vector, centre, seed, rows, radius }, own, { slot, entropy }) {
    const apart = away(vectorOf(vector, own), centre);
    const longer = Math.min(Math.sqrt(squares(apart)) / radius, 1);
    const opposite = bit(uniform(entropy) >= 0.5 + 0.5 * longer);
    const most = Math.max(largest(apart), 1e-300);
    const unit = apart.map((entry) => entry / most);
    const seen = turned(seed, slot, unit, Math.max(128, power(apart.length)), rows);
    const best = smallest(seen, (entry) => -Math.abs(entry));
    return 2 * best + (bit(seen[best] < 0) ^ opposite) + 0.5;
  },
};

const nearestOf = (centres, mean) => smallest(centres, (centre) => Math.abs(mean - centre));
const uniform = (entropy) => Number(entropy.words(1)[0]) * 2 ** -64;

/** Ties to the lower. */
function smallest(points, far) {
  const all = points.map(far);
  return all.reduce((nearest, own, at) => (own < all[nearest] ? at : nearest), 0);
}

const vectorOf = (vector, own) => VECTORS[vector.kind](vector, own, sizeOf(vector));

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
  categories: ({ places }, { numbers }, size) => shares(numbers, binOf(places), size, 0),
  below: ({ thresholds }, { numbers }, size) => shares(numbers, passed(thresholds, true), size, 1),
  cosines({ low, high }, { numbers }, size) {
    const wave = waves(numbers, low, high);
    return new Float64Array(size).map((_, at) => wave((at + 1) / 2, 0));
  },
};

/** The shares of the observations in each place, or (1) up to each. */
function shares(numbers, place, size, upTo) {
  const [seen, count] = [filled(numbers), present(numbers)];
  const counts = new Float64Array(size + 2); // two more: above all thresholds, missing
  for (const at of seen.keys()) {
    counts[size + 1 + (place(seen[at], 0) - size - 1) * here(numbers[at])] += 1;
  }
  let sum = 0;
  return counts.subarray(0, size).map((own) => (sum = own + upTo * sum) / count);
}

/** Averages of √2 cos(2π·(turns·x − lag)), x the place on [low, high]. By loops: the time of callbacks tells. */
function waves(numbers, low, high) {
  const [width, count, places] = [high - low, present(numbers), filled(numbers)];
  const waves = new Float64Array(numbers.length);
  for (const at of places.keys()) {
    places[at] = (clamp(places[at], low, high) - low + width - width) / width;
  }
  return (turns, lag) => {
    for (const at of places.keys()) {
      waves[at] = Math.SQRT2 * cosine(turns * places[at] - lag) * here(numbers[at]);
    }
    return total(waves) / count;
  };
}
