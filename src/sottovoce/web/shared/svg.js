/** Pictures: a scale, and a drawing that says in words what it shows. */

import { drawn } from "./dom.js";

/**
 * From numbers to pixels.
 * @param {number} low
 * @param {number} high
 * @param {number} from
 * @param {number} to
 * @returns {(value: number) => number}
 */
export function scale(low, high, from, to) {
  const wide = high > low ? high - low : 1;
  return (value) => from + ((value - low) / wide) * (to - from);
}

/**
 * A drawing of this size, scaled to the room that there is. `words` say what it shows to whoever cannot see it; they
 * stand in the picture as its title and description.
 * @param {number} width
 * @param {number} height
 * @param {{title: string, words: string}} told
 * @param {...SVGElement} parts
 * @returns {SVGSVGElement}
 */
export function picture(width, height, told, ...parts) {
  const id = `picture-${++made}`;
  return drawn(
    "svg",
    { viewBox: `0 0 ${width} ${height}`, role: "img", "aria-labelledby": `${id}-title ${id}-words` },
    drawn("title", { id: `${id}-title` }, told.title),
    drawn("desc", { id: `${id}-words` }, told.words),
    ...parts,
  );
}

let made = 0;

/**
 * Words in a drawing.
 * @param {number} x
 * @param {number} y
 * @param {string} words
 * @param {Record<string, unknown>} [attributes]
 */
export function label(x, y, words, attributes = {}) {
  return drawn("text", { x, y, ...attributes }, words);
}

/**
 * About `count` round numbers from `low` to `high`: for the marks of an axis.
 * @param {number} low
 * @param {number} high
 * @param {number} [count]
 * @returns {number[]}
 */
export function ticks(low, high, count = 5) {
  if (!(high > low)) return [low];
  const rough = (high - low) / count;
  const power = 10 ** Math.floor(Math.log10(rough));
  const step = [1, 2, 2.5, 5, 10].map((factor) => factor * power).find((size) => size >= rough) ?? 10 * power;
  const first = Math.ceil(low / step - 1e-9);
  const last = Math.floor(high / step + 1e-9);
  return Array.from({ length: last - first + 1 }, (_, place) => Number(((first + place) * step).toPrecision(12)));
}

/**
 * A horizontal axis with its numbers below.
 * @param {(value: number) => number} across
 * @param {number} low
 * @param {number} high
 * @param {number} y
 * @param {(value: number) => string} written
 * @param {number} [count]
 */
export function axis(across, low, high, y, written, count = 5) {
  const marks = ticks(low, high, count).flatMap((value) => [
    drawn("line", { class: "axis", x1: across(value), x2: across(value), y1: y, y2: y + 5 }),
    label(across(value), y + 19, written(value), { "text-anchor": "middle" }),
  ]);
  return drawn("g", {}, drawn("line", { class: "axis", x1: across(low), x2: across(high), y1: y, y2: y }), ...marks);
}
