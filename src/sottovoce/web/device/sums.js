// Sums in the order of PRIVACY.md, to the same bits everywhere, and places. No branch on an observation, as far as
// compilers keep to that: its time could tell.

export const bit = (fact) => Number(fact) | 0;

/** 1 for a number, 0 for NaN; of an equality compilers make a branch, */
export const here = (number) => bit(number >= 0) + bit(number < 0);

const choices = new Float64Array(3);

/** of a minimum too: so it is looked up. */
export function clamp(number, low, high) {
  choices[0] = number;
  choices[1] = low;
  choices[2] = high;
  return choices[bit(number < low) + 2 * bit(number > high)];
}

/** Zero for what is missing, bit by bit. */
export function filled(numbers) {
  const copy = new Float64Array(numbers);
  const words = new Int32Array(copy.buffer);
  for (const at of copy.keys()) {
    const there = -here(numbers[at]); // all bits, or none
    words[2 * at] &= there;
    words[2 * at + 1] &= there;
  }
  return copy;
}

/** A column; one that is not there is missing everywhere. */
export function observed({ rows, columns, values }, column) {
  const numbers = new Float64Array(rows).fill(NaN);
  for (let row = 0; column < columns && row < rows; row++) numbers[row] = values[row * columns + column];
  return numbers;
}

export function kept(numbers) {
  const there = new Float64Array(numbers.length);
  let count = 0;
  for (const at of numbers.keys()) {
    there[count] = numbers[at];
    count += here(numbers[at]);
  }
  return there.subarray(0, count);
}

export const present = (numbers) => kept(numbers).length;

const lanes = new Float64Array(8);

/** Up to 128 in eight sums, and then the rest; more in two halves. */
export function pairwise(numbers, first = 0, count = numbers.length) {
  if (count > 128) {
    const half = 8 * Math.floor(count / 16);
    return pairwise(numbers, first, half) + pairwise(numbers, first + half, count - half);
  }
  const eights = first + count - (count % 8);
  lanes.fill(-0);
  for (let at = first; at < eights; at++) lanes[(at - first) % 8] += numbers[at];
  let sum = lanes[0] + lanes[1] + (lanes[2] + lanes[3]) + (lanes[4] + lanes[5] + (lanes[6] + lanes[7]));
  for (let at = eights; at < first + count; at++) sum += numbers[at];
  return sum;
}

/** Over observations: the first, plus the pairwise sum of the others. */
export const total = (numbers) => numbers.length && numbers[0] + pairwise(numbers, 1, numbers.length - 1);
export const average = (numbers) => total(filled(numbers)) / present(numbers);
export const averages = (own, size) => new Float64Array(size).map((_, column) => average(observed(own, column)));

/** Within ±1e150, in steps of 2e-146: squares of smaller numbers take longer. */
export const coarse = (numbers) => numbers.map((number) => clamp(number, -1e150, 1e150) + 1e-130 - 1e-130);

/** From the centre, as which counts what is missing. */
export const away = (vector, centre) => coarse(filled(vector.map((entry, at) => entry - centre[at])));

export const squares = (vector) => pairwise(vector.map((entry) => entry * entry));
export const largest = (vector) => vector.reduce((most, entry) => Math.max(most, Math.abs(entry)), 0);

/** How many of the rising `edges` a number (not NaN) lies beyond, or reaches: by as many comparisons for any. */
export function passed(edges, strictly) {
  const steps = 32 - Math.clz32(edges.length);
  const padded = new Float64Array(2 ** steps - 1).fill(NaN); // beyond which nothing lies
  padded.set(edges);
  return (number) => {
    let count = 0;
    for (let step = steps - 1; step >= 0; step--) {
      const edge = padded[count + (1 << step) - 1];
      count += bit(strictly ? number > edge : number >= edge) << step;
    }
    return count;
  };
}

export const placed = ({ low, high }, number, group) =>
  (clamp(number, low[group], high[group]) - low[group]) / (high[group] - low[group]);

/** In nodes: of each segment between two knots the part below a number, in their order. */
export const walked = (segments, number) => segments.low.reduce((sum, _, at) => sum + placed(segments, number, at), 0);

export function binOf(places) {
  if (places.kind === "bins") return passed(places.edges, false);
  return (number, group) => {
    const bin = Math.floor(placed(places, number, group) * places.count);
    return bin - bit(bin >= places.count); // the upper end belongs to the last
  };
}
