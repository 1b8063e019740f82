// From plain JSON data to messages, strictly: how a field of each type is read. Unknown, missing or ill-typed fields are
// malformed. A member of a closed vocabulary carries its name in `kind`. What is read is frozen.

import { check } from "./errors.js";
import { SAFE_INTEGER } from "./limits.js";

/** @typedef {(value: any, where: string) => any} Reader From plain data, and the name of where it stands, to a value. */
/** @typedef {Readonly<Record<string, Reader>>} Fields */
/** @typedef {Readonly<Record<string, any>>} Member A message, or a member of a vocabulary: its fields by name. */

/** @type {(low?: number, high?: number) => Reader} */
export const int = (low = -SAFE_INTEGER, high = SAFE_INTEGER) => (value, where) => {
  const held = Number.isInteger(value) && low <= value && value <= high;
  check(held, `${where}: a whole number from ${low} to ${high} was expected`);
  return value;
};

/** @type {Reader} */
export const number = (value, where) => {
  check(typeof value === "number", `${where}: a number was expected`);
  return value;
};

/** @type {(high?: number) => Reader} */
export const positive = (high = Infinity) => (value, where) => {
  check(number(value, where) > 0 && value <= high, `${where}: positive, at most ${high}`);
  return value;
};

/** @type {(least: number, most: number) => Reader} */
export const words = (least, most) => (value, where) => {
  const held = typeof value === "string" && !/(?! )[\p{C}\p{Z}]/u.test(value);
  const letters = held ? [...value].length : -1;
  check(least <= letters && letters <= most, `${where}: ${least} to ${most} printable letters were expected`);
  return value;
};

/** @type {(pattern: RegExp) => Reader} */
export const like = (pattern) => (value, where) => {
  check(typeof value === "string" && pattern.test(value), `${where}: a text like ${pattern.source} was expected`);
  return value;
};

export const digested = like(/^[0-9a-f]{64}$/);

/** @type {(...values: any[]) => Reader} */
export const among = (...values) => (value, where) => {
  check(values.includes(value), `${where}: one of ${values.join(", ")} was expected`);
  return value;
};

/** An integer that may exceed 2^53. @type {Reader} */
export const big = (value, where) => {
  const held = typeof value === "string" && /^(?:0|-?[1-9][0-9]{0,59})$/.test(value);
  check(held, `${where}: a decimal string was expected`);
  return BigInt(value);
};

/** @type {(read: Reader) => Reader} */
export const maybe = (read) => (value, where) => (value === null ? null : read(value, where));

/** @type {(read: Reader, least?: number, most?: number) => Reader} */
export const list = (read, least = 0, most = Infinity) => (value, where) => {
  check(Array.isArray(value), `${where}: a list was expected`);
  check(least <= value.length && value.length <= most, `${where}: a list of ${least} to ${most} was expected`);
  return Object.freeze(value.map((item) => read(item, where)));
};

/** An object of any plain data, whose meaning is for its owner to check. @type {Reader} */
export const object = (value, where) => {
  const held = value !== null && typeof value === "object" && !Array.isArray(value);
  check(held, `${where}: an object was expected`);
  return value;
};

/**
 * A message with these fields, all of which `also` checks together.
 * @param {string} title
 * @param {Fields} fields
 * @param {(made: Member) => void} [also]
 * @returns {Reader}
 */
export function record(title, fields, also) {
  const names = Object.keys(fields);
  return (value) => {
    const given = Object.keys(object(value, title));
    const known = given.length === names.length && names.every((name) => Object.hasOwn(value, name));
    check(known, `${title}: missing or unknown fields; expected ${names.join(", ")}`);
    const made = Object.fromEntries(names.map((name) => [name, fields[name](value[name], `${title}.${name}`)]));
    also?.(made);
    return Object.freeze(made);
  };
}

/**
 * One member of a closed vocabulary.
 * @param {Readonly<Record<string, {fields: Fields, also?: (made: any) => void}>>} vocabulary
 * @returns {Reader}
 */
export function member(vocabulary) {
  const kinds = Object.keys(vocabulary);
  const readers = new Map(
    Object.entries(vocabulary).map(([kind, { fields, also }]) => [
      kind,
      record(kind, { kind: among(kind), ...fields }, also),
    ]),
  );
  return (value, where) => {
    const read = readers.get(object(value, where).kind);
    check(read, `${where}: unknown kind; this version knows ${kinds.join(", ")}`);
    return read(value, where);
  };
}
