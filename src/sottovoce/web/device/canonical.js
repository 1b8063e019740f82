// One byte string for one message: the JSON Canonicalization Scheme (RFC 8785). Names sorted by UTF-16 units, no white
// space, numbers as ECMAScript writes them.

import { Malformed, check } from "./errors.js";
import { MAX_DEPTH } from "./limits.js";

/** @typedef {import("./limits.js").Size} Size */

const ROWS = '"rows":';
const ROW = /^"[1-9]\d*"(?:,"[1-9]\d*")*$/;
const LARGEST = '"18446744073709551615"';
const LONE_SURROGATE = /\p{Surrogate}/u;

/**
 * Canonical bytes of plain JSON data.
 * @param {any} value
 * @returns {Uint8Array<ArrayBuffer>}
 */
export const dumps = (value) => new TextEncoder().encode(written(value));

/**
 * @param {any} value
 * @returns {string}
 */
function written(value) {
  if (value === null || typeof value === "boolean") return String(value);
  if (typeof value === "number") {
    check(Number.isFinite(value), "a message holds finite numbers only");
    return String(value);
  }
  if (typeof value === "string") {
    check(!LONE_SURROGATE.test(value), "a text is made of whole letters");
    return JSON.stringify(value);
  }
  check(typeof value === "object", `a message cannot hold a ${typeof value}`);
  if (Array.isArray(value)) return `[${value.map(written).join()}]`;
  const names = Object.keys(value).sort(); // by UTF-16 units, as the RFC wants
  return `{${names.map((name) => `${written(name)}:${written(value[name])}`).join()}}`;
}

/**
 * Plain JSON data from bytes that must already be canonical, and of a size that is safe to read.
 * @param {Uint8Array} bytes
 * @param {Size} size
 * @returns {any}
 */
export function loads(bytes, size) {
  check(bytes.length <= size.letters, `${bytes.length} bytes; a message of this kind has at most ${size.letters}`);
  try {
    const text = new TextDecoder("utf-8", { fatal: true, ignoreBOM: true }).decode(bytes);
    const rest = withoutRows(text);
    // Counted before they are read: a parser turns a bracket, a name or a text of two bytes into fifty or more.
    check(marksIn(rest, size) <= size.marks, `more than ${size.marks} brackets, colons and quotes`);
    check(depthOf(rest) <= MAX_DEPTH, `nested deeper than ${MAX_DEPTH} brackets`);
    const value = JSON.parse(text);
    check(written(value) === text, "not in canonical form (RFC 8785)");
    return value;
  } catch (error) {
    throw error instanceof Malformed ? error : new Malformed("not a JSON document");
  }
}

/**
 * The document without its first rows of a table, which count neither as marks nor as depth: they are numbers that
 * fit in 64 bits, in rows of one length. All other devices count like that, so this one does.
 * @param {string} text
 */
function withoutRows(text) {
  const start = text.indexOf(`${ROWS}[["`) + ROWS.length;
  const stop = text.indexOf("]]", start);
  if (start < ROWS.length || stop < 0 || text.includes("\\")) return text;
  const rows = text.slice(start + 2, stop).split("],[");
  const width = rows[0].split(",").length;
  const whole = rows.every((row) => {
    if (!ROW.test(row)) return false;
    const cells = row.split(",");
    const small = (/** @type {string} */ cell) =>
      cell.length < LARGEST.length || (cell.length === LARGEST.length && cell < LARGEST);
    return cells.length === width && cells.every(small);
  });
  return whole ? text.slice(0, start) + text.slice(stop + 2) : text;
}

/**
 * @param {string} text
 * @param {Size} size
 */
function marksIn(text, size) {
  if (!size.texts) return text.length - text.replace(/[[\]{}:"]/g, "").length;
  const parts = text.replaceAll("\\\\", "").replaceAll('\\"', "").split('"');
  return parts.reduce((sum, part, place) => sum + (place % 2 ? 0 : part.length), parts.length - 1);
}

/**
 * How deep brackets are nested, texts left out.
 * @param {string} text
 */
function depthOf(text) {
  let [depth, deepest, quoted] = [0, 0, false];
  for (let place = 0; place < text.length; place += 1) {
    const mark = text[place];
    if (mark === '"') quoted = !quoted;
    else if (quoted) place += mark === "\\" ? 1 : 0; // what is escaped ends no text
    else if (mark === "[" || mark === "{") deepest = Math.max(deepest, (depth += 1));
    else if (mark === "]" || mark === "}") depth -= 1;
  }
  return deepest;
}

/**
 * The content address of canonical bytes: SHA-256 in hexadecimal.
 * @param {Uint8Array<ArrayBuffer>} bytes
 */
export async function digest(bytes) {
  const hash = new Uint8Array(await crypto.subtle.digest("SHA-256", bytes));
  return Array.from(hash, (byte) => byte.toString(16).padStart(2, "0")).join("");
}
