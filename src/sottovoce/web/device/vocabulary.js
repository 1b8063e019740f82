// What a device computes from a collection (a statistic, perhaps of a vector), and where that falls (a placement).

import { isObject, list, member, real, records } from "./codec.js";
import { MAX_ITEMS } from "./limits.js";

const MAX_VALUE = 1e150;
const rises = (values) => values.every((one, place) => !(values[place + 1] <= one));
const ranges = ({ low, high }) =>
  low.length === high.length && low.every((end, place) => end < high[place] && high[place] - end < Infinity);
export const segmentsOf = ({ low, inner, high }) => ({ low: [low, ...inner], high: [...inner, high] });
const knotted = (one) => {
  const { low, high } = segmentsOf(one);
  const width = one.high - one.low;
  const apart = low.every((end, place) => end < high[place] && high[place] - end >= width * 2 ** -20);
  return apart && width < Infinity && low.length < 64 && one.low <= one.nothing && one.nothing <= one.high;
};
const wide = ({ low, high }) => high - low >= 1 / MAX_VALUE;
const centred = ({ vector, centre }) => centre.length === sizeOf(vector);
const types = {
  point: list(real(-Infinity), 1),
  far: real(-MAX_VALUE, MAX_VALUE),
  half: real(1 / MAX_VALUE, MAX_VALUE),
  threshold: real(0),
};

const PLACED = records(
  `position low:number+ high:number+
  knots low:number high:number inner:number* nothing:number
  grid low:number+ high:number+ count:1..65536
  bins edges:number*`,
  types,
  { position: ranges, knots: knotted, grid: ranges, bins: ({ edges }) => rises(edges) && edges.length < MAX_ITEMS },
);
const { grid, bins } = PLACED;
const VECTORS = records(
  `averages size:1..65536
  inside size:1..65536 middle:far* half:half* ball:l2|linf
  large size:1..65536 threshold:threshold
  categories places:binned labels:digest? column:0..
  below thresholds:number+ column:0..
  cosines low:far high:far size:1..64 column:0..`,
  { ...types, binned: member({ grid, bins }) },
  {
    inside: ({ size, middle, half }) => [middle, half].every(({ length }) => length === 1 || length === size),
    categories: ({ places }) => partsOf(places) === 1,
    below: ({ thresholds }) => rises(thresholds),
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
  residual seed:0.. centres:number+ column:0..
  nearest centres:point+ metric:l2|linf
  entry vector:vector
  coefficient vector:vector
  norm vector:vector centre:number*
  direction vector:vector centre:number* radius:positive seed:0.. rows:1..64
  category vector:categories
  joint centres:number+ reach:positive levels:2.. column:0..`,
  { ...types, vector: member(VECTORS), categories: member({ categories }) },
  {
    rotated: ({ size, centre }) => size === power(size) && centre.length <= size,
    basis: wide,
    residual: ({ centres }) => rises(centres),
    nearest: ({ centres }) => centres.every(({ length }) => length === centres[0].length),
    coefficient: ({ vector }) => sizeOf(vector) > 1,
    norm: centred,
    direction: centred,
    joint: ({ centres, levels }) => rises(centres) && levels * centres.length <= MAX_ITEMS,
  },
);

export const readStatistic = member(MEASURED);
export const readPlacement = member(PLACED);
export const PLACEMENTS = Object.keys(PLACED);
const OF = { entry: VECTORS, coefficient: VECTORS, norm: VECTORS, direction: VECTORS, category: { categories } };
export const STATISTICS = Object.keys(MEASURED).flatMap((kind) =>
  OF[kind] ? Object.keys(OF[kind]).map((name) => `${kind} of ${name}`) : kind,
);
export const kindOf = ({ kind, vector }) => (vector ? `${kind} of ${vector.kind}` : kind);

export const power = (many) => 2 ** (32 - Math.clz32(many - 1));

export const countOf = ({ count, edges }) => count ?? (edges ? edges.length + 1 : null);
export const sizeOf = ({ size, thresholds, places }) => size ?? thresholds?.length ?? countOf(places);

const SIGNED = { hashed: "columns", residual: "centres" };
const SIZED = { rotated: "size", entry: "vector" };
const BREADTH = { joint: "centres", coefficient: "vector", norm: "vector", ...SIZED, ...SIGNED };
const PARTS = { average: "columns", share: "below", basis: "functions", position: "low", grid: "low", ...SIZED };
const held = (one, by, none) => {
  const value = one[by[one.kind]] ?? none;
  return isObject(value) ? sizeOf(value) : (value.length ?? value);
};

// Parts for groups, numbers held at once, columns looked at, signs; whether it is NaN with nothing observed, and one
// number of one column; cells of its own tally, or 0.
export const partsOf = (one) => (one.kind === "coefficient" ? power(sizeOf(one.vector)) - 1 : held(one, PARTS, 1));
export const breadthOf = (one) => {
  if (one.kind === "direction") return 4 * Math.max(128, power(sizeOf(one.vector)));
  return one.kind === "nearest" ? one.centres.length * one.centres[0].length : held(one, BREADTH, 1);
};
export const dimensionOf = (one) => {
  if (one.vector) return dimensionOf(one.vector);
  if (one.column >= 0) return one.column + 1;
  if (one.kind === "average") return one.columns.reduce((a, b) => Math.max(a, b)) + 1;
  return one.centre?.length ?? one.centres?.[0].length ?? one.columns ?? one.size;
};
export const signedOf = (one) => held(one, SIGNED, 0);
export const silentOf = (one) => !(one.centre || one.metric || signedOf(one) || one.vector?.kind === "large");
export const loneOf = (one) =>
  silentOf(one) && partsOf(one) === 1 && one.kind !== "each" && (one.columns || (one.vector ?? one).column >= 0);
export const ownCellsOf = (one) =>
  one.kind === "direction" ? 2 * sizeOf(one.vector) : signedOf(one) && signedOf(one) + 1;
