/**
 * A person's own data as a survey looks at them, from a file or from what they typed. Whatever stands there, there is
 * an answer: what cannot be read counts as missing, and is told by its line, never by what it says.
 */

import { decimalComma, numberIn, observation } from "./cells.js";
import { categories } from "./coding.js";
import { table } from "./table.js";

/** @typedef {import("./table.js").Row} Row */
/** @typedef {{dimension: number, columns: readonly string[], labels: readonly string[],
 *   groups: readonly string[], other: string | null}} Wanted What a survey looks at: so many columns, what it calls
 *   them, its categories, and the groups that the last column names, where it asks within one. */
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
 * @property {boolean} decimal whether a comma was taken for a decimal one
 */

export const MAX_LETTERS = 64 * 2 ** 20;
const SHOWN = 8;
/** What stands in the place of a cell that nobody can be sure of: no number, no category, and not missing. */
const UNCLEAR = "\uFFFD";

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
    groups: manifest.groups ?? [],
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
  const says = (/** @type {string} */ cell) => numberIn(cell) !== null || decimalComma(cell);
  return plain.length > 0 && plain.every((cell) => !says(cell) && ![...wanted.labels, ...wanted.groups].includes(cell));
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
 * Where a name stands, letter by letter or else whatever the case; null where it does not, or more than once.
 * @param {readonly (string | null)[]} names
 * @param {string | undefined} name
 * @returns {number | null}
 */
function placeOf(names, name) {
  if (name === undefined) return null;
  const loose = (/** @type {string | null} */ one) => one?.trim().toLowerCase();
  const exact = names.flatMap((one, place) => (one === name ? [place] : []));
  const found = exact.length ? exact : names.flatMap((one, place) => (loose(one) === loose(name) ? [place] : []));
  return found.length === 1 ? found[0] : null;
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
  const rows = (given.header ? given.rows.slice(1) : given.rows).map(fitting(given.rows[0]?.cells.length ?? 0));
  if (wanted.dimension > 1) {
    const cells = rows.map((row) => places.map((place) => row.cells[place] ?? ""));
    const read = readRows(cells, wanted, given.commas);
    return counted(
      read.flat(),
      read.flatMap((row, at) => row.map(() => rows[at].line)),
      read.map(valuesOf),
      given.commas && rows.some((row) => places.some((place) => decimalComma(row.cells[place] ?? ""))),
    );
  }
  const cells = places.flatMap((place) => rows.map((row) => row.cells[place] ?? ""));
  const lines = places.flatMap(() => rows.map((row) => row.line));
  return fromCells(cells, lines, wanted, given.commas);
}

/**
 * A row with more cells than the first one does not say which of them belongs to which column: all of it is odd.
 * @param {number} width
 */
function fitting(width) {
  return (/** @type {Row} */ row) =>
    row.cells.slice(width).some((cell) => cell !== "") ? { ...row, cells: row.cells.map(() => UNCLEAR) } : row;
}

/**
 * @param {string} text
 * @param {Wanted} wanted
 */
function fromWords(text, wanted) {
  const lines = text.replace(/^\uFEFF+/, "").split(/\r\n|\r|\n/);
  if (wanted.dimension > 1) return fromRows(lines, wanted);
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
 * Rows of numbers, or with names in them; one of another length does not say which of its numbers are there, so all of
 * it is odd.
 * @param {string[]} lines
 * @param {Wanted} wanted
 */
function fromRows(lines, wanted) {
  const { dimension } = wanted;
  const named = wanted.groups.length > 0; // names may hold blanks
  /** @type {string[][]} */
  const rows = [];
  /** @type {number[]} */
  const where = [];
  lines.forEach((line, at) => {
    for (const row of line.split(";").filter((one) => one.trim() !== "")) {
      const words = named ? row.split(",") : row.split(/[,\s]+/).filter((word) => word !== "");
      rows.push(words.length === dimension ? words : new Array(dimension).fill(UNCLEAR));
      where.push(...new Array(dimension).fill(at + 1));
    }
  });
  const read = readRows(rows, wanted, false);
  return counted(read.flat(), where, read.map(valuesOf), false);
}

/**
 * Rows of cells: numbers, or categories by their names, and in the last column groups by theirs.
 * @param {string[][]} rows
 * @param {Wanted} wanted
 * @param {boolean} commas
 * @returns {Read[][]}
 */
function readRows(rows, wanted, commas) {
  const columns = Array.from({ length: wanted.dimension }, (_, place) => {
    const cells = rows.map((row) => row[place]);
    const last = place === wanted.dimension - 1;
    const names = last && wanted.groups.length ? wanted.groups : wanted.labels;
    const numbers = !names.length || (last && !wanted.groups.length);
    if (numbers) return cells.map((cell) => observation(cell, commas));
    return categories(cells, names, names === wanted.labels ? wanted.other : null);
  });
  return rows.map((_, at) => columns.map((column) => column[at]));
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
  return counted(read, lines, valuesOf(read), !wanted.labels.length && commas && cells.some(decimalComma));
}

/** @param {Read[]} read */
function valuesOf(read) {
  return read.map((one) => one.value);
}

/**
 * @param {Read[]} read
 * @param {number[]} lines
 * @param {number[] | number[][]} values
 * @param {boolean} decimal
 * @returns {Observed}
 */
function counted(read, lines, values, decimal) {
  const odd = new Set(lines.filter((_, place) => read[place].odd));
  return {
    values,
    observations: values.length,
    entries: read.length,
    missing: read.filter((one) => Number.isNaN(one.value)).length,
    odd: read.filter((one) => one.odd).length,
    lines: [...odd].slice(0, SHOWN),
    decimal,
  };
}
