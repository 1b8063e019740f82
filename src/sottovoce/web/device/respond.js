// The only composition: question, encode, privatise, report.

import { digest as digestOf, hex } from "./canonical.js";
import { packed } from "./channels.js";
import { encode } from "./encode.js";
import { Declined, Malformed } from "./errors.js";
import { asNumber, atMost, exact } from "./exact.js";
import { departure } from "./manifest.js";
import { privatise } from "./privatise.js";
import { checkPrice, epsilonBound, readQuestion } from "./question.js";

/**
 * Whether a device may answer these bytes, and what that costs: everything but ledger and data. `digest` and `survey`,
 * that of the manifest, are what its invitation and enrolment say. Privacy: ε is recomputed from the channel's
 * integers; what the question claims, or its manifest did not announce, can only make the device decline.
 * @param {Uint8Array<ArrayBuffer>} bytes
 * @param {{slot: number, digest: string, manifest?: any, survey?: string}} known
 */
export const examine = async (bytes, { slot, digest, manifest, survey = "" }) => {
  if (!Number.isSafeInteger(slot)) throw new TypeError("slot must be a whole number");
  if ((await digestOf(bytes)) !== digest) throw new Declined("wrong-digest", "it is another question");
  const { question, cost } = priced(bytes);
  const { epsilon, slots: { first, count } } = question;
  const why = manifest && (await departure(manifest, survey, question));
  if (why) throw new Declined("not-announced", `survey ${survey}: ${why}`);
  if (slot < first || slot >= first + count) throw new Declined("not-asked", `it does not ask slot ${slot}`);
  if (!atMost(cost, exact(epsilon))) throw new Declined("over-declared", `it spends ${asNumber(cost)}, not ${epsilon}`);
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

/** The bytes of a report, whatever it costs. `digest` is that of the question's bytes. */
export const answer = (question, digest, observations, slot, entropy) => {
  const symbols = privatise(question.channel, encode(question, observations, slot, entropy), entropy);
  const payload = hex(symbols.flatMap((symbol) => packed(question.channel, symbol)));
  return new TextEncoder().encode(`{"payload":"${payload}","question":"${digest}","slot":${slot},"version":1}`);
};

/**
 * Answer a public question once; gives the bytes of the report. Privacy: it is ε-LDP in all of `observations` together,
 * with the ε of `examine`; the ledger caps the sum over surveys. Whether the device answers depends on question,
 * manifest and ledger, never on the observations. `more`: collector, source, beside.
 */
export const respond = async (bytes, observations, { slot, digest, manifest, survey, entropy, ledger, ...more }) => {
  const { question, cost: epsilon } = await examine(bytes, { slot, digest, manifest, survey });
  const make = () => answer(question, digest, observations, slot, entropy);
  return ledger.answer({ ...more, survey: question.survey, question: digest, epsilon, make, slot });
};
