// The only composition: question, encode, privatise, report.

import { digest as digestOf } from "./canonical.js";
import { packed } from "./channels.js";
import { encode } from "./encode.js";
import { Declined, Malformed } from "./errors.js";
import { asNumber, atMost, exact } from "./exact.js";
import { departure } from "./manifest.js";
import { privatise } from "./privatise.js";
import { checkPrice, epsilonBound, readQuestion } from "./question.js";

/** @typedef {import("./exact.js").Fraction} Fraction */
/** @typedef {import("./manifest.js").Manifest} Manifest */
/** @typedef {import("./question.js").Question} Question */
/** @typedef {Parameters<typeof encode>[1]} Observations */
/** @typedef {Parameters<typeof encode>[3]} Entropy */
/**
 * What a device knows from its invitation and its enrolment: `survey` is the digest of `manifest`.
 * @typedef {{slot: number, digest: string, manifest?: Manifest | null, survey?: string}} Known
 */

/**
 * Whether a device may answer these bytes, and what that costs: everything but ledger and data.
 *
 * Privacy: ε is recomputed here from the channel's integers; what the question claims, or its manifest did not announce,
 * can only make the device decline. A decline is for the device's own eyes.
 * @param {Uint8Array<ArrayBuffer>} bytes
 * @param {Known} known
 * @returns {Promise<{question: Question, cost: Fraction}>}
 */
export async function examine(bytes, { slot, digest, manifest = null, survey = "" }) {
  if (!Number.isSafeInteger(slot)) throw new TypeError("slot must be a whole number");
  if ((await digestOf(bytes)) !== digest) {
    throw new Declined("wrong-digest", "the question is not the one that was announced");
  }
  const { question, cost } = priced(bytes);
  const why = manifest && (await departure(manifest, survey, question));
  if (why) throw new Declined("not-announced", `survey "${survey}" did not announce this question: ${why}`);
  const { first, count } = question.slots;
  if (slot < first || slot >= first + count) {
    throw new Declined("not-asked", `survey "${question.survey}" round ${question.round} does not ask slot ${slot}`);
  }
  if (!atMost(cost, exact(question.epsilon))) {
    const spent = asNumber(cost);
    throw new Declined("over-declared", `survey "${question.survey}" spends ${spent}, not ${question.epsilon}`);
  }
  return { question, cost };
}

/** @param {Uint8Array} bytes */
function priced(bytes) {
  try {
    const question = readQuestion(bytes);
    const cost = epsilonBound(question);
    checkPrice(question, cost);
    return { question, cost };
  } catch (error) {
    throw error instanceof Malformed ? new Declined("malformed", error.message) : error;
  }
}

/**
 * The bytes of a report, without a ledger: for vectors and audit.
 * @param {Question} question
 * @param {string} digest of its bytes
 * @param {Observations} observations
 * @param {number} slot
 * @param {Entropy} entropy
 */
export function answer(question, digest, observations, slot, entropy) {
  const symbols = privatise(question.channel, encode(question, observations, slot, entropy), entropy);
  const bytes = symbols.flatMap((symbol) => packed(question.channel, symbol));
  const payload = bytes.map((byte) => byte.toString(16).padStart(2, "0")).join("");
  return new TextEncoder().encode(`{"payload":"${payload}","question":"${digest}","slot":${slot},"version":1}`);
}

/**
 * Answer a public question once; gives the bytes of the report.
 *
 * Privacy: the report is ε-LDP in all of `observations` together, with the ε of `examine`. The ledger caps the sum over
 * surveys. Whether the device answers depends on question, manifest and ledger, never on the observations.
 * @template Beside
 * @param {Uint8Array<ArrayBuffer>} bytes
 * @param {Observations} observations
 * @param {Known & {collector: string, source: string, entropy: Entropy, beside?: Beside,
 *   ledger: {answer(spent: {collector: string, survey: string, source: string, question: string, epsilon: Fraction,
 *     make: () => Uint8Array, slot: number, beside?: Beside}): Promise<Uint8Array>}}} how
 */
export async function respond(bytes, observations, { collector, source, ledger, entropy, beside, ...known }) {
  const { question, cost } = await examine(bytes, known);
  const { slot, digest } = known;
  const make = () => answer(question, digest, observations, slot, entropy);
  return ledger.answer({ collector, survey: question.survey, source, question: digest, epsilon: cost, make, slot, beside });
}
