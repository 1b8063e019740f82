/** A table from text: cells between commas, semicolons or tabs, in quotes or not; each row with its line. */

/** @typedef {{line: number, cells: string[]}} Row */

export const SEPARATORS = [",", ";", "\t"];
/** A first line by which spreadsheets say what stands between cells. */
const STATED = /^\s*"?sep=([,;\t])"?[ \t]*(?:\r\n|\r|\n|$)/i;

/**
 * Rows of cells, blank lines left out; null where a quote is never closed. The separator is empty where the first line
 * has none, and there are no quotes: a table of one column, whose commas are decimal ones.
 * @param {string} text
 * @returns {{separator: string, rows: Row[]} | null}
 */
export function table(text) {
  const whole = text.replace(/^\uFEFF+/, "");
  const stated = STATED.exec(whole);
  const plain = stated ? whole.slice(stated[0].length) : whole;
  const separator = stated?.[1] ?? separatorOf(plain);
  const rows = rowsOf(plain, separator, stated ? 1 + lineEnds(stated[0]) : 1);
  return rows && { separator, rows };
}

/**
 * Which sign stands between cells: the one that the first line with anything in it has most of, outside of quotes.
 * Where another sign is there too, commas between two digits are decimal ones. Empty where there is none and cells are
 * not quoted.
 * @param {string} text
 */
function separatorOf(text) {
  let line = "";
  let quoted = false;
  for (const letter of text) {
    if (letter === '"') quoted = !quoted;
    else if (!quoted && line.trim() && (letter === "\n" || letter === "\r")) break;
    else if (!quoted) line += letter;
  }
  const apart = line.replace(/(?<=\d),(?=\d)/g, "");
  const counted = /[;\t]/.test(apart) ? apart : line;
  const count = (/** @type {string} */ sign) => counted.split(sign).length - 1;
  const best = SEPARATORS.reduce((most, sign) => (count(sign) > count(most) ? sign : most));
  return count(best) || text.includes('"') ? best : "";
}

/**
 * @param {string} text
 * @param {string} separator
 * @param {number} first the line on which the text begins
 * @returns {Row[] | null}
 */
function rowsOf(text, separator, first) {
  /** @type {Row[]} */
  const rows = [];
  /** @type {string[]} */
  let cells = [];
  let cell = "";
  let line = first;
  let began = first;
  let wasQuoted = false;
  let place = 0;
  const endCell = () => {
    cells.push(wasQuoted ? cell : cell.trim());
    cell = "";
    wasQuoted = false;
  };
  const endRow = () => {
    const quoted = wasQuoted;
    endCell();
    if (cells.length > 1 || cells[0] !== "" || quoted) rows.push({ line: began, cells });
    cells = [];
  };
  while (place < text.length) {
    const letter = text[place];
    if (letter === '"' && !wasQuoted && cell.trim() === "") {
      const end = quoteEnd(text, place + 1);
      if (end < 0) return null;
      cell = text.slice(place + 1, end).replaceAll('""', '"');
      line += lineEnds(cell);
      wasQuoted = true;
      place = end + 1;
    } else if (letter === separator) {
      endCell();
      place++;
    } else if (letter === "\n" || letter === "\r") {
      endRow();
      place += letter === "\r" && text[place + 1] === "\n" ? 2 : 1;
      began = ++line;
    } else {
      if (!wasQuoted || letter.trim()) cell += letter;
      place++;
    }
  }
  if (cell !== "" || wasQuoted || cells.length) endRow();
  return rows;
}

/**
 * Where the quote closes that opened before `from`; two quotes are one sign of the text.
 * @param {string} text
 * @param {number} from
 */
function quoteEnd(text, from) {
  let end = text.indexOf('"', from);
  while (end >= 0 && text[end + 1] === '"') end = text.indexOf('"', end + 2);
  return end;
}

/** @param {string} text */
function lineEnds(text) {
  return (text.match(/\r\n|\r|\n/g) ?? []).length;
}
