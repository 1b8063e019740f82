// From plain JSON data to frozen messages, strictly: how a field of each type is read. Unknown, missing or ill-typed
// fields are malformed. A member of a closed vocabulary carries its name in `kind`.

import { check } from "./errors.js";

/** @typedef {(value: any, where: string) => any} Reader From plain data, and the name of where it stands, to a value. */
/** @typedef {Record<string, Reader>} Fields */
/** @typedef {(one: any) => unknown} Test */

/** @type {(words: string, test: Test) => Reader} */
const reader = (words, test) => (value, where) => {
  check(test(value), `${where}: ${words} was expected`);
  return value;
};

/** @type {(value: unknown) => value is Record<string, any>} */
export const isObject = (value) => value !== null && typeof value === "object" && !Array.isArray(value);
export const object = reader("an object", isObject);
export const number = reader("a number", (value) => typeof value === "number");

/** @type {(low?: number, high?: number) => Reader} */
export const real = (low = -Infinity, high = Infinity) =>
  reader(`a number from ${low} to ${high}`, (value) => typeof value === "number" && low <= value && value <= high);

/** @type {(high?: number) => Reader} */
export const positive = (high) => real(Number.MIN_VALUE, high);

/** @type {(low?: number, high?: number) => Reader} */
export const int = (low = -(2 ** 53), high = 2 ** 53) =>
  reader(`a whole number from ${low} to ${high}`, (value) => Number.isInteger(value) && low <= value && value <= high);

/** @type {(pattern: RegExp) => Reader} */
export const like = (pattern) =>
  reader(`a text like ${pattern.source}`, (value) => typeof value === "string" && pattern.test(value));
export const digested = like(/^[0-9a-f]{64}$/);
const decimal = like(/^(0|-?[1-9][0-9]{0,59})$/);

/** So many letters, all of them printable. @type {(least: number, most: number) => Reader} */
export const words = (least, most) => {
  const fits = (/** @type {number} */ letters) => least <= letters && letters <= most;
  const held = (/** @type {any} */ text) => typeof text === "string" && !/(?! )[\p{C}\p{Z}]/u.test(text);
  return reader(`${least} to ${most} printable letters`, (value) => held(value) && fits([...value].length));
};

/** @type {(...known: any[]) => Reader} */
export const among = (...known) => reader(`one of ${known.join(", ")}`, (value) => known.includes(value));

/** An integer that may exceed 2^53. @type {Reader} */
export const big = (value, where) => BigInt(decimal(value, where));

/** @type {(read: Reader) => Reader} */
export const maybe = (read) => (value, where) => (value === null ? null : read(value, where));

/** @type {(read: Reader, least?: number, most?: number) => Reader} */
export const list = (read, least = 0, most = Infinity) => (value, where) => {
  const fits = Array.isArray(value) && least <= value.length && value.length <= most;
  check(fits, `${where}: a list of ${least} to ${most} was expected`);
  return Object.freeze(value.map((item) => read(item, where)));
};

/** A message with these fields, which pass a test together. @type {(title: string, fields: Fields, test?: Test) => Reader} */
export const record = (title, fields, test = () => true) => (value) => {
  const names = Object.keys(fields);
  const known = names.every((name) => Object.hasOwn(object(value, title), name));
  check(known && Object.keys(value).length === names.length, `${title}: missing or unknown fields; known: ${names}`);
  const made = Object.fromEntries(names.map((name) => [name, fields[name](value[name], `${title}.${name}`)]));
  check(test(made), `${title}: its fields do not go together`);
  return Object.freeze(made);
};

/** One member of a closed vocabulary. @type {(vocabulary: Record<string, [Fields, Test?]>) => Reader} */
export const member = (vocabulary) => (value, where) => {
  const kind = among(...Object.keys(vocabulary))(object(value, where).kind, `${where}.kind`);
  const [fields, test] = vocabulary[kind];
  return record(kind, { kind: among(kind), ...fields }, test)(value, where);
};
