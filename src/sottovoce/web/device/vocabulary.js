// The closed vocabularies of an encoder: what a device computes from a collection (a statistic, perhaps of a vector),
// and where that falls (a placement).

import { all, isObject, list, member, reader, real, records } from "./codec.js";
import { MAX_ITEMS, MAX_VALUE } from "./limits.js";

/** @typedef {import("./codec.js").Test} Test */
/** @typedef {(one: any) => number} Says */

const [number, far] = [real(-Infinity), real(-MAX_VALUE, MAX_VALUE)];
const increasing = reader("a rising list", (values) => all(values, (one, place) => !(values[place + 1] <= one)));
/** @type {Test} */
const ranges = ({ low, high }) =>
  low.length === high.length && all(low, (end, place) => end < high[place] && high[place] - end < Infinity);
/** @type {Test} */
const wide = ({ low, high }) => high - low >= 1 / MAX_VALUE;
/** @type {Test} */
const centred = ({ vector, centre }) => centre.length === sizeOf(vector);

/** @type {import("./codec.js").Readers} */
const types = {
  point: list(number, 1),
  far,
  half: real(1 / MAX_VALUE, MAX_VALUE),
  threshold: real(0),
  rising: (value, where) => increasing(list(number, 1, MAX_ITEMS)(value, where), where),
  edges: (value, where) => increasing(list(number, 0, MAX_ITEMS - 1)(value, where), where),
};
const PLACED = records(
  `position low:number+ high:number+
  grid low:number+ high:number+ count:1..65536
  bins edges:edges`,
  types,
  { position: ranges, grid: ranges },
);
const { grid, bins } = PLACED;
const VECTORS = records(
  `averages size:1..65536
  inside size:1..65536 middle:far* half:half* ball:l2|linf
  large size:1..65536 threshold:threshold
  categories places:binned labels:digest? column:0..
  below thresholds:rising column:0..
  cosines low:far high:far size:1..64 column:0..`,
  { ...types, binned: member({ grid, bins }) },
  {
    inside: (one) => all([one.middle, one.half], ({ length }) => length === 1 || length === one.size),
    categories: (one) => partsOf(one.places) === 1,
    cosines: wide,
  },
);
const { categories } = VECTORS;
const MEASURED = records(
  `average columns:0..+ first:1..?
  item column:0..
  each column:0..
  share below:number+ column:0..
  rotated seed:0.. size:1..65536 centre:number+ radius:positive
  basis low:far high:far functions:1..65537+ column:0..
  hashed seed:0.. columns:1..65536 threshold:threshold
  residual seed:0.. centres:rising column:0..
  nearest centres:point+ metric:l2|linf
  entry vector:vector
  coefficient vector:vector
  norm vector:vector centre:number*
  direction vector:vector centre:number* radius:positive seed:0.. rows:1..64
  category vector:categories
  joint centres:rising reach:positive levels:2.. column:0..`,
  { ...types, vector: member(VECTORS), categories: member({ categories }) },
  {
    rotated: (one) => one.size === power(one.size) && one.centre.length <= one.size,
    basis: wide,
    nearest: ({ centres }) => all(centres, ({ length }) => length === centres[0].length),
    coefficient: (one) => sizeOf(one.vector) > 1,
    norm: centred,
    direction: centred,
    joint: (one) => one.levels * one.centres.length <= MAX_ITEMS,
  },
);

export const readStatistic = member(MEASURED);
export const readPlacement = member(PLACED);
export const PLACEMENTS = Object.keys(PLACED);
/** @type {Record<string, object>} */
const OF = { entry: VECTORS, coefficient: VECTORS, norm: VECTORS, direction: VECTORS, category: { categories } };
export const STATISTICS = Object.keys(MEASURED).flatMap((kind) =>
  OF[kind] ? Object.keys(OF[kind]).map((name) => `${kind} of ${name}`) : kind,
);
/** The name of a statistic, and of the vector that it is of. @type {(statistic: any) => string} */
export const kindOf = ({ kind, vector }) => (vector ? `${kind} of ${vector.kind}` : kind);

/** The smallest power of two that is at least so many. @type {(many: number) => number} */
const power = (many) => 2 ** (32 - Math.clz32(many - 1));
/** @type {(values: readonly number[]) => number} */
export const largest = (values) => values.reduce((a, b) => Math.max(a, b));

/** Bins of a placement. @type {(placement: any) => number | null} */
export const countOf = ({ count, edges }) => count ?? (edges ? edges.length + 1 : null);
/** Entries of a vector. @type {Says} */
export const sizeOf = ({ size, thresholds, places }) => size ?? thresholds?.length ?? countOf(places);

/** How much the field listed by kind holds. @type {(one: any, by: Record<string, string>, none: number) => number} */
const held = (one, by, none) => {
  const value = one[by[one.kind]] ?? none;
  return isObject(value) ? sizeOf(value) : (value.length ?? value);
};
const PARTS = { average: "columns", share: "below", rotated: "size", basis: "functions", entry: "vector" };
const BREADTH = { rotated: "size", joint: "centres", entry: "vector", coefficient: "vector", norm: "vector" };
const SIGNED = { hashed: "columns", residual: "centres" };

/** For how many groups a statistic or placement has a definition of its own. @type {Says} */
export const partsOf = (one) => {
  if (one.kind === "coefficient") return power(sizeOf(one.vector)) - 1;
  return held(one, { ...PARTS, position: "low", grid: "low" }, 1);
};
/** How many numbers a statistic needs at once. @type {Says} */
export const breadthOf = (one) => {
  if (one.kind === "direction") return 4 * Math.max(128, power(sizeOf(one.vector)));
  if (one.kind === "nearest") return one.centres.length * one.centres[0].length;
  return held(one, { ...BREADTH, ...SIGNED }, 1);
};
/** How many columns of a collection a statistic, or a vector, looks at. @type {Says} */
export const dimensionOf = (one) => {
  if (one.vector) return dimensionOf(one.vector);
  if (one.column >= 0) return one.column + 1;
  if (one.kind === "average") return largest(one.columns) + 1;
  return one.centre?.length ?? one.centres?.[0].length ?? one.columns ?? one.size;
};
/** How many public signs a statistic has. @type {Says} */
export const signedOf = (one) => held(one, SIGNED, 0);
/** Cells of its tally, where it is not the channel that says; else 0. @type {Says} */
export const ownCellsOf = (one) => {
  const signed = signedOf(one);
  return one.kind === "direction" ? 2 * sizeOf(one.vector) : signed && signed + 1;
};
