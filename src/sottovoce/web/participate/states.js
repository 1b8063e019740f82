/** What is shown while there is nothing to do but wait, and when there is nothing to do any more. */

import { element, show } from "../shared/dom.js";
import { told, WORDS } from "./words.js";

/**
 * What is waited for. Looking again changes its words and leaves everything else alone: nobody's focus is taken away.
 * @param {() => void} now
 */
export function waiting(now) {
  const about = element("div", {});
  const when = element("p", { class: "soft" });
  const parts = [
    about,
    when,
    element(
      "div",
      { class: "row" },
      element("button", { type: "button", class: "quiet", click: now }, WORDS.waiting.now),
    ),
  ];
  /** @param {string[]} words @param {number} seconds */
  function tell(words, seconds) {
    show(
      about,
      words.map((text) => element("p", { class: "strong" }, text)),
    );
    when.textContent = WORDS.waiting.next(seconds);
  }
  return { parts, tell };
}

/**
 * The title, and why.
 * @param {{state: string, code: string, why?: string, receipt?: any}} outcome
 * @returns {[string, ...import("../shared/dom.js").Part[]]}
 */
export function ended(outcome) {
  const { title, why, do: next } = told(outcome);
  const detail = outcome.why ? `${outcome.code}: ${outcome.why}` : outcome.code;
  return [
    title,
    element("p", { class: "strong" }, why),
    element("p", {}, next),
    outcome.receipt ? element("p", {}, WORDS.receipt.unsent) : null,
    element(
      "details",
      {},
      element("summary", {}, WORDS.details),
      element("p", { class: "small hash", id: "code" }, detail),
    ),
  ];
}
