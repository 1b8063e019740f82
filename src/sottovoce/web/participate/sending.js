/** The last step before sending: what is promised, what it costs, and the button. */

import { payloadBytes } from "../device/question.js";
import { element } from "../shared/dom.js";
import { sized } from "../shared/sized.js";
import { pairs } from "./asking.js";
import { budget as budgetPicture } from "./pictures.js";
import { questions, WORDS } from "./words.js";

const TELL = WORDS.send;

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
    TELL.button,
  );
  const other = element("button", { type: "button", class: "quiet", click: back }, TELL.back);
  const drawn = { spent: budget.spent, cost: epsilon, cap: budget.cap };
  const [name, once] = TELL.once;
  /** @param {boolean} yes */
  function busy(yes) {
    button.disabled = yes;
    other.disabled = yes;
    status.textContent = yes ? TELL.sending : "";
  }
  return element(
    "div",
    {},
    pairs([
      [name, once],
      [TELL.privacyName, TELL.privacy(epsilon)],
      [TELL.size, questions.size(question, payloadBytes(question))],
      [TELL.until, TELL.untilWords(manifest.closes)],
      [TELL.kept, TELL.keptWords(manifest.retention_days)],
      [TELL.budget, TELL.budgetWords(epsilon, budget.left, budget.cap)],
    ]),
    element(
      "figure",
      {},
      sized((width) => budgetPicture(drawn, width)),
    ),
    short ? element("p", { class: "note care" }, TELL.short) : null,
    element("div", { class: "row" }, button, other),
    element("p", { class: "hint" }, TELL.hint),
    status,
  );
}
