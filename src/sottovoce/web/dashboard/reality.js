/** Plan against reality: what the planner expected, beside what came. */

import { drawn, element } from "../shared/dom.js";
import { count } from "../shared/numbers.js";
import { sized } from "../shared/sized.js";
import { label, picture, scale } from "../shared/svg.js";
import { halfwidthsOf } from "./answer.js";
import { section, table, told } from "./part.js";
import { say, texts } from "./words.js";

/** @typedef {import("./shapes.js").Standing} Standing */

/** @param {Pick<Standing, "state" | "plan" | "rounds" | "users" | "answer">} standing */
export function reality({ state, plan, rounds, users, answer }) {
  if (!rounds.length) return [];
  const { model, guarded } = halfwidthsOf(answer);
  const promised = plan.guarded_halfwidth !== null && plan.guarded_halfwidth !== plan.halfwidth;
  const guaranteed = plan.guarded_halfwidth !== null && !promised;
  const guards = promised || (!guaranteed && model !== null && guarded !== null);
  const came = guards ? model : guarded;
  const unknown = say(plan.lines.length ? "dashboard-reality-unknown" : "dashboard-reality-thinking");
  const written = (/** @type {number | null} */ half, /** @type {string} */ otherwise) =>
    half === null ? otherwise : say("dashboard-plus-minus", { halfwidth: half });
  const late = say(`dashboard-reality-${answer ? "none" : state === "abandoned" ? "nothing" : "not-yet"}`);
  const rows = [
    [
      say(guards ? "dashboard-reality-model" : "dashboard-reality-halfwidth"),
      written(plan.halfwidth, unknown),
      written(came, late),
    ],
    ...(guards
      ? [[say("dashboard-reality-guarded"), written(plan.guarded_halfwidth, unknown), written(guarded, late)]]
      : []),
    [say("dashboard-reality-people"), count(users), count(rounds.reduce((sum, round) => sum + round.answered, 0))],
    ...rounds.map((round) => [
      say("dashboard-reality-round", { round: round.number + 1, role: round.role }),
      count(round.asked),
      count(round.answered),
    ]),
  ];
  return [
    section(
      "reality",
      say("dashboard-reality-heading"),
      element("p", { class: "soft" }, say("dashboard-reality-why")),
      element(
        "div",
        { class: "card" },
        plan.halfwidth !== null && came !== null ? beside(plan.halfwidth, came) : null,
        table(say("dashboard-reality-heading"), ["", ...texts("reality", "head-planned", "head-came")], rows),
        plan.lines.length
          ? element(
              "details",
              { id: "plan-lines" },
              element("summary", {}, say("dashboard-reality-all")),
              told(plan.lines),
            )
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
  const words = say("dashboard-reality-words", { planned, came });
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
        { title: say("dashboard-reality-title"), words },
        ...row(0, say("dashboard-reality-planned"), planned),
        ...row(1, say("dashboard-reality-came"), came),
        drawn("line", { class: "axis", x1: middle, x2: middle, y1: 0, y2: 60 }),
      );
    }),
  );
}
