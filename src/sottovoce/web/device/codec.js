// From plain JSON data to frozen messages, strictly. A line describes one: title, and `field:type` for each field. A
// type is one of TYPES, or of the lines before; `0..9`, a whole number; `a|b`, one of these texts; and with `?`, `*`, `+`
// or `=` at its end: or null, a list, a list of 1 to 65,536, or left out. Titles in small letters are the `kind` of a
// vocabulary.

import { check } from "./errors.js";
import { MAX_ITEMS, MAX_TEXT } from "./limits.js";

export const reader = (test) => (value, where) => {
  check(test(value), `${where}: no such value`);
  return value;
};
export const differ = (values) => new Set(values).size === values.length;
export const isObject = (value) => value !== null && typeof value === "object" && !Array.isArray(value);

export const real = (low, high = Infinity, is = Number.isFinite) =>
  reader((value) => is(value) && low <= value && value <= high);
export const among = (...known) => reader((value) => known.includes(value));
export const like = (pattern) => reader((value) => typeof value === "string" && pattern.test(value));
export const words = (least, most) => like(new RegExp(`^( |[^\\p{C}\\p{Z}]){${least},${most}}$`, "u"));
export const list = (read, least = 0, most = Infinity) => (value, where) => {
  check(Array.isArray(value) && least <= value.length && value.length <= most, `${where}: no such list`);
  return Object.freeze(value.map((item) => read(item, where)));
};
export const big = (value, where) => BigInt(like(/^(0|-?[1-9][0-9]{0,59})$/)(value, where));

const TYPES = {
  big,
  object: reader(isObject),
  number: real(-Infinity),
  positive: real(Number.MIN_VALUE),
  epsilon: real(Number.MIN_VALUE, 1e6),
  name: words(1, MAX_TEXT),
  digest: like(/^[0-9a-f]{64}$/),
};

const typed = (type, types) => {
  const [inner, last] = [type.slice(0, -1), type.slice(-1)];
  if (last === "?") return (value, where) => (value === null ? null : typed(inner, types)(value, where));
  if (last === "*") return list(typed(inner, types));
  if (last === "+") return list(typed(inner, types), 1, MAX_ITEMS);
  const [low, high] = type.split("..");
  if (high !== undefined) return real(Number(low), Number(high || 2 ** 53), Number.isInteger);
  return types[type] ?? among(...type.split("|"));
};

export const records = (lines, types, tests = {}) => {
  const made = {};
  for (const line of lines.split(/\n\s*/)) {
    const [title, ...fields] = line.split(" ");
    const [readers, spare] = [new Map(/^[a-z]/.test(title) ? [["kind", among(title)]] : []), new Set()];
    for (const [name, type] of fields.map((field) => field.split(":"))) {
      readers.set(name, typed(type.replace("=", ""), { ...TYPES, ...types, ...made }));
      if (type.endsWith("=")) spare.add(name);
    }
    made[title] = (value) => {
      const names = Object.keys(TYPES.object(value, title));
      const said = [...readers].filter(([name]) => names.includes(name) || !spare.has(name));
      const known = names.length === said.length && said.every(([name]) => names.includes(name));
      check(known, `${title}: its fields are ${[...readers.keys()]}`);
      const pairs = said.map(([name, read]) => [name, read(value[name], `${title}.${name}`)]);
      const message = Object.freeze(Object.fromEntries(pairs));
      check(!tests[title] || tests[title](message), `${title}: its fields do not go together`);
      return message;
    };
  }
  return made;
};

export const member = (vocabulary) => (value, where) =>
  vocabulary[among(...Object.keys(vocabulary))(TYPES.object(value, where).kind, where)](value);
