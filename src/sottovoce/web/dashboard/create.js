/** A new survey: a problem, its settings, what the planner makes of them, and what people who are asked will read. */

import { element, show } from "../shared/dom.js";
import { ADMINISTRATOR, administrator, forget, keep } from "./access.js";
import { Trouble, data } from "./collector.js";
import { fieldOf, numberIn, typedInto } from "./fields.js";
import { particulars } from "./particulars.js";
import { complaint, copied, field, tokenForm } from "./pieces.js";
import { planner } from "./planner.js";
import { announce } from "./status.js";
import { say, texts } from "./words.js";

/** @typedef {import("./shapes.js").Problem} Problem */
/** @typedef {import("./fields.js").Field} Field */

/** What every problem has stands last; the rest as the problem lists it. */
const LAST = ["users", "epsilon", "method"];
const USUAL = new Map([["epsilon", "1"]]);

/**
 * @param {HTMLElement} place
 * @returns {{title: string, stop: () => void}}
 */
export function create(place) {
  const end = new AbortController();
  const wrong = complaint();
  const body = element("div", {});
  show(place, element("h1", { tabindex: -1 }, say("dashboard-create-heading")), wrong.place, body);

  function begin() {
    wrong.clear();
    if (administrator()) void form().catch(failed);
    else {
      const [why, label, hint] = texts("access", "why-new", "label", "hint");
      show(body, tokenForm({ id: "token", why, label, hint, then: begin }));
    }
  }

  /** @param {unknown} error */
  function failed(error) {
    if (end.signal.aborted) return;
    if (!(error instanceof Trouble)) throw error;
    if (error.kind === "token") {
      forget(ADMINISTRATOR);
      begin();
    }
    wrong.say(error.words);
    wrong.place.scrollIntoView({ block: "nearest" });
  }

  async function form() {
    const { problems } = /** @type {{problems: Problem[]}} */ (await data("problems", { signal: end.signal }));
    if (end.signal.aborted) return;
    /** @type {Field[]} */
    let fields = [];
    const select = element(
      "select",
      { id: "problem" },
      problems.map((problem) => element("option", { value: problem.name }, `${problem.name}: ${problem.estimates}`)),
    );
    const settings = element("div", {});
    const halfwidth = element("input", { id: "halfwidth", inputmode: "decimal", autocomplete: "off" });
    const about = particulars();
    const button = element("button", { type: "submit" }, say("dashboard-create-submit"));
    const plan = planner((name, value) => {
      const own = fields.find((one) => one.setting.name === name);
      if (own) own.control.value = String(value);
      halfwidth.value = "";
      own?.control.focus();
      planned();
    });
    end.signal.addEventListener("abort", () => plan.stop());

    function chosen() {
      const before = new Map(fields.map((one) => [one.setting.name, one.control.value]));
      fields = (problems.find((problem) => problem.name === select.value)?.settings ?? []).map(fieldOf);
      for (const one of fields) {
        const value = before.get(one.setting.name) ?? USUAL.get(one.setting.name);
        if (value !== undefined && !(one.control instanceof HTMLSelectElement)) one.control.value = value;
      }
      const last = (/** @type {Field} */ one) => LAST.indexOf(one.setting.name);
      const plain = fields
        .filter((one) => one.setting.required || last(one) >= 0)
        .sort((first, second) => last(first) - last(second));
      const more = fields.filter((one) => !plain.includes(one));
      show(
        settings,
        element("div", { class: "fields" }, plain.map((one) => one.place)),
        more.length
          ? element(
              "details",
              { id: "more-settings" },
              element("summary", {}, say("dashboard-create-more")),
              element("div", { class: "fields" }, more.map((one) => one.place)),
            )
          : null,
      );
      planned();
    }

    function typed() {
      /** @type {Record<string, unknown>} */
      const values = {};
      /** @type {{control: HTMLElement, words: string}[]} */
      const faults = [];
      for (const one of fields) {
        const found = typedInto(one);
        if (found && "value" in found) values[one.setting.name] = found.value;
        if (found && "wrong" in found) faults.push({ control: one.control, words: found.wrong });
      }
      return { values, faults };
    }

    function planned() {
      const { values, faults } = typed();
      const close = numberIn(halfwidth.value);
      if (halfwidth.value.trim() && !(close !== null && close > 0))
        return plan.ask(null, say("dashboard-create-halfwidth-wrong"));
      const unknowns = problems.find((problem) => problem.name === select.value)?.unknowns ?? [];
      const free = close === null ? [] : unknowns.map((name) => `setting-${name}`);
      const missing = faults.filter((fault) => !free.includes(fault.control.id));
      plan.ask(
        missing.length
          ? null
          : { problem: select.value, settings: values, ...(close === null ? {} : { halfwidth: close }) },
      );
    }

    /** @param {Event} event */
    function submit(event) {
      event.preventDefault();
      const { values, faults } = typed();
      const told = about.read();
      const all = [...faults, ...told.faults];
      for (const marked of body.querySelectorAll("[aria-invalid]")) marked.removeAttribute("aria-invalid");
      if (all.length) {
        for (const fault of all) fault.control.setAttribute("aria-invalid", "true");
        wrong.say(say("dashboard-create-fix"), [element("ul", {}, all.map((fault) => element("li", {}, jump(fault))))]);
        all[0]?.control.closest("details")?.setAttribute("open", "");
        all[0]?.control.focus();
        return;
      }
      wrong.clear();
      announce(say("dashboard-create-wait"));
      button.disabled = true;
      button.textContent = say("dashboard-create-wait");
      const sent = { problem: select.value, settings: values, ...told.values };
      data("surveys", { method: "POST", token: administrator(), body: sent, signal: end.signal })
        .then(announced)
        .catch(failed)
        .finally(() => {
          button.disabled = false;
          button.textContent = say("dashboard-create-submit");
        });
    }

    select.addEventListener("change", chosen);
    settings.addEventListener("input", planned);
    halfwidth.addEventListener("input", planned);
    show(
      body,
      element(
        "form",
        { class: "create", submit, novalidate: true },
        element(
          "div",
          { class: "question" },
          element("h2", {}, say("dashboard-create-settings")),
          field(select, say("dashboard-create-problem")),
          settings,
          field(halfwidth, say("dashboard-create-halfwidth"), say("dashboard-create-halfwidth-hint")),
        ),
        plan.place,
        element(
          "div",
          { class: "particulars" },
          element("h2", {}, say("dashboard-create-particulars")),
          about.place,
          element("div", { class: "row" }, button),
        ),
      ),
    );
    chosen();
    if (document.activeElement === document.body) select.focus();
  }

  /** @param {{survey: string, token: string}} made */
  function announced(made) {
    if (end.signal.aborted) return;
    keep(made.survey, made.token);
    const heading = element("h1", { tabindex: -1 }, say("dashboard-created-heading"));
    show(
      place,
      heading,
      element(
        "div",
        { class: "card" },
        copied("survey-token", say("dashboard-created-token"), made.token),
        element("p", { class: "note care" }, say("dashboard-created-once")),
        copied("survey-name", say("dashboard-created-name"), made.survey),
        element(
          "div",
          { class: "row" },
          element("a", { class: "button", href: `#/survey/${made.survey}` }, say("dashboard-created-open")),
        ),
      ),
    );
    announce(say("dashboard-created-heading"));
    heading.focus();
  }

  begin();
  return { title: say("dashboard-create-heading"), stop: () => end.abort() };
}

/** @param {{control: HTMLElement, words: string}} fault */
function jump({ control, words }) {
  const there = (/** @type {Event} */ event) => {
    event.preventDefault();
    control.closest("details")?.setAttribute("open", "");
    control.focus();
  };
  return element("a", { href: `#${control.id}`, click: there }, words);
}
