// From a collection to a channel's inputs: total. A statistic of nothing is NaN, and falls where the question says.

import { spanOf, unitOf } from "./channels.js";
import { collection } from "./collection.js";
import { below } from "./public.js";
import { groupsOf } from "./question.js";
import { evaluate, evaluateWithin } from "./statistics.js";
import { binOf, filled, here, placed } from "./sums.js";
import { countOf, partsOf } from "./vocabulary.js";

/** One input for each use, in `0 … span`. @returns {number[]} */
export function encode(question, observations, slot, entropy) {
  const { encoder: { statistic, placement, empty, within }, channel } = question;
  const [own, asked] = [collection(observations), { groups: groupsOf(question, slot), slot, entropy }];
  const numbers = within ? evaluateWithin(within, statistic, own, asked) : evaluate(statistic, own, asked);
  const [count, span, unit, several] = [countOf(placement), spanOf(channel), unitOf(channel), partsOf(placement) > 1];
  const bin = count && binOf(placement);
  const step = (number, group) => Math.floor(placed(placement, number, group) * span + 0.5);
  const middle = bin ? unit * Math.floor(count / 2) : Math.floor((span + 1) / 2);
  const words = empty === "random" && entropy.words(asked.groups.length); // whatever the data are
  return Array.from(filled(numbers), (number, use) => {
    const group = several ? asked.groups[use] : 0;
    const found = bin ? unit * bin(number, group) : step(number, group);
    const nothing = words ? unit * below(words[use], span / unit + 1) : empty ? span : middle;
    return nothing + (found - nothing) * here(numbers[use]);
  });
}
