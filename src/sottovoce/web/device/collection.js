// One user's raw observations, row after row. Any number is allowed.

/** @typedef {{rows: number, columns: number, values: Float64Array}} Collection */

/** What is no number is missing. @type {(observations: ArrayLike<unknown> | Collection) => Collection} */
export function collection(observations) {
  if ("rows" in observations) return observations;
  /** @type {any[]} */
  const held = Array.from(observations);
  const vectors = Array.isArray(held[0]) && held.every((row) => Array.isArray(row) && row.length === held[0].length);
  const values = Float64Array.from(vectors ? held.flatMap((row) => [...row]) : held, (value) => (typeof value === "number" ? value : NaN));
  return { rows: held.length, columns: vectors ? held[0].length : 1, values };
}

/** A column; one that is not there is missing everywhere. */
export function observed({ rows, columns, values }, column) {
  const numbers = new Float64Array(rows).fill(NaN);
  for (let row = 0; column < columns && row < rows; row += 1) numbers[row] = values[row * columns + column];
  return numbers;
}
