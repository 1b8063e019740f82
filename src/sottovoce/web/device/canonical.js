// One byte string for one message: the JSON Canonicalization Scheme (RFC 8785).

import { Malformed, check } from "./errors.js";

const MAX_DEPTH = 32;

/** Canonical bytes of plain JSON data. @param {any} value */
export const dumps = (value) => new TextEncoder().encode(written(value));

/** @type {(value: any) => string} */
const written = (value) => {
  if (Array.isArray(value)) return `[${value.map(written).join()}]`;
  if (value !== null && typeof value === "object") {
    const names = Object.keys(value).sort(); // by UTF-16 units
    return `{${names.map((name) => `${written(name)}:${written(value[name])}`).join()}}`;
  }
  const whole = typeof value === "string" ? !/\p{Surrogate}/u.test(value) : value === null || typeof value === "boolean";
  check(whole || Number.isFinite(value), "a message holds whole letters and finite numbers");
  return JSON.stringify(value);
};

/**
 * Plain JSON data from bytes that must already be canonical, and of a size that is safe to read.
 * @param {Uint8Array} bytes
 * @param {import("./limits.js").Size} size
 */
export function loads(bytes, { letters, marks }) {
  check(bytes.length <= letters, `${bytes.length} bytes; a message of this kind has at most ${letters}`);
  try {
    const text = new TextDecoder("utf-8", { fatal: true, ignoreBOM: true }).decode(bytes);
    const rest = withoutRows(text);
    // Counted before they are read: a parser turns a bracket, a name or a text of two bytes into fifty or more.
    check(rest.replace(/[^[\]{}:"]/g, "").length <= marks, `more than ${marks} brackets, colons and quotes`);
    let bare = rest.replace(/\\./g, "").replace(/"[^"]*"/g, "");
    for (let level = 0; level < MAX_DEPTH; level += 1) bare = bare.replace(/[[{][^[\]{}]*[\]}]/g, "");
    check(!/[[{]/.test(bare), `nested deeper than ${MAX_DEPTH} brackets`);
    const value = JSON.parse(text);
    check(written(value) === text, "not in canonical form (RFC 8785)");
    return value;
  } catch (error) {
    throw error instanceof Malformed ? error : new Malformed("not a JSON document");
  }
}

/** Without the first rows of a table: if they are even, and of 64-bit words, no device counts them. @param {string} text */
function withoutRows(text) {
  const start = text.indexOf('"rows":[["') + 7;
  const stop = text.indexOf("]]", start) + 2;
  if (start < 7 || stop < 2 || text.includes("\\")) return text;
  const rows = text.slice(start + 2, stop - 2).split("],[");
  const counts = rows.map((row) => {
    const cells = row.split(",");
    const small = (/** @type {string} */ cell) => cell.length < 22 || (cell.length < 23 && cell < '"18446744073709551615"');
    return cells.every((cell) => /^"[1-9]\d*"$/.test(cell) && small(cell)) ? cells.length : NaN;
  });
  return counts.every((count) => count === counts[0]) ? `${text.slice(0, start)}-0${text.slice(stop)}` : text;
}

/** The content address of canonical bytes: SHA-256 in hexadecimal. @param {Uint8Array<ArrayBuffer>} bytes */
export async function digest(bytes) {
  const hash = new Uint8Array(await crypto.subtle.digest("SHA-256", bytes));
  return Array.from(hash, (byte) => byte.toString(16).padStart(2, "0")).join("");
}
