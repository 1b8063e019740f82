/**
 * One user's raw observations, row after row: the only shape that carries them. Anything a number can hold is allowed,
 * NaN and infinities too, and nothing at all: encoders are total.
 *
 * @typedef {{rows: number, columns: number, values: Float64Array}} Collection
 * @typedef {ArrayLike<unknown> | Collection} Observations numbers, or vectors that are alike long
 */

/**
 * Wrap observations; a Float64Array holds so many `columns` a row. What is no number is missing, and so are vectors of
 * several lengths, whose columns nobody can know.
 *
 * @type {(observations: Observations, columns?: number) => Collection}
 */
export function collection(observations, columns = 1) {
  if ("values" in observations && "rows" in observations) return observations;
  if (observations instanceof Float64Array) {
    return { rows: columns && Math.floor(observations.length / columns), columns, values: observations };
  }
  const held = Array.from(/** @type {ArrayLike<unknown>} */ (observations));
  const width = lengthOf(held[0]);
  const vectors = width >= 0 && held.every((row) => lengthOf(row) === width);
  const flat = vectors ? held.flatMap((row) => Array.from(/** @type {any} */ (row))) : held;
  return { rows: held.length, columns: vectors ? width : 1, values: Float64Array.from(flat, number) };
}

/** @param {unknown} row */
const lengthOf = (row) => (Array.isArray(row) || row instanceof Float64Array ? row.length : -1);

/** @param {unknown} value */
const number = (value) => (typeof value === "number" ? value : NaN);

/**
 * The observations of one column, at most the first so many; a column that is not there is missing everywhere.
 *
 * @type {(own: Collection, column: number, first?: number) => Float64Array}
 */
export function observed({ rows, columns, values }, column, first = rows) {
  const numbers = new Float64Array(Math.min(first, rows)).fill(NaN);
  if (column >= columns) return numbers;
  for (let row = 0; row < numbers.length; row += 1) numbers[row] = values[row * columns + column];
  return numbers;
}
