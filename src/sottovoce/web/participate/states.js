/** What is shown while there is nothing to do but wait, and when there is nothing to do any more. */

import { element, show } from "../shared/dom.js";
import { lasting } from "./facts.js";
import { known, say, tell } from "./words.js";

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
      element("button", { type: "button", class: "quiet", click: now }, say("page-waiting-now")),
    ),
  ];
  /** @param {string[]} words @param {number} seconds */
  function change(words, seconds) {
    show(
      about,
      words.map((text) => element("p", { class: "strong" }, text)),
    );
    when.textContent = say("page-waiting-next", { lasting: lasting(seconds) });
  }
  return { parts, change };
}

/**
 * The title, and why.
 * @param {{state: string, code: string, why?: import("../client/fact.js").Fact, receipt?: any}} outcome
 * @returns {[string, ...import("../shared/dom.js").Part[]]}
 */
export function ended(outcome) {
  const refusal = refusalOf(outcome);
  const detail = outcome.why ? `${outcome.code}: ${written(outcome.why)}` : outcome.code;
  return [
    say(`${refusal}-title`),
    element("p", { class: "strong" }, say(`${refusal}-why`)),
    element("p", {}, say(`${refusal}-do`)),
    outcome.receipt ? element("p", {}, say("page-receipt-unsent")) : null,
    element(
      "details",
      {},
      element("summary", {}, say("page-details")),
      element("p", { class: "small hash", id: "code" }, detail),
    ),
  ];
}

/**
 * Which messages say why there is no answer: those of the code, where there are some, or those of the state. After the
 * report was sent, whatever a collector then says, it may have it.
 * @param {{state: string, code: string, receipt?: any}} outcome
 */
function refusalOf({ state, code, receipt }) {
  if (state === "refused" && receipt && receipt.sent !== null) return "page-ended-sent";
  if (state === "full") return "page-refusal-full";
  const own = `page-refusal-${code}`;
  if ((state === "declined" || state === "refused") && known(`${own}-title`)) return own;
  return known(`page-ended-${state}-title`) ? `page-ended-${state}` : "page-ended-refused";
}

/** In ledgers that are older than facts, why is a sentence. @param {import("../client/fact.js").Fact | string} why */
const written = (why) => (typeof why === "string" ? why : tell(why));
