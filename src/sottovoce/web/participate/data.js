/**
 * A person's own data as a survey looks at them, from a file or from what they typed. Whatever stands there, there is
 * an answer: what cannot be read counts as missing, and is told by its line, never by what it says.
 */

import { numberIn, observation } from "./cells.js";
import { categories } from "./coding.js";
import { table } from "./table.js";

/** @typedef {import("./table.js").Row} Row */
/** @typedef {{dimension: number, columns: readonly string[], labels: readonly string[], other: string | null}} Wanted
 *   What a survey looks at: so many columns, what it calls them, and its categories. */
/** @typedef {{kind: "text", text: string} | {kind: "table", rows: Row[], commas: boolean, header: boolean}} Given */
/** @typedef {{value: number, odd: boolean}} Read */
/**
 * @typedef {object} Observed
 * @property {number[] | number[][]} values numbers, rows of them, or categories by number; what is missing is NaN
 * @property {number} observations how many: numbers, or rows of them
 * @property {number} entries how many cells were looked at
 * @property {number} missing how many of them are missing, odd ones too
 * @property {number} odd how many are neither missing nor of the kind that is wanted
 * @property {number[]} lines the first lines on which odd ones stand
 */

export const MAX_LETTERS = 64 * 2 ** 20;
const SHOWN = 8;

/**
 * What a survey looks at, by its manifest.
 * @param {any} manifest
 * @returns {Wanted}
 */
export function wantedBy(manifest) {
  const other = manifest.settings?.other;
  return {
    dimension: Math.max(...manifest.rules.ways.map((/** @type {any} */ way) => way.columns)),
    columns: manifest.columns,
    labels: manifest.labels,
    other: typeof other === "string" ? other : null,
  };
}

/** @param {string} text @returns {Given} */
export function typed(text) {
  return { kind: "text", text };
}

/**
 * A file: a table, or numbers with blanks between them. Null where it cannot be one.
 * @param {string} text
 * @param {Wanted} wanted
 * @returns {Given | null}
 */
export function fromFile(text, wanted) {
  const found = table(text);
  if (!found) return null;
  const { rows, separator } = found;
  const words = rows[0]?.cells.length === 1 && !wanted.labels.length ? rows[0].cells[0].split(/\s+/) : [];
  if (words.length > 1 && words.every((word) => numberIn(word) !== null)) return typed(text);
  return { kind: "table", rows, commas: separator !== ",", header: hasHeader(rows, wanted) };
}

/**
 * Whether the first line holds names: one that is wanted, or nothing that could be an observation.
 * @param {Row[]} rows
 * @param {Wanted} wanted
 */
function hasHeader(rows, wanted) {
  const first = (rows[0]?.cells ?? []).map((cell) => cell.trim());
  if (first.some((cell) => placeOf([cell], wanted.columns[0]) === 0)) return true;
  const plain = first.filter((cell) => cell !== "");
  return plain.length > 0 && plain.every((cell) => numberIn(cell) === null && !wanted.labels.includes(cell));
}

/**
 * What the columns of a table are called; by their number where the first line holds no names.
 * @param {Given} given
 * @returns {(string | null)[]} null where a column has no name
 */
export function namesOf(given) {
  if (given.kind === "text" || !given.rows.length) return [];
  const widest = given.rows.reduce((most, row) => Math.max(most, row.cells.length), 0);
  if (!given.header) return new Array(widest).fill(null);
  return given.rows[0].cells.map((name) => name.trim() || null);
}

/**
 * What the survey calls the columns that it wants: one for each, null where it gives no name.
 * @param {Wanted} wanted
 * @returns {(string | null)[]}
 */
export function fieldsOf(wanted) {
  if (wanted.dimension === 1) return wanted.columns.length ? [...wanted.columns] : [null];
  return Array.from({ length: wanted.dimension }, (_, place) => wanted.columns[place] ?? null);
}

/**
 * Which columns of a table to take for the survey's, in order: by name, or because there are just as many. Null for
 * each that the person must choose.
 * @param {Given} given
 * @param {Wanted} wanted
 * @returns {(number | null)[]}
 */
export function matched(given, wanted) {
  if (given.kind === "text" || !given.rows.length) return [];
  const fields = fieldsOf(wanted);
  const names = namesOf(given);
  const found = fields.map((field) => (field === null ? null : placeOf(names, field)));
  if (!found.includes(null)) return found;
  const there = names.flatMap((name, place) => (name !== null || !given.header ? [place] : []));
  const settled = fields.length === 1 || !given.header || fields.every((field) => field === null);
  return settled && there.length === fields.length ? there : found;
}

/**
 * @param {readonly (string | null)[]} names
 * @param {string | undefined} name
 * @returns {number | null}
 */
function placeOf(names, name) {
  if (name === undefined) return null;
  const exact = names.indexOf(name);
  if (exact >= 0) return exact;
  const loose = names.findIndex((one) => one !== null && one.trim().toLowerCase() === name.trim().toLowerCase());
  return loose >= 0 ? loose : null;
}

/**
 * One person's observations as the survey looks at them. `places` are the columns to take from a table.
 * @param {Given} given
 * @param {Wanted} wanted
 * @param {readonly number[]} places
 * @returns {Observed}
 */
export function observed(given, wanted, places) {
  return given.kind === "text" ? fromWords(given.text, wanted) : fromTable(given, wanted, places);
}

/**
 * @param {Extract<Given, {kind: "table"}>} given
 * @param {Wanted} wanted
 * @param {readonly number[]} places
 */
function fromTable(given, wanted, places) {
  const rows = given.header ? given.rows.slice(1) : given.rows;
  if (wanted.dimension > 1) {
    const read = rows.map((row) => places.map((place) => observation(row.cells[place] ?? "", given.commas)));
    return counted(
      read.flat(),
      read.flatMap((row, at) => row.map(() => rows[at].line)),
      read.map(valuesOf),
    );
  }
  const cells = places.flatMap((place) => rows.map((row) => row.cells[place] ?? ""));
  const lines = places.flatMap(() => rows.map((row) => row.line));
  return fromCells(cells, lines, wanted, given.commas);
}

/**
 * @param {string} text
 * @param {Wanted} wanted
 */
function fromWords(text, wanted) {
  const lines = text.replace(/^\uFEFF+/, "").split(/\r\n|\r|\n/);
  if (wanted.dimension > 1) return fromRows(lines, wanted.dimension);
  const sign = wanted.labels.length ? /[,;]/ : /[,;\s]+/;
  const words = lines.flatMap((line, at) => line.split(sign).map((word) => ({ word: word.trim(), line: at + 1 })));
  const held = words.filter(({ word }) => word !== "");
  return fromCells(
    held.map(({ word }) => word),
    held.map(({ line }) => line),
    wanted,
    false,
  );
}

/**
 * Rows of numbers; one of another length does not say which of its numbers are there, so all of it is odd.
 * @param {string[]} lines
 * @param {number} dimension
 */
function fromRows(lines, dimension) {
  /** @type {Read[][]} */
  const rows = [];
  /** @type {number[]} */
  const where = [];
  lines.forEach((line, at) => {
    for (const row of line.split(";")) {
      const words = row.split(/[,\s]+/).filter((word) => word !== "");
      if (!words.length) continue;
      const read = words.map((word) => observation(word));
      rows.push(read.length === dimension ? read : new Array(dimension).fill({ value: NaN, odd: true }));
      where.push(...new Array(dimension).fill(at + 1));
    }
  });
  return counted(rows.flat(), where, rows.map(valuesOf));
}

/**
 * @param {string[]} cells
 * @param {number[]} lines
 * @param {Wanted} wanted
 * @param {boolean} commas
 */
function fromCells(cells, lines, wanted, commas) {
  const read = wanted.labels.length
    ? categories(cells, wanted.labels, wanted.other)
    : cells.map((cell) => observation(cell, commas));
  return counted(read, lines, valuesOf(read));
}

/** @param {Read[]} read */
function valuesOf(read) {
  return read.map((one) => one.value);
}

/**
 * @param {Read[]} read
 * @param {number[]} lines
 * @param {number[] | number[][]} values
 * @returns {Observed}
 */
function counted(read, lines, values) {
  const odd = new Set(lines.filter((_, place) => read[place].odd));
  return {
    values,
    observations: values.length,
    entries: read.length,
    missing: read.filter((one) => Number.isNaN(one.value)).length,
    odd: read.filter((one) => one.odd).length,
    lines: [...odd].slice(0, SHOWN),
  };
}
