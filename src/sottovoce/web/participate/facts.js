/**
 * What a question and a manifest say to the owner of a device, as facts: those of the Python package (statistics,
 * placements, channels, explain/question_explanation.py, explain/question_explanation.py), which a test holds beside these.
 */

import { epsilonOf } from "../device/channels.js";
import { asNumber } from "../device/exact.js";
import { fact } from "../client/fact.js";
import { inclusion, kept, part, rateOf } from "./law.js";

/** @typedef {import("../client/fact.js").Fact} Fact */

const SHOWN = 20;
const MEASURED = new Set(["average", "item", "each", "entry of averages"]);
/** What a manifest's name for a vector leaves open. @type {Record<string, Record<string, any>>} */
const OPEN = { inside: { ball: false }, categories: { size: null }, below: { size: null }, cosines: { size: null } };

/**
 * What a device may compute, by the name that a manifest has for it (`"norm of categories"`).
 * @param {string} statistic
 * @returns {Fact}
 */
export function named(statistic) {
  const [kind, vector] = statistic.split(" of ");
  if (kind === "average") return fact("computes-average-or-first");
  if (kind === "category") return fact("computes-category", { size: null });
  if (kind === "joint") return fact("computes-joint", { places: null });
  const of = vector === undefined ? {} : { vector: fact(`vector-${vector}`, OPEN[vector]) };
  return fact(`computes-${kind}`, kind === "direction" ? { ...of, directions: null } : of);
}

/**
 * Everything that a manifest says may be computed, each once, with the ranges of observations.
 * @param {any} manifest
 * @returns {Fact[]}
 */
export function mayCompute(manifest) {
  /** @type {Map<string, Fact>} */
  const found = new Map();
  for (const way of manifest.rules.ways) {
    const about = manifest.groups?.length ? "groups" : way.columns > 1 ? "columns" : "";
    const columns = about === "columns" ? way.columns : 1;
    const name = JSON.stringify([way.statistic, about, columns]);
    const what = fact("may-compute", { what: named(way.statistic), about, columns, ranges: [] });
    const { ranges } = (found.get(name) ?? found.set(name, what).get(name) ?? what).data;
    if (!MEASURED.has(way.statistic) || way.placement === "bins") continue;
    if (!ranges.some(({ data }) => data.low === way.low && data.high === way.high)) ranges.push(span(way));
  }
  return [...found.values()];
}

/** @param {{low: number, high: number}} way @returns {Fact} */
function span({ low, high }) {
  const close = Math.abs(high - low) < 1e-3 * Math.max(Math.abs(low), Math.abs(high));
  return fact(close ? "consent-span-to-the-last-digit" : "consent-span", { low, high });
}

/**
 * What a device computes for a question, and of which observations.
 * @param {any} encoder
 * @returns {Fact}
 */
export function computes({ statistic, within }) {
  return within ? fact("computes-within", { what: computed(statistic), within: inGroup(within) }) : computed(statistic);
}

/** Which observations count where a question looks within a group. @param {any} within */
export function inGroup(within) {
  return within.stride ? fact("within-drawn") : fact("within-dealt", { groups: within.count });
}

/**
 * What a device computes of observations.
 * @param {any} statistic
 * @returns {Fact}
 */
export function computed(statistic) {
  const { kind, vector } = statistic;
  const code = `computes-${kind}`;
  switch (kind) {
    case "average":
      return fact(code, { first: statistic.first, several: statistic.columns.length > 1 });
    case "category":
      return fact(code, { size: sizeOf(vector) });
    case "joint":
      return fact(code, { places: statistic.centres.length * statistic.levels });
    case "direction":
      return fact(code, { vector: vectorOf(vector), directions: 2 * statistic.rows });
    default:
      return vector ? fact(code, { vector: vectorOf(vector) }) : fact(code);
  }
}

/** @param {any} vector @returns {Fact} */
function vectorOf(vector) {
  const code = `vector-${vector.kind}`;
  if (vector.kind === "inside") return fact(code, { ball: vector.ball === "l2" });
  return vector.kind in OPEN ? fact(code, { size: sizeOf(vector) }) : fact(code);
}

/** @param {any} vector */
function sizeOf(vector) {
  if (vector.kind === "below") return vector.thresholds.length;
  return vector.kind === "categories" ? binsOf(vector.places) : vector.size;
}

/** How many bins a placement has; null of a position, and of knots. @param {any} placement */
export function binsOf(placement) {
  return placement.count ?? (placement.edges ? placement.edges.length + 1 : null);
}

/**
 * The ends of a placement, for a group.
 * @param {any} placement
 * @param {number} group
 */
export function endsOf({ low, high }, group) {
  const [lows, highs] = [[low].flat(), [high].flat()];
  const at = lows.length > 1 ? group : 0;
  return [lows[at], highs[at]];
}

/**
 * What becomes of what was not observed.
 * @param {any} encoder
 * @returns {Fact}
 */
export function nothing({ statistic, placement, empty, within }) {
  const code = empty ?? without(statistic);
  const group = Boolean(within);
  const knots = placement.kind === "knots" && code.startsWith("middle");
  return knots ? fact("nothing-at", { place: placement.nothing, group }) : fact(`nothing-${code}`, { group });
}

/** @param {any} statistic */
function without({ kind, vector }) {
  if (kind === "hashed" || vector?.kind === "large") return "large";
  if (kind === "norm" || kind === "direction") return "as-point";
  return { rotated: "as-middle", nearest: "as-zero", category: "middle-category" }[kind] ?? "middle";
}

/**
 * Where what is computed falls.
 * @param {any} encoder
 * @returns {Fact}
 */
export function placed({ statistic, placement }) {
  const { kind, low, high } = placement;
  const bins = binsOf(placement);
  if (kind === "bins") return fact("placed-bins", { bins });
  if (kind === "position") return fact("placed-position", { range: rangeOf(placement) });
  if (kind === "knots") {
    const range = rangeOf({ low: [low], high: [high] });
    return fact("placed-knots", { knots: placement.inner.length + 2, range });
  }
  const numbered = ["nearest", "category", "joint", "direction"].includes(statistic.kind);
  if (numbered && low.length === 1 && low[0] === 0 && high[0] === bins) return fact("placed-number", { count: bins });
  return fact("placed-grid", { bins, range: rangeOf(placement) });
}

/** @param {any} placement @returns {Fact} */
function rangeOf({ low, high }) {
  const alike = low.every(
    (/** @type {number} */ one, /** @type {number} */ k) => one === low[0] && high[k] === high[0],
  );
  return fact("asked-range", { low: low[0], high: high[0], groups: alike ? 1 : low.length });
}

/**
 * How large a report is, for everybody.
 * @param {any} question
 * @param {number} bytes
 */
export function size({ encoder, uses, groups }, bytes) {
  return fact("report-size", { bytes, uses, each: encoder.statistic.kind === "each", groups });
}

/**
 * What the channel does with what goes in.
 * @param {any} channel
 * @returns {Fact}
 */
export function randomised(channel) {
  const { items, rows } = channel;
  switch (channel.kind) {
    case "table":
      return rows[0].length > 2
        ? fact("channel-table", { symbols: rows[0].length, ...likelier(asNumber(epsilonOf(channel))) })
        : fact("channel-coin", { least: part(rows[0][1]), most: part(rows[rows.length - 1][1]) });
    case "subset":
      return fact("channel-subset", { size: channel.size, items, chance: inclusion(channel).own });
    case "unary":
      return fact("channel-unary", { items, reach: channel.reach, chance: 1 - kept(channel) });
    default:
      return fact("channel-laplace", { steps: channel.steps, deviation: deviationOf(channel) });
  }
}

/** The standard deviation of laplace noise, as a part of the scale. @param {any} laplace */
function deviationOf(laplace) {
  const rate = rateOf(laplace);
  return Math.sqrt(2 * Math.exp(-rate)) / -Math.expm1(-rate) / laplace.steps;
}

/** How many times as likely a report may become; null where the number would say nothing. @param {number} epsilon */
const likelier = (epsilon) => ({ epsilon, times: epsilon <= 100 ? Math.exp(epsilon) : null });

/** What a report costs at most. @param {number} epsilon @returns {Fact} */
export const cost = (epsilon) => fact("consent-cost", likelier(epsilon));

/** Who is asked, and how many have to answer before anything is shown. @param {any} manifest @returns {Fact} */
export function people({ rules, minimum }) {
  const last = rules.waves[rules.waves.length - 1];
  return fact("consent-people", { users: last.first + last.count, minimum });
}

/** How long reports are kept. @param {any} manifest @returns {Fact} */
export const deletion = (manifest) => fact("consent-kept", { days: manifest.retention_days });

/** What the one report is about. @param {any} manifest @returns {Fact} */
export const fromYou = (manifest) => fact("consent-from-you", { what: mayCompute(manifest) });

/** The first of some names, and how many more there are. @param {readonly string[]} names */
export const someNames = (names) => ({
  names: names.slice(0, SHOWN),
  more: Math.max(0, names.length - SHOWN),
  several: names.length > 1,
});

/** How far from now. @param {number} seconds @returns {Fact} */
export function lasting(seconds) {
  const size = Math.max(0, seconds);
  if (size < 90) return fact("lasting-seconds", { n: Math.round(size) });
  if (size < 5400) return fact("lasting-minutes", { n: Math.round(size / 60) });
  if (size < 172_800) return fact("lasting-hours", { n: Math.round(size / 3600) });
  return fact("lasting-days", { n: Math.round(size / 86_400) });
}
