// Sums in the order of the contract (PRIVACY.md), to the same bits on every machine; and no branch on an observation, as
// far as compilers keep to that: its time could tell.

/** 1 or 0: of < and >= compilers take the comparison's own bit. @param {boolean} fact */
export const bit = (fact) => Number(fact) | 0;

/** 1 for a number, 0 for NaN: of an equality they would make a branch. @param {number} number */
export const here = (number) => bit(number >= 0) + bit(number < 0);

const choices = new Float64Array(3);

/** Looked up: of a minimum they make branches too. @type {(number: number, low: number, high: number) => number} */
export function clamp(number, low, high) {
  choices[0] = number;
  choices[1] = low;
  choices[2] = high;
  return choices[bit(number < low) + 2 * bit(number > high)];
}

/** Zero for what is missing, bit by bit. @param {Float64Array} numbers */
export function filled(numbers) {
  const copy = new Float64Array(numbers);
  const words = new Int32Array(copy.buffer);
  for (let at = 0; at < copy.length; at += 1) {
    const there = -here(numbers[at]); // all bits, or none
    words[2 * at] &= there;
    words[2 * at + 1] &= there;
  }
  return copy;
}

/** Those that are there, in their order. @param {Float64Array} numbers */
export function kept(numbers) {
  const there = new Float64Array(numbers.length);
  let count = 0;
  for (let at = 0; at < numbers.length; at += 1) {
    there[count] = numbers[at];
    count += here(numbers[at]);
  }
  return there.subarray(0, count);
}

/** How many are there, one every `step`. @type {(numbers: Float64Array, first?: number, step?: number) => number} */
export function present(numbers, first = 0, step = 1) {
  let count = 0;
  for (let at = first; at < numbers.length; at += step) count += here(numbers[at]);
  return count;
}

/**
 * Fewer than 8 one after another; up to 128 in eight sums, added in pairs, then the rest; more in two halves.
 * @type {(numbers: Float64Array, first?: number, count?: number, step?: number) => number}
 */
export function pairwise(numbers, first = 0, count = numbers.length, step = 1) {
  if (count > 128) {
    const half = 8 * Math.floor(count / 16);
    return pairwise(numbers, first, half, step) + pairwise(numbers, first + half * step, count - half, step);
  }
  const [eights, each] = [count - (count % 8), 8 * step];
  let [a, b, c, d, e, f, g, h] = [-0, -0, -0, -0, -0, -0, -0, -0];
  for (let at = first; at < first + eights * step; at += each) {
    a += numbers[at];
    b += numbers[at + step];
    c += numbers[at + 2 * step];
    d += numbers[at + 3 * step];
    e += numbers[at + 4 * step];
    f += numbers[at + 5 * step];
    g += numbers[at + 6 * step];
    h += numbers[at + 7 * step];
  }
  let sum = a + b + (c + d) + (e + f + (g + h));
  for (let at = eights; at < count; at += 1) sum += numbers[first + at * step];
  return sum;
}

/**
 * Over observations: the first, plus the pairwise sum of the others.
 * @type {(numbers: Float64Array, column?: number, step?: number) => number}
 */
export const total = (numbers, column = 0, step = 1) =>
  numbers.length && numbers[column] + pairwise(numbers, column + step, numbers.length / step - 1, step);

/**
 * Of what is there in the first `size` columns; NaN where nothing is.
 * @type {(own: {values: Float64Array, columns: number}, size: number) => Float64Array}
 */
export function averages({ values, columns }, size) {
  const seen = filled(values);
  return new Float64Array(size).map((_, column) => {
    return column < columns ? total(seen, column, columns) / present(values, column, columns) : NaN;
  });
}

/** Within ±1e150, in steps of 2e-146: squares of smaller numbers would take longer. @param {Float64Array} numbers */
export const coarse = (numbers) => numbers.map((number) => clamp(number, -1e150, 1e150) + 1e-130 - 1e-130);

/**
 * From the centre, as which counts what is missing.
 * @type {(vector: Float64Array, centre: readonly number[]) => Float64Array}
 */
export const away = (vector, centre) => coarse(filled(vector.map((entry, at) => entry - centre[at])));

/** @param {Float64Array} vector */
export function squares(vector) {
  const own = new Float64Array(vector);
  for (let at = 0; at < own.length; at += 1) own[at] *= own[at];
  return pairwise(own);
}

/** @param {Float64Array} vector */
export const largest = (vector) => vector.reduce((most, entry) => Math.max(most, Math.abs(entry)), 0);
