/** What whoever runs a survey does: invite people, close the open round with a reason, keep what came of it. */

import { download, element, show } from "../shared/dom.js";
import { refusedFor, tokenFor } from "./access.js";
import { Trouble, data } from "./collector.js";
import { section } from "./part.js";
import { complaint, copied, field, tokenForm } from "./pieces.js";
import { say } from "./status.js";
import { WORDS } from "./words.js";

/** @typedef {import("./shapes.js").Round} Round */
/** @typedef {import("./shapes.js").Standing} Standing */

const MOST = 10_000;
const LONGEST = 80;

/**
 * @param {string} survey
 * @param {AbortSignal} signal
 * @param {() => void} changed
 */
export function run(survey, signal, changed) {
  const doing = element("div", {});
  const place = section("run", WORDS.run.heading, doing);
  /** @type {Standing | null} */
  let standing = null;
  let shown = "";

  /** @param {Standing} now */
  function update(now) {
    standing = now;
    const open = now.rounds.find((round) => round.closed === null);
    const key = JSON.stringify([now.state, open?.number, Boolean(tokenFor(survey))]);
    if (key === shown) return;
    shown = key;
    if (now.state === "done" || now.state === "abandoned") show(doing);
    else if (!tokenFor(survey)) show(doing, typed());
    else if (!doing.querySelector("#invitations"))
      show(doing, element("div", { class: "grid wide" }, inviting(now), closing(() => standing)));
    place.hidden = !doing.hasChildNodes();
  }

  function typed() {
    const { whySurvey, labelSurvey, hintSurvey } = WORDS.access;
    const then = () => {
      if (standing) update(standing);
      doing.querySelector("input")?.focus();
    };
    return tokenForm({ id: "token", why: whySurvey, label: labelSurvey, hint: hintSurvey, whose: survey, then });
  }

  /**
   * Do it; where the token is refused, another one is asked for.
   * @param {{say: (words: string) => void, clear: () => void}} wrong
   * @param {HTMLButtonElement} button
   * @param {() => Promise<void>} work
   */
  async function attempt(wrong, button, work) {
    wrong.clear();
    button.disabled = true;
    try {
      await work();
    } catch (error) {
      if (signal.aborted) return;
      if (!(error instanceof Trouble)) throw error;
      if (error.kind === "token") {
        refusedFor(survey);
        shown = "";
        show(doing, element("p", { class: "trouble", role: "alert" }, error.words), typed());
      }
      wrong.say(error.words);
    } finally {
      button.disabled = false;
    }
  }

  /** @param {Standing} now */
  function inviting(now) {
    const most = Math.min(MOST, now.users);
    const bounds = { min: 1, max: MOST, step: 1, value: most };
    const input = element("input", { id: "count", type: "number", inputmode: "numeric", ...bounds });
    const button = element("button", { type: "submit" }, WORDS.run.make);
    const wrong = complaint();
    const made = element("div", { id: "invitations" });
    const submit = (/** @type {Event} */ event) => {
      event.preventDefault();
      const wanted = Number(input.value);
      if (!Number.isInteger(wanted) || wanted < 1 || wanted > MOST) {
        wrong.say(WORDS.run.odd(MOST));
        input.focus();
        return;
      }
      void attempt(wrong, button, async () => {
        const path = `surveys/${survey}/invitations`;
        const found = await data(path, { method: "POST", token: tokenFor(survey), body: { count: wanted }, signal });
        const text = `${found.invitations.join("\n")}\n`;
        const keep = () => download(`invitations-${survey.slice(0, 12)}.txt`, text);
        const button = element("button", { type: "button", class: "quiet", click: keep }, WORDS.run.download);
        show(made, copied("urls", WORDS.run.made(found.invitations.length), text, 6, button));
        document.getElementById("urls")?.focus();
      });
    };
    return element(
      "form",
      { class: "card", submit, novalidate: true },
      element("h3", {}, WORDS.run.invite),
      element("p", { class: "soft" }, WORDS.run.inviteWords),
      field(input, WORDS.run.count, WORDS.run.countHint(now.users)),
      wrong.place,
      element("div", { class: "row" }, button),
      made,
    );
  }

  /** @param {() => Standing | null} current */
  function closing(current) {
    const open = () => current()?.rounds.find((round) => round.closed === null);
    const reason = element("input", { id: "reason", maxlength: LONGEST, autocomplete: "off", required: true });
    const wrong = complaint();
    const heading = element("h3", { id: "confirm-heading" });
    const words = element("p", {});
    const sure = element("button", { type: "button", class: "danger" }, WORDS.run.confirmButton);
    const dialog = element(
      "dialog",
      { "aria-labelledby": "confirm-heading" },
      heading,
      words,
      element(
        "div",
        { class: "row" },
        element("button", { type: "button", class: "quiet", click: () => dialog.close() }, WORDS.cancel),
        sure,
      ),
    );
    const ask = (/** @type {Event} */ event) => {
      event.preventDefault();
      const round = open();
      if (!reason.value.trim()) {
        wrong.say(WORDS.run.reasonMissing);
        reason.focus();
        return;
      }
      if (!round) return;
      wrong.clear();
      heading.textContent = WORDS.run.confirm(round.number + 1);
      words.textContent = WORDS.run.confirmWords(round.answered, round.asked);
      sure.onclick = () => close(round);
      dialog.showModal();
    };
    const close = (/** @type {Round} */ round) => {
      dialog.close();
      void attempt(wrong, button, async () => {
        const path = `surveys/${survey}/rounds/${round.number}/close`;
        const body = { reason: reason.value.trim() };
        await data(path, { method: "POST", token: tokenFor(survey), body, signal });
        reason.value = "";
        say(WORDS.run.closed(round.number + 1));
        changed();
      });
    };
    const button = element("button", { type: "submit", class: "danger" }, WORDS.run.closeButton);
    return element(
      "form",
      { class: "card", submit: ask, novalidate: true },
      element("h3", {}, WORDS.run.close),
      element("p", { class: "soft" }, WORDS.run.closeWords),
      field(reason, WORDS.run.reason, WORDS.run.reasonHint),
      wrong.place,
      element("div", { class: "row" }, button),
      dialog,
    );
  }

  return { place, update };
}
