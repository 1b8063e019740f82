/** What a survey says beside its question: who asks what for, when, and whom. */

import { element } from "../shared/dom.js";
import { numberIn, odd } from "./fields.js";
import { field } from "./pieces.js";
import { say } from "./words.js";

/** @typedef {{control: HTMLElement, words: string}} Fault */

const FORTNIGHT = 14 * 86_400_000;

/**
 * A moment as the field of a form writes it, in the reader's own time.
 * @param {Date} date
 */
function local(date) {
  return new Date(date.getTime() - 60_000 * date.getTimezoneOffset()).toISOString().slice(0, 16);
}

export function particulars() {
  const line = (/** @type {string} */ id, /** @type {Record<string, unknown>} */ more = {}) =>
    element("input", { id, autocomplete: "off", ...more });
  const choice = (/** @type {string} */ id, /** @type {string} */ code, /** @type {string[]} */ values) =>
    element("select", { id }, values.map((value) => element("option", { value }, say(`${code}-${value}`))));
  const purpose = line("purpose", { maxlength: 4096, required: true });
  const collector = line("collector", { maxlength: 4096, required: true });
  const columns = line("columns");
  const later = local(new Date(Date.now() + FORTNIGHT));
  const closes = line("closes", { type: "datetime-local", required: true, value: later });
  const opens = line("opens", { type: "datetime-local" });
  const access = choice("access-kind", "dashboard-create-access", ["invited", "open"]);
  const enrolment = choice("enrolment", "dashboard-create-enrolment", ["ahead", "on-arrival"]);
  const minimum = line("minimum", { inputmode: "numeric" });
  const hours = line("round-hours", { inputmode: "decimal" });
  const quota = line("quota", { inputmode: "decimal" });
  const retention = line("retention", { inputmode: "numeric" });
  const place = element(
    "div",
    {},
    element(
      "div",
      { class: "fields" },
      field(purpose, say("dashboard-create-purpose"), say("dashboard-create-purpose-hint")),
      field(collector, say("dashboard-create-collector"), say("dashboard-create-collector-hint")),
      field(columns, say("dashboard-create-columns"), say("dashboard-create-columns-hint")),
      field(closes, say("dashboard-create-closes")),
      field(access, say("dashboard-create-access")),
      field(enrolment, say("dashboard-create-enrolment"), say("dashboard-create-enrolment-hint")),
    ),
    element(
      "details",
      { id: "more-particulars" },
      element("summary", {}, say("dashboard-create-more")),
      element(
        "div",
        { class: "fields" },
        field(opens, say("dashboard-create-opens"), say("dashboard-create-opens-hint")),
        field(minimum, say("dashboard-create-minimum"), say("dashboard-create-minimum-hint")),
        field(hours, say("dashboard-create-round-hours"), say("dashboard-create-round-hours-hint")),
        field(quota, say("dashboard-create-quota"), say("dashboard-create-quota-hint")),
        field(retention, say("dashboard-create-retention"), say("dashboard-create-retention-hint")),
      ),
    ),
  );

  function read() {
    /** @type {Fault[]} */
    const faults = [];
    /** @type {Record<string, unknown>} */
    const values = { access: access.value, enrolment: enrolment.value };
    const wanted = (/** @type {HTMLInputElement} */ control, /** @type {string} */ name, /** @type {string} */ as) => {
      if (control.value.trim()) values[as] = control.value.trim();
      else faults.push({ control, words: say("dashboard-create-needed", { name }) });
    };
    /** @type {(control: HTMLInputElement, name: string, as: string, whole: boolean, times?: number) => void} */
    const figure = (control, name, as, whole, times = 1) => {
      if (!control.value.trim()) return;
      const found = numberIn(control.value, whole);
      if (found === null) faults.push({ control, words: odd(name, whole) });
      else values[as] = times === 1 ? found : Math.round(times * found);
    };
    /** @type {(control: HTMLInputElement, name: string, as: string) => void} */
    const date = (control, name, as) => {
      const found = new Date(control.value).getTime();
      if (Number.isFinite(found)) values[as] = Math.floor(found / 1000);
      else if (control.value || control.required)
        faults.push({ control, words: say("dashboard-create-is-moment", { name }) });
    };
    wanted(purpose, say("dashboard-create-purpose"), "purpose");
    wanted(collector, say("dashboard-create-collector"), "collector");
    const named = columns.value.split(",").map((name) => name.trim()).filter(Boolean);
    if (named.length) values.columns = named;
    date(closes, say("dashboard-create-closes"), "closes");
    date(opens, say("dashboard-create-opens"), "opens");
    figure(minimum, say("dashboard-create-minimum"), "minimum", true);
    figure(hours, say("dashboard-create-round-hours"), "round_seconds", false, 3600);
    figure(quota, say("dashboard-create-quota"), "quota", false);
    figure(retention, say("dashboard-create-retention"), "retention_days", true);
    return { values, faults };
  }

  return { place, read };
}
