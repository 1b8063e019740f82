/** Small pieces of several views: a labelled field, a text to copy, a word about what is wrong, a form for a token. */

import { element, show } from "../shared/dom.js";
import { ADMINISTRATOR, keep, readToken } from "./access.js";
import { announce } from "./status.js";
import { say } from "./words.js";

/** @typedef {HTMLInputElement | HTMLSelectElement | HTMLTextAreaElement} Control */

/**
 * A label, its hint and its control, tied together.
 * @param {Control} control with an id
 * @param {string} label
 * @param {string} [hint]
 */
export function field(control, label, hint = "") {
  const about = `${control.id}-hint`;
  if (hint) control.setAttribute("aria-describedby", about);
  return element(
    "div",
    { class: "field" },
    element("label", { for: control.id }, label),
    hint ? element("p", { class: "hint", id: about }, hint) : null,
    control,
  );
}

/**
 * Where a form says what is wrong; an alert, read at once.
 */
export function complaint() {
  const place = element("div", { class: "trouble", role: "alert", hidden: true });
  return {
    place,
    /** @param {string} words @param {Node[]} [more] */
    say(words, more = []) {
      show(place, element("p", {}, words), more);
      place.hidden = !words;
    },
    clear() {
      place.hidden = true;
      place.replaceChildren();
    },
  };
}

/**
 * A text to keep, with a button that copies it.
 * @param {string} id
 * @param {string} label
 * @param {string} text
 * @param {number} [rows] more than one: as a list
 * @param {...Node} more what else can be done with it
 */
export function copied(id, label, text, rows = 1, ...more) {
  const control =
    rows > 1
      ? element("textarea", { id, readonly: true, rows, class: "hash", spellcheck: "false", wrap: "off" })
      : element("input", { id, readonly: true, class: "hash", spellcheck: "false", autocomplete: "off" });
  control.value = text;
  const copy = async () => {
    control.select();
    try {
      await navigator.clipboard.writeText(text);
      announce(say("dashboard-copied"));
      button.textContent = say("dashboard-copied");
      setTimeout(() => (button.textContent = does), 3000);
    } catch {
      control.focus();
      announce(say("dashboard-not-copied"));
    }
  };
  const does = say("dashboard-copy");
  const name = `${does}: ${label}`;
  const button = element("button", { type: "button", class: "quiet", click: copy, "aria-label": name }, does);
  const beside = rows > 1 ? element("div", { class: "row" }, button, ...more) : button;
  return element("div", { class: rows > 1 ? null : "copied" }, field(control, label), beside);
}

/**
 * @param {object} told
 * @param {string} told.id
 * @param {string} told.why
 * @param {string} told.label
 * @param {string} told.hint
 * @param {string} [told.whose] a survey's id; otherwise the administrator's
 * @param {() => void} told.then
 */
export function tokenForm({ id, why, label, hint, whose = ADMINISTRATOR, then }) {
  const input = element("input", { id, type: "password", autocomplete: "off", spellcheck: "false", required: true });
  const wrong = complaint();
  const take = (/** @type {Event} */ event) => {
    event.preventDefault();
    const token = readToken(input.value);
    if (!token) {
      wrong.say(say("dashboard-access-odd"));
      input.focus();
      return;
    }
    keep(whose, token);
    input.value = "";
    announce(say("dashboard-access-taken"));
    then();
  };
  return element(
    "form",
    { class: "card", submit: take, novalidate: true },
    element("p", {}, why),
    field(input, label, hint),
    wrong.place,
    element("div", { class: "row" }, element("button", { type: "submit" }, say("dashboard-access-use"))),
  );
}
