/** What a report said, for the person whose device said it: true of every report, whatever the data were. */

import { count, number } from "../../shared/numbers.js";
import { atLeast, atMost, chanceOf, inclusion, kept, rateOf } from "../law.js";
import { itemName } from "./places.js";
import { listed } from "./page.js";

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
  switch (channel.kind) {
    case "table":
      return table(question, symbol[0], names, group);
    case "subset":
      return subset(question, symbol, names, group);
    case "unary": {
      const lit = symbol.flatMap((bit, index) => (bit ? [index] : []));
      const turned = 1 - kept(channel);
      return (
        `Your device ticked ${count(lit.length)} of ${count(channel.items)} boxes: ` +
        `${named(question, lit, names, group)}. Every box was turned over by chance with ${of100(turned)} of 100, ` +
        "ticked or not."
      );
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
  const bins = encoder.placement.kind !== "position" && channel.rows.length === channel.rows[0].length;
  const called = bins
    ? `“${itemName(question, names, symbol, group)}”`
    : `${symbol}, one of 0 to ${channel.rows[0].length - 1}`;
  const range = `${atLeast(least)} to ${atMost(most)} of 100 people`;
  return `Your device said ${called}. Depending on their data, ${range} would say that too.`;
}

/**
 * @param {any} question
 * @param {number[]} symbol
 * @param {any} names
 * @param {number} group
 */
function subset(question, symbol, names, group) {
  const { channel } = question;
  const { own, other } = inclusion(channel);
  const what = named(question, symbol, names, group);
  const said =
    channel.size === 1
      ? `Your device named ${what}.`
      : `Your device named ${count(channel.size)} of ${count(channel.items)}: ${what}.`;
  return `${said} What goes in is named in ${of100(own)} of 100 cases, and each other one in ${of100(other)} of 100.`;
}

/**
 * @param {any} question
 * @param {number} symbol
 * @param {number} group
 */
function laplace(question, symbol, group) {
  const { channel, encoder } = question;
  const part = encoder.placement.low.length > 1 ? group : 0;
  const [low, high] = [encoder.placement.low[part], encoder.placement.high[part]];
  const step = (high - low) / channel.steps;
  const half = (Math.LN2 / rateOf(channel)) * step;
  return (
    `Your device said ${number(low + symbol * step)}, on a scale from ${number(low)} to ${number(high)}. The chance ` +
    `that was added moves a number by more than ${number(half, 2)} in half of all reports, up or down.`
  );
}

/** @param {number} chance */
function of100(chance) {
  return number(100 * chance, 3);
}

/**
 * @param {any} question
 * @param {number[]} indices
 * @param {any} names
 * @param {number} group
 */
function named(question, indices, names, group) {
  if (!indices.length) return "none";
  const shown = indices.slice(0, SHOWN).map((index) => itemName(question, names, index, group));
  return indices.length > SHOWN ? `${listed(shown)} and ${count(indices.length - SHOWN)} more` : listed(shown);
}
