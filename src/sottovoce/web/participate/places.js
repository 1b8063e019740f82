/** What parts of a question are called by the person's own names: columns, categories, bins, thresholds. */

import { fact } from "../client/fact.js";
import { number } from "../shared/numbers.js";
import { binsOf, computed, endsOf, inGroup, someNames } from "./facts.js";
import { say } from "./words.js";

/** @typedef {any} Question */
/** @typedef {import("../client/fact.js").Fact} Fact */
/** @typedef {{labels: readonly string[], columns: readonly string[], groups?: readonly string[]} | null} Names
 *   of a manifest, where it is known */

/**
 * What a bin is called.
 * @param {any} places a grid or bins
 * @param {number} index
 * @param {number} [group]
 */
function binName(places, index, group = 0) {
  if (places.kind === "bins") {
    const { edges } = places;
    const [from, to] = [edges[index - 1], edges[index]];
    if (!edges.length) return say("page-place-anything");
    if (index === 0) return say("page-place-below", { to });
    return index === edges.length ? say("page-place-from", { from }) : say("page-place-between", { from, to });
  }
  const [low, high] = endsOf(places, group);
  const edge = (/** @type {number} */ place) => low + ((high - low) * place) / places.count;
  return say("page-place-between", { from: edge(index), to: edge(index + 1) });
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
  if (empty === "last" && index === (binsOf(placement) ?? 0) - 1) return say("page-place-nothing");
  if (!within?.stride) return nameOf(question.encoder, names, index, group);
  const own = Math.min(Math.floor(index / within.stride), within.count - 1);
  const place = nameOf(question.encoder, names, index - own * within.stride, group);
  return say("page-place-in-group", { group: groupName(names, own), place });
}

/**
 * What a group is called.
 * @param {Names} names
 * @param {number} group
 */
function groupName(names, group) {
  return names?.groups?.[group] ?? say("page-place-group", { number: group + 1 });
}

/**
 * @param {any} encoder
 * @param {Names} names
 * @param {number} index
 * @param {number} group
 * @returns {string}
 */
function nameOf({ statistic, placement }, names, index, group) {
  const { kind, centres, levels } = statistic;
  switch (kind) {
    case "category":
      return categoryName(statistic.vector, names, index);
    case "nearest":
      return centres[index]
        ? say("some-names", someNames(centres[index].map((/** @type {number} */ one) => number(one, 3))))
        : say("page-place-number", { number: index + 1 });
    case "joint":
      return say("page-place-around", { centre: centres[Math.floor(index / levels)], number: (index % levels) + 1 });
    case "direction":
      return say("page-place-direction", { number: index + 1 });
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
  return names?.labels[index] ?? say("page-place-category", { number: index + 1 });
}

/**
 * What is computed of one part of a question, with the column, category, threshold or group that falls to this person.
 * @param {any} encoder
 * @param {Names} names
 * @param {number} group
 * @returns {Fact}
 */
export function computedFor({ statistic, within }, names, group) {
  const what = partOf(statistic, names, within ? 0 : group);
  if (!within) return what;
  if (within.stride) return fact("computes-within", { what, within: inGroup(within) });
  return fact("page-computes-dealt", { what, group: groupName(names, group) });
}

/**
 * @param {any} statistic
 * @param {Names} names
 * @param {number} group
 * @returns {Fact}
 */
function partOf(statistic, names, group) {
  const { kind, vector } = statistic;
  const column = (/** @type {number} */ place) =>
    names?.columns[place] ??
    (place || partly(statistic) ? say("page-place-column", { number: place + 1 }) : null);
  if (kind === "average") {
    const place = statistic.columns[statistic.columns.length > 1 ? group : 0];
    return fact("page-computes-average", { first: statistic.first, column: column(place) });
  }
  if (kind === "share")
    return fact("page-computes-share", { threshold: statistic.below[statistic.below.length > 1 ? group : 0] });
  if (kind !== "entry") return computed(statistic);
  switch (vector.kind) {
    case "averages":
    case "inside":
    case "large":
      return fact(`page-computes-${vector.kind}`, { column: column(group) });
    case "categories":
      return fact("page-computes-category", { category: categoryName(vector, names, group) });
    case "below":
      return fact("page-computes-share", { threshold: vector.thresholds[group] });
    default:
      return computed(statistic);
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
