/**
 * The catalogue of messages, as `words/catalogue.py` reads it: the same files, the same part of Project Fluent, held to
 * the same cases (tests/words). A fact is a code with data; its sentence is the message of that code.
 */

import { count, general, moment, number, percent, scientific } from "./numbers.js";

/** @typedef {{variable: string}} Variable */
/** @typedef {{message: string}} Message */
/** @typedef {{call: string, given: Part[], options: Record<string, string | number>}} Call */
/** @typedef {{by: Part, cases: [string, Text][], otherwise: Text}} Choice */
/** @typedef {string | Variable | Message | Call | Choice} Part */
/** @typedef {Part[]} Text */

const ENTRY = /^([a-zA-Z][\w-]*) =(.*)$/s;
const NAME = /[a-zA-Z][\w-]*/y;
const KEY = /(\*?)\[\s*([\w.-]+)\s*\]/y;
const LITERAL = /"([^"\n]*)"|(-?\d+(?:\.\d+)?)/y;
const BLANKS = /\s*/y;
const OPTION = /(\w+):\s*/y;
const OWN = "on-page-";

/**
 * The messages of a file by name, as they are written; a name that stands twice is refused.
 * @param {string} text
 * @returns {Record<string, string>}
 */
export function entries(text) {
  /** @type {Record<string, string>} */
  const found = Object.create(null);
  let name = "";
  text.split("\n").forEach((line, place) => {
    if (line[0] === "#" || !line.trim()) return;
    if (" \t}".includes(line[0])) {
      if (!name) throw new Error(`line ${place + 1}: goes on with no message`);
      found[name] += `\n${line}`;
      return;
    }
    const entry = ENTRY.exec(line);
    if (!entry || entry[1] in found) throw new Error(`line ${place + 1}: no message, or one that stands twice`);
    name = entry[1];
    found[name] = entry[2];
  });
  return found;
}

/** Reads one message. */
class Reader {
  /** @param {string} text */
  constructor(text) {
    this.text = text;
    this.at = 0;
  }

  get sign() {
    return this.text.charAt(this.at);
  }

  blanks() {
    this.find(BLANKS);
  }

  /** @param {string} sign */
  expect(sign) {
    if (!this.text.startsWith(sign, this.at))
      throw new Error(`'${sign}' was expected after '${this.text.slice(0, this.at)}'`);
    this.at += sign.length;
  }

  /** @param {RegExp} pattern */
  find(pattern) {
    pattern.lastIndex = this.at;
    const found = pattern.exec(this.text);
    if (found) this.at = pattern.lastIndex;
    return found;
  }

  /** @param {RegExp} pattern */
  match(pattern) {
    const found = this.find(pattern);
    if (!found) throw new Error(`unreadable after '${this.text.slice(0, this.at)}'`);
    return found;
  }

  /** Text and placeables up to the end, or `inside` of a choice up to the next case. @returns {Text} */
  pattern(inside = false) {
    /** @type {Text} */
    const parts = [];
    let start = this.at;
    while (this.at < this.text.length) {
      if (this.sign === "{") {
        parts.push(this.text.slice(start, this.at), this.placeable());
        start = this.at;
      } else if (inside && "[*}".includes(this.sign) && this.begins(start)) break;
      else this.at++;
    }
    parts.push(this.text.slice(start, this.at));
    return tidy(parts);
  }

  /** Whether a line begins at this place. @param {number} start where the text before it begins */
  begins(start) {
    const line = this.text.lastIndexOf("\n", this.at - 1) + 1;
    return line > start && !this.text.slice(line, this.at).trim();
  }

  /** @returns {Part} */
  placeable() {
    this.expect("{");
    this.blanks();
    let part = this.expression();
    this.blanks();
    if (this.text.startsWith("->", this.at)) {
      this.at += 2;
      part = this.choice(part);
    }
    this.expect("}");
    return part;
  }

  /** @returns {Part} */
  expression() {
    if (this.sign === "$") {
      this.at++;
      return { variable: this.match(NAME)[0] };
    }
    if (this.sign && '"-0123456789'.includes(this.sign)) {
      const [whole, text] = this.match(LITERAL);
      return text ?? whole;
    }
    const [name] = this.match(NAME);
    return this.sign === "(" ? this.call(name) : { message: name };
  }

  /** @param {string} call @returns {Call} */
  call(call) {
    /** @type {Call} */
    const made = { call, given: [], options: {} };
    this.expect("(");
    for (this.blanks(); this.sign !== ")"; this.blanks()) {
      const option = this.find(OPTION);
      if (option) {
        const [, text, digits] = this.match(LITERAL);
        made.options[option[1]] = text ?? Number(digits);
      } else made.given.push(this.expression());
      this.blanks();
      if (this.sign === ",") this.at++;
    }
    this.expect(")");
    return made;
  }

  /** @param {Part} by @returns {Choice} */
  choice(by) {
    /** @type {[string, Text][]} */
    const cases = [];
    /** @type {Text | null} */
    let otherwise = null;
    this.blanks();
    while (this.sign !== "}") {
      const [, star, key] = this.match(KEY);
      const text = this.pattern(true);
      cases.push([key, text]);
      if (star) otherwise = text;
    }
    if (!otherwise) throw new Error(`a choice has a case with a star: '${this.text}'`);
    return { by, cases, otherwise };
  }
}

/** Lines joined by a blank, none at either end, no empty text; every second part is a placeable. @param {Text} parts */
function tidy(parts) {
  const last = parts.length - 1;
  return parts.flatMap((part, place) => {
    if (place % 2) return [part];
    let text = String(part).replace(/\s*\n\s*/g, " ");
    if (place === 0) text = text.trimStart();
    if (place === last) text = text.trimEnd();
    return text ? [text] : [];
  });
}

/** One message as it is written, as parts. @param {string} written @returns {Text} */
export const parsed = (written) => new Reader(written).pattern();

/** The messages of one language. */
export class Catalogue {
  /** @param {Record<string, string>} written */
  constructor(written) {
    this.written = written;
    /** @type {Map<string, Text>} */
    this.texts = new Map();
  }

  /** The parts of a message. @param {string} code @returns {Text} */
  text(code) {
    const known = this.texts.get(code);
    if (known) return known;
    if (!(code in this.written)) throw new Error(`the catalogue has no message '${code}'`);
    const made = parsed(this.written[code]);
    this.texts.set(code, made);
    return made;
  }

  /** A message with data in it. @param {string} code @param {Record<string, any>} [data] @returns {string} */
  say(code, data = {}) {
    return this.join(this.text(code), data);
  }

  /** A value as it stands in a sentence. @param {any} value @returns {string} */
  shown(value) {
    if (value === null || value === undefined) return "";
    if (Array.isArray(value)) return value.map((one) => this.shown(one)).join(", ");
    if (typeof value === "number") return Number.isInteger(value) ? count(value) : general(value);
    return typeof value === "object" ? this.say(value.code, value.data) : String(value);
  }

  /** @param {Text} text @param {Record<string, any>} data @returns {string} */
  join(text, data) {
    return text.map((part) => this.shown(this.value(part, data))).join("");
  }

  /** @param {Part} part @param {Record<string, any>} data @returns {any} */
  value(part, data) {
    if (typeof part === "string") return part;
    if ("message" in part) return this.say(part.message, data);
    if ("call" in part) {
      const given = part.given.map((one) => this.value(one, data));
      return FUNCTIONS[part.call](this, ...given, part.options);
    }
    if ("by" in part) return this.join(chosen(this.value(part.by, data), part), data);
    if (!(part.variable in data)) throw new Error(`a message wants $${part.variable}, and it is not given`);
    return data[part.variable];
  }
}

/** @param {any} value @param {Choice} choice @returns {Text} */
function chosen(value, { cases, otherwise }) {
  const own = keys(value).flatMap((key) => cases.filter(([name]) => name === key));
  return own.length ? own[0][1] : otherwise;
}

/** What a case may be called that fits a value, the closest first. @param {any} value @returns {string[]} */
function keys(value) {
  if (typeof value === "number") return [general(value), value === 1 ? "one" : "other"];
  if (value === null || value === undefined || value === "" || value?.length === 0) return ["none"];
  return [typeof value === "object" ? String(value.code) : String(value)];
}

/** What messages call by name: those of `words/numbers.py` that pages need. @type {Record<string, Function>} */
export const FUNCTIONS = {
  BARE: (_, value) => String(value),
  CAPITAL: (own, text) => own.shown(text).replace(/^./u, (first) => first.toUpperCase()),
  CHANCE: (_, share) => percent(share),
  CUT: (own, text, length) => own.shown(text).slice(0, length),
  FIXED: (_, value, { digits = 0 }) => value.toFixed(digits),
  G: (_, value, { digits = 6 }) => general(value, digits),
  JOIN: (own, parts, { by = "; " }) => texts(own, parts).filter(Boolean).join(by),
  LIST: (own, parts) => {
    const [last, ...most] = texts(own, parts).reverse();
    return most.length ? own.say("list-and", { most: most.reverse().join(", "), last }) : last;
  },
  MOMENT: (own, seconds) => moment(seconds) || own.say("seconds-after-1970", { seconds }),
  NUMBER: (_, value, { digits = 4 }) => number(value, digits),
  POWER: (_, value, { digits = 1 }) => scientific(value, digits),
  SHARE: (_, share, { digits = 0 }) => `${(100 * share).toFixed(digits)}%`,
};

/** @param {Catalogue} own @param {any[]} parts */
const texts = (own, parts) => parts.map((part) => own.shown(part));

/**
 * Some files of a language, fetched once, each of them what the page's import map says that it is. What a page says in
 * other words than the command line stands a second time, under its code with `on-page-` before it.
 * @param {string[]} names
 * @param {string} [language]
 */
export async function loaded(names, language = "en") {
  const hashes = JSON.parse(document.querySelector('script[type="importmap"]')?.textContent ?? "{}").integrity ?? {};
  const files = names.map(async (name) => {
    const url = Object.keys(hashes).find((one) => one.endsWith(`web/words/${language}/${name}.ftl`));
    if (!url) throw new Error(`the page has no messages called ${name}`);
    const how = /** @type {const} */ ({ credentials: "omit", redirect: "error", referrerPolicy: "no-referrer" });
    const reply = await fetch(url, { ...how, integrity: hashes[url] });
    if (!reply.ok) throw new Error(`the messages called ${name} cannot be had: ${reply.status}`);
    return entries(await reply.text());
  });
  const written = Object.assign(Object.create(null), ...(await Promise.all(files)));
  const own = Object.keys(written).filter((name) => name.startsWith(OWN));
  for (const name of own) written[name.slice(OWN.length)] = written[name];
  return new Catalogue(written);
}
