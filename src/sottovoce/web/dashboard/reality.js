/** Plan against reality: what the planner expected, beside what came. */

import { drawn, element } from "../shared/dom.js";
import { count, number } from "../shared/numbers.js";
import { sized } from "../shared/sized.js";
import { label, picture, scale } from "../shared/svg.js";
import { halfwidthsOf } from "./answer.js";
import { section, table, told } from "./part.js";
import { WORDS } from "./words.js";

/** @typedef {import("./shapes.js").Standing} Standing */

/** @param {Pick<Standing, "state" | "plan" | "rounds" | "users" | "answer">} standing */
export function reality({ state, plan, rounds, users, answer }) {
  if (!rounds.length) return [];
  const { model, guarded } = halfwidthsOf(answer);
  const promised = plan.guarded_halfwidth !== null && plan.guarded_halfwidth !== plan.halfwidth;
  const guards = promised || (model !== null && guarded !== null);
  const came = guards ? model : guarded;
  const unknown = plan.lines.length ? WORDS.reality.unknown : WORDS.reality.thinking;
  const written = (/** @type {number | null} */ half, /** @type {string} */ otherwise) =>
    half === null ? otherwise : `± ${number(half, 3)}`;
  const late = answer ? WORDS.reality.none : state === "abandoned" ? WORDS.reality.nothing : WORDS.reality.notYet;
  const rows = [
    [
      guards ? WORDS.reality.model : WORDS.reality.halfwidth,
      written(plan.halfwidth, unknown),
      written(came, late),
    ],
    ...(guards
      ? [[WORDS.reality.guarded, written(plan.guarded_halfwidth, unknown), written(guarded, late)]]
      : []),
    [WORDS.reality.people, count(users), count(rounds.reduce((sum, round) => sum + round.answered, 0))],
    ...rounds.map((round) => [
      WORDS.reality.round(round.number + 1, round.role),
      count(round.asked),
      count(round.answered),
    ]),
  ];
  return [
    section(
      "reality",
      WORDS.reality.heading,
      element("p", { class: "soft" }, WORDS.reality.why),
      element(
        "div",
        { class: "card" },
        plan.halfwidth !== null && came !== null ? beside(plan.halfwidth, came) : null,
        table(WORDS.reality.heading, WORDS.reality.heads, rows),
        plan.lines.length
          ? element("details", { id: "plan-lines" }, element("summary", {}, WORDS.reality.all), told(plan.lines))
          : null,
      ),
    ),
  ];
}

/**
 * @param {number} planned
 * @param {number} came
 */
function beside(planned, came) {
  const words = WORDS.reality.words(number(planned, 3), number(came, 3));
  return element(
    "figure",
    {},
    sized((width) => {
      const across = scale(0, Math.max(planned, came), 0, (width - 110) / 2);
      const middle = 100 + (width - 110) / 2;
      const row = (/** @type {number} */ place, /** @type {string} */ name, /** @type {number} */ half) => [
        label(0, place * 30 + 18, name, { class: "ink" }),
        drawn("rect", {
          class: place ? "guarded" : "planned",
          x: middle - across(half),
          y: place * 30 + 6,
          width: Math.max(2, 2 * across(half)),
          height: 16,
          rx: 3,
        }),
      ];
      return picture(
        width,
        64,
        { title: WORDS.reality.title, words },
        ...row(0, WORDS.reality.planned, planned),
        ...row(1, WORDS.reality.came, came),
        drawn("line", { class: "axis", x1: middle, x2: middle, y1: 0, y2: 60 }),
      );
    }),
  );
}
