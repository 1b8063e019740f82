// From plain JSON data to frozen messages, strictly: unknown, missing or ill-typed fields are malformed. A message is
// described by a line: its title, and `field:type` for each field. A type is one of TYPES, or of the lines before;
// `0..9`, a whole number; `a|b`, one of these texts; and with `?`, `*` or `+` at its end: or null, a list, a list of 1
// to 65,536. Titles in small letters are members of a closed vocabulary, which carry them as their `kind`.

import { check } from "./errors.js";
import { MAX_ITEMS, MAX_TEXT } from "./limits.js";

/** @typedef {(value: any, where: string) => any} Reader From plain data, and where it stands, to a value. */
/** @typedef {Record<string, Reader>} Readers */
/** @typedef {(one: any) => unknown} Test */

/** @type {(words: string, test: Test) => Reader} */
export const reader = (words, test) => (value, where) => {
  check(test(value), `${where}: ${words} was expected`);
  return value;
};

/** @type {(values: readonly any[], test: (one: any, place: number) => unknown) => boolean} */
export const all = (values, test) => values.every(test);
/** @type {(values: readonly unknown[]) => boolean} */
export const differ = (values) => new Set(values).size === values.length;
/** @type {(value: unknown) => value is Record<string, any>} */
export const isObject = (value) => value !== null && typeof value === "object" && !Array.isArray(value);

/** @type {(low: number, high?: number, is?: Test) => Reader} */
export const real = (low, high = Infinity, is = Number.isFinite) =>
  reader(`a number from ${low} to ${high}`, (value) => is(value) && low <= value && value <= high);
/** @type {(...known: any[]) => Reader} */
export const among = (...known) => reader(`one of ${known.join(", ")}`, (value) => known.includes(value));
/** @type {(pattern: RegExp) => Reader} */
export const like = (pattern) =>
  reader(`a text like ${pattern.source}`, (value) => typeof value === "string" && pattern.test(value));
/** So many printable letters. @type {(least: number, most: number) => Reader} */
export const words = (least, most) => like(new RegExp(`^( |[^\\p{C}\\p{Z}]){${least},${most}}$`, "u"));
/** @type {(read: Reader, least?: number, most?: number) => Reader} */
export const list = (read, least = 0, most = Infinity) => (value, where) => {
  const fits = Array.isArray(value) && least <= value.length && value.length <= most;
  check(fits, `${where}: a list of ${least} to ${most} was expected`);
  return Object.freeze(value.map((item) => read(item, where)));
};
/** An integer that may exceed 2^53. @type {Reader} */
export const big = (value, where) => BigInt(like(/^(0|-?[1-9][0-9]{0,59})$/)(value, where));

/** @type {Readers} */
const TYPES = {
  big,
  object: reader("an object", isObject),
  number: real(-Infinity),
  positive: real(Number.MIN_VALUE),
  epsilon: real(Number.MIN_VALUE, 1e6),
  name: words(1, MAX_TEXT),
  digest: like(/^[0-9a-f]{64}$/),
};

/** @type {(type: string, types: Readers) => Reader} */
const typed = (type, types) => {
  const [inner, last] = [type.slice(0, -1), type.slice(-1)];
  if (last === "?") return (value, where) => (value === null ? null : typed(inner, types)(value, where));
  if (last === "*") return list(typed(inner, types));
  if (last === "+") return list(typed(inner, types), 1, MAX_ITEMS);
  const [low, high] = type.split("..");
  if (high !== undefined) return real(Number(low), Number(high || 2 ** 53), Number.isInteger);
  return types[type] ?? among(...type.split("|"));
};

/**
 * Readers by title; a test says whether the fields of a message go together.
 * @type {(lines: string, types?: Readers, tests?: Record<string, Test>) => Readers}
 */
export const records = (lines, types, tests = {}) => {
  /** @type {Readers} */
  const made = {};
  for (const line of lines.split(/\n\s*/)) {
    const [title, ...fields] = line.split(" ");
    /** @type {Map<string, Reader>} */
    const readers = new Map(/^[a-z]/.test(title) ? [["kind", among(title)]] : []);
    for (const [name, type] of fields.map((field) => field.split(":"))) {
      readers.set(name, typed(type, { ...TYPES, ...types, ...made }));
    }
    made[title] = (value) => {
      const names = Object.keys(TYPES.object(value, title));
      const known = names.length === readers.size && all(names, (name) => readers.has(name));
      check(known, `${title}: missing or unknown fields; known: ${[...readers.keys()]}`);
      const pairs = [...readers].map(([name, read]) => [name, read(value[name], `${title}.${name}`)]);
      const message = Object.fromEntries(pairs);
      check(!tests[title] || tests[title](message), `${title}: its fields do not go together`);
      return Object.freeze(message);
    };
  }
  return made;
};

/** One member of a closed vocabulary. @type {(vocabulary: Readers) => Reader} */
export const member = (vocabulary) => (value, where) =>
  vocabulary[among(...Object.keys(vocabulary))(TYPES.object(value, where).kind, `${where}.kind`)](value, where);
