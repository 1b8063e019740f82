// A manifest: what a survey promises beforehand, and what questions are held to.

import { digest, dumps, loads } from "./canonical.js";
import { CHANNELS, readTable } from "./channels.js";
import { among, differ, isObject, like, real, records, words } from "./codec.js";
import { MAX_DOCUMENT, MAX_USERS } from "./limits.js";
import { PLACEMENTS, STATISTICS, dimensionOf, kindOf, partsOf } from "./vocabulary.js";

const endOf = ({ first, count }) => first + count;
const fieldsOf = ({ free }) => free.map(({ field }) => field).sort();

const { Manifest: read } = records(
  `Wave first:0.. count:1.. epsilon:epsilon roles:name+
  Free field:field low:number high:number most:1..65536
  Way role:name statistic:statistic placement:placement channel:channel low:number high:number definition:digest\
 free:Free* columns:1..65536 opening:boolean groups:2..65536=
  Rules waves:Wave+ ways:Way+ tables:table*
  Manifest problem:name settings:object reason:prose rules:Rules labels:label* columns:name*\
 enrolment:ahead|on-arrival access:invited|open minimum:1.. opens:0.. closes:0..253402300799 round_seconds:1..?\
 quota:part retention_days:0..36500 collector:prose purpose:prose software:prose version:1..1 groups:label+= chosen:object= edition:2..=`,
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
      const [announced, [open, more]] = [ways.map(({ role }) => role), ways.filter(({ opening }) => opening)];
      const inTurn = waves.every(({ first }, place) => first === (place && endOf(waves[place - 1])));
      const few = waves.length <= 2 ** 10 && ways.length <= 64 && endOf(waves.at(-1)) <= MAX_USERS;
      const known = few && waves.every(({ roles }) => roles.every((role) => announced.includes(role)));
      const opened = open && !more && !open.free.length;
      return inTurn && known && opened && differ(ways.map((way) => JSON.stringify(way)));
    },
    Manifest: (one) =>
      differ(one.labels) && differ(one.groups ?? []) && one.minimum <= usersOf(one) && one.opens < one.closes,
  },
);

export const readManifest = (bytes) => read(loads(bytes, MAX_DOCUMENT));
export const usersOf = ({ rules: { waves } }) => endOf(waves.at(-1));

/** @returns {any} */
const broken = (rules) => Object.keys(rules).find((name) => !rules[name]);

/** What of a question was not announced; null where all was. `survey` is the manifest's digest. */
export const departure = async ({ rules: { waves, ways, tables }, labels, groups: names = [] }, survey, question) => {
  const { slots, role, round, encoder, channel, epsilon, groups, uses } = question;
  const { statistic, placement, within } = encoder;
  const asked = waves.filter((one) => slots.first <= one.first && endOf(one) <= endOf(slots));
  const before = waves.indexOf(asked[0]);
  const table = channel.rows?.join(";");
  const numbers = async (named, list) => !named || named === (await digest(dumps(list)));
  const early = broken({
    survey: question.survey === survey,
    labels: (await numbers(statistic.vector?.labels, labels)) && (await numbers(within?.labels, names)),
    slots: asked.reduce((sum, { count }) => sum + count, 0) === slots.count, // whole waves
    role: asked.every(({ roles }) => roles.includes(role)),
    epsilon: asked.every((one) => epsilon <= one.epsilon),
    table: !table || tables.some(({ rows }) => rows.join(";") === table),
    round: Math.min(1, before) <= round && round <= before,
  });
  if (early) return early;
  const [plain, ends] = [{ ...encoder, uses }, placement.edges ?? [placement.low, placement.high].flat()];
  const parts = within && !within.stride ? within.count : Math.max(partsOf(statistic), partsOf(placement));
  const known = new Map(); // each digest once, however many ways there are
  let late = "role in this round";
  for (const way of ways.filter((one) => one.role === role && one.opening === (round === 0))) {
    const key = fieldsOf(way).join();
    late = broken({
      statistic: way.statistic === kindOf(statistic),
      placement: way.placement === placement.kind,
      channel: way.channel === channel.kind,
      groups: groups === (parts > 1 ? parts : (way.groups ?? 1)),
      columns: Math.max(dimensionOf(statistic), within ? within.column + 1 : 0) <= way.columns,
      range: (ends.length ? ends : [0]).every((end) => way.low <= end && end <= way.high),
      choice: way.free.every((free) => holds(free, plain)),
    });
    if (late) continue;
    if (!known.has(key)) {
      const kept = fieldsOf(way).reduce((held, field) => without(held, field.split(".")), plain);
      known.set(key, toldApart(kept) && (await digest(dumps(rounded(kept)))));
    }
    if (known.get(key) === way.definition) return null;
    late = "definition, to ten digits";
  }
  return late;
};

const holds = ({ field, low, high, most }, plain) => {
  const own = (held, part) => (isObject(held) && Object.hasOwn(held, part) ? held[part] : null);
  const numbers = listed(field.split(".").reduce(own, plain));
  const inside = numbers.every((one) => typeof one === "number" && low <= one && one <= high);
  return inside && numbers.length <= most && (field !== "statistic.columns" || differ(numbers));
};

const without = ({ ...held }, path) => {
  const [field, ...inner] = path;
  if (inner.length) held[field] = without(held[field], inner);
  else delete held[field];
  return held;
};

/** Numbers that are not whole, to ten digits; halfway, to the even one. */
export const rounded = (value) => {
  if (Array.isArray(value)) return value.map(rounded);
  if (isObject(value)) return Object.fromEntries(Object.entries(value).map(([field, held]) => [field, rounded(held)]));
  if (typeof value !== "number" || Number.isInteger(value)) return value;
  const halfway = /^(-?\d\.\d{8}[02468])50*(e.*)$/.exec(value.toExponential(100));
  return Number(halfway ? halfway[1] + halfway[2] : value.toPrecision(10));
};

const listed = (value = []) => [value].flat();
const far = (a, b, least) => b - a >= least * Math.max(Math.abs(a), Math.abs(b));
const apart = (a, b, least) => a === b || [a, b].every(Number.isInteger) || far(a, b, least);
/** Side by side, the shorter list over and over. */
const pairs = (a, b, test) => {
  const [left, right] = [listed(a), listed(b)];
  const passes = (_, place) => test(left[place % left.length], right[place % right.length]);
  return !left.length || !right.length || [...left, ...right].every(passes);
};

/** Whether ten digits tell apart what a question fixes (messages/rules.py). */
const toldApart = (plain) => {
  if (!isObject(plain)) return true;
  const { low, high, count = 1, edges, inner, thresholds, centres, centre, radius, middle = centre, half = radius } = plain;
  const [width, step] = [2 ** -20, 2 ** -24];
  const ranges = pairs(low, high, (a, b) => apart(a, b, Math.max(width, step * count)));
  const balls = pairs(middle, half, (at, by) => Number.isInteger(at) || far(at - by, at + by, width));
  const points = [edges, inner, thresholds, centres].every((held = []) => {
    const columns = listed(held[0]).map((_, place) => held.map((one) => listed(one)[place]).sort((a, b) => a - b));
    return columns.every((column) => {
      const [line, least] = columns.length > 1 ? [[column[0], column.at(-1)], width] : [column, step];
      return line.every((one, place) => !place || apart(line[place - 1], one, least));
    });
  });
  return ranges && balls && points && Object.values(plain).every(toldApart);
};
