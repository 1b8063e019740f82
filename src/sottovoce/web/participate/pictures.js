/** What would be sent, drawn: a hundred people, the own number on its scale, the law of each channel, the budget. */

import { fact } from "../client/fact.js";
import { drawn } from "../shared/dom.js";
import { number } from "../shared/numbers.js";
import { axis, label, picture, scale } from "../shared/svg.js";
import { say } from "./words.js";

/** @typedef {SVGSVGElement} Picture */

const SAID = 8;

/**
 * A hundred people with other data: those who would send the same are filled.
 * @param {number} same
 * @param {number} width
 * @returns {Picture}
 */
export function people(same, width) {
  const across = width < 460 ? 20 : 25;
  const cell = Math.min(width / across, 26);
  const rows = 100 / across;
  const tall = 1.25 * cell;
  const left = cell * 0.5;
  const bodies = Array.from({ length: 100 }, (_, place) => {
    const x = left + (place % across) * cell;
    const y = 4 + Math.floor(place / across) * tall;
    return person(x, y, cell * 0.84, place < same ? "own" : "outline");
  });
  const below = 4 + rows * tall + 18;
  const told = { same, rest: 100 - same };
  return picture(
    width,
    below + 10,
    { title: say("page-picture-people-title", told), words: say("page-picture-people-words", told) },
    ...bodies,
    drawn(
      "text",
      { x: 0, y: below },
      drawn("tspan", { class: "same" }, `■ ${say("page-picture-people-same", told)}`),
      drawn("tspan", { dx: 14 }, same < 100 ? `□ ${say("page-picture-people-rest", told)}` : ""),
    ),
  );
}

/**
 * @param {number} x its middle
 * @param {number} y its top
 * @param {number} size its width
 * @param {string} kind
 */
function person(x, y, size, kind) {
  const head = size * 0.23;
  const [wide, top, low] = [size * 0.34, y + 2.35 * head, y + size * 1.12];
  const body = `M${x - wide} ${low}V${top + wide}a${wide} ${wide} 0 0 1 ${2 * wide} 0V${low}z`;
  return drawn("g", { class: kind }, drawn("circle", { cx: x, cy: y + head, r: head }), drawn("path", { d: body }));
}

/**
 * The own number on the survey's scale.
 * @param {{value: number, low: number, high: number, knots: number[], written: (value: number) => string}} own
 * @param {number} width
 * @returns {Picture}
 */
export function onScale({ value, low, high, knots, written }, width) {
  const across = scale(low, high, 16, width - 16);
  const at = across(Math.min(high, Math.max(low, value)));
  const told = { value: written(value), low: written(low), high: written(high) };
  const anchor = at < 60 ? "start" : at > width - 60 ? "end" : "middle";
  return picture(
    width,
    74,
    { title: say("page-picture-scale-title"), words: say("page-picture-scale-words", told) },
    axis(across, low, high, 46, written, width < 460 ? 4 : 6),
    ...knots.map((knot) => drawn("circle", { class: "knot", cx: across(knot), cy: 46, r: 2.5 })),
    drawn("line", { class: "own-line", x1: at, x2: at, y1: 22, y2: 46 }),
    drawn("circle", { class: "own", cx: at, cy: 46, r: 6 }),
    label(at, 15, say("page-picture-here", told), { "text-anchor": anchor, class: "mark strong" }),
  );
}

/**
 * The law of a table: for each symbol, how many of 100 devices say it, with the own data and with the most different.
 * @param {number[]} own
 * @param {number[]} other
 * @param {number} width
 * @returns {Picture}
 */
export function bars(own, other, width) {
  const told = {
    title: say("page-picture-table-title"),
    words: say("page-picture-table-words", { own: says(own), other: says(other) }),
  };
  const [top, floor] = [42, 172];
  const up = scale(0, Math.max(...own, ...other), floor, top);
  const slot = (width - 8) / own.length;
  const wide = Math.max(1, Math.min(34, slot * 0.4));
  const few = slot >= 20;
  const parts = own.flatMap((chance, symbol) => {
    const middle = 4 + slot * (symbol + 0.5);
    const pair = [
      column(middle - wide, wide, up(chance), floor, "own"),
      column(middle, wide, up(other[symbol]), floor, "other"),
    ];
    if (!few) return pair;
    const room = wide >= 18;
    return [
      ...pair,
      label(middle, floor + 18, String(symbol), { "text-anchor": "middle", class: "ink" }),
      room &&
        label(middle - wide / 2, up(chance) - 5, of100(chance), {
          "text-anchor": "middle",
          class: "mark",
        }),
      room &&
        label(middle + wide / 2, up(other[symbol]) - 5, of100(other[symbol]), {
          "text-anchor": "middle",
        }),
    ].filter((one) => one !== false);
  });
  const words = few ? say("page-picture-table-axis") : say("page-picture-table-axis-many", { last: own.length - 1 });
  return picture(
    width,
    floor + 44,
    told,
    ...legend(width),
    ...parts,
    drawn("line", { class: "axis", x1: 0, x2: width, y1: floor, y2: floor }),
    label(width / 2, floor + (few ? 38 : 22), words, { "text-anchor": "middle" }),
  );
}

/** So many of 100. @param {number} chance */
const of100 = (chance) => number(100 * chance, 2);

/** How many of 100 devices say each of the first symbols. @param {number[]} chances */
function says(chances) {
  const told = chances.slice(0, SAID).map((chance, symbol) =>
    fact("page-picture-table-says", { hundred: 100 * chance, symbol }),
  );
  return fact("page-picture-table-each", { says: told, more: chances.length > SAID });
}

/**
 * @param {number} x
 * @param {number} width
 * @param {number} top
 * @param {number} floor
 * @param {string} kind
 */
function column(x, width, top, floor, kind) {
  return drawn("rect", { class: kind, x, y: top, width: Math.max(0.5, width - 1), height: Math.max(0, floor - top) });
}

/** @param {number} width */
function legend(width) {
  const narrow = width < 400;
  return [
    drawn("rect", { class: "own", x: 0, y: 4, width: 11, height: 11 }),
    label(16, 14, say("page-picture-yours"), { class: "ink" }),
    drawn("rect", { class: "other", x: narrow ? 0 : 150, y: narrow ? 22 : 4, width: 11, height: 11 }),
    label(narrow ? 16 : 166, narrow ? 32 : 14, say("page-picture-others"), { class: "ink" }),
  ];
}

/**
 * For channels that name some of several items: how many of 100 devices name each.
 * @param {{name: string, chance: number, own: boolean}[]} items
 * @param {{words: string}} told
 * @param {number} width
 * @returns {Picture}
 */
export function items(items, told, width) {
  const names = Math.min(width * 0.42, 14 + 7.4 * Math.max(...items.map(({ name }) => name.length)));
  const most = Math.max(...items.map(({ chance }) => chance));
  const across = scale(0, most, names + 8, width - 40);
  const tall = 26;
  const rows = items.flatMap(({ name, chance, own }, place) => {
    const y = 4 + tall * place;
    return [
      label(names, y + 15, shortened(name, names / 7.2), { "text-anchor": "end", class: own ? "mark strong" : "ink" }),
      drawn("rect", {
        class: own ? "own" : "other",
        x: names + 8,
        y: y + 2,
        width: across(chance) - names - 8,
        height: tall - 8,
      }),
      label(across(chance) + 6, y + 15, of100(chance), { class: own ? "mark" : "" }),
    ];
  });
  const below = 4 + tall * items.length + 14;
  return picture(
    width,
    below + 8,
    { title: say("page-picture-items-title"), words: told.words },
    ...rows,
    label(0, below, say("page-picture-items-axis")),
  );
}

/**
 * @param {string} name
 * @param {number} letters
 */
function shortened(name, letters) {
  return name.length > letters ? `${name.slice(0, Math.max(1, Math.floor(letters) - 1))}…` : name;
}

/**
 * Laplace noise around the own number, and around the most different one.
 * @param {{own: number, other: number, low: number, high: number, reach: number}} law `reach`: e times less likely
 * @param {number} width
 * @returns {Picture}
 */
export function curves({ own, other, low, high, reach }, width) {
  const wide = Math.max(high - low, 3 * reach);
  const [from, to] = [Math.min(own, other) - 0.8 * wide, Math.max(own, other) + 0.8 * wide];
  const across = scale(from, to, 0, width);
  const [top, floor] = [42, 166];
  const up = scale(0, 1, floor, top);
  const curve = (/** @type {number} */ middle) => {
    const points = Array.from({ length: 121 }, (_, k) => from + ((to - from) * k) / 120);
    const all = [...points, middle].sort((a, b) => a - b);
    return all
      .map((x) => `${across(x).toFixed(1)},${up(Math.exp(-Math.abs(x - middle) / reach)).toFixed(1)}`)
      .join(" ");
  };
  const filled = (/** @type {number} */ middle, /** @type {string} */ kind) =>
    drawn("polygon", { class: kind, points: `0,${floor} ${curve(middle)} ${width},${floor}` });
  const written = (/** @type {number} */ value) => number(value, 3);
  return picture(
    width,
    floor + 44,
    {
      title: say("page-picture-laplace-title"),
      words: say("page-picture-laplace-words", {
        own: written(own),
        other: written(other),
        half: written(reach * Math.LN2),
      }),
    },
    ...legend(width),
    filled(other, "other curve"),
    filled(own, "own curve"),
    axis(across, from, to, floor, written, width < 460 ? 4 : 7),
    label(width / 2, floor + 38, say("page-picture-laplace-axis"), { "text-anchor": "middle" }),
  );
}

/**
 * What was spent, what this costs, what is left.
 * @param {{spent: number, cost: number, cap: number}} budget
 * @param {number} width
 * @returns {Picture}
 */
export function budget({ spent, cost, cap }, width) {
  const most = Math.max(cap, spent + cost);
  const across = scale(0, most, 1, width - 1);
  const left = Math.max(0, cap - spent - cost);
  const box = (/** @type {number} */ from, /** @type {number} */ to, /** @type {string} */ kind) =>
    drawn("rect", { class: kind, x: across(from), y: 4, width: Math.max(0, across(to) - across(from)), height: 18 });
  return picture(
    width,
    52,
    { title: say("page-budget-title"), words: say("page-budget-words", { spent, cost, cap, left }) },
    box(0, most, "sunk"),
    box(0, spent, "other"),
    box(spent, spent + cost, "own"),
    drawn(
      "text",
      { x: 0, y: 42 },
      spent > 0 && drawn("tspan", {}, `${say("page-budget-spent")}: ${number(spent, 3)}  ·  `),
      drawn("tspan", { class: "same" }, `${say("page-budget-cost")}: ${number(cost, 3)}`),
      drawn("tspan", {}, `  ·  ${say("page-budget-left")}: ${number(left, 3)}`),
    ),
  );
}
