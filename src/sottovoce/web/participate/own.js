/**
 * What a person's own data come to for a question, before anything is drawn: their own numbers, and what would go into
 * the channel. Made by the code of the device itself; it never asks for chance.
 */

import { spanOf, unitOf } from "../device/channels.js";
import { collection, encode } from "../device/encode.js";
import { groupsOf } from "../device/question.js";
import { evaluate } from "../device/statistics.js";
import { DRAWS } from "./law.js";

/** @typedef {any} Question */
/**
 * @typedef {object} Part one use of the channel
 * @property {number} group
 * @property {number} number of the statistic; NaN where nothing was observed
 * @property {number} input of the channel
 */
/**
 * @typedef {object} Own
 * @property {number} observations
 * @property {boolean} draws whether the device draws lots for what goes in
 * @property {Part[]} parts one for each use; none where lots decide
 * @property {Map<number, number> | null} shares where one own observation is drawn: inputs, each with its share of them
 * @property {(number | null)[]} inputs one for each use; null where lots decide
 */

/** Whatever would draw, fails: a page that draws before the person has agreed is broken. */
const SILENT = {
  /** @returns {BigUint64Array<ArrayBuffer>} */
  words() {
    throw new Error("nothing is drawn before a report is sent");
  },
};

/**
 * @param {Question} question
 * @param {number[] | number[][]} values
 * @param {number} slot
 * @returns {Own}
 */
export function ownOf(question, values, slot) {
  const { encoder } = question;
  const { statistic, empty, within } = encoder;
  const held = collection(values);
  const observations = present(held);
  const groups = groupsOf(question, slot);
  const lots = DRAWS.has(statistic.kind) || within?.stride;
  const numbers = lots ? [] : Array.from(evaluate(encoder, held, { groups, slot, entropy: SILENT }));
  const anywhere = empty === "random" && numbers.some(Number.isNaN); // only where there is nothing do lots decide
  if (!lots && !anywhere) {
    const sure = empty === "random" ? { ...question, encoder: { ...encoder, empty: undefined } } : question;
    const inputs = encode(sure, held, slot, SILENT);
    const parts = inputs.map((input, use) => ({ group: groups[use], number: numbers[use], input }));
    return { observations, draws: false, parts, shares: null, inputs };
  }
  return {
    observations,
    draws: true,
    parts: [],
    shares: sharesOf(question, held),
    inputs: new Array(question.uses).fill(null),
  };
}

/**
 * How many observations say anything.
 * @param {any} held
 */
function present({ rows, columns, values }) {
  const there = (/** @type {number} */ row) => {
    for (let at = row * columns; at < (row + 1) * columns; at++) if (!Number.isNaN(values[at])) return 1;
    return 0;
  };
  let count = 0;
  for (let row = 0; row < rows; row++) count += there(row);
  return count;
}

/**
 * Where the device draws one of its own observations: what would go in for each of them, and how often; null where lots
 * decide something else, or there is nothing to draw from.
 * @param {Question} question
 * @param {any} held
 * @returns {Map<number, number> | null}
 */
function sharesOf(question, held) {
  const { statistic, placement, within } = question.encoder;
  if (within || (statistic.kind !== "item" && statistic.kind !== "category")) return null;
  const category = statistic.kind === "category";
  const column = category ? statistic.vector.column : statistic.column;
  let there = 0;
  for (let row = 0; row < held.rows && column < held.columns; row++) {
    if (!Number.isNaN(held.values[row * held.columns + column])) there++;
  }
  if (!there) return null;
  const each = { statistic: { kind: "each", column }, placement: category ? statistic.vector.places : placement };
  const inputs = encode({ ...question, encoder: each, groups: 1, uses: there }, held, question.slots.first, SILENT);
  const shares = new Map();
  for (const input of inputs) shares.set(input, (shares.get(input) ?? 0) + 1 / there);
  return shares;
}

/**
 * What an input of the channel is worth: a number in the range of the question, or the index of a bin.
 * @param {Question} question
 * @param {number} input
 * @param {number} group
 */
export function worth(question, input, group) {
  const { placement } = question.encoder;
  if (placement.kind !== "position") return input / unitOf(question.channel);
  const part = placement.low.length > 1 ? group : 0;
  const [low, high] = [placement.low[part], placement.high[part]];
  return low + ((high - low) * input) / spanOf(question.channel);
}
