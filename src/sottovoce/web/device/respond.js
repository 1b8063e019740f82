// The only composition: question, encode, privatise, report.

import { digest as digestOf, hex } from "./canonical.js";
import { packed } from "./channels.js";
import { encode } from "./encode.js";
import { Declined, Malformed } from "./errors.js";
import { asNumber, atMost, exact } from "./exact.js";
import { departure } from "./manifest.js";
import { privatise } from "./privatise.js";
import { checkPrice, epsilonBound, readQuestion } from "./question.js";

/** @typedef {import("./collection.js").Observations} Observations */
/** @typedef {import("./manifest.js").Manifest} Manifest */
/** @typedef {{slot: number, digest: string, manifest?: Manifest | null, survey?: string}} Known */

/**
 * Whether a device may answer these bytes, and what that costs: everything but ledger and data. `digest` and `survey`,
 * that of the manifest, are what its invitation and its enrolment say.
 *
 * Privacy: ε is recomputed here from the channel's integers; what the question claims, or its manifest did not
 * announce, can only make the device decline.
 * @param {Uint8Array<ArrayBuffer>} bytes
 * @param {Known} known
 */
export const examine = async (bytes, { slot, digest, manifest, survey = "" }) => {
  if (!Number.isSafeInteger(slot)) throw new TypeError("slot must be a whole number");
  if ((await digestOf(bytes)) !== digest) throw new Declined("wrong-digest", "it is not the announced question");
  const { question, cost } = priced(bytes);
  const { epsilon, slots: { first, count } } = question;
  const why = manifest && (await departure(manifest, survey, question));
  if (why) throw new Declined("not-announced", `survey "${survey}" did not announce this question: ${why}`);
  if (slot < first || slot >= first + count) throw new Declined("not-asked", `it does not ask slot ${slot}`);
  const told = atMost(cost, exact(epsilon));
  if (!told) throw new Declined("over-declared", `it spends ${asNumber(cost)}, not ${epsilon}`);
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

/** The bytes of a report, without a ledger. `digest` is that of the question's bytes. */
export const answer = (question, digest, observations, slot, entropy) => {
  const symbols = privatise(question.channel, encode(question, observations, slot, entropy), entropy);
  const payload = hex(symbols.flatMap((symbol) => packed(question.channel, symbol)));
  return new TextEncoder().encode(`{"payload":"${payload}","question":"${digest}","slot":${slot},"version":1}`);
};

/**
 * Answer a public question once; gives the bytes of the report.
 *
 * Privacy: the report is ε-LDP in all of `observations` together, with the ε of `examine`; the ledger caps the sum over
 * surveys. Whether the device answers depends on question, manifest and ledger, never on the observations.
 * @param {Uint8Array<ArrayBuffer>} bytes
 * @param {Observations} observations
 * @param {Known & {collector: string, source: string, entropy: import("./entropy.js").Entropy, beside?: any,
 *   ledger: {answer(spent: any): Promise<Uint8Array>}}} how
 */
export const respond = async (bytes, observations, { ledger, entropy, collector, source, beside, ...known }) => {
  const { slot, digest } = known;
  const { question, cost: epsilon } = await examine(bytes, known);
  const make = () => answer(question, digest, observations, slot, entropy);
  return ledger.answer({ collector, survey: question.survey, source, question: digest, epsilon, make, slot, beside });
};
