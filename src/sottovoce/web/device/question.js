// A question: who is asked, what a device computes, and the channel through which it answers.

import { loads } from "./canonical.js";
import { cellsOf, epsilonOf, payloadBytesOf, readChannel, spanOf, unitOf, widthOf } from "./channels.js";
import { records } from "./codec.js";
import { check } from "./errors.js";
import { atMost, exact, fraction, times } from "./exact.js";
import { MAX_DOCUMENT, MAX_ITEMS, MAX_REPORT_BYTES, MAX_USERS } from "./limits.js";
import { breadthOf, countOf, loneOf, ownCellsOf, partsOf, readPlacement, readStatistic, signedOf, silentOf } from "./vocabulary.js";

const fits = ({ encoder: { statistic, placement, empty, within }, channel, groups, uses }) => {
  const [of, on, by, bins] = [statistic.kind, placement.kind, channel.kind, countOf(placement)];
  const parts = [statistic, placement].every((one) => [1, groups].includes(partsOf(one)));
  const held = uses * Math.max(cellsOf(channel), widthOf(channel), breadthOf(statistic), (within?.count ?? 0) + 1);
  const cells = groups * (ownCellsOf(statistic) || cellsOf(channel));
  const walks = of === "share" || of === "basis" || within ? uses : 1;
  const [work, free] = [Math.max(held, cells) <= 2 ** 22 && walks <= 64, by === "laplace"];
  const inputs = free ? 0 : spanOf(channel) / unitOf(channel) + 1;
  const knots = on !== "knots" || (by === "table" && inputs === placement.inner.length + 2);
  const placed = bins ? bins === inputs : (free || by === "table") && knots;
  const elsewhere = !empty || (silentOf(statistic) && (bins || empty === "random"));
  const dealt = !within || (within.stride ? bins && groups === 1 : groups === within.count);
  const inside = !within || (loneOf(statistic) && partsOf(placement) === 1);
  const once = uses <= groups || of === "each";
  if (!(work && placed && parts && once && elsewhere && dealt && inside)) return false;
  const [low, high] = [placement.low?.[0], placement.high?.[0]];
  if (signedOf(statistic)) return free && low === -high && groups === 1;
  const symbols = 2 * statistic.rows;
  const pointed = groups === 1 && on === "grid" && low === 0 && high === symbols && by === "subset";
  return of !== "direction" || (pointed && channel.items === symbols && channel.size === 1);
};

const { Question: read } = records(
  `Slots first:0.. count:1..
  Within column:0.. count:1..65536 stride:0.. labels:digest?
  Encoder statistic:statistic placement:placement empty:random|last= within:Within=
  Question survey:name round:0..1000 role:name slots:Slots encoder:Encoder channel:channel epsilon:epsilon\
 groups:1..65536 uses:1..16384 version:1..1`,
  { statistic: readStatistic, placement: readPlacement, channel: readChannel },
  {
    Slots: ({ first, count }) => first + count <= MAX_USERS,
    Within: ({ count, stride }) => count * stride <= MAX_ITEMS,
    Question: fits,
  },
);

export const readQuestion = (bytes) => {
  const question = read(loads(bytes, MAX_DOCUMENT));
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
  check(atMost(least, cost), "eight bytes cost a millionth");
};

export const groupsOf = ({ slots: { first }, groups, uses }, slot) =>
  Array.from({ length: uses }, (_, use) => (slot - first + use) % groups);
