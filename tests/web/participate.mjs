// The participate page's pure parts, spoken to in lines of JSON: [what, ...arguments] in, what came of it out.

import "./messages.mjs";

import { createInterface } from "node:readline";

import { categories } from "../../src/sottovoce/web/participate/coding.js";
import * as data from "../../src/sottovoce/web/participate/data.js";
import * as law from "../../src/sottovoce/web/participate/law.js";
import { groupsOf, payloadBytes, readQuestion } from "../../src/sottovoce/web/device/question.js";
import { ownOf } from "../../src/sottovoce/web/participate/own.js";
import { symbolsOf } from "../../src/sottovoce/web/participate/payload.js";
import * as facts from "../../src/sottovoce/web/participate/facts.js";
import { computedFor } from "../../src/sottovoce/web/participate/places.js";
import { reported } from "../../src/sottovoce/web/participate/reports.js";
import { known as message, say, tell } from "../../src/sottovoce/web/participate/words.js";

const question = (text) => readQuestion(new TextEncoder().encode(text));

const told = (text, values, slot, names) => {
  const asked = question(text);
  const own = ownOf(asked, values, slot);
  const groups = groupsOf(asked, slot);
  const width = asked.channel.kind === "unary" ? asked.channel.items : 1;
  const symbol = asked.channel.kind === "subset" ? [...Array(asked.channel.size).keys()] : Array(width).fill(0);
  const words = [
    tell(computedFor(asked.encoder, names, groups[0])),
    ...[facts.computes(asked.encoder), facts.nothing(asked.encoder), facts.placed(asked.encoder)].map(tell),
    ...[facts.randomised(asked.channel), facts.size(asked, 1)].map(tell),
    reported(asked, symbol, names, groups[0]),
  ];
  return { words, inputs: own.inputs, shares: own.shares && [...own.shares] };
};

const channel = (plain) => ({
  ...plain,
  ...(plain.rows && { rows: plain.rows.map((row) => BigUint64Array.from(row, BigInt)) }),
  ...(plain.threshold && { threshold: BigInt(plain.threshold) }),
  ...(plain.digits && { digits: plain.digits.map(BigInt), bound: BigInt(plain.bound) }),
});

const table = (text, wanted) => {
  const given = data.fromFile(text, wanted);
  if (!given) return null;
  const places = data.matched(given, wanted);
  const observed = places.includes(null) ? null : data.observed(given, wanted, places);
  return { kind: given.kind, header: given.header ?? null, names: data.namesOf(given), places, observed };
};

const known = {
  alike: (plain, one, other) => law.alike(channel(plain), one, other),
  least: (plain, own) => law.leastAlike(channel(plain), own),
  named: (plain, shares) => law.namedAt(channel(plain), new Map(shares)),
  chances: (plain, input) => law.chancesAt(channel(plain), input),
  report: (plain, inputs, epsilon) => law.reportAlike(channel(plain), inputs, epsilon),
  categories: (cells, labels, other) => categories(cells, labels, other).map(({ value }) => value),
  told,
  symbols: (plain, uses, payload) => symbolsOf({ channel: channel(plain), uses }, payload),
  table,
  wanted: (manifest) => data.wantedBy(manifest),
  typed: (text, wanted) => data.observed(data.typed(text), wanted, []),
  estimates: (problem) => message(`estimates-${problem}`) && say(`estimates-${problem}`),
  question: (text) => {
    const asked = question(text);
    const { encoder } = asked;
    return [
      facts.computes(encoder),
      facts.nothing(encoder),
      facts.placed(encoder),
      facts.randomised(asked.channel),
      facts.size(asked, payloadBytes(asked)),
    ];
  },
  statistic: (name) => facts.named(name),
  manifest: (plain, epsilon) => [
    facts.fromYou(plain),
    facts.people(plain),
    facts.deletion(plain),
    facts.cost(epsilon),
  ],
  tell,
};

for await (const line of createInterface({ input: process.stdin })) {
  const [what, ...rest] = JSON.parse(line);
  console.log(JSON.stringify(known[what](...rest)));
}
