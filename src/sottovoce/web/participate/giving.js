/** The step in which a person gives their own data: a file or typed words, read here, told by counts and lines. */

import { element, show } from "../shared/dom.js";
import { fieldsOf, fromFile, matched, MAX_LETTERS, namesOf, observed, typed, wantedBy } from "./data.js";
import { WORDS } from "./words.js";

/** @typedef {import("./data.js").Given} Given */
/** @typedef {import("./data.js").Observed} Observed */

const CHIPS = 16;
const SELECTS = 12;
const TELL = WORDS.data;

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
  const button = element("button", { type: "button", click: go }, TELL.see);

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
      element("p", { class: "strong" }, TELL.read(found, wanted.dimension)),
      found.odd ? element("p", { class: "note care" }, TELL.odd(found, wanted.labels.length > 0)) : null,
      found.entries && found.missing === found.entries ? element("p", { class: "note care" }, TELL.all) : null,
      given?.kind === "table" && given.commas && !wanted.labels.length
        ? element("p", { class: "soft small" }, TELL.commas)
        : null,
    ];
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
    const first = element("label", { for: "header", class: "inline" }, header, " ", TELL.header);
    if (!settled.includes(null)) return show(columns, names.length > 1 || table.header ? first : null);
    if (names.length < fields.length) complain(TELL.tooFew(fields.length, names.length));
    const run = fields.length > SELECTS;
    const asked = run ? [null] : fields;
    const selects = asked.map((field, place) => {
      const id = `column-${place}`;
      const options = names.map((name, at) =>
        element("option", { value: at, selected: settled[place] === at }, TELL.column(name, at)),
      );
      const select = element("select", { id, change: choose }, element("option", { value: "" }, TELL.pick), ...options);
      const label = run
        ? TELL.chooseRun(fields.length)
        : fields.length === 1
          ? TELL.choose
          : TELL.chooseFor(field, place);
      return { select, row: element("div", {}, element("label", { for: id }, label), select) };
    });
    function choose() {
      const chosen = selects.map(({ select }) => (select.value === "" ? null : Number(select.value)));
      places = run && chosen[0] !== null ? fields.map((_, at) => at + Number(chosen[0])) : chosen;
      if (places.some((place) => place !== null && place >= names.length)) places = fields.map(() => null);
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
    if (chosen.size > 4 * MAX_LETTERS) return complain(TELL.tooLong(MAX_LETTERS));
    try {
      const text = new TextDecoder("utf-8", { fatal: true }).decode(await chosen.arrayBuffer());
      if (text.length > MAX_LETTERS) return complain(TELL.tooLong(MAX_LETTERS));
      const found = fromFile(text, wanted);
      take(found);
      if (!found) complain(TELL.unclosed);
    } catch (error) {
      complain(error instanceof TypeError ? TELL.notText : TELL.unreadable);
    }
  }

  function go() {
    if (!seen || !given) {
      complain(given ? TELL.choose : TELL.lead);
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
    ? TELL.typedLabels
    : wanted.dimension > 1
      ? TELL.typedRows(wanted.dimension)
      : TELL.typedHint;
  const chips = wanted.labels.length && wanted.labels.length <= CHIPS ? chipsFor(wanted.labels, words) : null;
  const place = element(
    "div",
    {},
    element("p", {}, wanted.labels.length ? TELL.leadLabels : TELL.lead),
    again ? element("p", { class: "note" }, TELL.again) : null,
    dropping(file, open),
    element("label", { for: "typed" }, TELL.typed),
    element("p", { class: "hint", id: "typed-hint" }, hint),
    words,
    chips,
    columns,
    trouble,
    status,
    element("div", { class: "row" }, button),
    element("p", { class: "hint" }, TELL.seeHint),
  );
  return {
    place,
    busy(yes) {
      button.disabled = yes;
      button.textContent = yes ? TELL.asking : TELL.see;
    },
  };
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
    element("label", { for: "file" }, TELL.drop),
    element("p", { class: "hint", id: "file-hint" }, TELL.fileHint),
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
    { class: "chips", role: "group", "aria-label": TELL.addTo },
    labels.map((label) =>
      element(
        "button",
        { type: "button", class: "quiet chip", "aria-label": TELL.add(label), click: add(label) },
        `+ ${label}`,
      ),
    ),
  );
}
