// The catalogue in JavaScript, spoken to in lines of JSON: [messages as a file holds them, code, data] in, the text out, or
// what is wrong. A second argument of none: the names of the functions that files call.

import { createInterface } from "node:readline";

import { Catalogue, FUNCTIONS, entries, parsed } from "../../src/sottovoce/web/shared/catalogue.js";

const called = (part) =>
  typeof part !== "object" ? [] : Object.values(part).flatMap(called).concat("call" in part ? [part.call] : []);

const known = {
  say: (file, code, data) => {
    try {
      return { text: new Catalogue(entries(file)).say(code, data) };
    } catch (error) {
      return { wrong: error.message };
    }
  },
  unknown: (file) => {
    const all = Object.values(entries(file)).flatMap((written) => called(parsed(written)));
    return [...new Set(all)].filter((name) => !(name in FUNCTIONS));
  },
};

for await (const line of createInterface({ input: process.stdin })) {
  const [what, ...rest] = JSON.parse(line);
  console.log(JSON.stringify(known[what](...rest)));
}
