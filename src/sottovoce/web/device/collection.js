/**
 * One user's raw observations: the only shape that carries them.
 *
 * Anything a number can hold is allowed, NaN and infinities too, and nothing at all: encoders are total.
 *
 * @typedef {object} Collection
 * @property {number} rows how many observations there are
 * @property {number} columns how many numbers each of them has
 * @property {Float64Array} values row after row
 */

/**
 * Wrap numbers, vectors that are alike long, or rows that lie flat already, so many columns in each.
 *
 * What is no number is missing. So are vectors of several lengths, whose columns nobody can know.
 *
 * @param {ArrayLike<unknown> | Collection} observations
 * @param {number} [columns] of a Float64Array
 * @returns {Collection}
 */
export function collection(observations, columns = 1) {
  if ("values" in observations && observations.values instanceof Float64Array) {
    return /** @type {Collection} */ (observations);
  }
  if (observations instanceof Float64Array) {
    const rows = columns > 0 ? Math.ceil(observations.length / columns) : 0;
    const values = new Float64Array(rows * columns).fill(NaN, observations.length);
    values.set(observations.subarray(0, values.length));
    return { rows, columns, values };
  }
  const held = Array.from(/** @type {ArrayLike<unknown>} */ (observations));
  const width = lengthOf(held[0]);
  const vectors = width >= 0 && held.every((row) => lengthOf(row) === width);
  const flat = vectors ? held.flatMap((row) => Array.from(/** @type {ArrayLike<unknown>} */ (row))) : held;
  return { rows: held.length, columns: vectors ? width : 1, values: Float64Array.from(flat, number) };
}

/** @param {unknown} row */
function lengthOf(row) {
  return Array.isArray(row) || row instanceof Float64Array ? row.length : -1;
}

/** @param {unknown} value */
function number(value) {
  return typeof value === "number" ? value : NaN;
}

/**
 * The observations of one column, at most the first so many; a column that is not there is missing everywhere.
 *
 * @param {Collection} own
 * @param {number} column
 * @param {number} [first]
 */
export function observed(own, column, first = own.rows) {
  const numbers = new Float64Array(Math.min(first, own.rows)).fill(NaN);
  if (column < own.columns) {
    for (let row = 0; row < numbers.length; row += 1) numbers[row] = own.values[row * own.columns + column];
  }
  return numbers;
}
