/**
 * Sums in one order, which is part of the contract (device/PRIVACY.md): the same bits on every machine.
 *
 * What is missing becomes zero without a branch, as far as a compiler keeps to that: a branch takes longer where it goes
 * now this way, now that.
 */

const FAR = 1e150;
const NEAR = 1e-130;

/**
 * 1 or 0 as an integer, which compilers make of a comparison without a branch.
 *
 * @param {boolean} fact
 */
export const bit = (fact) => Number(fact) | 0;

/**
 * numpy's pairwise sum: fewer than 8 one after another; up to 128 in eight sums, which are added in pairs, and then the
 * rest one after another; more in two halves, the first of them a multiple of 8.
 *
 * @param {Float64Array} numbers
 * @param {number} [first]
 * @param {number} [count]
 * @returns {number}
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

/**
 * The sum over observations: the first of them, and then the pairwise sum of the others.
 *
 * @param {Float64Array} numbers
 */
export function total(numbers) {
  return numbers.length ? numbers[0] + pairwise(numbers, 1, numbers.length - 1) : 0;
}

/**
 * Those that are there, in their order.
 *
 * @param {Float64Array} numbers
 */
export function kept(numbers) {
  const there = new Float64Array(numbers.length);
  let count = 0;
  for (const number of numbers) {
    there[count] = number;
    count += bit(number === number);
  }
  return there.subarray(0, count);
}

/**
 * How many are there.
 *
 * @param {Float64Array} numbers
 */
export function present(numbers) {
  let count = 0;
  for (const number of numbers) count += bit(number === number);
  return count;
}

/**
 * The average of those that are there, NaN where there are none.
 *
 * @param {Float64Array} numbers
 */
export const average = (numbers) => total(filled(numbers)) / present(numbers);

/**
 * Zero for what is missing, bit by bit.
 *
 * @param {Float64Array} numbers
 */
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

/**
 * Within ±1e150, in steps of 2e-146: squares and sums of smaller numbers would take longer. NaN stays NaN.
 *
 * @param {Float64Array} numbers
 */
export const coarse = (numbers) => numbers.map((number) => Math.min(Math.max(number, -FAR), FAR) + NEAR - NEAR);

/**
 * From the centre. What is missing counts as the centre; what is infinite as very far.
 *
 * @param {Float64Array} vector
 * @param {readonly number[]} centre
 */
export const away = (vector, centre) => coarse(filled(vector.map((entry, at) => entry - centre[at])));

/**
 * The Euclidean length.
 *
 * @param {Float64Array} vector
 */
export const length = (vector) => Math.sqrt(pairwise(vector.map((entry) => entry * entry)));
