// A question: who is asked, what a device computes, and the channel through which it answers.

import { loads } from "./canonical.js";
import { cellsOf, epsilonOf, payloadBytesOf, readChannel, spanOf, unitOf, widthOf } from "./channels.js";
import { among, int, positive, record, words } from "./codec.js";
import { check } from "./errors.js";
import { exact, times } from "./exact.js";
import * as limits from "./limits.js";
import { breadthOf, countOf, ownCellsOf, partsOf, readPlacement, readStatistic, signedOf } from "./vocabulary.js";

/** @typedef {import("./codec.js").Member} Member */
/** @typedef {import("./exact.js").Fraction} Fraction */
/**
 * A user in slot s answers `uses` times, for groups (s − first + u) mod groups. Privacy adds up over the uses: `epsilon`
 * is what the whole report costs the whole collection.
 * @typedef {{readonly survey: string, readonly round: number, readonly role: string,
 *   readonly slots: {readonly first: number, readonly count: number},
 *   readonly encoder: {readonly statistic: Member, readonly placement: Member}, readonly channel: Member,
 *   readonly epsilon: number, readonly groups: number, readonly uses: number, readonly version: 1}} Question
 */

const name = words(1, limits.MAX_TEXT);
const read = record(
  "Question",
  {
    survey: name,
    round: int(0, limits.MAX_ROUND),
    role: name,
    slots: record("Slots", { first: int(0), count: int(1) }, ({ first, count }) =>
      check(first + count <= limits.MAX_USERS, `at most ${limits.MAX_USERS} slots`),
    ),
    encoder: record("Encoder", { statistic: readStatistic, placement: readPlacement }),
    channel: readChannel,
    epsilon: positive(limits.MAX_EPSILON),
    groups: int(1, limits.MAX_GROUPS),
    uses: int(1, limits.MAX_USES),
    version: among(1),
  },
  (question) => checkTogether(/** @type {Question} */ (question)),
);

/** @param {Question} question */
function checkTogether(question) {
  const { channel, groups, uses } = question;
  const { statistic, placement } = question.encoder;
  check([1, groups].includes(partsOf(statistic)), "the statistic has one part for all groups, or one for each");
  check([1, groups].includes(partsOf(placement)), "the placement has one range for all groups, or one for each");
  check(uses <= groups || statistic.kind === "each", "a user answers at most once for each group");
  checkWork(question);
  const places = channel.kind === "laplace" ? null : spanOf(channel) / unitOf(channel) + 1;
  if (countOf(placement) !== null) {
    check(countOf(placement) === places, "the bins and the channel's inputs differ in number");
  } else {
    check(["table", "laplace"].includes(channel.kind), "a position needs a table or laplace channel");
  }
  if (statistic.kind === "direction") {
    const symbols = 2 * statistic.rows;
    check(groups === 1, "a direction has one group");
    const ownGrid = placement.kind === "grid" && placement.low.length === 1;
    check(ownGrid && placement.low[0] === 0 && placement.high[0] === symbols, "a direction falls on its own symbols");
    const ownChannel = channel.kind === "subset" && channel.items === symbols && channel.size === 1;
    check(ownChannel, "a direction needs a subset channel that sends one of its own symbols");
  }
  if (signedOf(statistic)) {
    check(channel.kind === "laplace" && groups === 1, "signed sums need a laplace channel and one group");
    const symmetric = placement.kind === "position" && placement.low[0] === -placement.high[0];
    check(symmetric, "signed sums need a range that is symmetric about zero");
  }
}

/** @param {Question} question */
function checkWork(question) {
  const { channel, groups, uses } = question;
  const { statistic } = question.encoder;
  const held = Math.max(cellsOf(channel), widthOf(channel), breadthOf(statistic));
  const cells = ownCellsOf(statistic) ?? cellsOf(channel);
  check(uses * held <= limits.MAX_WORK, `a device holds at most ${limits.MAX_WORK} numbers for one answer`);
  check(groups * cells <= limits.MAX_WORK, `a tally has at most ${limits.MAX_WORK} cells`);
  const report = limits.reportBytes(payloadBytes(question));
  check(report <= limits.MAX_SIMULATED_REPORT_BYTES, "a report fits its size limit");
  const walks = ["share", "basis"].includes(statistic.kind) ? uses : 1;
  check(walks <= limits.MAX_WAVES, `a device walks through its observations at most ${limits.MAX_WAVES} times`);
}

/**
 * Read a question; anything but the canonical form of a valid one that a device may answer is malformed.
 * @param {Uint8Array} bytes
 * @returns {Question}
 */
export function readQuestion(bytes) {
  const question = read(loads(bytes, limits.MAX_QUESTION), "Question");
  checkPrice(question, exact(question.epsilon));
  return question;
}

/** What a report to this question carries. @param {Question} question */
export const payloadBytes = (question) => question.uses * payloadBytesOf(question.channel);

/** What the report costs at most, proven from the channel's integers; the declared ε is not used. */
export const epsilonBound = (/** @type {Question} */ question) => times(epsilonOf(question.channel), question.uses);

/**
 * Refuse a question whose report would be too large, or cost too little for the room it takes in the ledger.
 * @param {Question} question
 * @param {Fraction} cost
 */
export function checkPrice(question, cost) {
  const payload = payloadBytes(question);
  check(limits.reportBytes(payload) <= limits.MAX_REPORT_BYTES, `a report has at most ${limits.MAX_REPORT_BYTES} bytes`);
  const parts = Math.max(1, Math.ceil(payload / 8));
  const enough = cost.n * BigInt(limits.EIGHT_BYTES_PER_EPSILON) >= BigInt(parts) * cost.d;
  check(enough, `a report of ${payload} bytes costs at least ${parts / limits.EIGHT_BYTES_PER_EPSILON}: room is not free`);
}

/**
 * The groups a slot answers for, one for each use.
 * @param {Question} question
 * @param {number} slot
 * @returns {number[]}
 */
export const groupsOf = ({ slots, groups, uses }, slot) =>
  Array.from({ length: uses }, (_, use) => (slot - slots.first + use) % groups);
