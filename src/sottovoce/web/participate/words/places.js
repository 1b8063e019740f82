/** What parts of a question are called by the person's own names: columns, categories, bins, thresholds. */

import { count, number } from "../../shared/numbers.js";
import { listed } from "./page.js";
import { binsOf, computed, inGroup } from "./questions.js";

/** @typedef {any} Question */
/** @typedef {{labels: readonly string[], columns: readonly string[], groups?: readonly string[]} | null} Names
 *   of a manifest, where it is known */

/**
 * What a bin is called.
 * @param {any} places a grid or bins
 * @param {number} index
 * @param {number} [group]
 */
export function binName(places, index, group = 0) {
  if (places.kind === "bins") {
    const { edges } = places;
    if (!edges.length) return "anything";
    if (index === 0) return `below ${number(edges[0])}`;
    return index === edges.length
      ? `${number(edges[index - 1])} or more`
      : `${number(edges[index - 1])} to ${number(edges[index])}`;
  }
  const part = places.low.length > 1 ? group : 0;
  const [low, high] = [places.low[part], places.high[part]];
  const edge = (/** @type {number} */ place) => number(low + ((high - low) * place) / places.count);
  return `${edge(index)} to ${edge(index + 1)}`;
}

/**
 * What an item of a question with bins is called: a category by its name where it has one.
 * @param {Question} question
 * @param {Names} names
 * @param {number} index
 * @param {number} [group]
 * @returns {string}
 */
export function itemName(question, names, index, group = 0) {
  const { placement, empty, within } = question.encoder;
  if (empty === "last" && index === (binsOf(placement) ?? 0) - 1) return "nothing";
  if (!within?.stride) return nameOf(question.encoder, names, index, group);
  const own = Math.min(Math.floor(index / within.stride), within.count - 1);
  return `${groupName(names, own)}, ${nameOf(question.encoder, names, index - own * within.stride, group)}`;
}

/**
 * What a group is called.
 * @param {Names} names
 * @param {number} group
 */
function groupName(names, group) {
  return names?.groups?.[group] ?? `group ${group + 1}`;
}

/**
 * @param {any} encoder
 * @param {Names} names
 * @param {number} index
 * @param {number} group
 * @returns {string}
 */
function nameOf({ statistic, placement }, names, index, group) {
  switch (statistic.kind) {
    case "category":
      return categoryName(statistic.vector, names, index);
    case "nearest":
      return statistic.centres[index]
        ? listed(statistic.centres[index].map((/** @type {number} */ one) => number(one, 3)))
        : count(index + 1);
    case "joint": {
      const centre = statistic.centres[Math.floor(index / statistic.levels)];
      return `around ${number(centre)}, place ${(index % statistic.levels) + 1}`;
    }
    case "direction":
      return `direction ${index + 1}`;
    default:
      return binName(placement, index, group);
  }
}

/**
 * @param {any} vector
 * @param {Names} names
 * @param {number} index
 */
function categoryName(vector, names, index) {
  if (vector.labels === null) return binName(vector.places, index);
  return names?.labels[index] ?? `category ${index + 1}`;
}

/**
 * What is computed of one part of a question, with the column, category, threshold or group that falls to this person.
 * @param {any} encoder
 * @param {Names} names
 * @param {number} group
 * @returns {string}
 */
export function computedFor({ statistic, within }, names, group) {
  const own = partOf(statistic, names, within ? 0 : group);
  if (!within) return own;
  return within.stride ? `${own}; ${inGroup(within)}` : `${own}, of those in “${groupName(names, group)}” alone`;
}

/**
 * @param {any} statistic
 * @param {Names} names
 * @param {number} group
 * @returns {string}
 */
function partOf(statistic, names, group) {
  const column = (/** @type {number} */ place) =>
    names?.columns[place] ?? (place || partly(statistic) ? `column ${place + 1}` : null);
  const inColumn = (/** @type {number} */ place) => (column(place) === null ? "" : ` in ${column(place)}`);
  const whole = computed(statistic);
  switch (statistic.kind) {
    case "average": {
      const place = statistic.columns[statistic.columns.length > 1 ? group : 0];
      return whole.replace(" in the column that falls to you", "") + inColumn(place);
    }
    case "share":
      return `the share of your observations up to ${number(statistic.below[statistic.below.length > 1 ? group : 0])}`;
    case "entry": {
      const { vector } = statistic;
      if (vector.kind === "averages") return `the average of your observations${inColumn(group)}`;
      if (vector.kind === "inside")
        return `where your average lies in its declared range${inColumn(group)}, from −1 to 1`;
      if (vector.kind === "large") return `1 if your average${inColumn(group)} is large, else 0`;
      if (vector.kind === "categories")
        return `the share of your observations in “${categoryName(vector, names, group)}”`;
      if (vector.kind === "below") return `the share of your observations up to ${number(vector.thresholds[group])}`;
      return whole;
    }
    default:
      return whole;
  }
}

/** @param {any} statistic */
function partly(statistic) {
  return statistic.kind === "entry" || (statistic.kind === "average" && statistic.columns.length > 1);
}

/** Whether a statistic is a share, which people read as a percentage. @param {any} statistic */
export function isShare(statistic) {
  return (
    statistic.kind === "share" ||
    (statistic.kind === "entry" && ["categories", "below"].includes(statistic.vector.kind))
  );
}
