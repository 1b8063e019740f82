/** Words about the chain of a transcript: what was checked, and what only a replay can tell. */

import { count } from "../../shared/numbers.js";

export const CHAIN = {
  chain: {
    heading: "The chain",
    why:
      "What was promised, asked and counted is public. This page fetched it and computed the SHA-256 of each part " +
      "itself:",
    waiting: "It begins when the first round has closed.",
    checking: "Checking…",
    whole: "Every link holds.",
    broken: "A link does not hold: see the cross below. What this survey shows is not what it announced.",
    holds: "holds",
    fails: "does not hold",
    insecure:
      "This browser computes SHA-256 only on pages that came by https, or on this machine; nothing was checked.",
    manifest: "Manifest: what was promised",
    question: (/** @type {number} */ round, /** @type {string} */ role) => `Round ${round}, question: ${role}`,
    tally: (/** @type {number} */ round) => `Round ${round}, tally`,
    answer: "Answer",
    end: "End without an answer",
    digest: "SHA-256",
    readable: "it can be read",
    named: "its digest is the survey's name",
    survey: "it names this survey",
    published: "it is the question that the collector says it asked",
    slots: (/** @type {number} */ first, /** @type {number} */ last) =>
      `it asks seats ${count(first)} to ${count(last)}, none of which was asked before`,
    later: "it closed no earlier than the round before",
    answers: "it adds up answers to the question above",
    few: (/** @type {number} */ answered, /** @type {number} */ minimum) =>
      `only ${count(answered)} answered, fewer than ${count(minimum)}: nothing of it is published`,
    missing: "no tally is published, though enough answered",
    shown: "it is the one that this page shows",
    answered: (/** @type {number} */ answered) => `${answered === 1 ? "1 person" : `${count(answered)} people`} answered`,
    facts: (/** @type {string} */ purpose, /** @type {string} */ collector) => `${purpose} (${collector})`,
    limits:
      "A page served by the collector protects nobody from that collector. Whether each question follows from the " +
      "tallies before it, whether it keeps to what was announced, and whether the answer follows from all of them, " +
      "only a replay can tell. On a machine of your own:",
    receipt: "The digest of a question from a receipt of yours",
    receiptHint: "64 letters and digits. The receipt that you got when you answered has it.",
    receiptFound: (/** @type {string} */ where) => `It is in the chain: ${where}.`,
    receiptMissing: "It is not in the chain of closed rounds.",
  },
};
