// A manifest: what a survey promises before anybody is asked; its digest is the survey's name. A device that knows the
// digest, from its invitation, trusts nobody for the rest: what a question asks stands here, or is declined.

import { digest, dumps, loads } from "./canonical.js";
import { CHANNELS, readChannel } from "./channels.js";
import { among, digested, int, like, list, maybe, number, object, positive, record, words } from "./codec.js";
import { check } from "./errors.js";
import * as limits from "./limits.js";
import { PLACEMENTS, STATISTICS, dimensionOf, kindOf, largest, partsOf, smallest } from "./vocabulary.js";

/** @typedef {import("./codec.js").Member} Member */
/** @typedef {import("./question.js").Question} Question */
/** @typedef {Member & {readonly rules: Member, readonly labels: readonly string[]}} Manifest */
/** @typedef {{field: string, low: number, high: number, most: number}} Free */
/** @typedef {{first: number, count: number, epsilon: number, roles: string[]}} Wave */

const WIDTH = 2 ** -20; // of its larger end: a range is at least so wide, and ten digits a thousandth of that, or finer
const STEP = 2 ** -24; // the same for a bin, and for neighbouring thresholds
const COLUMNS = "statistic.columns";
const name = words(1, limits.MAX_TEXT);
const [prose, epsilon] = [words(0, limits.MAX_WORDS), positive(limits.MAX_EPSILON)];

/** @param {Member} range */
const checkRange = ({ low, high }) => check(low <= high, "low does not lie above high");

/** @param {readonly unknown[]} items */
const differ = (items) => new Set(items).size === items.length;

const readWave = record(
  "Wave",
  { first: int(0), count: int(1, limits.MAX_USERS), epsilon, roles: list(name, 1) },
  (wave) => check(differ(wave.roles), "roles: each once"),
);

const readFree = record(
  "Free",
  {
    field: like(/^[a-z]{1,32}(\.[a-z]{1,32}){0,3}$/),
    low: number,
    high: number,
    most: int(1, limits.MAX_ITEMS),
  },
  checkRange,
);

const readWay = record(
  "Way",
  {
    role: name,
    statistic: among(...STATISTICS),
    placement: among(...PLACEMENTS),
    channel: among(...CHANNELS),
    low: number,
    high: number,
    definition: digested,
    free: list(readFree, 0, limits.MAX_FREE),
    columns: int(1, limits.MAX_ITEMS),
    opening: among(true, false),
  },
  (way) => {
    checkRange(way);
    check(differ(way.free.map((/** @type {Free} */ free) => free.field)), "free: each field once");
  },
);

const readRules = record(
  "Rules",
  {
    waves: list(readWave, 1, limits.MAX_RUNS),
    ways: list(readWay, 1, limits.MAX_WAYS),
    tables: list((value, where) => {
      check(object(value, where).kind === "table", `${where}: a table was expected`);
      return readChannel(value, where);
    }),
  },
  ({ waves, ways }) => {
    let used = 0;
    for (const wave of waves) {
      check(wave.first === used, "waves follow each other without a gap");
      used += wave.count;
    }
    check(used <= limits.MAX_USERS, `at most ${limits.MAX_USERS} slots`);
    check(differ(ways.map((/** @type {Member} */ way) => JSON.stringify(way))), "ways: each once");
    const known = new Set(ways.map((/** @type {Member} */ way) => way.role));
    const announced = waves.every((/** @type {Wave} */ wave) => wave.roles.every((role) => known.has(role)));
    check(announced, "every role of a wave has a way to ask");
    const opening = ways.filter((/** @type {Member} */ way) => way.opening);
    check(opening.length === 1 && !opening[0].free.length, "one way opens the survey, and nothing of it is left open");
  },
);

const read = record(
  "Manifest",
  {
    problem: name,
    settings: object,
    reason: prose,
    rules: readRules,
    labels: list(words(1, limits.MAX_LABEL)),
    columns: list(name),
    enrolment: among("ahead", "on-arrival"),
    access: among("invited", "open"),
    minimum: int(1),
    opens: int(0),
    closes: int(0, limits.MAX_MOMENT),
    round_seconds: maybe(int(1)),
    quota: positive(1),
    retention_days: int(0, limits.MAX_DAYS),
    collector: prose,
    purpose: prose,
    software: prose,
    version: among(1),
  },
  (made) => {
    check(differ(made.labels), "labels differ from each other");
    check(made.minimum <= usersOf(made), "minimum: at least one user, at most all");
    check(made.opens < made.closes, "a survey opens before it closes");
  },
);

/**
 * Read a manifest; anything but the canonical form of a valid one is malformed.
 * @param {Uint8Array} bytes
 * @returns {Manifest}
 */
export const readManifest = (bytes) => read(loads(bytes, limits.MAX_MANIFEST), "Manifest");

/** How many slots there are. @param {Member} manifest */
export const usersOf = (manifest) => ends(manifest.rules.waves.at(-1));

/** What a user spends at most. @type {(manifest: Member) => number} */
export const epsilonOfManifest = (manifest) =>
  Math.max(...manifest.rules.waves.map((/** @type {Wave} */ wave) => wave.epsilon));

/** @type {(slots: {first: number, count: number}) => number} */
const ends = ({ first, count }) => first + count;

/**
 * Where a question leaves what was announced, in words; null where it keeps to it.
 * @param {Manifest} manifest
 * @param {string} survey the manifest's digest
 * @param {Question} question
 * @returns {Promise<string | null>}
 */
export async function departure({ rules, labels }, survey, question) {
  const { slots, role, round, encoder, channel } = question;
  if (question.survey !== survey) return "it names another survey";
  const named = encoder.statistic.vector?.labels ?? null;
  if (named !== null && named !== (await digest(dumps(labels)))) {
    return "it numbers other categories than those announced, or in another order";
  }
  const inside = (/** @type {Wave} */ wave) => slots.first <= wave.first && ends(wave) <= ends(slots);
  /** @type {Wave[]} */
  const waves = rules.waves.filter(inside);
  if (waves.reduce((sum, wave) => sum + wave.count, 0) !== slots.count) {
    return `it asks slots ${slots.first} to ${ends(slots) - 1}, which are no whole waves`;
  }
  if (!waves.every((wave) => wave.roles.includes(role))) {
    return `it asks in the role "${role}", which these slots were not announced for`;
  }
  const least = Math.min(...waves.map((wave) => wave.epsilon));
  if (least < question.epsilon) return `it spends ${question.epsilon}; announced: ${least}`;
  const same = (/** @type {Member} */ table) => String(table.rows.map(String)) === String(channel.rows.map(String));
  if (channel.kind === "table" && !rules.tables.some(same)) return "its table is none of those announced";
  const before = rules.waves.findIndex(inside);
  if (!(Math.min(1, before) <= round && round <= before)) {
    return `it calls itself round ${round + 1}; at most ${before} were asked before`;
  }
  const parts = Math.max(partsOf(encoder.statistic), partsOf(encoder.placement));
  if (question.groups !== parts) {
    return `it deals users into ${question.groups} groups; what it asks has ${parts} parts`;
  }
  let first = null;
  for (const way of rules.ways) {
    if (way.role !== role || way.opening !== (round === 0)) continue;
    const found = await leaves(way, question);
    if (found === null) return null;
    first ??= found;
  }
  return first ?? `it asks in the role "${role}", which this round was not announced for`;
}

/**
 * What of a question in its role stands nowhere in this way to ask, in words; null where all of it does.
 * @param {Member} way
 * @param {Question} question
 * @returns {Promise<string | null>}
 */
async function leaves(way, { encoder, channel, uses }) {
  const { statistic, placement } = encoder;
  const found = [kindOf(statistic), placement.kind, channel.kind].join(", ");
  const announced = [way.statistic, way.placement, way.channel].join(", ");
  if (found !== announced) return `it asks for ${found}; announced: ${announced}`;
  const columns = dimensionOf(statistic);
  if (columns > way.columns) return `it looks at ${columns} columns; announced: ${way.columns}`;
  const [low, high] = reachOf(placement);
  if (!(way.low <= low && low <= high && high <= way.high)) {
    return `it asks from ${low} to ${high}; announced: ${way.low} to ${way.high}`;
  }
  /** @type {Member} */
  const asked = { ...encoder, uses };
  let kept = asked;
  for (const free of way.free) {
    const path = free.field.split(".");
    if (!holds(free, path.reduce(own, asked))) {
      return `its ${free.field} is not as announced: ${free.most} from ${free.low} to ${free.high} at most`;
    }
    kept = without(kept, path);
  }
  const same = (await digest(dumps(rounded(kept)))) === way.definition;
  return same ? tooClose(kept) : "it computes something else than what was announced";
}

/** @type {(held: unknown) => held is Member} */
const isObject = (held) => held !== null && typeof held === "object" && !Array.isArray(held);

/** What stands in a field; null where there is no such field. @type {(held: any, name: string) => any} */
const own = (held, name) => (isObject(held) && Object.hasOwn(held, name) ? held[name] : null);

/**
 * Whether a value is one, or some, of those that may be chosen.
 * @param {Free} free
 * @param {any} value
 */
function holds({ field, low, high, most }, value) {
  const numbers = Array.isArray(value) ? value : [value];
  const known = numbers.every((one) => typeof one === "number" && low <= one && one <= high);
  return known && numbers.length <= most && (field !== COLUMNS || differ(numbers));
}

/**
 * All but one field, which is there.
 * @param {Member} held
 * @param {string[]} path
 * @returns {Member}
 */
function without(held, [name, ...path]) {
  const { [name]: inner, ...rest } = held;
  return path.length ? { ...rest, [name]: without(inner, path) } : rest;
}

/**
 * The lowest and the highest number that a placement tells from its neighbours.
 * @param {Member} placement
 */
function reachOf({ kind, edges, low, high }) {
  if (kind === "bins") return edges.length ? [edges[0], edges.at(-1)] : [0, 0];
  return [smallest(low), largest(high)];
}

/**
 * Numbers that are not whole, to ten digits: machines differ in the last of them. Halfway between two of ten digits, to
 * the even one; `toPrecision` would take the larger.
 * @param {any} value
 * @returns {any}
 */
export function rounded(value) {
  if (Array.isArray(value)) return value.map(rounded);
  if (isObject(value)) return Object.fromEntries(Object.entries(value).map(([name, held]) => [name, rounded(held)]));
  if (typeof value !== "number" || Number.isInteger(value)) return value;
  const halfway = /^(-?\d\.\d{8}[02468])50*(e.*)$/.exec(value.toExponential(100));
  return Number(halfway ? halfway[1] + halfway[2] : value.toPrecision(10));
}

/**
 * Which numbers of a question cannot be told apart by ten digits, in words; null where all can. `plain` is what it fixes.
 * @param {unknown} plain
 * @returns {string | null}
 */
function tooClose(plain) {
  if (!isObject(plain)) return null;
  for (const [left, right, least] of pairs(plain)) {
    if (right - left < least * Math.max(Math.abs(left), Math.abs(right))) {
      return `${left} and ${right} cannot be told apart by ten digits; ask for observations less a constant`;
    }
  }
  for (const held of Object.values(plain)) {
    const found = tooClose(held);
    if (found !== null) return found;
  }
  return null;
}

/** @type {(value: any) => readonly number[]} */
const listed = (value) => (Array.isArray(value) ? value : [value]);

/**
 * What must be told apart: two numbers, and the part of the larger one that they are apart at least. Two whole numbers
 * can be told apart always.
 * @param {Member} plain
 * @returns {Generator<[number, number, number]>}
 */
function* pairs(plain) {
  /** @type {[number, number, number][]} */
  const found = [];
  if ("low" in plain && "high" in plain) {
    const least = Math.max(WIDTH, STEP * (plain.count ?? 1));
    const high = listed(plain.high);
    listed(plain.low).forEach((low, place) => found.push([low, high[place], least]));
  }
  for (const name of ["edges", "thresholds", "centres"]) {
    const points = (plain[name] ?? []).map(listed);
    const dimension = points[0]?.length ?? 0;
    for (let column = 0; column < dimension; column += 1) {
      const sorted = Float64Array.from(new Set(points.map((/** @type {number[]} */ point) => point[column]))).sort();
      if (dimension === 1) sorted.slice(1).forEach((right, place) => found.push([sorted[place], right, STEP]));
      else found.push([sorted[0], sorted[sorted.length - 1], sorted.length > 1 ? WIDTH : 0]); // points lie in a box
    }
  }
  yield* found.filter(([left, right]) => !(Number.isInteger(left) && Number.isInteger(right)));
  for (const [middle, half] of [["centre", "radius"], ["middle", "half"]]) {
    if (!(middle in plain && half in plain)) continue;
    const [places, widths] = [listed(plain[middle]), listed(plain[half])];
    for (let turn = 0; turn < Math.max(places.length, widths.length); turn += 1) {
      const [at, width] = [places[turn % places.length], widths[turn % widths.length]];
      yield [at - width, at + width, Number.isInteger(at) ? 0 : WIDTH];
    }
  }
}
