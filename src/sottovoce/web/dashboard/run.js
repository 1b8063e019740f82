/** What whoever runs a survey does: invite people, close the open round with a reason, keep what came of it. */

import { download, element, show } from "../shared/dom.js";
import { refusedFor, tokenFor } from "./access.js";
import { Trouble, data } from "./collector.js";
import { section } from "./part.js";
import { complaint, copied, field, tokenForm } from "./pieces.js";
import { announce } from "./status.js";
import { say, texts } from "./words.js";

/** @typedef {import("./shapes.js").Round} Round */
/** @typedef {import("./shapes.js").Standing} Standing */

const MOST = 10_000;
const LONGEST = 80;

/**
 * @param {string} survey
 * @param {AbortSignal} signal
 * @param {{changed: () => void, opened: () => void}} told a round was closed; somebody typed a token
 */
export function run(survey, signal, { changed, opened }) {
  const doing = element("div", {});
  const place = section("run", say("dashboard-run-heading"), doing);
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
    const then = () => {
      if (standing) update(standing);
      opened();
      doing.querySelector("input")?.focus();
    };
    const [why, label, hint] = texts("access", "why-survey", "label-survey", "hint-survey");
    return tokenForm({ id: "token", why, label, hint, whose: survey, then });
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
    const button = element("button", { type: "submit" }, say("dashboard-run-make"));
    const wrong = complaint();
    const made = element("div", { id: "invitations" });
    const submit = (/** @type {Event} */ event) => {
      event.preventDefault();
      const wanted = Number(input.value);
      if (!Number.isInteger(wanted) || wanted < 1 || wanted > MOST) {
        wrong.say(say("dashboard-run-odd", { most: MOST }));
        input.focus();
        return;
      }
      void attempt(wrong, button, async () => {
        const path = `surveys/${survey}/invitations`;
        const found = await data(path, { method: "POST", token: tokenFor(survey), body: { count: wanted }, signal });
        const text = `${found.invitations.join("\n")}\n`;
        const keep = () => download(`invitations-${survey.slice(0, 12)}.txt`, text);
        const words = say("dashboard-run-download");
        const button = element("button", { type: "button", class: "quiet", click: keep }, words);
        const shown = say("dashboard-run-made", { made: found.invitations.length });
        show(made, copied("urls", shown, text, 6, button));
        document.getElementById("urls")?.focus();
      });
    };
    return element(
      "form",
      { class: "card", submit, novalidate: true },
      element("h3", {}, say("dashboard-run-invite")),
      element("p", { class: "soft" }, say("dashboard-run-invite-words")),
      field(input, say("dashboard-run-count"), say("dashboard-run-count-hint", { users: now.users, most: MOST })),
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
    const sure = element("button", { type: "button", class: "danger" }, say("dashboard-run-confirm-button"));
    const dialog = element(
      "dialog",
      { "aria-labelledby": "confirm-heading" },
      heading,
      words,
      element(
        "div",
        { class: "row" },
        element("button", { type: "button", class: "quiet", click: () => dialog.close() }, say("dashboard-cancel")),
        sure,
      ),
    );
    const ask = (/** @type {Event} */ event) => {
      event.preventDefault();
      const round = open();
      if (!reason.value.trim()) {
        wrong.say(say("dashboard-run-reason-missing"));
        reason.focus();
        return;
      }
      if (!round) {
        wrong.say(say("dashboard-run-none-open"));
        return;
      }
      wrong.clear();
      heading.textContent = say("dashboard-run-confirm", { round: round.number + 1 });
      words.textContent = say("dashboard-run-confirm-words", { answered: round.answered, asked: round.asked });
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
        announce(say("dashboard-run-closed", { round: round.number + 1 }));
        changed();
      });
    };
    const button = element("button", { type: "submit", class: "danger" }, say("dashboard-run-close-button"));
    return element(
      "form",
      { class: "card", submit: ask, novalidate: true },
      element("h3", {}, say("dashboard-run-close")),
      element("p", { class: "soft" }, say("dashboard-run-close-words")),
      field(reason, say("dashboard-run-reason"), say("dashboard-run-reason-hint", { longest: LONGEST })),
      wrong.place,
      element("div", { class: "row" }, button),
      dialog,
    );
  }

  return { place, update };
}
