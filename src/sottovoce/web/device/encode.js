// From a collection to a channel's inputs: total. A statistic of nothing is NaN, and falls in the middle.

import { spanOf, unitOf } from "./channels.js";
import { collection } from "./collection.js";
import { binOf, stepOf } from "./placements.js";
import { groupsOf } from "./question.js";
import { evaluate } from "./statistics.js";
import { filled, here } from "./sums.js";
import { countOf, partsOf } from "./vocabulary.js";

/** One input for each use, in `0 … span`. @returns {number[]} */
export function encode(question, observations, slot, entropy) {
  const { encoder: { statistic, placement }, channel } = question;
  const groups = groupsOf(question, slot);
  const numbers = evaluate(statistic, collection(observations), { groups, slot, entropy });
  const [count, span, several] = [countOf(placement), spanOf(channel), partsOf(placement) > 1];
  const [place, places, unit] =
    count === null ? [stepOf(placement, span), span + 1, 1] : [binOf(placement), count, unitOf(channel)];
  const middle = Math.floor(places / 2);
  return Array.from(filled(numbers), (number, use) => {
    const found = place(number, several ? groups[use] : 0);
    return unit * (middle + (found - middle) * here(numbers[use]));
  });
}
