// A manifest: what a survey promises before anybody is asked; its digest is the survey's name. A device that knows the
// digest, from its invitation, trusts nobody for the rest: what a question asks stands here, or is declined.

import { digest, dumps, loads } from "./canonical.js";
import { CHANNELS, readTable } from "./channels.js";
import { all, among, differ, isObject, like, real, records, words } from "./codec.js";
import { check } from "./errors.js";
import { MAX_MANIFEST, MAX_USERS } from "./limits.js";
import { PLACEMENTS, STATISTICS, dimensionOf, kindOf, largest, partsOf } from "./vocabulary.js";

/** @typedef {import("./question.js").Question} Question */
/** @typedef {Readonly<{rules: Readonly<{waves: any[], ways: any[], tables: any[]}>, [field: string]: any}>} Manifest */

/** @type {(one: any) => number} */
const endOf = ({ first, count }) => first + count;
/** @type {(way: any) => string[]} */
const fieldsOf = ({ free }) => free.map((/** @type {any} */ { field }) => field).sort();

const { Manifest: read } = records(
  `Wave first:0.. count:1.. epsilon:epsilon roles:name+
  Free field:field low:number high:number most:1..65536
  Way role:name statistic:statistic placement:placement channel:channel low:number high:number definition:digest\
 free:Free* columns:1..65536 opening:boolean
  Rules waves:Wave+ ways:Way+ tables:table*
  Manifest problem:name settings:object reason:prose rules:Rules labels:label* columns:name*\
 enrolment:ahead|on-arrival access:invited|open minimum:1.. opens:0.. closes:0..253402300799 round_seconds:1..?\
 quota:part retention_days:0..36500 collector:prose purpose:prose software:prose version:1..1`,
  {
    field: like(/^[a-z]{1,32}(\.[a-z]{1,32}){0,3}$/),
    statistic: among(...STATISTICS),
    placement: among(...PLACEMENTS),
    channel: among(...CHANNELS),
    boolean: among(true, false),
    table: readTable,
    prose: words(0, 4096),
    label: words(1, 200),
    part: real(Number.MIN_VALUE, 1),
  },
  {
    Wave: ({ roles }) => differ(roles),
    Free: ({ low, high }) => low <= high,
    Way: (one) => one.low <= one.high && one.free.length <= 16 && differ(fieldsOf(one)),
    Rules: ({ waves, ways }) => {
      const inTurn = all(waves, ({ first }, place) => first === (place && endOf(waves[place - 1])));
      check(inTurn && waves.length <= 2 ** 10 && endOf(waves.at(-1)) <= MAX_USERS, "up to 1,024 waves, without a gap");
      const [open, more] = ways.filter((/** @type {any} */ way) => way.opening);
      check(open && !more && !open.free.length, "one way opens the survey, and nothing of it is left open");
      const announced = new Set(ways.map((/** @type {any} */ way) => way.role));
      const known = all(waves, ({ roles }) => all(roles, (role) => announced.has(role)));
      return known && ways.length <= 64 && differ(ways.map((/** @type {any} */ way) => JSON.stringify(way)));
    },
    Manifest: (one) => differ(one.labels) && one.minimum <= usersOf(one) && one.opens < one.closes,
  },
);

/** Anything but the canonical form of a valid manifest is malformed. @type {(bytes: Uint8Array) => Manifest} */
export const readManifest = (bytes) => read(loads(bytes, MAX_MANIFEST), "");
/** How many slots there are. @type {(manifest: Manifest) => number} */
export const usersOf = ({ rules: { waves } }) => endOf(waves.at(-1));
/** What a user spends at most. @type {(manifest: Manifest) => number} */
export const epsilonOfManifest = ({ rules: { waves } }) => largest(waves.map(({ epsilon }) => epsilon));

/**
 * Where a question leaves what was announced, in words; null where it keeps to it. `survey` is the manifest's digest.
 * @type {(manifest: Manifest, survey: string, question: Question) => Promise<string | null>}
 */
export const departure = async ({ rules: { waves, ways, tables }, labels }, survey, question) => {
  const { slots, role, round, encoder, channel, epsilon, groups, uses } = question;
  if (question.survey !== survey) return "it names another survey";
  const named = encoder.statistic.vector?.labels;
  if (named && named !== (await digest(dumps(labels)))) return "it numbers other categories than those announced";
  const asked = waves.filter((one) => slots.first <= one.first && endOf(one) <= endOf(slots));
  if (asked.reduce((sum, { count }) => sum + count, 0) !== slots.count) return "it asks slots that are no whole waves";
  if (!all(asked, ({ roles }) => roles.includes(role))) return `these slots were not announced for the role "${role}"`;
  if (!all(asked, (one) => epsilon <= one.epsilon)) return `it spends ${epsilon}, more than announced`;
  const table = channel.rows?.join(";");
  if (table && all(tables, ({ rows }) => rows.join(";") !== table)) return "its table is none of those announced";
  const before = waves.indexOf(asked[0]);
  if (round < Math.min(1, before) || round > before) return `it calls itself round ${round + 1}`;
  const parts = Math.max(partsOf(encoder.statistic), partsOf(encoder.placement));
  if (groups !== parts) return `it deals users into ${groups} groups; what it asks has ${parts} parts`;
  const plain = { ...encoder, uses };
  const known = new Map(); // each digest is computed once, however many ways there are
  const reasons = [`the role "${role}" was not announced for this round`];
  for (const one of ways) {
    if (one.role !== role || one.opening !== (round === 0)) continue;
    const [why, fields] = [leaves(one, question, plain), fieldsOf(one)];
    const key = fields.join();
    if (!why && !known.has(key)) {
      const kept = fields.reduce((held, field) => without(held, field.split(".")), plain);
      known.set(key, toldApart(kept) && (await digest(dumps(rounded(kept)))));
    }
    if (!why && known.get(key) === one.definition) return null;
    reasons.push(why || "it computes something else than what was announced, or what ten digits cannot tell apart");
  }
  return reasons[1] ?? reasons[0];
};

/** Where a question leaves a way to ask, but for its definition. @type {(way: any, asked: Question, plain: any) => string} */
const leaves = (one, { encoder: { statistic, placement }, channel }, plain) => {
  const found = `${kindOf(statistic)}, ${placement.kind}, ${channel.kind}`;
  const told = `${one.statistic}, ${one.placement}, ${one.channel}`;
  if (found !== told) return `it asks for ${found}; announced: ${told}`;
  if (dimensionOf(statistic) > one.columns) return `it looks at more than ${one.columns} columns`;
  const ends = placement.edges ?? [...placement.low, ...placement.high];
  const inside = all(ends.length ? ends : [0], (end) => one.low <= end && end <= one.high);
  if (!inside) return `it asks beyond ${one.low} to ${one.high}`;
  return all(one.free, (held) => holds(held, plain)) ? "" : "what it chooses is not as announced";
};

/** Whether a field holds one, or some, of the numbers that may be chosen. @type {(free: any, plain: any) => boolean} */
const holds = ({ field, low, high, most }, plain) => {
  const own = (/** @type {any} */ held, /** @type {string} */ part) =>
    isObject(held) && Object.hasOwn(held, part) ? held[part] : null;
  const numbers = listed(field.split(".").reduce(own, plain));
  const inside = all(numbers, (one) => typeof one === "number" && low <= one && one <= high);
  return inside && numbers.length <= most && (field !== "statistic.columns" || differ(numbers));
};

/** All but one field, which is there. @type {(held: any, path: string[]) => any} */
const without = ({ ...held }, [field, ...path]) => {
  if (path.length) held[field] = without(held[field], path);
  else delete held[field];
  return held;
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

/** @type {(a: number, b: number, least: number) => boolean} */
const far = (a, b, least) => b - a >= least * Math.max(Math.abs(a), Math.abs(b));
/** @type {(a: number, b: number, least: number) => boolean} */
const apart = (a, b, least) => a === b || (Number.isInteger(a) && Number.isInteger(b)) || far(a, b, least);
/** @type {(a: any, b: any) => any[]} */
const pairs = (a, b) => {
  if (a === undefined || b === undefined) return [];
  const [left, right] = [listed(a), listed(b)];
  const length = Math.max(left.length, right.length);
  return Array.from({ length }, (_, place) => [left[place % left.length], right[place % right.length]]);
};

/**
 * Whether ten digits tell apart what a question fixes, to a thousandth of a range and a fiftieth of a bin: far from
 * zero they may not. Points on a line differ from their neighbours, those in space lie in a box.
 * @type {(plain: any) => boolean}
 */
const toldApart = (plain) => {
  if (!isObject(plain)) return true;
  const { low, high, count = 1, edges, thresholds, centres, centre, radius, middle = centre, half = radius } = plain;
  const [width, step] = [2 ** -20, 2 ** -24];
  const ranges = all(pairs(low, high), ([a, b]) => apart(a, b, Math.max(width, step * count)));
  const balls = all(pairs(middle, half), ([at, by]) => Number.isInteger(at) || far(at - by, at + by, width));
  const points = all([edges, thresholds, centres], (held = []) => {
    const columns = listed(held[0] ?? []).map((_, place) =>
      [...new Set(held.map((/** @type {any} */ point) => listed(point)[place]))].sort((a, b) => a - b),
    );
    if (columns.length > 1) return all(columns, (column) => apart(column[0], column.at(-1), width));
    return all(columns, (column) => all(column, (one, place) => !place || apart(column[place - 1], one, step)));
  });
  return ranges && balls && points && all(Object.values(plain), toldApart);
};
