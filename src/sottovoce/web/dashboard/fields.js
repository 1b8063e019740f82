/** Fields of a form made from the settings of a problem, and what a person typed into them. */

import { element } from "../shared/dom.js";
import { capital } from "./part.js";
import { field } from "./pieces.js";
import { say } from "./words.js";

/** @typedef {import("./shapes.js").Setting} Setting */
/** @typedef {import("./pieces.js").Control} Control */
/** @typedef {{value: unknown} | {wrong: string} | null} Typed a value, what is wrong with it, or nothing */

/** @typedef {{setting: Setting, control: Control, place: HTMLElement, label: string}} Field */

/**
 * @param {Setting} setting
 * @returns {Field}
 */
export function fieldOf(setting) {
  const label = labelOf(setting.name, capital(setting.name.replaceAll("_", " ")));
  const control = controlOf(setting);
  const byDefault = setting.default_words || written(setting.default);
  const hints = [
    `${capital(setting.help)}.`,
    setting.table ? say("dashboard-create-table") : setting.several ? say("dashboard-create-several") : "",
    setting.required || control instanceof HTMLSelectElement || !byDefault
      ? ""
      : say("dashboard-create-default", { value: byDefault }),
  ];
  return { setting, control, label, place: field(control, label, hints.filter(Boolean).join(" ")) };
}

/**
 * What a setting is called; those that are not in the catalogue as they are.
 * @param {string} name
 * @param {string} [otherwise]
 */
export const labelOf = (name, otherwise = name) => say("dashboard-setting", { name, otherwise });

/**
 * What is wrong with something that is no such number.
 * @param {string} name
 * @param {boolean} whole
 */
export const odd = (name, whole) => say(whole ? "dashboard-create-is-whole" : "dashboard-create-is-number", { name });

/** @param {unknown} value */
function written(value) {
  if (value === null || value === undefined || value === "") return "";
  return Array.isArray(value) ? value.join(", ") : String(value);
}

/**
 * @param {Setting} setting
 * @returns {Control}
 */
function controlOf(setting) {
  const id = `setting-${setting.name}`;
  const choices = setting.kind === "bool" ? ["true", "false"] : setting.choices;
  if (choices?.length && !setting.several) {
    const names = setting.kind === "bool" ? [say("dashboard-create-yes"), say("dashboard-create-no")] : choices;
    const empty = setting.default === null || setting.default === undefined;
    return element(
      "select",
      { id },
      empty ? element("option", { value: "" }, say("dashboard-create-choose")) : null,
      choices.map((choice, place) =>
        element("option", { value: choice, selected: choice === String(setting.default) }, names[place]),
      ),
    );
  }
  if (setting.table) return element("textarea", { id, rows: 3, autocomplete: "off", spellcheck: "false" });
  const mode = setting.kind === "int" ? "numeric" : setting.kind === "float" ? "decimal" : null;
  return element("input", { id, inputmode: mode, autocomplete: "off", required: setting.required });
}

/**
 * What was typed, as the collector reads it.
 * @param {Field} made
 * @returns {Typed}
 */
export function typedInto({ setting, control, label }) {
  const text = control.value.trim();
  if (!text) return setting.required ? { wrong: say("dashboard-create-needed", { name: label }) } : null;
  if (control instanceof HTMLSelectElement) {
    if (text === String(setting.default)) return null;
    return { value: setting.kind === "bool" ? text === "true" : text };
  }
  const one = (/** @type {string} */ part) => (setting.kind === "str" ? part : numberIn(part, setting.kind === "int"));
  const row = (/** @type {string} */ line) =>
    line.split(setting.kind === "str" ? "," : /[,\s]+/).map((part) => part.trim()).filter(Boolean).map(one);
  const found = setting.table
    ? text.split("\n").filter((line) => line.trim()).map(row)
    : setting.several && (!setting.scalar || /[,\s]/.test(text))
      ? row(text)
      : one(text);
  if ([found].flat(2).some((part) => part === null))
    return { wrong: odd(label, setting.kind === "int") };
  return { value: found };
}

/**
 * @param {string} text
 * @param {boolean} whole
 * @returns {number | null}
 */
export function numberIn(text, whole = false) {
  const value = Number(text.replace("−", "-"));
  if (!text.trim() || !Number.isFinite(value) || (whole && !Number.isInteger(value))) return null;
  return value;
}
