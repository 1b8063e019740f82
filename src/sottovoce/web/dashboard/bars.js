/** What closed rounds saw: shares with the noise taken out on average, each with its error. */

import { drawn, element } from "../shared/dom.js";
import { number, percent } from "../shared/numbers.js";
import { sized } from "../shared/sized.js";
import { axis, label, picture, scale, ticks } from "../shared/svg.js";
import { capital, numbersOf, roundOf, section } from "./part.js";
import { say, texts } from "./words.js";

/** @typedef {import("./shapes.js").Bar} Bar */
/** @typedef {import("./shapes.js").Round} Round */
/** @typedef {{round: Round, bars: Bar[], next: Round | undefined}} Seen */

const HEIGHT = 230;
const LEFT = 46;
const RIGHT = 18;
const ERRORS = 2;
/** Beyond so many, or with names, places stand below each other. */
const ACROSS = 1200;

/** @param {Round[]} rounds */
export function bars(rounds) {
  const seen = rounds.flatMap((round, place) =>
    round.bars?.length ? [{ round, bars: round.bars, next: narrower(rounds, place) }] : [],
  );
  if (!seen.length) return [];
  return [
    section(
      "bars",
      say("dashboard-bars-heading"),
      element("p", { class: "soft" }, say("dashboard-bars-why")),
      element("div", { class: "grid" }, seen.map(oneRound)),
    ),
  ];
}

/** @param {Seen} seen */
function oneRound(seen) {
  const title = roundOf(seen.round);
  const marked = seen.bars.some((one) => inside(one, seen.next));
  const rows = seen.bars.map((one) => [placeOf(one), percent(one.share), percent(ERRORS * one.error)]);
  return element(
    "figure",
    { class: "card" },
    element("h3", {}, title),
    sized((width) => (onLine(seen.bars) ? standing(width, seen, title) : lying(width, seen, title))),
    element("figcaption", {}, `${capital(seen.round.bars_words)}. ${marked ? say("dashboard-bars-next") : ""}`),
    numbersOf(`bars-${seen.round.number}`, say("dashboard-numbers"), texts("bars", "place", "share", "errors"), rows),
  );
}

/** @param {Bar[]} seen */
function onLine(seen) {
  return seen.length <= ACROSS && seen.every((one) => one.low !== null && one.high !== null && one.high >= one.low);
}

/** @param {Bar} one */
function placeOf(one) {
  if (one.label) return one.label;
  return one.low === null || one.high === null ? "–" : say("dashboard-range", { low: one.low, high: one.high });
}

/**
 * Whether the next round looks at (most of) this place.
 * @param {Bar} one
 * @param {Round | undefined} next
 */
function inside(one, next) {
  if (!next || one.low === null || one.high === null || next.low === null || next.high === null) return false;
  const middle = (one.low + one.high) / 2;
  return middle >= next.low && middle <= next.high;
}

/**
 * The round after this one, where it looks at less.
 * @param {Round[]} rounds
 * @param {number} place
 */
function narrower(rounds, place) {
  const [own, next] = [rounds[place], rounds[place + 1]];
  const width = (/** @type {Round | undefined} */ round) =>
    !round || round.low === null || round.high === null ? Infinity : round.high - round.low;
  return width(next) < 0.99 * width(own) ? next : undefined;
}

/** @param {Bar[]} seen */
function reach(seen) {
  const low = Math.min(0, ...seen.map((one) => one.share - ERRORS * one.error));
  const high = Math.max(0.01, ...seen.map((one) => one.share + ERRORS * one.error));
  return { low, high };
}

/** @param {Seen} seen @param {string} title */
function told(seen, title) {
  const most = seen.bars.reduce((best, one) => (one.share > best.share ? one : best));
  const words = say("dashboard-bars-words", { places: seen.bars.length, most: placeOf(most), share: most.share });
  return { title, words };
}

/**
 * Places on a line, shares upward.
 * @param {number} width
 * @param {Seen} seen
 * @param {string} title
 */
function standing(width, seen, title) {
  const lows = seen.bars.map((one) => one.low ?? 0);
  const highs = seen.bars.map((one) => one.high ?? 0);
  const [first, last] = [Math.min(...lows), Math.max(...highs)];
  const { low, high } = reach(seen.bars);
  const points = seen.bars.every((one) => one.low === one.high);
  const room = points ? 14 : 0;
  const across = scale(first, last, LEFT + room, width - RIGHT - room);
  const up = scale(low, high, HEIGHT - 34, 10);
  const marks = ticks(low, high, 4).flatMap((share) => [
    drawn("line", { class: "line", x1: LEFT, x2: width - RIGHT, y1: up(share), y2: up(share) }),
    label(LEFT - 6, up(share) + 4, percent(share), { "text-anchor": "end" }),
  ]);
  const shapes = seen.bars.flatMap((one) => {
    const [from, to] = [across(one.low ?? 0), across(one.high ?? 0)];
    const wide = points ? 9 : Math.max(1, to - from - (to - from > 6 ? 2 : 0));
    const middle = (from + to) / 2;
    const [top, bottom] = [up(Math.max(0, one.share)), up(Math.min(0, one.share))];
    return [
      drawn("rect", {
        class: inside(one, seen.next) ? "own" : "bar",
        x: middle - wide / 2,
        y: top,
        width: wide,
        height: Math.max(0.5, bottom - top),
      }),
      whisker(middle, up(one.share - ERRORS * one.error), up(one.share + ERRORS * one.error)),
    ];
  });
  const zero = drawn("line", { class: "axis", x1: LEFT, x2: width - RIGHT, y1: up(0), y2: up(0) });
  const below = axis(across, first, last, HEIGHT - 26, (value) => number(value), width < 420 ? 4 : 6);
  return picture(width, HEIGHT, told(seen, title), ...marks, ...shapes, zero, below);
}

/**
 * @param {number} x
 * @param {number} bottom
 * @param {number} top
 */
function whisker(x, bottom, top) {
  const d = `M${x} ${bottom}V${top}M${x - 3} ${bottom}h6M${x - 3} ${top}h6`;
  return drawn("path", { class: "error", d, fill: "none" });
}

/**
 * Places below each other, each with its name, shares to the right.
 * @param {number} width
 * @param {Seen} seen
 * @param {string} title
 */
function lying(width, seen, title) {
  const step = 40;
  const { low, high } = reach(seen.bars);
  const across = scale(low, high, 4, width - 8);
  const letters = Math.floor((width - 70) / 7);
  const shapes = seen.bars.flatMap((one, place) => {
    const [y, name] = [place * step, placeOf(one)];
    const [from, to] = [across(Math.min(0, one.share)), across(Math.max(0, one.share))];
    const [least, most] = [across(one.share - ERRORS * one.error), across(one.share + ERRORS * one.error)];
    return [
      label(4, y + 14, name.length > letters ? `${name.slice(0, letters)}…` : name, { class: "ink" }),
      label(width - 8, y + 14, percent(one.share), { "text-anchor": "end" }),
      drawn("rect", { class: "bar", x: from, y: y + 20, width: Math.max(0.5, to - from), height: 12 }),
      drawn("path", { class: "error", d: `M${least} ${y + 26}H${most}m0 -3v6M${least} ${y + 23}v6`, fill: "none" }),
    ];
  });
  const height = seen.bars.length * step + 4;
  const zero = drawn("line", { class: "axis", x1: across(0), x2: across(0), y1: 16, y2: height - 4 });
  return picture(width, height, told(seen, title), ...shapes, zero);
}
