// Asks the device's readers, line by line: each line of JSON that comes in names a task, each that goes out is the result.

import { createInterface } from "node:readline";

const device = new URL("../../src/sottovoce/web/device/", import.meta.url);
const names = ["canonical", "errors", "exact", "limits", "manifest", "question", "respond"];
const [canonical, errors, exact, limits, manifests, questions, responding] = await Promise.all(
  names.map((name) => import(new URL(`${name}.js`, device))),
);

const bytes = (text) => new Uint8Array(Buffer.from(text, "base64"));
const double = (hex) => Buffer.from(hex, "hex").readDoubleBE();
const hexadecimal = (number) => {
  const buffer = Buffer.alloc(8);
  buffer.writeDoubleBE(number);
  return buffer.toString("hex");
};

/** What is read, or why not: nothing but our own refusals is caught. */
async function refusal(work) {
  try {
    return ["", await work()];
  } catch (error) {
    if (error instanceof errors.Declined) return [error.code, error.message];
    if (error instanceof errors.Malformed) return ["malformed", error.message];
    throw error;
  }
}

const manifest = (text) => manifests.readManifest(bytes(text));
/** What a user spends at most. */
const largest = ({ rules }) => Math.max(...rules.waves.map(({ epsilon }) => epsilon));
const manifestOnce = new Map();

const TASKS = {
  limits: () => limits,
  /** Reads, and writes again. */
  canonical: (text, size) =>
    refusal(() => Buffer.from(canonical.dumps(canonical.loads(bytes(text), size))).toString("base64")),
  manifest: (text) => refusal(() => [manifests.usersOf(manifest(text)), largest(manifest(text))]),
  question: (text) =>
    refusal(() => {
      const question = questions.readQuestion(bytes(text));
      const slot = question.slots.first + question.slots.count - 1;
      return [exact.text(questions.epsilonBound(question)), questions.payloadBytes(question), questions.groupsOf(question, slot)];
    }),
  async examine(text, slot, digest, announced, survey) {
    if (announced && !manifestOnce.has(survey)) manifestOnce.set(survey, manifest(announced));
    const known = { slot, digest, manifest: announced ? manifestOnce.get(survey) : null, survey };
    return refusal(async () => exact.text((await responding.examine(bytes(text), known)).cost));
  },
  log: (n, d) => [...exact.logUnits(BigInt(n), BigInt(d))].map((bound) => exact.text(exact.fraction(bound, exact.UNITS))),
  exp: (n, d) => exact.text(exact.expBelow(exact.fraction(BigInt(n), BigInt(d)))),
  number(hex) {
    const value = double(hex);
    const shortest = exact.exact(value);
    const written = new TextDecoder().decode(canonical.dumps(value));
    return [written, exact.text(shortest), hexadecimal(exact.asNumber(shortest)), hexadecimal(manifests.rounded(value))];
  },
  sums: (a, b, k) => {
    const [one, other] = [exact.readFraction(a), exact.readFraction(b)];
    const results = [exact.plus(one, other), exact.times(one, k)].map(exact.text);
    return [...results, exact.atMost(one, other), hexadecimal(exact.asNumber(one))];
  },
};

for await (const line of createInterface({ input: process.stdin })) {
  const [task, ...given] = JSON.parse(line);
  console.log(JSON.stringify(await TASKS[task](...given)));
}
