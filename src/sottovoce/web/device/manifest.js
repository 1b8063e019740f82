// A manifest: what a survey promises before anybody is asked; its digest is the survey's name. A device that knows the
// digest, from its invitation, trusts nobody for the rest: what a question asks stands here, or is declined.

import { digest, dumps, loads } from "./canonical.js";
import { CHANNELS, readChannel } from "./channels.js";
import { among, digested, int, isObject, like, list, maybe, number, object, positive, record, words } from "./codec.js";
import { check } from "./errors.js";
import { MAX_EPSILON, MAX_ITEMS, MAX_MANIFEST, MAX_TEXT, MAX_USERS } from "./limits.js";
import { PLACEMENTS, STATISTICS, dimensionOf, kindOf, largest, partsOf } from "./vocabulary.js";

/** @typedef {import("./question.js").Question} Question */
/** @typedef {{field: string, low: number, high: number, most: number}} Free */
/** @typedef {{first: number, count: number, epsilon: number, roles: string[]}} Wave */
/**
 * @typedef {{role: string, statistic: string, placement: string, channel: string, low: number, high: number,
 *   definition: string, free: Free[], columns: number, opening: boolean}} Way
 */
/** @typedef {{waves: Wave[], ways: Way[], tables: {rows: BigUint64Array[]}[]}} Rules */
/** @typedef {{readonly rules: Rules, readonly [field: string]: any}} Manifest */

const WIDTH = 2 ** -20; // the part of its larger end that a range is wide at least: ten digits are then a thousandth of it
const STEP = 2 ** -24; // the same for a bin, and for neighbouring thresholds
const [name, prose, moment] = [words(1, MAX_TEXT), words(0, 4096), int(0, 253_402_300_799)];
const range = { low: number, high: number };

/** @type {(items: readonly unknown[]) => boolean} */
const differ = (items) => new Set(items).size === items.length;
/** @type {(slots: {first: number, count: number}) => number} */
const endOf = ({ first, count }) => first + count;

const wave = record(
  "Wave",
  { first: int(0), count: int(1, MAX_USERS), epsilon: positive(MAX_EPSILON), roles: list(name, 1) },
  (one) => differ(one.roles),
);
const free = record(
  "Free",
  { field: like(/^[a-z]{1,32}(\.[a-z]{1,32}){0,3}$/), ...range, most: int(1, MAX_ITEMS) },
  (one) => one.low <= one.high,
);
const way = record(
  "Way",
  {
    role: name,
    statistic: among(...STATISTICS),
    placement: among(...PLACEMENTS),
    channel: among(...CHANNELS),
    ...range,
    definition: digested,
    free: list(free, 0, 16),
    columns: int(1, MAX_ITEMS),
    opening: among(true, false),
  },
  (/** @type {Way} */ one) => one.low <= one.high && differ(one.free.map(({ field }) => field)),
);
const rules = record(
  "Rules",
  { waves: list(wave, 1, 2 ** 10), ways: list(way, 1, 64), tables: list(readChannel) },
  (/** @type {Rules & {tables: {kind: string}[]}} */ { waves, ways, tables }) => {
    const gapless = waves.every(({ first }, place) => first === (place && endOf(waves[place - 1])));
    check(gapless && endOf(waves[waves.length - 1]) <= MAX_USERS, "waves follow each other, up to the last slot");
    const known = ways.map(({ role }) => role);
    check(waves.every(({ roles }) => roles.every((role) => known.includes(role))), "every role has a way to ask");
    const opening = ways.filter((one) => one.opening);
    check(opening.length === 1 && !opening[0].free.length, "one way opens the survey, and nothing of it is left open");
    return differ(ways.map((one) => JSON.stringify(one))) && tables.every(({ kind }) => kind === "table");
  },
);
const read = record(
  "Manifest",
  {
    problem: name,
    settings: object,
    reason: prose,
    rules,
    labels: list(words(1, 200)),
    columns: list(name),
    enrolment: among("ahead", "on-arrival"),
    access: among("invited", "open"),
    minimum: int(1),
    opens: moment,
    closes: moment,
    round_seconds: maybe(int(1)),
    quota: positive(1),
    retention_days: int(0, 36_500),
    collector: prose,
    purpose: prose,
    software: prose,
    version: among(1),
  },
  (one) => differ(one.labels) && one.minimum <= usersOf(one) && one.opens < one.closes,
);

/** Read a manifest; anything but the canonical form of a valid one is malformed. @type {(bytes: Uint8Array) => Manifest} */
export const readManifest = (bytes) => read(loads(bytes, MAX_MANIFEST), "");

/** How many slots there are. @type {(manifest: Manifest) => number} */
export const usersOf = ({ rules: { waves } }) => endOf(waves[waves.length - 1]);
/** What a user spends at most. @type {(manifest: Manifest) => number} */
export const epsilonOfManifest = ({ rules: { waves } }) => largest(waves.map(({ epsilon }) => epsilon));

/**
 * Where a question leaves what was announced, in words; null where it keeps to it.
 * @param {Manifest} manifest
 * @param {string} survey the manifest's digest
 * @param {Question} question
 * @returns {Promise<string | null>}
 */
export async function departure({ rules: { waves, ways, tables }, labels }, survey, question) {
  const { slots, role, round, encoder, channel, epsilon, groups, uses } = question;
  if (question.survey !== survey) return "it names another survey";
  const named = encoder.statistic.vector?.labels;
  if (named && named !== (await digest(dumps(labels)))) return "it numbers other categories than those announced";
  const asked = waves.filter((one) => slots.first <= one.first && endOf(one) <= endOf(slots));
  if (asked.reduce((sum, { count }) => sum + count, 0) !== slots.count) return "it asks slots that are no whole waves";
  if (asked.some(({ roles }) => !roles.includes(role))) return `its slots were not announced for the role "${role}"`;
  if (asked.some((one) => one.epsilon < epsilon)) return `it spends ${epsilon}, more than announced`;
  const table = channel.rows?.join(";");
  if (table && !tables.some(({ rows }) => rows.join(";") === table)) return "its table is none of those announced";
  const before = waves.indexOf(asked[0]);
  if (round < Math.min(1, before) || round > before) return `it calls itself round ${round + 1} of ${before + 1} at most`;
  const parts = Math.max(partsOf(encoder.statistic), partsOf(encoder.placement));
  if (groups !== parts) return `it deals users into ${groups} groups; what it asks has ${parts} parts`;
  const plain = { ...encoder, uses };
  const computed = new Map(); // one digest for each choice of free fields, however many ways there are
  let why = null;
  for (const one of ways.filter((other) => other.role === role && other.opening === (round === 0))) {
    let found = leaves(one, question, plain);
    if (found === null) {
      const fields = one.free.map(({ field }) => field).sort();
      const kept = fields.reduce((held, field) => without(held, field.split(".")), plain);
      const key = fields.join();
      if (!computed.has(key)) computed.set(key, [await digest(dumps(rounded(kept))), tooClose(kept)]);
      const [definition, close] = computed.get(key);
      found = definition === one.definition ? close : "it computes something else than what was announced";
    }
    if (found === null) return null;
    why ??= found;
  }
  return why ?? `the role "${role}" was not announced for this round`;
}

/** What stands out of such a way to ask, but for its definition. @type {(way: Way, question: Question, plain: any) => string | null} */
const leaves = (one, { encoder: { statistic, placement }, channel }, plain) => {
  const found = [kindOf(statistic), placement.kind, channel.kind].join(", ");
  const announced = [one.statistic, one.placement, one.channel].join(", ");
  if (found !== announced) return `it asks for ${found}; announced: ${announced}`;
  if (dimensionOf(statistic) > one.columns) return `it looks at more than ${one.columns} columns`;
  const [low, high] = reachOf(placement);
  if (low < one.low || high > one.high) return `it asks from ${low} to ${high}; announced: ${one.low} to ${one.high}`;
  const other = one.free.find((some) => !holds(some, some.field.split(".").reduce(own, plain)));
  return other ? `its ${other.field} is not as announced: ${other.most} from ${other.low} to ${other.high} at most` : null;
};

/** What stands in a field; null where there is no such field. @type {(held: any, field: string) => any} */
const own = (held, field) => (isObject(held) && Object.hasOwn(held, field) ? held[field] : null);

/** Whether a value is one, or some, of those that may be chosen. @type {(free: Free, value: any) => boolean} */
const holds = ({ field, low, high, most }, value) => {
  const numbers = listed(value);
  const inside = numbers.every((one) => typeof one === "number" && low <= one && one <= high);
  return inside && numbers.length <= most && (field !== "statistic.columns" || differ(numbers));
};

/** All but one field, which is there. @type {(held: any, path: string[]) => any} */
const without = (held, [field, ...path]) => {
  const { [field]: inner, ...rest } = held;
  return path.length ? { ...rest, [field]: without(inner, path) } : rest;
};

/** The lowest and the highest number that a placement tells from its neighbours. @type {(placement: any) => number[]} */
const reachOf = ({ edges, low, high }) => {
  if (edges) return edges.length ? [edges[0], edges.at(-1)] : [0, 0];
  return [-largest(low.map((/** @type {number} */ end) => -end)), largest(high)];
};

/**
 * Numbers that are not whole, to ten digits: machines differ in the last of them. Halfway between two, the even one is
 * taken, where `toPrecision` takes the larger.
 * @type {(value: any) => any}
 */
export const rounded = (value) => {
  if (Array.isArray(value)) return value.map(rounded);
  if (isObject(value)) return Object.fromEntries(Object.entries(value).map(([field, held]) => [field, rounded(held)]));
  if (typeof value !== "number" || Number.isInteger(value)) return value;
  const halfway = /^(-?\d\.\d{8}[02468])50*(e.*)$/.exec(value.toExponential(100));
  return Number(halfway ? halfway[1] + halfway[2] : value.toPrecision(10));
};

/** @type {(value: any) => readonly any[]} */
const listed = (value) => (Array.isArray(value) ? value : [value]);

/** Which numbers of what a question fixes cannot be told apart by ten digits, in words. @type {(plain: any) => string | null} */
const tooClose = (plain) => {
  if (!isObject(plain)) return null;
  const close = pairs(plain).find(([a, b, least]) => b - a < least * Math.max(Math.abs(a), Math.abs(b)));
  if (close) return `${close[0]} and ${close[1]} cannot be told apart by ten digits; ask for observations less a constant`;
  return Object.values(plain).map(tooClose).find((found) => found !== null) ?? null;
};

/** Two numbers, and the part of the larger one that they are apart at least; whole ones can be told apart always. */
const pairs = (/** @type {Record<string, any>} */ plain) => {
  /** @type {[number, number, number][]} */
  const found = [];
  if ("low" in plain && "high" in plain) {
    const [least, high] = [Math.max(WIDTH, STEP * (plain.count ?? 1)), listed(plain.high)];
    listed(plain.low).forEach((low, place) => found.push([low, high[place], least]));
  }
  for (const points of [plain.edges, plain.thresholds, plain.centres]) {
    const columns = listed(points?.[0] ?? []).length;
    for (let column = 0; column < columns; column += 1) {
      const sorted = Float64Array.from(new Set(points.map((/** @type {any} */ point) => listed(point)[column]))).sort();
      if (columns > 1) found.push([sorted[0], sorted[sorted.length - 1], sorted.length > 1 ? WIDTH : 0]); // in a box
      else sorted.slice(1).forEach((right, place) => found.push([sorted[place], right, STEP])); // on a line
    }
  }
  const apart = found.filter(([a, b]) => !Number.isInteger(a) || !Number.isInteger(b));
  for (const [middle, half] of [[plain.centre, plain.radius], [plain.middle, plain.half]].map((both) => both.map(listed))) {
    for (let turn = 0; turn < Math.max(middle.length, half.length); turn += 1) {
      const [at, width] = [middle[turn % middle.length], half[turn % half.length]];
      if (at !== undefined && width !== undefined) apart.push([at - width, at + width, Number.isInteger(at) ? 0 : WIDTH]);
    }
  }
  return apart;
};
