// From a collection to a channel's inputs: total. A statistic of nothing is NaN, and falls in the middle.

import { spanOf, unitOf } from "./channels.js";
import { collection } from "./collection.js";
import { binOf, stepOf } from "./placements.js";
import { groupsOf } from "./question.js";
import { evaluate } from "./statistics.js";
import { filled, here } from "./sums.js";
import { countOf, partsOf } from "./vocabulary.js";

/**
 * One input for each use, in `0 … span`.
 * @param {import("./question.js").Question} question
 * @param {import("./collection.js").Observations} observations
 * @param {number} slot
 * @param {import("./entropy.js").Entropy} entropy
 */
export function encode(question, observations, slot, entropy) {
  const { encoder, channel } = question;
  const groups = groupsOf(question, slot);
  const numbers = evaluate(encoder.statistic, collection(observations), { groups, slot, entropy });
  const [count, span, several] = [countOf(encoder.placement), spanOf(channel), partsOf(encoder.placement) > 1];
  const place = count === null ? stepOf(encoder.placement, span) : binOf(encoder.placement);
  const middle = Math.floor(count === null ? (span + 1) / 2 : count / 2);
  const unit = count === null ? 1 : unitOf(channel);
  return Array.from(filled(numbers), (number, use) => {
    const found = place(number, several ? groups[use] : 0);
    return unit * (middle + (found - middle) * here(numbers[use]));
  });
}
