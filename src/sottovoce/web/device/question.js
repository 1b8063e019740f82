// A question: who is asked, what a device computes, and the channel through which it answers.

import { loads } from "./canonical.js";
import { cellsOf, epsilonOf, payloadBytesOf, readChannel, spanOf, unitOf, widthOf } from "./channels.js";
import { among, int, positive, record, words } from "./codec.js";
import { check } from "./errors.js";
import { atMost, exact, fraction, times } from "./exact.js";
import * as limits from "./limits.js";
import { breadthOf, countOf, ownCellsOf, partsOf, readPlacement, readStatistic, signedOf } from "./vocabulary.js";

/**
 * A user in slot s answers `uses` times, for groups (s − first + u) mod groups; `epsilon` is what all of that costs.
 * @typedef {{readonly survey: string, readonly round: number, readonly role: string,
 *   readonly slots: {readonly first: number, readonly count: number},
 *   readonly encoder: {readonly statistic: any, readonly placement: any}, readonly channel: any,
 *   readonly epsilon: number, readonly groups: number, readonly uses: number, readonly version: 1}} Question
 */

/** @type {(question: Question) => boolean} */
const fits = ({ encoder: { statistic, placement }, channel, groups, uses }) => {
  const [cells, of, on, by] = [cellsOf(channel), statistic.kind, placement.kind, channel.kind];
  check([1, groups].includes(partsOf(statistic)), "the statistic has one part for all groups, or one for each");
  check([1, groups].includes(partsOf(placement)), "the placement has one range for all groups, or one for each");
  check(uses <= groups || of === "each", "a user answers at most once for each group");
  const held = Math.max(cells, widthOf(channel), breadthOf(statistic));
  check(uses * held <= limits.MAX_WORK, `a device holds at most ${limits.MAX_WORK} numbers for one answer`);
  check(groups * (ownCellsOf(statistic) ?? cells) <= limits.MAX_WORK, `a tally has at most ${limits.MAX_WORK} cells`);
  const walks = of === "share" || of === "basis" ? uses : 1;
  check(walks <= limits.MAX_WAVES, `a device walks through its observations at most ${limits.MAX_WAVES} times`);
  const places = by === "laplace" ? 0 : spanOf(channel) / unitOf(channel) + 1;
  const placed = on === "position" ? by === "table" || by === "laplace" : countOf(placement) === places;
  check(placed, "the placement and the channel's inputs do not go together");
  if (of === "direction") {
    const symbols = 2 * statistic.rows;
    const own = groups === 1 && on === "grid" && placement.low[0] === 0 && placement.high[0] === symbols;
    check(own && by === "subset" && channel.items === symbols && channel.size === 1, "a direction sends a symbol of its own");
  }
  const symmetric = by === "laplace" && groups === 1 && on === "position" && placement.low[0] === -placement.high[0];
  return symmetric || !signedOf(statistic);
};

const slots = record("Slots", { first: int(0), count: int(1) }, (one) => one.first + one.count <= limits.MAX_USERS);
const name = words(1, limits.MAX_TEXT);
const read = record(
  "Question",
  {
    survey: name,
    round: int(0, 1000),
    role: name,
    slots,
    encoder: record("Encoder", { statistic: readStatistic, placement: readPlacement }),
    channel: readChannel,
    epsilon: positive(limits.MAX_EPSILON),
    groups: int(1, limits.MAX_GROUPS),
    uses: int(1, 2 ** 14),
    version: among(1),
  },
  fits,
);

/**
 * Read a question; anything but the canonical form of a valid one that a device may answer is malformed.
 * @param {Uint8Array} bytes
 * @returns {Question}
 */
export const readQuestion = (bytes) => {
  const question = read(loads(bytes, limits.MAX_QUESTION), "");
  checkPrice(question, exact(question.epsilon));
  return question;
};

/** What a report to this question carries. @param {Question} question */
export const payloadBytes = ({ uses, channel }) => uses * payloadBytesOf(channel);

/** What it costs at most, proven from the channel's integers; the declared ε is not used. @param {Question} question */
export const epsilonBound = ({ uses, channel }) => times(epsilonOf(channel), uses);

/**
 * Refuse a question whose report would be too large, or cost too little for the room it takes in the ledger.
 * @param {Question} question
 * @param {import("./exact.js").Fraction} cost
 */
export const checkPrice = (question, cost) => {
  const payload = payloadBytes(question);
  check(2 * payload + 256 <= limits.MAX_REPORT_BYTES, `a report has at most ${limits.MAX_REPORT_BYTES} bytes`);
  const least = fraction(BigInt(Math.ceil(payload / 8)), 1_000_000n); // there is no payload of nothing
  check(atMost(least, cost), `a report of ${payload} bytes costs at least ${least.n}/${least.d}: room is not free`);
};

/** The groups a slot answers for, one for each use. @type {(question: Question, slot: number) => number[]} */
export const groupsOf = ({ slots: { first }, groups, uses }, slot) =>
  Array.from({ length: uses }, (_, use) => (slot - first + use) % groups);
