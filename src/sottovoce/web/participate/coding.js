/**
 * Text to numbers of declared categories, by the rules of data/categories.py: a label is its category; a number is the
 * category whose label is that number where labels are numbers, else the category of that number; booleans go by
 * meaning. What is in no category is `other` where one is declared, and missing where none is.
 */

import { MISSING, numberIn } from "./cells.js";

/** @type {Record<string, boolean>[]} */
const TRUTHS = [
  { false: false, true: true },
  { no: false, yes: true },
  { 0: false, 1: true },
];

/** @typedef {{value: number, odd: boolean}} Read */

/**
 * The category of each cell, counted from 0; NaN where it is missing, or odd: in no category.
 * @param {string[]} cells
 * @param {readonly string[]} labels
 * @param {string | null} other
 * @returns {Read[]}
 */
export function categories(cells, labels, other) {
  const known = new Map(labels.map((label, place) => [label, place]));
  const fallback = other === null ? undefined : known.get(other);
  const values = labelValues(labels);
  const { words, meant } = truthOf(labels);
  const truth =
    meant ??
    (labels.length === 2
      ? new Map([
          [false, 0],
          [true, 1],
        ])
      : null);
  let text = false;
  let unclear = false;
  const found = cells.map((raw) => {
    const cell = known.has(raw) ? raw : raw.trim();
    const place = known.get(cell);
    if (place !== undefined) {
      text = true;
      return { kind: "known", place };
    }
    const low = cell.toLowerCase();
    if (MISSING.has(low)) return { kind: "missing", place: NaN };
    const says = words[low];
    if (says !== undefined && truth) return { kind: "known", place: truth.get(says) ?? NaN };
    const value = numberIn(cell);
    if (value !== null) {
      if (values) return named(values.get(value) ?? fallback);
      return value >= 0 && value < labels.length && Number.isInteger(value)
        ? { kind: "numbered", place: value }
        : named(fallback);
    }
    if (says === undefined) text = true;
    else unclear = true;
    return named(fallback);
  });
  const numbered = found.some((one) => one.kind === "numbered");
  const odd = found.some((one) => one.kind === "unknown") || (text && numbered && fallback === undefined);
  const backwards = meant !== null && meant.get(false) !== 0;
  if (odd || (unclear && !text) || (numbered && !text && backwards)) return cells.map((cell) => plainly(cell, known));
  return found.map((one) => ({ value: one.kind === "numbered" && text ? (fallback ?? NaN) : one.place, odd: false }));
}

/** @param {number | undefined} place */
function named(place) {
  return place === undefined ? { kind: "unknown", place: NaN } : { kind: "known", place };
}

/**
 * Where numbers or booleans could mean more than one thing, or some cells are in no category: labels as they are, and
 * nothing else.
 * @param {string} cell
 * @param {Map<string, number>} known
 * @returns {Read}
 */
function plainly(cell, known) {
  const place = known.get(cell) ?? known.get(cell.trim());
  return { value: place ?? NaN, odd: place === undefined && !MISSING.has(cell.trim().toLowerCase()) };
}

/**
 * Labels that are numbers, by their value; null where there are none, or two are the same number.
 * @param {readonly string[]} labels
 */
function labelValues(labels) {
  const numbers = labels.map(numberIn);
  const found = new Map();
  numbers.forEach((value, place) => value !== null && Number.isFinite(value) && found.set(value, place));
  return found.size && found.size === numbers.filter((value) => value !== null).length ? found : null;
}

/**
 * Words for booleans, and the categories that false and true mean, where two labels read as booleans.
 * @param {readonly string[]} labels
 * @returns {{words: Record<string, boolean>, meant: Map<boolean, number> | null}}
 */
function truthOf(labels) {
  for (const words of TRUTHS) {
    const found = labels.flatMap((label, place) => {
      const says = words[label.toLowerCase()];
      return says === undefined ? [] : [/** @type {[boolean, number]} */ ([says, place])];
    });
    if (found.length === 2 && found[0][0] !== found[1][0]) {
      return { words: { ...TRUTHS[0], ...words }, meant: new Map(found) };
    }
  }
  return { words: TRUTHS[0], meant: null };
}
