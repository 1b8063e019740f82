// The closed vocabularies of an encoder: what a device computes from a collection (a statistic, perhaps of a vector), and
// where that falls (a placement). Data only: the fields of each kind, what they must be together (`also`), and what it
// says of itself. `parts`: for how many groups it has a definition of its own; `breadth`: how many numbers it needs at
// once; `dimension`: how many columns of a collection it looks at; `signed`: how many public signs it has; `cells`: how
// many cells its tally has where it is not the channel that says; `size`: entries of a vector; `count`: bins.

import { among, digested, int, list, maybe, member, number, positive } from "./codec.js";
import { check } from "./errors.js";
import { MAX_FUNCTION, MAX_GROUPS, MAX_ITEMS, MAX_SEED, MAX_VALUE, MAX_WAVES } from "./limits.js";

/** @typedef {import("./codec.js").Member} Member */
/** @typedef {(one: any) => number} Says */
/**
 * @typedef {{fields: import("./codec.js").Fields, also?: (one: any) => void, parts?: Says, breadth?: Says,
 *   dimension?: Says, signed?: Says, cells?: Says, size?: Says, count?: Says}} Kind
 */
/** @typedef {Record<string, Kind>} Vocabulary */

const LEAST_TURNED = 128;
const [column, seed, size, radius] = [int(0), int(0, MAX_SEED), int(1, MAX_ITEMS), positive()];
const [numbers, some] = [list(number), list(number, 1, MAX_GROUPS)];

/** @type {(values: readonly number[]) => void} */
const rising = (values) =>
  check(values.every((value, place) => !place || values[place - 1] < value), "numbers increase strictly");

/** @type {(one: {low: number[], high: number[]}) => void} */
const checkRanges = ({ low, high }) => {
  check(low.length === high.length, "low and high: one for all groups, or one for each");
  const widths = low.map((start, place) => high[place] - start);
  check(widths.every((width) => width > 0 && width < Infinity), "low lies below high, and high − low is finite");
};

/** @type {(one: {low: number, high: number}) => void} */
const checkRange = ({ low, high }) => {
  check(-MAX_VALUE <= low && low < high && high <= MAX_VALUE, `low lies below high, both within ±${MAX_VALUE}`);
  check(high - low >= 1 / MAX_VALUE, `high − low is at least ${1 / MAX_VALUE}`);
};

/** @type {(one: {vector: Member, centre: number[]}) => void} */
const checkCentre = ({ vector, centre }) =>
  check(centre.length === sizeOf(vector), "the centre has as many entries as the vector");

/** @type {(low: number) => (one: {vector: Member}) => void} */
const sized = (low) => ({ vector }) =>
  check(low <= sizeOf(vector) && sizeOf(vector) <= MAX_GROUPS, `${low} to ${MAX_GROUPS} entries`);

/** The smallest power of two that is at least so many. @param {number} many */
export const nextPower = (many) => 2 ** (32 - Math.clz32(many - 1));

/** @type {Record<string, Says>} */
const oneColumn = { dimension: (one) => one.column + 1 };
/** @type {Record<string, Says>} */
const averaged = { dimension: (one) => one.size, size: (one) => one.size };
/** @type {Record<string, Says>} */
const ofVector = { breadth: (one) => sizeOf(one.vector), dimension: (one) => dimensionOf(one.vector) };

/** @type {Vocabulary} */
const BINNED = {
  grid: {
    fields: { low: some, high: some, count: size },
    also: checkRanges,
    parts: (one) => one.low.length,
    count: (one) => one.count,
  },
  bins: {
    fields: { edges: list(number, 0, MAX_ITEMS - 1) },
    also: (one) => rising(one.edges),
    count: (one) => one.edges.length + 1,
  },
};

/** @type {Vocabulary} */
const PLACED = {
  position: { fields: { low: some, high: some }, also: checkRanges, parts: (one) => one.low.length },
  ...BINNED,
};

/** @type {Vocabulary} */
const VECTORS = {
  averages: { fields: { size }, ...averaged },
  inside: {
    fields: { size, middle: numbers, half: numbers, ball: among("linf", "l2") },
    also({ size: entries, middle, half }) {
      const fits = [middle, half].every((held) => held.length === 1 || held.length === entries);
      check(fits, "middle and half: one entry for all columns, or one for each");
      check(middle.every((/** @type {number} */ at) => Math.abs(at) <= MAX_VALUE), `the middle is within ±${MAX_VALUE}`);
      const known = half.every((/** @type {number} */ width) => 1 / MAX_VALUE <= width && width <= MAX_VALUE);
      check(known, `half a range is ${1 / MAX_VALUE} to ${MAX_VALUE}`);
    },
    ...averaged,
  },
  large: { fields: { size, threshold: number }, also: checkThreshold, ...averaged },
  categories: {
    fields: { places: member(BINNED), labels: maybe(digested), column },
    also: (one) => check(partsOf(one.places) === 1, "categories: one range"),
    size: (one) => /** @type {number} */ (countOf(one.places)),
    ...oneColumn,
  },
  below: {
    fields: { thresholds: list(number, 1, MAX_ITEMS), column },
    also: (one) => rising(one.thresholds),
    size: (one) => one.thresholds.length,
    ...oneColumn,
  },
  cosines: {
    fields: { low: number, high: number, size: int(1, MAX_WAVES), column },
    also: checkRange,
    size: (one) => one.size,
    ...oneColumn,
  },
};

const vector = member(VECTORS);

/** @type {Vocabulary} */
const MEASURED = {
  average: {
    fields: { columns: list(column, 1, MAX_GROUPS), first: maybe(int(1)) },
    parts: (one) => one.columns.length,
    dimension: (one) => largest(one.columns) + 1,
  },
  item: { fields: { column }, ...oneColumn },
  each: { fields: { column }, ...oneColumn },
  share: { fields: { below: some, column }, parts: (one) => one.below.length, ...oneColumn },
  rotated: {
    fields: { seed, size: int(1, MAX_GROUPS), centre: list(number, 1), radius },
    also: (one) => {
      check(nextPower(one.size) === one.size, "a rotation's size is a power of two");
      check(one.centre.length <= one.size, "the centre has at most as many columns as the rotation");
    },
    parts: (one) => one.size,
    breadth: (one) => one.size,
    dimension: (one) => one.centre.length,
  },
  basis: {
    fields: { low: number, high: number, functions: list(int(1, MAX_FUNCTION), 1, MAX_GROUPS), column },
    also: checkRange,
    parts: (one) => one.functions.length,
    ...oneColumn,
  },
  hashed: {
    fields: { seed, columns: size, threshold: number },
    also: checkThreshold,
    breadth: (one) => one.columns,
    dimension: (one) => one.columns,
    signed: (one) => one.columns,
    cells: (one) => one.columns + 1,
  },
  residual: {
    fields: { seed, centres: some, column },
    also: (one) => rising(one.centres),
    breadth: (one) => one.centres.length,
    signed: (one) => one.centres.length,
    cells: (one) => one.centres.length + 1,
    ...oneColumn,
  },
  nearest: {
    fields: { centres: list(list(number, 1), 1, MAX_ITEMS), metric: among("l2", "linf") },
    also({ centres }) {
      const alike = centres.every((/** @type {number[]} */ centre) => centre.length === centres[0].length);
      check(alike, "centres share columns");
    },
    breadth: (one) => one.centres.length * one.centres[0].length,
    dimension: (one) => one.centres[0].length,
  },
  entry: { fields: { vector }, also: sized(1), ...ofVector, parts: (one) => sizeOf(one.vector) },
  coefficient: { fields: { vector }, also: sized(2), ...ofVector, parts: (one) => nextPower(sizeOf(one.vector)) - 1 },
  norm: { fields: { vector, centre: numbers }, also: checkCentre, ...ofVector },
  direction: {
    fields: { vector, centre: numbers, radius, seed, rows: int(1, LEAST_TURNED / 2) },
    also: checkCentre,
    breadth: (one) => 4 * turnedOf(one),
    dimension: (one) => dimensionOf(one.vector),
    cells: (one) => 2 * sizeOf(one.vector),
  },
  category: {
    fields: { vector: member({ categories: VECTORS.categories }) },
    dimension: (one) => dimensionOf(one.vector),
  },
  joint: {
    fields: { centres: some, reach: positive(), levels: int(2), column },
    also({ centres, levels }) {
      rising(centres);
      check(levels <= Math.floor(MAX_ITEMS / centres.length), `at most ${MAX_ITEMS} symbols`);
    },
    breadth: (one) => one.centres.length,
    ...oneColumn,
  },
};

/** @type {(one: {threshold: number}) => void} */
function checkThreshold({ threshold }) {
  check(threshold >= 0, "the threshold is not negative");
}

/** @type {(values: readonly number[]) => number} */
export const smallest = (values) => values.reduce((a, b) => Math.min(a, b));
/** @type {(values: readonly number[]) => number} */
export const largest = (values) => values.reduce((a, b) => Math.max(a, b));

/** @type {Vocabulary} */
const KINDS = { ...PLACED, ...VECTORS, ...MEASURED };

/**
 * @template T
 * @param {keyof Omit<Kind, "fields" | "also">} what
 * @param {T} otherwise
 * @returns {(one: Member) => number | T}
 */
const said = (what, otherwise) => (one) => KINDS[one.kind][what]?.(one) ?? otherwise;

export const readStatistic = member(MEASURED);
export const readPlacement = member(PLACED);

export const partsOf = said("parts", 1);
export const breadthOf = said("breadth", 1);
export const dimensionOf = said("dimension", 1);
export const sizeOf = said("size", 1);
export const signedOf = said("signed", 0);
export const ownCellsOf = said("cells", null);
export const countOf = said("count", null);

/** How many entries the turned vector of a direction has. @param {Member} direction */
export const turnedOf = (direction) => Math.max(LEAST_TURNED, nextPower(sizeOf(direction.vector)));

/** The name of a statistic, and of the vector that it is of: "norm of categories". @param {Member} statistic */
export const kindOf = (statistic) =>
  statistic.vector ? `${statistic.kind} of ${statistic.vector.kind}` : String(statistic.kind);

/** The names of all statistics that there are. */
export const STATISTICS = new Set(
  Object.entries(MEASURED).flatMap(([kind, { fields }]) => {
    if (!("vector" in fields)) return [kind];
    return (kind === "category" ? ["categories"] : Object.keys(VECTORS)).map((held) => `${kind} of ${held}`);
  }),
);
export const PLACEMENTS = new Set(Object.keys(PLACED));
