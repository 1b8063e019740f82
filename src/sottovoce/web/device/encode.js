// From a collection to a channel's inputs, total: a statistic of nothing (NaN) falls where the question says.

import { spanOf, unitOf } from "./channels.js";
import { below } from "./public.js";
import { groupsOf } from "./question.js";
import { evaluate } from "./statistics.js";
import { binOf, filled, here, placed, walked } from "./sums.js";
import { countOf, partsOf, segmentsOf } from "./vocabulary.js";

/** One user's raw observations, row after row; what is no number is missing. @param {any} observations */
export function collection(observations) {
  if ("rows" in observations) return observations;
  const held = Array.from(observations);
  const vectors = Array.isArray(held[0]) && held.every((row) => Array.isArray(row) && row.length === held[0].length);
  const values = Float64Array.from(vectors ? held.flatMap((row) => [...row]) : held, (value) => (typeof value === "number" ? value : NaN));
  return { rows: held.length, columns: vectors ? held[0].length : 1, values };
}

/** One input for each use, in `0 … span`. */
export function encode(question, observations, slot, entropy) {
  const { encoder, encoder: { placement, empty }, channel } = question;
  const groups = groupsOf(question, slot);
  const numbers = evaluate(encoder, collection(observations), { groups, slot, entropy });
  const [count, span, unit, several] = [countOf(placement), spanOf(channel), unitOf(channel), partsOf(placement) > 1];
  const bin = count && binOf(placement);
  const segments = placement.inner && segmentsOf(placement);
  const along = (number, group) => (segments ? unit * walked(segments, number) : span * placed(placement, number, group));
  const point = (number, group) => Math.floor(along(number, group) + 0.5);
  const middle = bin ? unit * Math.floor(count / 2) : segments ? point(placement.nothing) : Math.floor((span + 1) / 2);
  const words = empty === "random" && entropy.words(groups.length); // whatever the data are
  return Array.from(filled(numbers), (number, use) => {
    const group = several ? groups[use] : 0;
    const found = bin ? unit * bin(number, group) : point(number, group);
    const nothing = words ? unit * below(words[use], span / unit + 1) : empty ? span : middle;
    return nothing + (found - nothing) * here(numbers[use]);
  });
}
