/** A table from text: cells between commas, semicolons or tabs, in quotes or not; each row with its line. */

/** @typedef {{line: number, cells: string[]}} Row */

export const SEPARATORS = [",", ";", "\t"];

/**
 * Rows of cells, blank lines left out; null where a quote is never closed.
 * @param {string} text
 * @returns {{separator: string, rows: Row[]} | null}
 */
export function table(text) {
  const plain = text.replace(/^\uFEFF+/, "");
  const separator = separatorOf(plain);
  const rows = rowsOf(plain, separator);
  return rows && { separator, rows };
}

/**
 * Which sign stands between cells: the one that the first line with anything in it has most of, outside of quotes.
 * @param {string} text
 */
function separatorOf(text) {
  const counts = new Map(SEPARATORS.map((sign) => [sign, 0]));
  let quoted = false;
  let seen = false;
  for (const letter of text) {
    if (letter === '"') quoted = !quoted;
    else if (!quoted && seen && (letter === "\n" || letter === "\r")) break;
    else if (!quoted && counts.has(letter)) counts.set(letter, (counts.get(letter) ?? 0) + 1);
    if (letter.trim()) seen = true;
  }
  return SEPARATORS.reduce((best, sign) => ((counts.get(sign) ?? 0) > (counts.get(best) ?? 0) ? sign : best));
}

/**
 * @param {string} text
 * @param {string} separator
 * @returns {Row[] | null}
 */
function rowsOf(text, separator) {
  /** @type {Row[]} */
  const rows = [];
  /** @type {string[]} */
  let cells = [];
  let cell = "";
  let line = 1;
  let began = 1;
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
