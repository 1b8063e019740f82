/** The answer: the number first, then its intervals, where its error comes from, and everything that it says. */

import { drawn, element } from "../shared/dom.js";
import { number } from "../shared/numbers.js";
import { sized } from "../shared/sized.js";
import { label, picture, scale } from "../shared/svg.js";
import { numbersOf, section, told } from "./part.js";
import { say, texts } from "./words.js";

/** @typedef {import("./shapes.js").Found} Found */

/**
 * A number with as many decimals as its error lets one believe.
 * @param {number} value
 * @param {number} halfwidth
 */
export function believed(value, halfwidth) {
  const places = 1 - Math.floor(Math.log10(halfwidth));
  if (!(halfwidth > 0) || !Number.isFinite(places) || Math.abs(places) > 9) return number(value);
  const digits = Math.max(0, places);
  const written = new Intl.NumberFormat("en", { minimumFractionDigits: digits, maximumFractionDigits: digits });
  return written.format(value).replace("-", "−");
}

/**
 * @param {number | null | undefined} low
 * @param {number | null | undefined} high
 */
function half(low, high) {
  return low === null || low === undefined || high === null || high === undefined ? null : (high - low) / 2;
}

/**
 * Of the interval that holds whatever people are, and of the one that relies on a model.
 * @param {Found | null} found
 */
export function halfwidthsOf(found) {
  return { guarded: half(found?.low, found?.high), model: half(found?.model_low, found?.model_high) };
}

/** @param {Found | null} found */
export function answer(found) {
  if (!found) return [];
  return [
    section(
      "answer",
      say("dashboard-answer-heading"),
      element("div", { class: "grid wide" }, headline(found), found.causes.length ? causes(found.causes) : null),
      found.value === null
        ? element("div", { class: "card" }, told(found.lines))
        : element(
            "details",
            { id: "answer-lines" },
            element("summary", {}, say("dashboard-answer-all")),
            told(found.lines),
          ),
    ),
  ];
}

/** @param {Found} found */
function headline(found) {
  const halves = halfwidthsOf(found);
  const wide = halves.guarded ?? 0;
  const narrow = halves.model ?? wide;
  const { value, low, high, model_low, model_high, warnings, confidence } = found;
  if (value === null && !warnings.length) return null;
  return element(
    "div",
    { class: "card" },
    value === null ? null : element("p", { class: "huge number" }, believed(value, narrow)),
    low === null || high === null
      ? null
      : element("p", { class: "big number" }, say("between", { low: believed(low, wide), high: believed(high, wide) })),
    confidence && low !== null
      ? element("p", { class: "soft small" }, say("dashboard-answer-sure", { confidence }))
      : null,
    model_low === null || model_high === null
      ? null
      : element(
          "p",
          {},
          say("dashboard-answer-model", { low: believed(model_low, narrow), high: believed(model_high, narrow) }),
        ),
    warnings.map((warning) => element("p", { class: "note care" }, warning)),
  );
}

/** @param {{name: string, value: number}[]} listed */
function causes(listed) {
  return element(
    "figure",
    { class: "card" },
    element("h3", {}, say("dashboard-answer-causes")),
    sized((width) => drawing(width, listed)),
    element("figcaption", {}, say("dashboard-answer-causes-words")),
    numbersOf(
      "causes-numbers",
      say("dashboard-numbers"),
      texts("answer", "cause", "error"),
      listed.map((cause) => [cause.name, number(cause.value, 3)]),
    ),
  );
}

/**
 * @param {number} width
 * @param {{name: string, value: number}[]} listed
 */
function drawing(width, listed) {
  const step = 38;
  const across = scale(0, Math.max(...listed.map((cause) => cause.value), Number.MIN_VALUE), 0, width - 8);
  const shapes = listed.flatMap((cause, place) => [
    label(0, place * step + 14, cause.name, { class: "ink" }),
    label(width - 8, place * step + 14, number(cause.value, 3), { "text-anchor": "end" }),
    drawn("rect", { class: "sunk", x: 0.5, y: place * step + 20, width: width - 9, height: 10, rx: 3 }),
    drawn("rect", { class: "bar", y: place * step + 20, width: Math.max(1, across(cause.value)), height: 10, rx: 3 }),
  ]);
  const words = listed.map((cause) => `${cause.name} ${number(cause.value, 3)}`).join(", ");
  return picture(width, listed.length * step, { title: say("dashboard-answer-causes"), words: `${words}.` }, ...shapes);
}
