/**
 * Encodes and privatises by scripted entropy: a line of JSON in, a line out.
 *
 * In: a question's bytes as text, and asks: a slot, and rows and columns of numbers as hexadecimal bytes. Out, for each
 * of them: channel inputs, symbols, and how many words were drawn.
 */

import { createInterface } from "node:readline";
import { pathToFileURL } from "node:url";

const folder = pathToFileURL(`${process.argv[2]}/`);
const load = (name) => import(new URL(name, folder).href);
const [{ encode }, { privatise }, { readQuestion }, { words }] = await Promise.all(
  ["encode.js", "privatise.js", "question.js", "public.js"].map(load),
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
    return this.given && at < this.given.length ? BigInt(this.given[at]) : words(2026, at, 1)[0];
  }
}

function numbers(hex) {
  const bytes = Buffer.from(hex, "hex");
  return Float64Array.from({ length: bytes.length / 8 }, (_, at) => bytes.readDoubleLE(8 * at));
}

for await (const line of createInterface({ input: process.stdin })) {
  const { question, asks } = JSON.parse(line);
  const asked = await readQuestion(new TextEncoder().encode(question));
  const answers = asks.map(({ slot, rows, columns, values, given }) => {
    const entropy = new Script(given);
    const inputs = encode(asked, { rows, columns, values: numbers(values) }, slot, entropy);
    const symbols = privatise(asked.channel, inputs, entropy);
    return { inputs, symbols, words: entropy.used };
  });
  process.stdout.write(`${JSON.stringify(answers)}\n`);
}
