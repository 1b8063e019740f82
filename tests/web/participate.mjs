// The participate page's pure parts, spoken to in lines of JSON: [what, ...arguments] in, what came of it out.

import { createInterface } from "node:readline";

import { categories } from "../../src/sottovoce/web/participate/coding.js";
import * as data from "../../src/sottovoce/web/participate/data.js";
import * as law from "../../src/sottovoce/web/participate/law.js";
import * as phrases from "../../src/sottovoce/web/participate/words/questions.js";

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
  table,
  typed: (text, wanted) => data.observed(data.typed(text), wanted, []),
  estimates: () => phrases.ESTIMATES,
  computes: ({ encoder }) => [
    phrases.computes(encoder.statistic),
    phrases.nothing(encoder.statistic),
    phrases.placed(encoder),
  ],
  statistic: (name) => phrases.named(name),
  may: (manifest) => phrases.mayCompute(manifest),
};

for await (const line of createInterface({ input: process.stdin })) {
  const [what, ...rest] = JSON.parse(line);
  console.log(JSON.stringify(known[what](...rest)));
}
