// One byte string for one message: the JSON Canonicalization Scheme (RFC 8785).

import { Malformed, check } from "./errors.js";

export const dumps = (value) => new TextEncoder().encode(written(value));

const written = (value, brackets = 32) => {
  if (value !== null && typeof value === "object") {
    check(brackets > 0, "nested deeper than 32 brackets");
    if (Array.isArray(value)) return `[${value.map((item) => written(item, brackets - 1)).join()}]`;
    const names = Object.keys(value).sort(); // by UTF-16 units
    return `{${names.map((name) => `${written(name)}:${written(value[name], brackets - 1)}`).join()}}`;
  }
  const whole = typeof value === "number" ? Number.isFinite(value) : !/\p{Surrogate}/u.test(value);
  check(whole, "finite numbers and whole letters");
  return JSON.stringify(value);
};

/** From canonical bytes. What a parser would blow up is counted first. */
export const loads = (bytes, { letters, marks }) => {
  check(bytes.length <= letters, `more than ${letters} bytes`);
  try {
    const text = new TextDecoder("utf-8", { fatal: true, ignoreBOM: true }).decode(bytes);
    check(text.replace(/[^[\]{}:"]/g, "").length <= marks, `more than ${marks} marks`);
    const value = JSON.parse(text);
    check(written(value) === text, "not in canonical form");
    return value;
  } catch (error) {
    throw error instanceof Malformed ? error : new Malformed("not a JSON document");
  }
};

export const digest = async (bytes) => {
  const made = new Uint8Array(await crypto.subtle.digest("SHA-256", bytes));
  return Array.from(made, (byte) => byte.toString(16).padStart(2, "0")).join("");
};
