/** Where a number falls: the second half of an encoder, and the only place that clamps and makes integers. */

import { bit, clamp } from "./sums.js";

/**
 * How many of the increasing `edges` a number lies beyond (`strictly`), or reaches; NaN none. By halving, with the same
 * comparisons for every number: time must not tell where it lies.
 *
 * @type {(edges: readonly number[], strictly: boolean) => (number: number) => number}
 */
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

/** Where a number lies on [0, 1], by the range of its group. @type {(range: any, number: number, group: number) => number} */
function fraction({ low, high }, number, group) {
  return (clamp(number, low[group], high[group]) - low[group]) / (high[group] - low[group]);
}

/** @typedef {(number: number, group: number) => number} Place not for NaN: whoever asks knows what is missing */

/** The bin in which a number falls, of a grid or between edges. @type {(places: any) => Place} */
export function binOf(places) {
  if (places.kind === "bins") return passed(places.edges, false);
  return (number, group) => Math.min(Math.floor(fraction(places, number, group) * places.count), places.count - 1) | 0;
}

/** The step in `0 … span` that is nearest to where a number falls. @type {(placement: any, span: number) => Place} */
export const stepOf = (placement, span) => (number, group) => Math.floor(fraction(placement, number, group) * span + 0.5);
