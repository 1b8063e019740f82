/**
 * From a collection to a channel's inputs: total, with exactly one answer for anything a number can hold. Observations
 * that are NaN are absent. A collection with nothing left has the statistic NaN, which has a place of its own: the
 * middle. After the clamp there are only integers.
 */

import { spanOf, unitOf } from "./channels.js";
import { collection } from "./collection.js";
import { binOf, stepOf } from "./placements.js";
import { groupsOf } from "./question.js";
import { evaluate } from "./statistics.js";
import { bit, filled } from "./sums.js";
import { countOf, partsOf } from "./vocabulary.js";

/**
 * The channel inputs of one user, one for each use, each in `0 … span`.
 *
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
  const middle = count === null ? Math.floor(0.5 * span + 0.5) : Math.floor(count / 2);
  const unit = count === null ? 1 : unitOf(channel);
  return Array.from(filled(numbers), (number, use) => {
    const found = place(number, several ? groups[use] : 0);
    return unit * (found + (middle - found) * bit(numbers[use] !== numbers[use]));
  });
}
