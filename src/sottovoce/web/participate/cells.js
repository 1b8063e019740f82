/** What one cell of text says: a number, nothing, or something that is neither. */

/** What stands for a missing observation, whatever the case. */
export const MISSING = new Set(["", "na", "n/a", "nan", "null", "none"]);

const NUMBER = /^[+-]?(?:\d+\.?\d*|\.\d+)(?:[eE][+-]?\d+)?$/;
const COMMA = /^[+-]?\d+,\d+$/;
const INFINITE = /^([+-]?)inf(?:inity)?$/i;

/**
 * The number that a cell says, infinite ones and NaN too; null where it says none.
 * @param {string} cell
 * @returns {number | null}
 */
export function numberIn(cell) {
  const text = cell.trim();
  if (NUMBER.test(text)) return Number(text);
  const infinite = INFINITE.exec(text);
  if (infinite) return infinite[1] === "-" ? -Infinity : Infinity;
  return /^[+-]?nan$/i.test(text) ? NaN : null;
}

/**
 * An observation: missing cells are NaN, true and false 1 and 0; odd is what is neither a number nor missing. With
 * `commas`, a comma inside a cell is a decimal one.
 * @param {string} cell
 * @param {boolean} [commas]
 * @returns {{value: number, odd: boolean}}
 */
export function observation(cell, commas = false) {
  const text = cell.trim();
  const low = text.toLowerCase();
  if (MISSING.has(low)) return { value: NaN, odd: false };
  if (low === "true" || low === "false") return { value: low === "true" ? 1 : 0, odd: false };
  const value = numberIn(commas && COMMA.test(text) ? text.replace(",", ".") : text);
  return value === null ? { value: NaN, odd: true } : { value, odd: false };
}
