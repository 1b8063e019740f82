// The only composition: question, encode, privatise, report.

import { digest as digestOf, dumps } from "./canonical.js";
import { packed } from "./channels.js";
import { encode } from "./encode.js";
import { Declined, Malformed } from "./errors.js";
import { asNumber, atMost, exact } from "./exact.js";
import { departure } from "./manifest.js";
import { privatise } from "./privatise.js";
import { checkPrice, epsilonBound, readQuestion } from "./question.js";

/** Whether a device may answer, and what that costs: recomputed from the channel's integers, whatever the question claims.
 * `survey` is the manifest's digest. */
export const examine = async (bytes, { slot, digest, manifest, survey = "" }) => {
  if (!Number.isSafeInteger(slot)) throw new TypeError("slot must be a whole number");
  if ((await digestOf(bytes)) !== digest) throw new Declined("wrong-digest", "it is another question");
  const { question, cost } = priced(bytes);
  const { first, count } = question.slots;
  const why = manifest && (await departure(manifest, survey, question));
  if (why) throw new Declined("not-announced", `survey ${survey} did not announce its ${why}`);
  if (slot < first || slot >= first + count) throw new Declined("not-asked", `it does not ask slot ${slot}`);
  if (!atMost(cost, exact(question.epsilon))) throw new Declined("over-declared", `it costs ${asNumber(cost)}`);
  return { question, cost };
};

const priced = (bytes) => {
  try {
    const question = readQuestion(bytes);
    const cost = epsilonBound(question);
    checkPrice(question, cost);
    return { question, cost };
  } catch (error) {
    throw error instanceof Malformed ? new Declined("malformed", error.message) : error;
  }
};

/** The bytes of a report, whatever it costs. */
export const answer = (question, digest, observations, slot, entropy) => {
  const symbols = privatise(question.channel, encode(question, observations, slot, entropy), entropy);
  const payload = symbols.map((symbol) => packed(question.channel, symbol)).join("");
  return dumps({ payload, question: digest, slot, version: 1 });
};

/** Answer a public question once. Privacy: the report is ε-LDP in all of `observations` together, and whether there is
 * one does not depend on them. */
export const respond = async (bytes, observations, { slot, digest, manifest, survey, entropy, ledger, ...more }) => {
  const { question, cost: epsilon } = await examine(bytes, { slot, digest, manifest, survey });
  const make = () => answer(question, digest, observations, slot, entropy);
  return ledger.answer({ ...more, survey: question.survey, question: digest, epsilon, make, slot });
};
