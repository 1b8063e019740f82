/** What a report said, for the person whose device said it: true of every report, whatever the data were. */

import { fact } from "../client/fact.js";
import { binsOf, endsOf } from "./facts.js";
import { atLeast, atMost, chanceOf, inclusion, kept, rateOf } from "./law.js";
import { itemName } from "./places.js";
import { say } from "./words.js";

const SHOWN = 12;

/**
 * One or more sentences about one part of a report.
 * @param {any} question
 * @param {number[]} symbol
 * @param {{labels: readonly string[], columns: readonly string[]} | null} names
 * @param {number} group
 * @returns {string}
 */
export function reported(question, symbol, names, group) {
  const { channel } = question;
  const { items, size } = channel;
  switch (channel.kind) {
    case "table":
      return table(question, symbol[0], names, group);
    case "subset": {
      const { own, other } = inclusion(channel);
      const told = named(question, symbol, names, group);
      return say("page-said-subset", { size, items, names: told, own: 100 * own, other: 100 * other });
    }
    case "unary": {
      const lit = symbol.flatMap((bit, index) => (bit ? [index] : []));
      const told = named(question, lit, names, group);
      return say("page-said-unary", { ticked: lit.length, items, names: told, hundred: 100 * (1 - kept(channel)) });
    }
    default:
      return laplace(question, symbol[0], group);
  }
}

/**
 * @param {any} question
 * @param {number} symbol
 * @param {any} names
 * @param {number} group
 */
function table(question, symbol, names, group) {
  const { channel, encoder } = question;
  const { least, most } = chanceOf(channel, symbol);
  const bins = binsOf(encoder.placement) && channel.rows.length === channel.rows[0].length;
  const called = bins
    ? fact("page-said-item", { name: itemName(question, names, symbol, group) })
    : fact("page-said-symbol", { symbol, last: channel.rows[0].length - 1 });
  return say("page-said-table", { called, least: atLeast(least), most: atMost(most) });
}

/**
 * @param {any} question
 * @param {number} symbol
 * @param {number} group
 */
function laplace(question, symbol, group) {
  const { channel, encoder } = question;
  const [low, high] = endsOf(encoder.placement, group);
  const step = (high - low) / channel.steps;
  const half = (Math.LN2 / rateOf(channel)) * step;
  return say("page-said-laplace", { value: low + symbol * step, low, high, half });
}

/**
 * @param {any} question
 * @param {number[]} indices
 * @param {any} names
 * @param {number} group
 */
function named(question, indices, names, group) {
  if (!indices.length) return say("page-said-none");
  const shown = indices.slice(0, SHOWN).map((index) => itemName(question, names, index, group));
  return say("some-names", { names: shown, more: Math.max(0, indices.length - SHOWN) });
}
