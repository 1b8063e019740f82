// From a collection to a channel's inputs: total. A statistic of nothing is NaN, and falls in the middle.

import { spanOf, unitOf } from "./channels.js";
import { collection } from "./collection.js";
import { groupsOf } from "./question.js";
import { evaluate } from "./statistics.js";
import { binOf, filled, here, placed } from "./sums.js";
import { countOf, partsOf } from "./vocabulary.js";

/** One input for each use, in `0 … span`. @returns {number[]} */
export function encode(question, observations, slot, entropy) {
  const { encoder: { statistic, placement }, channel } = question;
  const groups = groupsOf(question, slot);
  const numbers = evaluate(statistic, collection(observations), { groups, slot, entropy });
  const [count, span, several] = [countOf(placement), spanOf(channel), partsOf(placement) > 1];
  const step = (number, group) => Math.floor(placed(placement, number, group) * span + 0.5);
  const [place, unit] = count === null ? [step, 1] : [binOf(placement), unitOf(channel)];
  const middle = Math.floor((count ?? span + 1) / 2);
  return Array.from(filled(numbers), (number, use) => {
    const found = place(number, several ? groups[use] : 0);
    return unit * (middle + (found - middle) * here(numbers[use]));
  });
}
