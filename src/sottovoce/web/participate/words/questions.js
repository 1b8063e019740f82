/**
 * What a question and a manifest say, in words for the owner of a device: those of the Python package (statistics,
 * placements, cli/computed.py, explain/words.py), which a test reads beside these.
 */

import { count, counted, number, percent } from "../../shared/numbers.js";

/** What each problem estimates. @type {Record<string, string>} */
export const ESTIMATES = {
  mean: "the average over users of the mean of their observations",
  histogram: "the average over users of their own shares of some categories, or of numbers in bins",
  quantiles: "quantiles of the observations, each user counting alike",
  cdf: "the share of the observations up to each point, averaged over users",
  vector: "the average over users of the mean of their vectors, declared to lie in a ball or a box",
  sparse: "the mean of vectors, nearly all of whose coordinates are zero",
  density: "the average over users of the density of their own observations",
  mixture: "the mean and the share of each of several kinds of users",
  cover: "which of some given places most users' averages are nearest to",
  range: "a range that holds the users, when nobody knows the unit",
  groups: "a mean, a histogram or quantiles in each of some groups, membership being private too",
};

const MIDDLE = "with nothing observed, the middle";

/** @type {Record<string, string>} */
const VECTORS = {
  averages: "your averages",
  inside: "the places of your averages in their declared ranges",
  large: "the marks (1 or 0) of the columns in which your average is large",
  categories: "the shares of your observations in several categories",
  below: "the shares of your observations up to each of several thresholds",
  cosines: "the averages of several public waves over your observations",
};
/** @type {Record<string, (vector: string) => string>} */
const OF_VECTORS = {
  entry: (vector) => `the one that falls to you of ${vector}`,
  coefficient: (vector) => `what a public half of ${vector} adds up to, less the other half`,
  norm: (vector) => `how far ${vector} lie from a public point`,
  direction: (vector) =>
    `in which of several public directions ${vector} lie from a public point, or, by the toss of a coin, in the ` +
    "opposite one",
  category: () => "the category of one of your observations, drawn at random",
};
/** @type {Record<string, string>} */
const NUMBERS = {
  average: "the average of your observations, or of the first of them",
  item: "one of your observations, drawn at random",
  each: "each of your observations in turn",
  share: "the share of your observations up to a threshold",
  basis: "the average of a public wave over your observations",
  rotated: "one coordinate of your average, after a public rotation",
  hashed: "the sum of public signs over the columns in which your average is large",
  residual: "how far your average is from the nearest of the public points, times a public sign",
  nearest: "which of the public points is nearest to your average",
  joint: "roughly where your average lies, rounded at random to one of several places",
};
const IN_GROUP = ", counting only what you hold in one of the groups; or that you hold nothing there";
const MEASURED = new Set(["average", "item", "each", "entry of averages"]);

/**
 * What a device may compute, by the name that a manifest has for it (`"norm of categories"`).
 * @param {string} statistic
 */
export function named(statistic) {
  const [kind, vector] = statistic.split(" of ");
  return vector === undefined ? NUMBERS[kind] : OF_VECTORS[kind](VECTORS[vector]);
}

/**
 * Everything that a manifest says may be computed, each once, with the ranges of observations.
 * @param {any} manifest
 * @returns {string[]}
 */
export function mayCompute(manifest) {
  /** @type {Map<string, Set<string>>} */
  const ranges = new Map();
  for (const way of manifest.rules.ways) {
    const columns = way.columns > 1 ? `, over ${count(way.columns)} columns` : "";
    const words = named(way.statistic) + (manifest.groups?.length ? IN_GROUP : columns);
    const spans = ranges.get(words) ?? new Set();
    if (MEASURED.has(way.statistic) && way.placement !== "bins")
      spans.add(`from ${number(way.low, 6)} to ${number(way.high, 6)}`);
    ranges.set(words, spans);
  }
  return [...ranges].map(([words, spans]) => (spans.size ? `${words} (${[...spans].join(" or ")})` : words));
}

/**
 * What a device computes for a question, and of which observations.
 * @param {any} encoder
 * @returns {string}
 */
export function computes({ statistic, within }) {
  return within ? `${computed(statistic)}; ${inGroup(within)}` : computed(statistic);
}

/**
 * Which observations count where a question looks within a group.
 * @param {any} within
 */
export function inGroup(within) {
  if (!within.stride) return `only observations in the one of ${count(within.count)} groups that falls to you count`;
  return "only observations in one of your groups, drawn at random, count, and its number goes along";
}

/**
 * What a device computes of observations.
 * @param {any} statistic
 * @returns {string}
 */
export function computed(statistic) {
  switch (statistic.kind) {
    case "average": {
      const which = statistic.columns.length > 1 ? " in the column that falls to you" : "";
      if (statistic.first === null) return `the average of all your observations${which}`;
      if (statistic.first === 1) return `your first observation${which}`;
      return `the average of your first ${count(statistic.first)} observations${which}`;
    }
    case "direction":
      return (
        `in which of ${2 * statistic.rows} public directions ${vectorWords(statistic.vector)} lie from a public ` +
        "point, or, by the toss of a coin, in the opposite one"
      );
    case "category":
      return `the category, one of ${count(sizeOf(statistic.vector))}, of one of your observations, drawn at random`;
    case "joint": {
      const places = count(statistic.centres.length * statistic.levels);
      return `roughly where your average lies, rounded at random to one of ${places} places`;
    }
    case "entry":
    case "coefficient":
    case "norm":
      return OF_VECTORS[statistic.kind](vectorWords(statistic.vector));
    default:
      return NUMBERS[statistic.kind];
  }
}

/** @param {any} vector */
function vectorWords(vector) {
  switch (vector.kind) {
    case "inside":
      return vector.ball === "l2" ? "the places of your averages in a declared ball" : VECTORS.inside;
    case "categories":
      return `the shares of your observations in ${count(sizeOf(vector))} categories`;
    case "below":
      return `the shares of your observations up to each of ${count(sizeOf(vector))} thresholds`;
    case "cosines":
      return `the averages of ${count(vector.size)} public waves over your observations`;
    default:
      return VECTORS[vector.kind];
  }
}

/** @param {any} vector */
export function sizeOf(vector) {
  if (vector.kind === "below") return vector.thresholds.length;
  return vector.kind === "categories" ? binsOf(vector.places) : vector.size;
}

/** How many bins a placement has; null of a position. @param {any} placement */
export function binsOf(placement) {
  if (placement.kind === "position") return null;
  return placement.kind === "grid" ? placement.count : placement.edges.length + 1;
}

/**
 * What becomes of what was not observed.
 * @param {any} encoder
 * @returns {string}
 */
export function nothing({ statistic, empty, within }) {
  const said = empty ? `with nothing observed, ${EMPTY[empty]}` : without(statistic);
  return within ? said.replace("observed", "observed in that group") : said;
}

/** @type {Record<string, string>} */
const EMPTY = { random: "a place drawn at random", last: "the last place" };

/** @param {any} statistic */
function without(statistic) {
  switch (statistic.kind) {
    case "rotated":
      return "what was not observed counts as the middle";
    case "hashed":
      return "what was not observed is not large";
    case "nearest":
      return "what was not observed counts as zero";
    case "category":
      return "with nothing observed, the category in the middle";
    case "entry":
    case "coefficient":
      return unseen(statistic.vector);
    case "norm":
    case "direction": {
      const told = unseen(statistic.vector);
      return told === MIDDLE ? "what was not observed counts as that point" : told;
    }
    default:
      return MIDDLE;
  }
}

/** @param {any} vector */
function unseen(vector) {
  return vector.kind === "large" ? "what was not observed is not large" : MIDDLE;
}

/**
 * Where what is computed falls.
 * @param {any} encoder
 * @returns {string}
 */
export function placed({ statistic, placement }) {
  if (placement.kind === "bins") return `in which of ${count(binsOf(placement))} bins it falls`;
  if (placement.kind === "position") {
    return `where that lies ${rangeWords(placement)}, the nearer end if outside`;
  }
  const numbered = ["nearest", "category", "joint", "direction"].includes(statistic.kind);
  if (numbered && placement.low.length === 1 && placement.low[0] === 0 && placement.high[0] === placement.count) {
    return `as one of ${count(placement.count)} numbers`;
  }
  return `in which of ${count(placement.count)} equal bins ${rangeWords(placement)} it falls, the nearest if outside`;
}

/** @param {any} placement */
function rangeWords({ low, high }) {
  const first = `from ${number(low[0], 6)} to ${number(high[0], 6)}`;
  const alike = low.every(
    (/** @type {number} */ one, /** @type {number} */ k) => one === low[0] && high[k] === high[0],
  );
  return alike ? first : `${first} (in the first of ${count(low.length)} groups; each has its own range)`;
}

/**
 * How large a report is.
 * @param {any} question
 * @param {number} bytes
 */
export function size(question, bytes) {
  const each =
    question.encoder.statistic.kind === "each" ? "observation" : `of ${count(question.groups)} groups you are in`;
  const parts = question.uses === 1 ? "" : `${count(question.uses)} parts, one for each ${each}; `;
  return `${parts}${counted(bytes, "byte")} in all, the same size for everybody, whatever they hold`;
}

/**
 * What the channel does with what goes in.
 * @param {any} channel
 * @returns {string}
 */
export function randomised(channel) {
  switch (channel.kind) {
    case "table": {
      const symbols = channel.rows[0].length;
      if (symbols > 2) {
        const moved = "yours moves their chances, but each may come";
        return `your device draws one of ${count(symbols)} numbers; ${moved}`;
      }
      const [least, most] = [channel.rows[0][1], channel.rows[channel.rows.length - 1][1]].map((chance) =>
        percent(Number(chance) / 2 ** 64),
      );
      const ends = `${least} at the low end of the scale, up to ${most} at the high end`;
      return `your device tosses a coin that shows 1 with chance ${ends}`;
    }
    case "subset": {
      const chance = percent(Number(channel.threshold) / 2 ** 64);
      if (channel.size === 1)
        return `your device draws one of ${count(channel.items)}; it is what goes in with chance ${chance}`;
      const drawn = `your device draws ${count(channel.size)} of ${count(channel.items)}`;
      return `${drawn}; what goes in is among them with chance ${chance}`;
    }
    case "unary": {
      const lit =
        channel.reach === 0 ? "" : ` and ${counted(channel.reach, "box").replace("boxs", "boxes")} to each side of it`;
      const turned = percent(1 - Number(channel.threshold) / 2 ** 64);
      const ticked = `your device ticks the box of what goes in${lit}, of ${count(channel.items)} boxes`;
      return `${ticked}, and then turns every box over with chance ${turned}`;
    }
    default: {
      const rate = Math.log(Number(2n ** 128n - channel.digits[0]) / Number(channel.digits[0]));
      const deviation = Math.SQRT2 / rate / channel.steps;
      const wide = `a standard deviation of ${number(deviation, 3)} times the whole width of the scale`;
      return `your device adds chance to your number, with ${wide}`;
    }
  }
}
