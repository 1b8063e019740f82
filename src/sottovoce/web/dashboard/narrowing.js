/** How the range closes in from round to round, down to the answer and its two intervals. */

import { fact } from "../client/fact.js";
import { drawn, element } from "../shared/dom.js";
import { number } from "../shared/numbers.js";
import { sized } from "../shared/sized.js";
import { axis, label, picture, scale } from "../shared/svg.js";
import { numbersOf, section } from "./part.js";
import { say, texts } from "./words.js";

/** @typedef {import("./shapes.js").Found} Found */
/** @typedef {import("./shapes.js").Round} Round */
/** @typedef {{name: string, low: number, high: number, kind: "range" | "guarded" | "model"}} Step */

const STEP = 54;
const THICK = 16;

/**
 * @param {{rounds: Round[], answer: Found | null}} told
 */
export function narrowing({ rounds, answer }) {
  const steps = stepsOf(rounds, answer);
  if (!steps.length) return [];
  const asked = rounds.filter((round) => round.low !== null && round.high !== null);
  const units = [...new Set(asked.map((round) => round.unit_words))].filter(Boolean);
  return [
    section(
      "narrowing",
      say("dashboard-narrowing-heading"),
      element("p", { class: "soft" }, say("dashboard-narrowing-why")),
      element(
        "figure",
        { class: "card" },
        sized((width) => drawing(width, steps, answer?.value ?? null)),
        units.length ? element("figcaption", {}, say("dashboard-narrowing-units", { what: units.map(quoted) })) : null,
        numbersOf(
          "narrowing-numbers",
          say("dashboard-numbers"),
          texts("narrowing", "step", "from", "to", "width"),
          steps.map((step) => [step.name, number(step.low), number(step.high), number(step.high - step.low)]),
        ),
      ),
    ),
  ];
}

/** @param {string} unit */
const quoted = (unit) => fact("dashboard-narrowing-unit", { unit });

/** @param {Round} round */
const nameOf = ({ number, role }) => say("dashboard-narrowing-round", { round: number + 1, role });

/** @param {Step} step */
const rangeOf = ({ low, high }) => say("dashboard-range", { low, high });

/**
 * @param {Round[]} rounds
 * @param {Found | null} answer
 * @returns {Step[]}
 */
function stepsOf(rounds, answer) {
  /** @type {Step[]} */
  const steps = rounds.flatMap((round) =>
    round.low === null || round.high === null
      ? []
      : [{ name: nameOf(round), low: round.low, high: round.high, kind: "range" }],
  );
  if (!steps.length || !answer) return steps;
  const [guarded, model] = texts("narrowing", "guarded", "model");
  if (answer.low !== null && answer.high !== null)
    steps.push({ name: guarded, low: answer.low, high: answer.high, kind: "guarded" });
  if (answer.model_low !== null && answer.model_high !== null)
    steps.push({ name: model, low: answer.model_low, high: answer.model_high, kind: "model" });
  return steps;
}

/**
 * @param {number} width
 * @param {Step[]} steps
 * @param {number | null} value
 */
function drawing(width, steps, value) {
  const low = Math.min(...steps.map((step) => step.low));
  const high = Math.max(...steps.map((step) => step.high));
  const across = scale(low, high, 14, width - 20);
  const height = steps.length * STEP + 30;
  const shapes = steps.flatMap((step, place) => {
    const y = place * STEP + 22;
    const [from, to] = [across(step.low), Math.max(across(step.high), across(step.low) + 2)];
    const range = rangeOf(step);
    const next = steps[place + 1];
    return [
      next && next.kind !== "model"
        ? drawn("polygon", {
            class: "funnel",
            points: [from, y + THICK, to, y + THICK, across(next.high), y + STEP, across(next.low), y + STEP].join(" "),
          })
        : drawn("g"),
      drawn("rect", { class: step.kind, x: from, y, width: to - from, height: THICK, rx: 3 }),
      label(14, y - 7, `${step.name}: ${range}`, { class: "ink" }),
    ];
  });
  const dots =
    value === null
      ? []
      : steps.flatMap((step, place) =>
          step.kind === "range"
            ? []
            : [drawn("circle", { class: "spot", cx: across(value), cy: place * STEP + 22 + THICK / 2, r: 5.5 })],
        );
  const words = steps.map((step) => `${step.name} ${rangeOf(step)}.`).join(" ");
  const below = axis(across, low, high, height - 26, (at) => number(at), width < 420 ? 4 : 8);
  return picture(width, height, { title: say("dashboard-narrowing-title"), words }, ...shapes, ...dots, below);
}
