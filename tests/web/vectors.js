/**
 * The shared vectors (tests/vectors/device.py says what stands in them) against the device in JavaScript: in Node and
 * in a browser, by the same code. What differs comes back in words.
 */

const MASK = (1n << 64n) - 1n;

/** The SplitMix64 finaliser: public words of the script, written down here a second time. */
function mix(word) {
  word = (word + 0x9e3779b97f4a7c15n) & MASK;
  word = ((word ^ (word >> 30n)) * 0xbf58476d1ce4e5b9n) & MASK;
  word = ((word ^ (word >> 27n)) * 0x94d049bb133111ebn) & MASK;
  return word ^ (word >> 31n);
}

const FIRST = mix(0n);

/** Scripted entropy: the words given, then word i of the public hash. */
export class Script {
  constructor(first) {
    this.first = first.map(BigInt);
    this.used = 0;
  }

  words(count) {
    const drawn = new BigUint64Array(count);
    for (let at = 0; at < count; at += 1, this.used += 1) {
      const public_ = mix(mix(mix(BigInt(this.used)) ^ 2026n) ^ FIRST);
      drawn[at] = this.used < this.first.length ? this.first[this.used] : public_;
    }
    return drawn;
  }
}

/** A number as Python's float.hex writes it. */
export function fromHex(text) {
  const plain = { nan: NaN, inf: Infinity, "-inf": -Infinity }[text];
  if (plain !== undefined) return plain;
  const [, sign, whole, part, power] = /^(-?)0x([01])\.([0-9a-f]+)p([+-]\d+)$/.exec(text);
  const digits = Number(BigInt(`0x${whole}${part}`));
  const exponent = Number(power) - 4 * part.length;
  // In two steps: 2 to the power of −1074 and less is no number, though the product is one.
  const size = digits * 2 ** Math.max(exponent, -1000) * 2 ** Math.min(exponent + 1000, 0);
  return sign ? -size : size;
}

const encoder = new TextEncoder();

/** Bytes as the file writes them: a document's number, or what is different in it. */
export function bytesOf(written, documents) {
  if (typeof written === "number") return documents[written];
  const [number, start, drop, put] = written;
  const base = documents[number];
  const middle = put.hex !== undefined
    ? Uint8Array.from(put.hex.match(/../g) ?? [], (pair) => parseInt(pair, 16))
    : encoder.encode((put.runs ?? [[put, 1]]).map(([text, times]) => text.repeat(times)).join(""));
  const made = new Uint8Array(base.length - drop + middle.length);
  made.set(base.subarray(0, start));
  made.set(middle, start);
  made.set(base.subarray(start + drop), start + middle.length);
  return made;
}

function rowsOf(held) {
  const values = held.values.map(fromHex);
  if (held.columns === 1) return values;
  return Array.from({ length: held.rows }, (_, at) => values.slice(at * held.columns, (at + 1) * held.columns));
}

/** Whether a fraction is a number written to forty digits, rounded up: both are bounds, not always the same one. */
function close(cost, text) {
  const [whole, part = ""] = text.split(".");
  const told = BigInt(whole + part) * cost.d;
  const own = cost.n * 10n ** BigInt(part.length);
  const apart = told > own ? told - own : own - told;
  return apart * 10n ** 36n <= told;
}

function said(error) {
  return error instanceof Error ? `${error.name}: ${error.message}`.slice(0, 200) : String(error);
}

/** Everything in the file; `device` are its modules by name. Returns how many were looked at, and what differs. */
export async function run(vectors, device) {
  const { answer, examine } = device.respond;
  const questions = vectors.questions.map((text) => encoder.encode(text));
  const manifests = vectors.manifests.map((text) => encoder.encode(text));
  const people = vectors.collections.map((held) => device.encode.collection(rowsOf(held)));
  const wrong = [];
  const differs = (part, number, name, expected, got) => wrong.push({ part, number, name, expected, got });

  const read = new Map();
  for (const [number, [asked, place, slot, script, used, report]] of vectors.answers.entries()) {
    const name = `${vectors.collections[place].name}, slot ${slot}, script ${script}`;
    try {
      if (!read.has(asked)) {
        const digest = await device.canonical.digest(questions[asked]);
        read.set(asked, { question: device.question.readQuestion(questions[asked]), digest });
      }
      const { question, digest } = read.get(asked);
      const entropy = new Script(vectors.scripts[script]);
      const got = new TextDecoder().decode(answer(question, digest, people[place], slot, entropy));
      if (got !== report) differs("answers", number, name, report, got);
      else if (entropy.used !== used) differs("answers", number, name, `${used} words`, `${entropy.used} words`);
    } catch (error) {
      differs("answers", number, name, report, said(error));
    }
  }

  const known = [];
  for (const data of manifests) {
    known.push({ manifest: device.manifest.readManifest(data), survey: await device.canonical.digest(data) });
  }
  for (const [number, [name, written, slot, digest, announced, code, cost]] of vectors.examined.entries()) {
    const bytes = bytesOf(written, questions);
    const own = digest ?? (await device.canonical.digest(bytes));
    try {
      const found = await examine(bytes, { slot, digest: own, ...(announced === null ? {} : known[announced]) });
      if (code !== "accepted") differs("examined", number, name, code, "accepted");
      else if (!close(found.cost, cost)) differs("examined", number, name, cost, device.exact.text(found.cost));
    } catch (error) {
      const got = error instanceof device.errors.Declined ? error.code : said(error);
      if (got !== code) differs("examined", number, name, code, got === error.code ? `${got}: ${error.message}` : got);
    }
  }

  for (const [number, [name, written, code]] of vectors["manifests read"].entries()) {
    let got = "accepted";
    try {
      device.manifest.readManifest(bytesOf(written, manifests));
    } catch (error) {
      got = error instanceof device.errors.Malformed ? "malformed" : said(error);
    }
    if (got !== code) differs("manifests read", number, name, code, got);
  }
  const cases = vectors.answers.length + vectors.examined.length + vectors["manifests read"].length;
  return { cases, wrong };
}

/** The modules of the device that the vectors need, from the folder (or address) where they are. */
export async function modules(folder) {
  const names = ["canonical", "encode", "errors", "exact", "manifest", "question", "respond"];
  const loaded = await Promise.all(names.map((name) => import(`${folder}/${name}.js`)));
  return Object.fromEntries(names.map((name, at) => [name, loaded[at]]));
}
