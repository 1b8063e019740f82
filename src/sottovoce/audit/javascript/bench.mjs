// The bench on which the audit puts the JavaScript device: requests come in on standard input, a line of JSON each, and
// each is answered by one line. Nothing here is served to anybody, and only made-up collections ever come here.
//
//   node bench.mjs FOLDER        the folder of the device's modules
//
// Whatever could be used in place of crypto.getRandomValues throws from here on, before the device is loaded; and
// crypto.getRandomValues itself can be put on a script. What an exception says is never repeated, only its name.

import { pathToFileURL } from "node:url";

const LONGEST = 2 ** 26; // bytes of a line
const QUOTA = 65536; // bytes that one call of crypto.getRandomValues may ask for
const KEPT = 8; // questions that stay read

/** Words of a script, each once, and no others. */
class Tape {
  constructor(bytes) {
    this.script = new BigUint64Array(bytes.buffer, bytes.byteOffset, bytes.byteLength / 8);
    this.used = 0;
  }

  words(count) {
    if (count > this.script.length - this.used) {
      const error = new Error("more words are drawn than the law needs");
      error.name = "TapeEnded";
      throw error;
    }
    this.used += count;
    return this.script.slice(this.used - count, this.used);
  }
}

/** crypto.getRandomValues on a script: what it gave, call by call. */
class Kernel {
  constructor(bytes) {
    this.script = bytes;
    this.used = 0;
    this.calls = [];
  }

  fill(view) {
    if (!ArrayBuffer.isView(view) || view instanceof DataView || view instanceof Float64Array) {
      throw new TypeError("an array of integers is filled");
    }
    if (view.byteLength > QUOTA) {
      const error = new Error("more bytes than one call may ask for");
      error.name = "QuotaExceededError";
      throw error;
    }
    const part = this.script.subarray(this.used, this.used + view.byteLength);
    if (part.length < view.byteLength) {
      const error = new Error("the script of the system's bytes has ended");
      error.name = "TapeEnded";
      throw error;
    }
    new Uint8Array(view.buffer, view.byteOffset, view.byteLength).set(part);
    this.used += view.byteLength;
    this.calls.push(view.byteLength);
    return view;
  }
}

let kernel = null;
const real = crypto.getRandomValues.bind(crypto);

function forbidden(holder, name) {
  const value = () => {
    const error = new Error("nothing is drawn, and no clock is read, but by crypto.getRandomValues");
    error.name = "ForbiddenSource";
    throw error;
  };
  Object.defineProperty(holder, name, { value, configurable: true, writable: true });
}

forbidden(Math, "random");
forbidden(crypto, "randomUUID");
forbidden(crypto.subtle, "generateKey");
forbidden(Date, "now");
forbidden(performance, "now");
Object.defineProperty(crypto, "getRandomValues", {
  value: (view) => (kernel === null ? real(view) : kernel.fill(view)),
  configurable: true,
  writable: true,
});

const folder = pathToFileURL(`${process.argv[2]}/`);
const load = (name) => import(new URL(name, folder).href);
const { readQuestion } = await load("question.js");
const { readManifest } = await load("manifest.js");
const { examine, respond, answer } = await load("respond.js");
const { collection, encode } = await load("encode.js");
const { privatise } = await load("privatise.js");
const { SystemEntropy } = await load("entropy.js");

/** A ledger that never says no: what is kept and capped is looked at elsewhere. */
const ledger = { answer: async ({ make }) => make() };
const questions = new Map();

/** Base64, at an address that words and floats can be read from. */
function bytesOf(text) {
  const bytes = new Uint8Array(Buffer.byteLength(text, "base64"));
  Buffer.from(text, "base64").copy(bytes);
  return bytes;
}

function asked(request) {
  if (!questions.has(request.question)) {
    if (questions.size >= KEPT) questions.delete(questions.keys().next().value);
    questions.set(request.question, readQuestion(bytesOf(request.question)));
  }
  return questions.get(request.question);
}

function held({ columns, values }) {
  const numbers = new Float64Array(bytesOf(values).buffer);
  return collection({ rows: numbers.length / columns, columns, values: numbers });
}

const text = (bytes) => Buffer.from(bytes).toString("latin1");
const nameOf = (error) => (error?.code ? `declined: ${error.code}` : String(error?.name ?? "Error"));

/** Source of words for a request: a script of words, the system's generator on a script, or the system's own. */
function sourceOf(request) {
  kernel = request.kernel === undefined ? null : new Kernel(bytesOf(request.kernel));
  return request.words === undefined ? new SystemEntropy() : new Tape(bytesOf(request.words));
}

/** What the device makes of a question before it looks at its ledger or at data: what it would spend, or why not. */
async function examined(request) {
  const out = [];
  for (const { question, slot, digest, manifest, survey } of request.cases) {
    try {
      const promised = manifest === undefined ? {} : { manifest: readManifest(bytesOf(manifest)), survey };
      const { cost } = await examine(bytesOf(question), { slot, digest, ...promised });
      out.push({ cost: `${cost.n}/${cost.d}` });
    } catch (error) {
      out.push({ failed: nameOf(error) });
    }
  }
  return { out };
}

/** Reports of several collections, one after another; by the front door (`respond`) or past it (`answer`). */
async function reports(request) {
  const people = request.collections.map(held);
  const entropy = sourceOf(request);
  const out = [];
  for (const [place, slot, times] of request.cases) {
    for (let turn = 0; turn < times; turn += 1) {
      try {
        out.push(text(request.front ? await front(request, people[place], slot, entropy)
          : await answer(asked(request), request.digest, people[place], slot, entropy)));
      } catch (error) {
        return { out, failed: nameOf(error), used: usedBy(entropy) };
      }
    }
  }
  return { out, used: usedBy(entropy) };
}

function front(request, observations, slot, entropy) {
  const { digest } = request;
  const more = { collector: "audit", source: "data", ledger, entropy };
  return respond(bytesOf(request.question), observations, { slot, digest, ...more });
}

/** Words of a script, or bytes of the system's, that were used. */
function usedBy(entropy) {
  return entropy instanceof Tape ? entropy.used : kernel === null ? 0 : kernel.used;
}

/** Where collections fall. */
function inputs(request) {
  const people = request.collections.map(held);
  const entropy = sourceOf(request);
  const out = [];
  for (const [place, slot, times] of request.cases) {
    for (let turn = 0; turn < times; turn += 1) {
      out.push([...encode(asked(request), people[place], slot, entropy)].map(Number));
    }
  }
  return { out, used: usedBy(entropy) };
}

/** Symbols of the same inputs under one script of words after another, each used up; or once, from the system. */
function symbols(request) {
  const { channel } = asked(request);
  if (request.lengths === undefined) return { out: [symbolOf(channel, request.inputs, sourceOf(request))] };
  const script = bytesOf(request.words);
  const out = [];
  let first = 0;
  for (const length of request.lengths) {
    const tape = new Tape(script.subarray(first, first + 8 * length));
    first += 8 * length;
    try {
      const symbol = symbolOf(channel, request.inputs, tape);
      out.push(tape.used === length ? symbol : null);
    } catch {
      out.push(null);
    }
  }
  return { out };
}

function symbolOf(channel, given, entropy) {
  return privatise(channel, given, entropy).map((symbol) => [...symbol].map(Number));
}

/** Words of the shipped source, with what it asked of the system for each call. */
function source(request) {
  sourceOf(request);
  const entropy = new SystemEntropy();
  const out = [];
  for (const count of request.counts) {
    kernel.calls = [];
    const words = entropy.words(count);
    const given = Buffer.from(words.buffer, words.byteOffset, words.byteLength).toString("base64");
    out.push({ given, calls: kernel.calls });
  }
  return { out };
}

const DO = { examined, reports, inputs, symbols, source };

async function reply(line) {
  try {
    const request = JSON.parse(line);
    return await DO[request.do](request);
  } catch (error) {
    return { failed: nameOf(error) };
  } finally {
    kernel = null;
  }
}

let parts = [];
let size = 0;
for await (const chunk of process.stdin) {
  let rest = chunk;
  for (let end = rest.indexOf(10); end >= 0; end = rest.indexOf(10)) {
    const line = Buffer.concat([...parts, rest.subarray(0, end)]).toString("utf8");
    [parts, size, rest] = [[], 0, rest.subarray(end + 1)];
    process.stdout.write(`${JSON.stringify(await reply(line))}\n`);
  }
  parts.push(rest);
  size += rest.length;
  if (size > LONGEST) process.exit(3);
}
