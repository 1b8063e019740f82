// A question: who is asked, what a device computes, and the channel through which it answers.

import { loads } from "./canonical.js";
import { cellsOf, epsilonOf, payloadBytesOf, readChannel, spanOf, unitOf, widthOf } from "./channels.js";
import { records } from "./codec.js";
import { check } from "./errors.js";
import { atMost, exact, fraction, times } from "./exact.js";
import { MAX_QUESTION, MAX_REPORT_BYTES, MAX_USERS, MAX_WORK } from "./limits.js";
import { breadthOf, countOf, ownCellsOf, partsOf, readPlacement, readStatistic, signedOf } from "./vocabulary.js";

/** @typedef {any} Question */

const fits = ({ encoder: { statistic, placement }, channel, groups, uses }) => {
  const [of, on, by] = [statistic.kind, placement.kind, channel.kind];
  const parts = [statistic, placement].every((one) => [1, groups].includes(partsOf(one)));
  const held = uses * Math.max(cellsOf(channel), widthOf(channel), breadthOf(statistic));
  const cells = groups * (ownCellsOf(statistic) || cellsOf(channel));
  const walks = of === "share" || of === "basis" ? uses : 1;
  check(held <= MAX_WORK && cells <= MAX_WORK && walks <= 64, "too much work for a device");
  const free = by === "laplace";
  const inputs = free ? 0 : spanOf(channel) / unitOf(channel) + 1;
  const placed = on === "position" ? free || by === "table" : countOf(placement) === inputs;
  if (!placed || !parts || (uses > groups && of !== "each")) return false;
  const [low, high] = [placement.low?.[0], placement.high?.[0]];
  if (signedOf(statistic)) return free && low === -high && groups === 1;
  const symbols = 2 * statistic.rows;
  const pointed = groups === 1 && on === "grid" && low === 0 && high === symbols && by === "subset";
  return of !== "direction" || (pointed && channel.items === symbols && channel.size === 1);
};

const { Question: read } = records(
  `Slots first:0.. count:1..
  Encoder statistic:statistic placement:placement
  Question survey:name round:0..1000 role:name slots:Slots encoder:Encoder channel:channel epsilon:epsilon\
 groups:1..65536 uses:1..16384 version:1..1`,
  { statistic: readStatistic, placement: readPlacement, channel: readChannel },
  { Slots: ({ first, count }) => first + count <= MAX_USERS, Question: fits },
);

/** @type {(bytes: Uint8Array) => Question} */
export const readQuestion = (bytes) => {
  const question = read(loads(bytes, MAX_QUESTION));
  checkPrice(question, exact(question.epsilon));
  return question;
};

export const payloadBytes = ({ uses, channel }) => uses * payloadBytesOf(channel);

/** From the channel's integers: the declared ε is not used. */
export const epsilonBound = ({ uses, channel }) => times(epsilonOf(channel), uses);

export const checkPrice = (question, cost) => {
  const payload = payloadBytes(question);
  check(2 * payload + 256 <= MAX_REPORT_BYTES, `a report has at most ${MAX_REPORT_BYTES} bytes`);
  const least = fraction(BigInt(Math.ceil(payload / 8)), 1_000_000n);
  check(atMost(least, cost), "a report costs a millionth for every eight bytes");
};

/** One for each use. @returns {number[]} */
export const groupsOf = ({ slots: { first }, groups, uses }, slot) =>
  Array.from({ length: uses }, (_, use) => (slot - first + use) % groups);
