/** What pictures say: in them, and for whoever cannot see them. */

import { count, number } from "../../shared/numbers.js";

/** @param {number} chance */
const of100 = (chance) => number(100 * chance, 2);

export const PICTURES = {
  yours: "with your data",
  others: "with the most different data",
  here: "you",
  people: {
    title: (/** @type {number} */ same) => `${same} of 100 people`,
    words: (/** @type {number} */ same) =>
      `A hundred people with other data, however different. At least ${same} of them send the same as ` +
      `people with your data; of the other ${100 - same} some may not.`,
    same: (/** @type {number} */ same) => `${same} send the same`,
    rest: (/** @type {number} */ same) => `${100 - same} may not`,
  },
  scale: {
    title: "Where your number lies",
    words: (/** @type {string} */ value, /** @type {string} */ low, /** @type {string} */ high) =>
      `Your number, ${value}, on the survey's scale from ${low} to ${high}.`,
  },
  table: {
    title: "What your device might say",
    words: (/** @type {number[]} */ own, /** @type {number[]} */ other) =>
      `Of 100 devices with your data, ${each(own)}. Of 100 with the most different data, ${each(other)}.`,
    axis: "what the device says",
    axisMany: (/** @type {number} */ symbols) => `what the device says, 0 to ${symbols - 1}`,
    percent: (/** @type {number} */ chance) => of100(chance),
  },
  items: {
    title: "What your device might name",
    words: (/** @type {string[]} */ names, /** @type {number[]} */ chances) =>
      "How many of 100 devices with your data name each: " +
      `${names.map((name, place) => `${name} ${of100(chances[place])}`).join(", ")}.`,
    wordsTwo: (/** @type {number} */ own, /** @type {number} */ other) =>
      `Of 100 devices, ${of100(own)} name what goes in; each other one is named by ${of100(other)}.`,
    wordsNear: (/** @type {number} */ own, /** @type {number} */ other) =>
      `Of 100 devices, ${of100(own)} name what goes in, and as many each one near it; each one farther away is ` +
      `named by ${of100(other)}.`,
    near: "what goes in, and near it",
    far: "each one farther away",
    own: "what goes in",
    other: "each other one",
    axis: "named by so many of 100 devices with your data",
  },
  laplace: {
    title: "What your device might say",
    words: (/** @type {string} */ own, /** @type {string} */ other, /** @type {string} */ half) =>
      `Two curves that lie over each other: what devices say whose own number is ${own}, and devices whose number ` +
      `is ${other}. Half of all reports lie more than ${half} away from the own number.`,
    axis: "what the device says",
  },
};

/** @param {number[]} chances */
function each(chances) {
  const shown = chances.slice(0, 8).map((chance, symbol) => `${of100(chance)} say ${count(symbol)}`);
  return chances.length > 8 ? `${shown.join(", ")} and so on` : shown.join(", ");
}
