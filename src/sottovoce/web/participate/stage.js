/** Where the page's steps stand: each with its heading, one after the other, and where the reader is led. */

import { byId, element, show } from "../shared/dom.js";
import { say } from "./words.js";

/** @typedef {import("../shared/dom.js").Part} Part */

const heading = element("div", {});
export const steps = element("div", {});
/** What is only heard: that something is under way. */
export const voice = element("p", { class: "visually-hidden", role: "status" });

export function stage() {
  show(byId("app"), heading, voice, steps);
}

/**
 * A step with its heading; the later steps that stood there go.
 * @param {string} id
 * @param {number} place 0: it is the only one
 * @param {string} title
 * @param {...(Part | Part[])} parts
 */
export function step(id, place, title, ...parts) {
  const name = place ? say("page-step", { place, name: title }) : title;
  const head = element("h2", { id: `${id}-title`, tabindex: -1 }, name);
  const made = element("section", { id, "aria-labelledby": head.id, class: "step" }, head, ...parts);
  const old = document.getElementById(id);
  if (old) {
    while (old.nextSibling) old.nextSibling.remove();
    old.replaceWith(made);
  } else {
    steps.append(made);
  }
  return head;
}

/** @param {string} from the first of the steps that go */
export function clear(from) {
  const first = document.getElementById(from);
  while (first?.nextSibling) first.nextSibling.remove();
  first?.remove();
}

/** @param {HTMLElement} head */
export function goTo(head) {
  head.focus({ preventScroll: true });
  head.scrollIntoView({ block: "start" });
}

/** What the survey is called, and who asks; before that is known, what the page's title says. @param {any} manifest */
export function title(manifest) {
  const about = manifest ?? { purpose: document.title, collector: "" };
  const by = about.collector ? element("p", { class: "soft" }, say("page-by", { collector: about.collector })) : null;
  show(heading, element("h1", {}, say("page-title", { purpose: about.purpose })), by);
}
