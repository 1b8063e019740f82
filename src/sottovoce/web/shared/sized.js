/** Pictures that are drawn at the width that they have, so that words in them stay as large as words around them. */

import { element, show } from "./dom.js";

const FIRST = 320;

/**
 * A place in which `draw` is shown, and drawn again when its width changes.
 * @param {(width: number) => SVGSVGElement} draw
 * @param {number} [widest]
 * @returns {HTMLElement}
 */
export function sized(draw, widest = 1100) {
  const place = element("div", { class: "picture" }, draw(FIRST));
  let drawn = FIRST;
  const watcher = new ResizeObserver(([entry]) => {
    const width = Math.min(widest, Math.floor(entry?.contentRect.width ?? 0));
    if (width < 1 || width === drawn) return;
    drawn = width;
    // Not inside the observer: what changes a size there is reported as a fault.
    requestAnimationFrame(() => show(place, draw(width)));
  });
  watcher.observe(place);
  return place;
}
