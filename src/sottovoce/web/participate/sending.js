/** The last step before sending: what is promised, what it costs, and the button. */

import { payloadBytes } from "../device/question.js";
import { element } from "../shared/dom.js";
import { sized } from "../shared/sized.js";
import { pairs } from "./asking.js";
import { budget as budgetPicture } from "./pictures.js";
import { cost, deletion, size } from "./facts.js";
import { say, tell } from "./words.js";

/**
 * @param {{question: any, manifest: any, epsilon: number, budget: {cap: number, spent: number, left: number},
 *   send: (busy: (yes: boolean) => void) => void, back: () => void}} told
 */
export function sending({ question, manifest, epsilon, budget, send, back }) {
  const short = epsilon > budget.left;
  const status = element("p", { role: "status", class: "strong" });
  const button = element(
    "button",
    { type: "button", id: "send", click: () => send(busy), disabled: short },
    say("page-send-button"),
  );
  const other = element("button", { type: "button", class: "quiet", click: back }, say("page-send-back"));
  const drawn = { spent: budget.spent, cost: epsilon, cap: budget.cap };
  /** @param {boolean} yes */
  function busy(yes) {
    button.disabled = yes;
    other.disabled = yes;
    status.textContent = yes ? say("page-send-sending") : "";
  }
  return element(
    "div",
    {},
    pairs([
      [say("page-send-once"), say("page-send-once-words")],
      [say("page-send-privacy"), tell(cost(epsilon))],
      [say("page-send-size"), tell(size(question, payloadBytes(question)))],
      [say("page-send-until"), say("page-send-until-when", { when: manifest.closes })],
      [say("page-send-kept"), tell(deletion(manifest))],
      [say("page-send-budget"), say("page-send-budget-words", { cost: epsilon, left: budget.left, cap: budget.cap })],
    ]),
    element(
      "figure",
      {},
      sized((width) => budgetPicture(drawn, width)),
    ),
    short ? element("p", { class: "note care" }, say("page-send-short")) : null,
    element("div", { class: "row" }, button, other),
    element("p", { class: "hint" }, say("page-send-hint")),
    status,
  );
}
