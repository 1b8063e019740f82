/** The step in which a person gives their own data: a file or typed words, read here, told by counts and lines. */

import { element, show } from "../shared/dom.js";
import { fieldsOf, fromFile, matched, MAX_LETTERS, namesOf, observed, typed, wantedBy } from "./data.js";
import { someNames } from "./facts.js";
import { say } from "./words.js";

/** @typedef {import("./data.js").Given} Given */
/** @typedef {import("./data.js").Observed} Observed */

const CHIPS = 16;
const SELECTS = 12;

/**
 * @param {{manifest: any, again: boolean, see: (seen: Observed) => void, changed: () => void}} told
 * @returns {{place: HTMLElement, busy: (yes: boolean) => void}}
 */
export function giving({ manifest, again, see, changed }) {
  const wanted = wantedBy(manifest);
  /** @type {Given | null} */ let given = null;
  /** @type {(number | null)[]} */ let places = [];
  /** @type {Observed | null} */ let seen = null;

  const file = element("input", {
    type: "file",
    id: "file",
    accept: ".csv,.tsv,.txt,text/csv,text/plain",
    "aria-describedby": "file-hint",
  });
  const words = element("textarea", {
    id: "typed",
    rows: 3,
    spellcheck: "false",
    autocomplete: "off",
    "aria-describedby": "typed-hint",
  });
  const columns = element("div", {});
  const status = element("div", { role: "status", class: "read" });
  const trouble = element("p", { class: "trouble", role: "alert", hidden: true });
  const button = element("button", { type: "button", click: go }, say("page-data-see"));

  /** @param {string} why */
  function complain(why) {
    trouble.hidden = !why;
    trouble.textContent = why;
  }

  /** @param {Given | null} found */
  function take(found) {
    given = found;
    places = given ? matched(given, wanted) : [];
    complain("");
    showColumns();
    read();
  }

  function read() {
    const ready = given && !places.includes(null);
    seen = given && ready ? observed(given, wanted, /** @type {number[]} */ (places)) : null;
    show(status, seen ? readWords(seen) : null);
    changed();
  }

  /** @param {Observed} found */
  function readWords(found) {
    return [
      element("p", { class: "strong" }, readOf(found, wanted.dimension > 1)),
      found.odd ? element("p", { class: "note care" }, oddOf(found, wanted.labels.length > 0)) : null,
      found.entries && found.missing === found.entries
        ? element("p", { class: "note care" }, say("page-data-all"))
        : null,
      found.decimal ? element("p", { class: "note" }, say("page-data-commas")) : null,
      commasBetween() ? element("p", { class: "soft small" }, say("page-data-apart")) : null,
      taken(),
    ];
  }

  /** Whether typed commas that stand between numbers may have been meant as decimal ones. */
  function commasBetween() {
    return given?.kind === "text" && !wanted.labels.length && wanted.dimension === 1 && /\d,\d/.test(given.text);
  }

  /** Which columns were taken, where the file names them: also the only one there is. */
  function taken() {
    if (given?.kind !== "table" || !given.header) return null;
    const names = namesOf(given);
    const told = places.map((at) => columnName(names[at ?? 0], at ?? 0, false));
    return element("p", { class: "soft small" }, say("page-data-taken", someNames(told)));
  }

  /** A choice of columns, where names do not settle it. */
  function showColumns() {
    if (given?.kind !== "table" || !given.rows.length) return show(columns);
    const table = given;
    const names = namesOf(table);
    const fields = fieldsOf(wanted);
    const settled = matched(table, wanted);
    const header = element("input", {
      type: "checkbox",
      id: "header",
      checked: table.header,
      change: () => take({ ...table, header: header.checked }),
    });
    const first = element("label", { for: "header", class: "inline" }, header, " ", say("page-data-header"));
    if (!settled.includes(null)) return show(columns, table.rows.length > 1 || table.header ? first : null);
    const few = { fields: fields.length, there: names.length };
    if (names.length < fields.length) complain(say("page-data-too-few", few));
    const run = fields.length > SELECTS;
    const asked = run ? [null] : fields;
    const twice = (/** @type {string | null} */ name) => names.indexOf(name) !== names.lastIndexOf(name);
    const selects = asked.map((field, place) => {
      const id = `column-${place}`;
      const options = names.map((name, at) =>
        element("option", { value: at, selected: settled[place] === at }, columnName(name, at, twice(name))),
      );
      const none = element("option", { value: "" }, say("page-data-pick"));
      const select = element("select", { id, change: choose }, none, ...options);
      const label = run
        ? say("page-data-choose-run", { fields: fields.length })
        : fields.length === 1
          ? say("page-data-choose")
          : say("page-data-choose-for", { field, place: place + 1 });
      return { select, row: element("div", {}, element("label", { for: id }, label), select) };
    });
    function choose() {
      const chosen = selects.map(({ select }) => (select.value === "" ? null : Number(select.value)));
      places = run && chosen[0] !== null ? fields.map((_, at) => at + Number(chosen[0])) : chosen;
      if (places.some((place) => place !== null && place >= names.length)) places = fields.map(() => null);
      complain("");
      read();
    }
    show(
      columns,
      first,
      element(
        "div",
        { class: "fields" },
        selects.map(({ row }) => row),
      ),
    );
  }

  /** @param {File | undefined} chosen */
  async function open(chosen) {
    if (!chosen) return;
    words.value = "";
    take(null);
    if (chosen.size > 4 * MAX_LETTERS) return complain(say("page-data-too-long", { most: MAX_LETTERS }));
    try {
      const text = new TextDecoder("utf-8", { fatal: true }).decode(await chosen.arrayBuffer());
      if (text.length > MAX_LETTERS) return complain(say("page-data-too-long", { most: MAX_LETTERS }));
      const found = fromFile(text, wanted);
      take(found);
      if (!found) complain(say("page-data-unclosed"));
    } catch (error) {
      complain(error instanceof TypeError ? say("page-data-not-text") : say("page-data-unreadable"));
    }
  }

  function go() {
    if (!seen || !given) {
      if (trouble.hidden) complain(given ? say("page-data-choose") : say("page-data-none"));
      (given ? columns.querySelector("select") : words)?.focus();
      return;
    }
    complain("");
    see(seen);
  }

  file.addEventListener("change", () => void open(file.files?.[0]));
  words.addEventListener("input", () => {
    file.value = "";
    take(words.value.trim() ? typed(words.value) : null);
  });
  const hint = wanted.labels.length
    ? say("page-data-typed-labels")
    : wanted.dimension > 1
      ? say("page-data-typed-rows", { dimension: wanted.dimension })
      : say("page-data-typed-hint");
  const chips = wanted.labels.length && wanted.labels.length <= CHIPS ? chipsFor(wanted.labels, words) : null;
  const place = element(
    "div",
    {},
    element("p", {}, wanted.labels.length ? say("page-data-lead-labels") : say("page-data-lead")),
    again ? element("p", { class: "note" }, say("page-data-again")) : null,
    dropping(file, open),
    element("label", { for: "typed" }, say("page-data-typed")),
    element("p", { class: "hint", id: "typed-hint" }, hint),
    words,
    chips,
    columns,
    trouble,
    status,
    element("div", { class: "row" }, button),
    element("p", { class: "hint" }, say("page-data-see-hint")),
  );
  return {
    place,
    busy(yes) {
      button.disabled = yes;
      button.textContent = yes ? say("page-data-asking") : say("page-data-see");
    },
  };
}

/**
 * How much was read, and how much of it is missing.
 * @param {Observed} seen
 * @param {boolean} rows whether an observation has several numbers
 */
function readOf({ entries, observations, missing }, rows) {
  return entries ? say("page-data-read", { rows, n: rows ? observations : entries, missing }) : say("page-data-empty");
}

/**
 * What could not be read, and where.
 * @param {Observed} seen
 * @param {boolean} labels
 */
function oddOf({ odd, lines }, labels) {
  return say("page-data-odd", { n: odd, labels, lines, several: lines.length > 1, more: odd > lines.length });
}

/**
 * @param {string | null} name
 * @param {number} at
 * @param {boolean} twice whether another column has this name too
 */
function columnName(name, at, twice) {
  return say("page-data-column", { name, place: at + 1, twice });
}

/**
 * @param {HTMLInputElement} file
 * @param {(chosen: File | undefined) => Promise<void>} open
 */
function dropping(file, open) {
  const over = (/** @type {boolean} */ yes) => (/** @type {DragEvent} */ event) => {
    event.preventDefault();
    zone.classList.toggle("over", yes);
  };
  const zone = element(
    "div",
    {
      class: "drop",
      dragover: over(true),
      dragleave: over(false),
      drop: (/** @type {DragEvent} */ event) => {
        over(false)(event);
        file.value = "";
        void open(event.dataTransfer?.files[0]);
      },
    },
    element("label", { for: "file" }, say("page-data-drop")),
    element("p", { class: "hint", id: "file-hint" }, say("page-data-file-hint")),
    file,
  );
  return zone;
}

/**
 * Categories that a press adds to what is typed.
 * @param {readonly string[]} labels
 * @param {HTMLTextAreaElement} words
 */
function chipsFor(labels, words) {
  const add = (/** @type {string} */ label) => () => {
    const held = words.value.replace(/[\s,;]+$/, "");
    words.value = held ? `${held}, ${label}` : label;
    words.dispatchEvent(new Event("input"));
  };
  return element(
    "div",
    { class: "chips", role: "group", "aria-label": say("page-data-add-to") },
    labels.map((label) =>
      element(
        "button",
        { type: "button", class: "quiet chip", "aria-label": say("page-data-add", { label }), click: add(label) },
        `+ ${label}`,
      ),
    ),
  );
}
