/** Parts of a view: drawn again only when what they show has changed; what is open, and where one is, stays so. */

import { element, show } from "../shared/dom.js";
import { say } from "./words.js";

/** @typedef {import("../shared/dom.js").Part} Piece */

/** @param {string} words */
export function capital(words) {
  return `${words.slice(0, 1).toUpperCase()}${words.slice(1)}`;
}

/** @param {{number: number, role: string}} round */
export const roundOf = ({ number, role }) => say("dashboard-round", { round: number + 1, role });

/**
 * A section with its heading.
 * @param {string} id
 * @param {string} heading
 * @param {...(Piece | Piece[])} parts
 */
export function section(id, heading, ...parts) {
  return element("section", { "aria-labelledby": id }, element("h2", { id }, heading), ...parts);
}

/**
 * @template Data
 */
export class Live {
  /** @param {(data: Data) => Piece | Piece[]} render nothing: the part is not there */
  constructor(render) {
    this.render = render;
    this.place = element("div", { hidden: true });
    this.shown = "";
  }

  /** @param {Data} data */
  update(data) {
    const now = JSON.stringify(data) ?? "";
    if (now === this.shown) return;
    this.shown = now;
    const open = new Set([...this.place.querySelectorAll("details[open]")].map((details) => details.id));
    const focused = this.place.contains(document.activeElement) ? (document.activeElement?.id ?? "") : "";
    show(this.place, this.render(data));
    this.place.hidden = !this.place.hasChildNodes();
    for (const details of this.place.querySelectorAll("details")) if (open.has(details.id)) details.open = true;
    if (focused) document.getElementById(focused)?.focus({ preventScroll: true });
  }
}

/**
 * The numbers of a picture, for those who would rather read them.
 * @param {string} id
 * @param {string} summary
 * @param {string[]} heads
 * @param {Piece[][]} rows the first of each row names it
 */
export function numbersOf(id, summary, heads, rows) {
  return element(
    "details",
    { id },
    element("summary", {}, summary),
    table(summary, heads, rows),
  );
}

/**
 * @param {string} caption for those who cannot see where it stands
 * @param {string[]} heads
 * @param {Piece[][]} rows
 */
export function table(caption, heads, rows) {
  const kind = (/** @type {number} */ place) => (place ? "n" : null);
  return element(
    "div",
    { class: "scroll", tabindex: 0, role: "region", "aria-label": caption },
    element(
      "table",
      {},
      element("caption", { class: "visually-hidden" }, caption),
      element(
        "thead",
        {},
        element("tr", {}, heads.map((head, place) => element("th", { scope: "col", class: kind(place) }, head))),
      ),
      element(
        "tbody",
        {},
        rows.map((row) =>
          element(
            "tr",
            {},
            row.map((cell, place) =>
              place ? element("td", { class: "n" }, cell) : element("th", { scope: "row" }, cell),
            ),
          ),
        ),
      ),
    ),
  );
}

/**
 * Names and texts; a line without a name goes on with the one before, as a table that keeps its columns.
 * @param {[string, string][]} lines
 */
export function told(lines) {
  /** @type {[string, string[]][]} */
  const groups = [];
  for (const [name, text] of lines) {
    const last = groups.at(-1);
    if (name || !last) groups.push([name, [text]]);
    else last[1].push(text);
  }
  return element(
    "dl",
    {},
    groups.flatMap(([name, texts]) => [
      element("dt", {}, name),
      texts.length > 1
        ? element("dd", { class: "rows", tabindex: 0 }, texts.join("\n"))
        : element("dd", {}, texts[0]),
    ]),
  );
}
