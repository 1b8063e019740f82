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
  for (let at = 0; at < copy.length; at += 1) {
    const there = -here(numbers[at]); // all bits, or none
    words[2 * at] &= there;
    words[2 * at + 1] &= there;
  }
  return copy;
}

export function kept(numbers) {
  const there = new Float64Array(numbers.length);
  let count = 0;
  for (let at = 0; at < numbers.length; at += 1) {
    there[count] = numbers[at];
    count += here(numbers[at]);
  }
  return there.subarray(0, count);
}

export function present(numbers, first = 0, step = 1) {
  let count = 0;
  for (let at = first; at < numbers.length; at += step) count += here(numbers[at]);
  return count;
}

const lanes = new Float64Array(8);

/** Up to 128 in eight sums, and then the rest; more in two halves. */
export function pairwise(numbers, first = 0, count = numbers.length, step = 1) {
  if (count > 128) {
    const half = 8 * Math.floor(count / 16);
    return pairwise(numbers, first, half, step) + pairwise(numbers, first + half * step, count - half, step);
  }
  const eights = count - (count % 8);
  lanes.fill(-0);
  for (let at = 0; at < eights; at += 1) lanes[at % 8] += numbers[first + at * step];
  let sum = lanes[0] + lanes[1] + (lanes[2] + lanes[3]) + (lanes[4] + lanes[5] + (lanes[6] + lanes[7]));
  for (let at = eights; at < count; at += 1) sum += numbers[first + at * step];
  return sum;
}

/** Over observations: the first, plus the pairwise sum of the others. */
export const total = (numbers, column = 0, step = 1) =>
  numbers.length && numbers[column] + pairwise(numbers, column + step, numbers.length / step - 1, step);

export function averages({ values, columns }, size = columns) {
  const seen = filled(values);
  return new Float64Array(size).map((_, column) =>
    column < columns ? total(seen, column, columns) / present(values, column, columns) : NaN,
  );
}

/** Within ±1e150, in steps of 2e-146: squares of smaller numbers take longer. */
export const coarse = (numbers) => numbers.map((number) => clamp(number, -1e150, 1e150) + 1e-130 - 1e-130);

/** From the centre, as which counts what is missing. */
export const away = (vector, centre) => coarse(filled(vector.map((entry, at) => entry - centre[at])));

export function squares(vector) {
  const own = new Float64Array(vector);
  for (let at = 0; at < own.length; at += 1) own[at] *= own[at];
  return pairwise(own);
}

export const largest = (vector) => vector.reduce((most, entry) => Math.max(most, Math.abs(entry)), 0);

/** How many of the rising `edges` a number (not NaN) lies beyond, or reaches: by as many comparisons for any. */
export function passed(edges, strictly) {
  const steps = 32 - Math.clz32(edges.length);
  const padded = new Float64Array(2 ** steps - 1).fill(NaN); // beyond which nothing lies
  padded.set(edges);
  return (number) => {
    let count = 0;
    for (let step = steps - 1; step >= 0; step -= 1) {
      const edge = padded[count + (1 << step) - 1];
      count += bit(strictly ? number > edge : number >= edge) << step;
    }
    return count;
  };
}

export const placed = ({ low, high }, number, group) =>
  (clamp(number, low[group], high[group]) - low[group]) / (high[group] - low[group]);

export function binOf(places) {
  if (places.kind === "bins") return passed(places.edges, false);
  return (number, group) => {
    const bin = Math.floor(placed(places, number, group) * places.count);
    return bin - bit(bin >= places.count); // the upper end belongs to the last
  };
}
