/** After answering: what was said, in words and in bytes, and how anybody can check that it was what was asked. */

import { digest } from "../device/canonical.js";
import { groupsOf, readQuestion } from "../device/question.js";
import { download, element, show } from "../shared/dom.js";
import { pairs } from "./asking.js";
import { symbolsOf } from "./payload.js";
import { reported } from "./reports.js";
import { say } from "./words.js";

/** @typedef {import("../client/device.js").Receipt} Receipt */

const PARTS = 4;
const LOOK_EVERY = 60_000;
const MAX_BYTES = 2 ** 26;

/**
 * What the device said, part by part; nothing where the question is not at hand.
 * @param {Receipt} receipt
 * @param {Uint8Array | null} bytes of the question
 * @param {any} manifest for names; null where it is not known
 */
export function said(receipt, bytes, manifest) {
  if (!bytes) return [];
  const question = readQuestion(bytes);
  const groups = groupsOf(question, receipt.slot);
  const symbols = symbolsOf(question, JSON.parse(receipt.report).payload);
  const told = symbols
    .slice(0, PARTS)
    .map((symbol, use) => element("p", { class: "said" }, reported(question, symbol, manifest, groups[use])));
  const rest = symbols.length - told.length;
  return [
    element("h3", {}, say("page-receipt-said")),
    ...told,
    rest > 0 ? element("p", { class: "soft" }, say("page-seen-more", { parts: rest })) : null,
  ];
}

/**
 * The receipt itself, to read and to keep.
 * @param {Receipt} receipt
 * @param {{cap: number, left: number}} budget
 * @param {string} url of the survey's page, without what is the person's own
 */
export function receiptOf(receipt, budget, url) {
  const { survey, question, report, reportDigest, epsilon, slot, round, acknowledged } = receipt;
  const hash = (/** @type {string} */ text) => element("span", { class: "hash" }, text);
  const kept = { url, ...receipt };
  return [
    element("p", {}, say("page-receipt-lead")),
    pairs([
      [say("page-receipt-survey"), hash(survey)],
      [say("page-receipt-question"), hash(question)],
      [say("page-receipt-report"), element("span", { class: "hash", id: "report" }, report)],
      [say("page-receipt-report-digest"), hash(reportDigest)],
      [say("page-receipt-slot"), say("page-receipt-slot-words", { seat: slot + 1, round: round + 1 })],
      [say("page-receipt-cost"), say("page-receipt-cost-words", { cost: epsilon, left: budget.left, cap: budget.cap })],
      acknowledged ? [say("page-receipt-when"), say("page-receipt-moment", { when: acknowledged })] : null,
    ]),
    element(
      "div",
      { class: "row" },
      element(
        "button",
        {
          type: "button",
          class: "quiet",
          click: () => download(`receipt-${survey.slice(0, 12)}.json`, `${JSON.stringify(kept, null, 2)}\n`),
        },
        say("page-receipt-download"),
      ),
    ),
  ];
}

/**
 * How to check it; once the round has closed, the page looks into the transcript itself.
 * @param {Receipt} receipt
 * @param {string} url
 */
export function checking(receipt, url) {
  const status = element("p", { role: "status", id: "transcript" }, say("page-receipt-looking"));
  const press = { type: "button", class: "quiet", click: () => void look() };
  const button = element("button", press, say("page-receipt-again"));
  let timer = 0;
  async function look() {
    clearTimeout(timer);
    const unread = { words: say("page-receipt-unread"), settled: false, good: false };
    const found = await inTranscript(receipt).catch(() => unread);
    show(status, found.good ? element("span", { class: "tick", "aria-hidden": "true" }, "✓ ") : null, found.words);
    button.hidden = found.settled;
    if (!found.settled) timer = setTimeout(() => void look(), LOOK_EVERY);
  }
  void look();
  return [
    element("h3", {}, say("page-receipt-check")),
    element("p", {}, say("page-receipt-check-lead")),
    element("pre", { tabindex: 0 }, `sotto verify "${url}"`),
    element("p", {}, element("a", { href: "transcript" }, say("page-receipt-transcript"))),
    status,
    element("div", { class: "row" }, button),
  ];
}

/**
 * Whether the transcript is of this survey and holds this question; each part of it stands in the bytes that were sent.
 * @param {Receipt} receipt
 * @returns {Promise<{words: string, settled: boolean, good: boolean}>}
 */
async function inTranscript({ survey, question, round }) {
  const progress = JSON.parse(await fetched("progress"));
  const closed = ["done", "abandoned"].includes(progress.state) || progress.round?.number > round;
  if (!closed) return { words: say("page-receipt-not-closed"), settled: false, good: false };
  const { manifest, rounds, answer, abandoned } = JSON.parse(await fetched("transcript"));
  const named = async (/** @type {string} */ text) => digest(new TextEncoder().encode(text));
  if ((await named(manifest)) !== survey) return { words: say("page-receipt-foreign"), settled: true, good: false };
  for (const [place, told] of rounds.entries()) {
    if ((await named(told.question)) === question) {
      const words = say("page-receipt-found", { round: place + 1, answered: told.answered });
      return { words, settled: true, good: true };
    }
  }
  return answer || abandoned
    ? { words: say("page-receipt-foreign"), settled: true, good: false }
    : { words: say("page-receipt-not-closed"), settled: false, good: false };
}

/**
 * A public document of this survey, as text.
 * @param {string} path
 */
export async function fetched(path) {
  const how = /** @type {const} */ ({ credentials: "omit", redirect: "error", referrerPolicy: "no-referrer" });
  const reply = await fetch(path, { ...how, cache: "no-cache" });
  if (!reply.ok) throw new Error(`${path}: ${reply.status}`);
  const bytes = await reply.arrayBuffer();
  if (bytes.byteLength > MAX_BYTES) throw new Error(`${path}: too long`);
  return new TextDecoder().decode(bytes);
}
