/**
 * What the device in JavaScript makes of collections, by scripted entropy: a line of JSON in, a line out.
 *
 * In: a question's bytes as text, and asks: a slot, and rows and columns of numbers as hexadecimal bytes, or observations
 * as JSON. Out, for each of them: channel inputs, symbols, and how many words were drawn. With `times`, how long it took
 * at best, each ask in turn, beside SHA-256 of 64 kB. With `draws` instead of a question: what the system's entropy gave.
 */

import { createInterface } from "node:readline";
import { pathToFileURL } from "node:url";

const folder = pathToFileURL(`${process.argv[2]}/`);
const load = (name) => import(new URL(name, folder).href);
const [{ encode }, { privatise }, { readQuestion }, { words }, { SystemEntropy }] = await Promise.all(
  ["encode.js", "privatise.js", "question.js", "public.js", "entropy.js"].map(load),
);

/** Word i is the first public word of slot i under the seed 2026, as in tests/vectors; or the words that were given. */
class Script {
  used = 0;

  constructor(given) {
    this.given = given;
  }

  words(count) {
    const drawn = BigUint64Array.from({ length: count }, (_, at) => this.word(this.used + at));
    this.used += count;
    return drawn;
  }

  word(at) {
    return at < this.given.length ? BigInt(this.given[at]) : words(2026, at, 1)[0];
  }
}

function observations({ held, rows, columns, values }) {
  if (held !== undefined) return held;
  const bytes = Buffer.from(values, "hex");
  const numbers = Float64Array.from({ length: bytes.length / 8 }, (_, at) => bytes.readDoubleLE(8 * at));
  return { rows, columns, values: numbers };
}

function answered(question, ask) {
  const entropy = new Script(ask.given ?? []);
  const inputs = encode(question, observations(ask), ask.slot, entropy);
  return { inputs, symbols: privatise(question.channel, inputs, entropy), words: entropy.used };
}

async function timed(question, asks, times) {
  const entropy = new SystemEntropy();
  const all = asks.map((ask) => ({ ...ask, own: observations(ask), best: Infinity }));
  const block = new Uint8Array(65536);
  let digest = Infinity;
  for (let time = 0; time < times; time += 1) {
    for (const one of all) {
      const begun = performance.now();
      privatise(question.channel, encode(question, one.own, one.slot, entropy), entropy);
      one.best = Math.min(one.best, performance.now() - begun);
    }
    const begun = performance.now();
    await crypto.subtle.digest("SHA-256", block);
    digest = Math.min(digest, performance.now() - begun);
  }
  return { best: all.map(({ best }) => best), digest };
}

function drawn(counts) {
  const asked = [];
  const real = crypto.getRandomValues.bind(crypto);
  crypto.getRandomValues = (array) => {
    asked.push(array.byteLength);
    return real(array);
  };
  const found = counts.map((count) => new SystemEntropy().words(count));
  crypto.getRandomValues = real;
  return { lengths: found.map((one) => one.length), asked, different: new Set(found.flatMap((one) => [...one])).size };
}

for await (const line of createInterface({ input: process.stdin })) {
  const { question, asks, inputs, times, draws } = JSON.parse(line);
  const asked = question && (await readQuestion(new TextEncoder().encode(question)));
  let reply;
  if (draws) reply = drawn(draws);
  else if (times) reply = await timed(asked, asks, times);
  else if (inputs) reply = inputs.map((input) => refusal(() => privatise(asked.channel, [input], new Script([]))));
  else reply = asks.map((ask) => answered(asked, ask));
  process.stdout.write(`${JSON.stringify(reply)}\n`);
}

function refusal(work) {
  try {
    work();
  } catch (error) {
    return error.message;
  }
  return null;
}
