// Where a number falls, as an integer: the second half of an encoder. Not for NaN: whoever asks knows what is missing.

import { bit, clamp } from "./sums.js";

/** How many of the rising `edges` a number lies beyond (`strictly`), or reaches: by as many comparisons for any. */
export function passed(edges, strictly) {
  const steps = 32 - Math.clz32(edges.length);
  const padded = new Float64Array(2 ** steps - 1).fill(NaN); // beyond which nothing lies
  padded.set(edges);
  return (number) => {
    let count = 0;
    for (let step = steps - 1; step >= 0; step -= 1) {
      const edge = padded[count + (1 << step) - 1];
      count += bit(strictly ? number > edge : number >= edge) << step;
    }
    return count;
  };
}

/** Where it lies on [0, 1]. */
const fraction = ({ low, high }, number, group) =>
  (clamp(number, low[group], high[group]) - low[group]) / (high[group] - low[group]);

/** The bin of a grid, or between edges. */
export function binOf(places) {
  if (places.kind === "bins") return passed(places.edges, false);
  return (number, group) => {
    const bin = Math.floor(fraction(places, number, group) * places.count);
    return bin - bit(bin >= places.count); // the upper end belongs to the last
  };
}

/** The nearest of the steps `0 … span`. */
export const stepOf = (placement, span) => (number, group) => Math.floor(fraction(placement, number, group) * span + 0.5);
