/**
 * Sums in one order, which is part of the contract (device/PRIVACY.md): the same bits on every machine. What is missing
 * becomes zero without a branch, as far as compilers keep to that: a branch takes longer where it goes now this way,
 * now that.
 */

/** 1 or 0, as an integer: compilers take the comparison's own bit. @param {boolean} fact */
export const bit = (fact) => Number(fact) | 0;

/**
 * The pairwise sum of `count` numbers: fewer than 8 one after another; up to 128 in eight sums, which are added in pairs,
 * and then the rest one after another; more in two halves, the first a multiple of 8.
 *
 * @type {(numbers: Float64Array, first?: number, count?: number) => number}
 */
export function pairwise(numbers, first = 0, count = numbers.length) {
  if (count > 128) {
    const half = 8 * Math.floor(count / 16);
    return pairwise(numbers, first, half) + pairwise(numbers, first + half, count - half);
  }
  const last = first + count;
  let at = first;
  let sum = -0;
  if (count >= 8) {
    const eight = numbers.slice(first, first + 8);
    for (at += 8; at + 8 <= last; at += 8) {
      for (let place = 0; place < 8; place += 1) eight[place] += numbers[at + place];
    }
    const [a, b, c, d, e, f, g, h] = eight;
    sum = a + b + (c + d) + (e + f + (g + h));
  }
  for (; at < last; at += 1) sum += numbers[at];
  return sum;
}

/** The sum over observations: the first, and then the pairwise sum of the others. @param {Float64Array} numbers */
export const total = (numbers) => (numbers.length ? numbers[0] + pairwise(numbers, 1, numbers.length - 1) : 0);

/** How many are there. @param {Float64Array} numbers */
export function present(numbers) {
  let count = 0;
  for (const number of numbers) count += bit(number === number);
  return count;
}

/** Those that are there, in their order. @param {Float64Array} numbers */
export function kept(numbers) {
  const there = new Float64Array(numbers.length);
  let count = 0;
  for (const number of numbers) {
    there[count] = number;
    count += bit(number === number);
  }
  return there.subarray(0, count);
}

/** Zero for what is missing, bit by bit. @param {Float64Array} numbers */
export function filled(numbers) {
  const copy = new Float64Array(numbers);
  const words = new Int32Array(copy.buffer);
  for (let at = 0; at < copy.length; at += 1) {
    const there = bit(numbers[at] !== numbers[at]) - 1; // all bits, or none
    words[2 * at] &= there;
    words[2 * at + 1] &= there;
  }
  return copy;
}

/** The average of those that are there, NaN where there are none. @param {Float64Array} numbers */
export const average = (numbers) => total(filled(numbers)) / present(numbers);

/** @type {(number: number, low: number, high: number) => number} */
export const clamp = (number, low, high) => Math.min(Math.max(number, low), high);

/** Within ±1e150, in steps of 2e-146: squares of smaller numbers would take longer. @param {Float64Array} numbers */
export const coarse = (numbers) => numbers.map((number) => clamp(number, -1e150, 1e150) + 1e-130 - 1e-130);

/**
 * From the centre. What is missing counts as the centre; what is infinite as very far.
 *
 * @type {(vector: Float64Array, centre: readonly number[]) => Float64Array}
 */
export const away = (vector, centre) => coarse(filled(vector.map((entry, at) => entry - centre[at])));

/** The Euclidean length. @param {Float64Array} vector */
export const length = (vector) => Math.sqrt(pairwise(vector.map((entry) => entry * entry)));
