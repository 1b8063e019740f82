// One byte string for one message: the JSON Canonicalization Scheme (RFC 8785).

import { Malformed, check } from "./errors.js";

const DEEPEST = 32;

/** Canonical bytes of plain JSON data. */
export const dumps = (value) => new TextEncoder().encode(written(value));

const written = (value) => {
  if (Array.isArray(value)) return `[${value.map(written).join()}]`;
  if (value !== null && typeof value === "object") {
    const names = Object.keys(value).sort(); // by UTF-16 units
    return `{${names.map((name) => `${written(name)}:${written(value[name])}`).join()}}`;
  }
  const whole = typeof value === "number" ? Number.isFinite(value) : !/\p{Surrogate}/u.test(value);
  check(whole, "a message holds finite numbers and whole letters");
  return JSON.stringify(value);
};

/**
 * Plain JSON data from canonical bytes of a size that is safe to read: counted first, since a parser turns a bracket, a
 * name or a text of two bytes into fifty or more.
 * @type {(bytes: Uint8Array, size: {letters: number, marks: number}) => any}
 */
export const loads = (bytes, { letters, marks }) => {
  check(bytes.length <= letters, `more than ${letters} bytes`);
  try {
    const text = new TextDecoder("utf-8", { fatal: true, ignoreBOM: true }).decode(bytes);
    check(text.replace(/[^[\]{}:"]/g, "").length <= marks, `more than ${marks} brackets, colons and quotes`);
    let nested = text.replace(/\\./g, "").replace(/"[^"]*"/g, "");
    for (let level = 0; level < DEEPEST; level += 1) nested = nested.replace(/[[{][^[\]{}]*[\]}]/g, "");
    check(!/[[{]/.test(nested), `nested deeper than ${DEEPEST} brackets`);
    const value = JSON.parse(text);
    check(written(value) === text, "not in canonical form (RFC 8785)");
    return value;
  } catch (error) {
    throw error instanceof Malformed ? error : new Malformed("not a JSON document");
  }
};

/** SHA-256 in hexadecimal. @param {Uint8Array<ArrayBuffer>} bytes */
export const digest = async (bytes) => hex(new Uint8Array(await crypto.subtle.digest("SHA-256", bytes)));

export const hex = (bytes) => Array.from(bytes, (byte) => byte.toString(16).padStart(2, "0")).join("");
