/** What a survey says beside its question: who asks what for, when, and whom. */

import { element } from "../shared/dom.js";
import { numberIn } from "./fields.js";
import { field } from "./pieces.js";
import { WORDS } from "./words.js";

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
  const words = WORDS.create;
  const line = (/** @type {string} */ id, /** @type {Record<string, unknown>} */ more = {}) =>
    element("input", { id, autocomplete: "off", ...more });
  const choice = (/** @type {string} */ id, /** @type {[string, string][]} */ options) =>
    element("select", { id }, options.map(([value, name]) => element("option", { value }, name)));
  const purpose = line("purpose", { maxlength: 4096, required: true });
  const collector = line("collector", { maxlength: 4096, required: true });
  const columns = line("columns");
  const later = local(new Date(Date.now() + FORTNIGHT));
  const closes = line("closes", { type: "datetime-local", required: true, value: later });
  const opens = line("opens", { type: "datetime-local" });
  const access = choice("access-kind", words.accesses);
  const enrolment = choice("enrolment", words.enrolments);
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
      field(purpose, words.purpose, words.purposeHint),
      field(collector, words.collector, words.collectorHint),
      field(columns, words.columns, words.columnsHint),
      field(closes, words.closes),
      field(access, words.access),
      field(enrolment, words.enrolment, words.enrolmentHint),
    ),
    element(
      "details",
      { id: "more-particulars" },
      element("summary", {}, words.more),
      element(
        "div",
        { class: "fields" },
        field(opens, words.opens, words.opensHint),
        field(minimum, words.minimum, words.minimumHint),
        field(hours, words.roundHours, words.roundHoursHint),
        field(quota, words.quota, words.quotaHint),
        field(retention, words.retention, words.retentionHint),
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
      else faults.push({ control, words: words.needed(name) });
    };
    /** @type {(control: HTMLInputElement, name: string, as: string, whole: boolean, times?: number) => void} */
    const figure = (control, name, as, whole, times = 1) => {
      if (!control.value.trim()) return;
      const found = numberIn(control.value, whole);
      if (found === null) faults.push({ control, words: whole ? words.isWhole(name) : words.isNumber(name) });
      else values[as] = times === 1 ? found : Math.round(times * found);
    };
    /** @type {(control: HTMLInputElement, name: string, as: string) => void} */
    const date = (control, name, as) => {
      const found = new Date(control.value).getTime();
      if (Number.isFinite(found)) values[as] = Math.floor(found / 1000);
      else if (control.value || control.required) faults.push({ control, words: words.isMoment(name) });
    };
    wanted(purpose, words.purpose, "purpose");
    wanted(collector, words.collector, "collector");
    const named = columns.value.split(",").map((name) => name.trim()).filter(Boolean);
    if (named.length) values.columns = named;
    date(closes, words.closes, "closes");
    date(opens, words.opens, "opens");
    figure(minimum, words.minimum, "minimum", true);
    figure(hours, words.roundHours, "round_seconds", false, 3600);
    figure(quota, words.quota, "quota", false);
    figure(retention, words.retention, "retention_days", true);
    return { values, faults };
  }

  return { place, read };
}
