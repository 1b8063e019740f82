// The closed vocabularies of an encoder: what a device computes from a collection (a statistic, perhaps of a vector), and
// where that falls (a placement). Of each kind its fields, and what they must be together.

import { among, digested, int, list, maybe, member, number, positive, real } from "./codec.js";
import { check } from "./errors.js";
import { MAX_GROUPS, MAX_ITEMS, MAX_VALUE, MAX_WAVES } from "./limits.js";

/** @typedef {Record<string, [import("./codec.js").Fields, ((one: any) => unknown)?]>} Vocabulary */

const LEAST_TURNED = 128;
const [column, seed, size, radius, threshold] = [int(0), int(0), int(1, MAX_ITEMS), positive(), real(0)];
const some = list(number, 1, MAX_GROUPS);
const ends = { low: some, high: some };
const window = { low: real(-MAX_VALUE), high: real(-MAX_VALUE, MAX_VALUE), column };

/** Numbers that increase strictly. @type {(least: number, most: number) => import("./codec.js").Reader} */
const rising = (least, most) => (value, where) => {
  /** @type {number[]} */
  const read = list(number, least, most)(value, where);
  check(read.every((item, place) => !place || read[place - 1] < item), `${where}: numbers that increase were expected`);
  return read;
};

/** @type {(one: {low: number[], high: number[]}) => boolean} */
const ranges = ({ low, high }) =>
  low.length === high.length && low.every((start, place) => start < high[place] && high[place] - start < Infinity);
/** @type {(one: {low: number, high: number}) => boolean} */
const wide = ({ low, high }) => low < high && high - low >= 1 / MAX_VALUE;
/** @type {(one: {vector: any, centre: number[]}) => boolean} */
const centred = ({ vector, centre }) => centre.length === sizeOf(vector);

/** @type {Vocabulary} */
const BINNED = { grid: [{ ...ends, count: size }, ranges], bins: [{ edges: rising(0, MAX_ITEMS - 1) }] };
/** @type {Vocabulary} */
const PLACED = { position: [ends, ranges], ...BINNED };
/** @type {Vocabulary} */
const VECTORS = {
  averages: [{ size }],
  inside: [
    {
      size,
      middle: list(real(-MAX_VALUE, MAX_VALUE)),
      half: list(real(1 / MAX_VALUE, MAX_VALUE)),
      ball: among("linf", "l2"),
    },
    (one) => [one.middle, one.half].every(({ length }) => length === 1 || length === one.size),
  ],
  large: [{ size, threshold }],
  categories: [{ places: member(BINNED), labels: maybe(digested), column }, (one) => partsOf(one.places) === 1],
  below: [{ thresholds: rising(1, MAX_ITEMS), column }],
  cosines: [{ ...window, size: int(1, MAX_WAVES) }, wide],
};
const vector = member(VECTORS);
const around = { vector, centre: list(number) };
/** @type {Vocabulary} */
const MEASURED = {
  average: [{ columns: list(column, 1, MAX_GROUPS), first: maybe(int(1)) }],
  item: [{ column }],
  each: [{ column }],
  share: [{ below: some, column }],
  rotated: [
    { seed, size, centre: some, radius },
    (one) => one.size === nextPower(one.size) && one.centre.length <= one.size,
  ],
  basis: [{ ...window, functions: list(int(1, MAX_GROUPS + 1), 1, MAX_GROUPS) }, wide],
  hashed: [{ seed, columns: size, threshold }],
  residual: [{ seed, centres: rising(1, MAX_GROUPS), column }],
  nearest: [
    { centres: list(list(number, 1), 1, MAX_ITEMS), metric: among("l2", "linf") },
    ({ centres }) => new Set(centres.map((/** @type {number[]} */ centre) => centre.length)).size === 1,
  ],
  entry: [{ vector }],
  coefficient: [{ vector }, (one) => sizeOf(one.vector) > 1],
  norm: [around, centred],
  direction: [{ ...around, radius, seed, rows: int(1, LEAST_TURNED / 2) }, centred],
  category: [{ vector: member({ categories: VECTORS.categories }) }],
  joint: [
    { centres: rising(1, MAX_GROUPS), reach: radius, levels: int(2, MAX_ITEMS), column },
    (one) => one.levels <= Math.floor(MAX_ITEMS / one.centres.length),
  ],
};

export const readStatistic = member(MEASURED);
export const readPlacement = member(PLACED);
export const PLACEMENTS = Object.keys(PLACED);
export const STATISTICS = Object.entries(MEASURED).flatMap(([kind, [fields]]) => {
  const vectors = kind === "category" ? ["categories"] : Object.keys(VECTORS);
  return fields.vector ? vectors.map((name) => `${kind} of ${name}`) : [kind];
});

/** The name of a statistic, and of the vector that it is of. @type {(statistic: any) => string} */
export const kindOf = ({ kind, vector: held }) => (held ? `${kind} of ${held.kind}` : kind);

/** @type {(held: Record<string, any>, kind: string) => any} */
const pick = (held, kind) => held[kind];
/** The smallest power of two that is at least so many. @param {number} many */
export const nextPower = (many) => 2 ** (32 - Math.clz32(many - 1));
/** @type {(values: readonly number[]) => number} */
export const largest = (values) => values.reduce((a, b) => Math.max(a, b));

/** How many bins a placement has. @type {(placement: any) => number | null} */
export const countOf = ({ count, edges }) => count ?? (edges ? edges.length + 1 : null);
/** How many entries a vector has. @type {(vector: any) => number} */
export const sizeOf = (one) => one.size ?? one.thresholds?.length ?? countOf(one.places ?? {});

/** For how many groups a statistic or placement has a definition of its own. @type {(one: any) => number} */
export const partsOf = (one) => {
  const { kind, columns, below, functions, low } = one;
  const entries = sizeOf(one.vector ?? one);
  const lists = { average: columns, share: below, basis: functions, position: low, grid: low };
  const sizes = { rotated: entries, entry: entries, coefficient: nextPower(entries) - 1 };
  return pick(lists, kind)?.length ?? pick(sizes, kind) ?? 1;
};

/** How many numbers a statistic needs at once. @type {(statistic: any) => number} */
export const breadthOf = (one) => {
  const [entries, centres] = [sizeOf(one.vector ?? one), one.centres?.length];
  const direction = 4 * Math.max(LEAST_TURNED, nextPower(entries));
  const ofVector = { entry: entries, coefficient: entries, norm: entries, rotated: entries, direction };
  const nearest = centres * one.centres?.[0].length;
  return pick({ ...ofVector, hashed: one.columns, residual: centres, joint: centres, nearest }, one.kind) ?? 1;
};

/** How many columns of a collection a statistic, or a vector, looks at. @type {(one: any) => number} */
export const dimensionOf = (one) => {
  if (one.vector) return dimensionOf(one.vector);
  if (one.column !== undefined) return one.column + 1;
  if (one.kind === "average") return largest(one.columns) + 1;
  return one.centre?.length ?? one.centres?.[0].length ?? one.columns ?? one.size;
};

/** How many public signs a statistic has. @type {(statistic: any) => number} */
export const signedOf = (one) => (["hashed", "residual"].includes(one.kind) ? breadthOf(one) : 0);
/** Cells of its tally, where it is not the channel that says. @type {(statistic: any) => number | null} */
export const ownCellsOf = (one) => {
  if (one.kind === "direction") return 2 * sizeOf(one.vector);
  return signedOf(one) ? signedOf(one) + 1 : null;
};
