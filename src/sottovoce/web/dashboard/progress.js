/** Who has answered, round by round, against who was to be asked; and what was refused. */

import { drawn, element } from "../shared/dom.js";
import { count, percent } from "../shared/numbers.js";
import { sized } from "../shared/sized.js";
import { label, picture, scale } from "../shared/svg.js";
import { numbersOf, roundOf, section, table } from "./part.js";
import { say, texts } from "./words.js";

/** @typedef {import("./shapes.js").Round} Round */

/**
 * @param {{rounds: Round[], users: number, minimum: number, running: boolean}} told
 */
export function progress({ rounds, users, minimum, running }) {
  if (!rounds.length) return [];
  const answered = rounds.reduce((sum, round) => sum + round.answered, 0);
  const left = users - rounds.reduce((sum, round) => sum + round.asked, 0);
  const rest = left > 0 ? say(running ? "dashboard-progress-kept" : "dashboard-progress-never", { left }) : "";
  return [
    section(
      "progress",
      say("dashboard-progress-heading"),
      element("p", {}, `${say("dashboard-progress-overall", { answered, users })} ${rest}`),
      element("ol", { class: "plain grid" }, rounds.map((round) => oneRound(round, minimum))),
      numbersOf(
        "progress-numbers",
        say("dashboard-numbers"),
        texts("progress-head", "round", "asked", "answered", "share"),
        rounds.map(row),
      ),
    ),
  ];
}

/** @param {Round} round */
function row({ number, role, asked, answered }) {
  const name = say("dashboard-progress-row", { round: number + 1, role });
  return [name, count(asked), count(answered), percent(asked ? answered / asked : 0)];
}

/**
 * @param {Round} round
 * @param {number} minimum
 */
function oneRound(round, minimum) {
  const open = round.closed === null;
  return element(
    "li",
    { class: "card" },
    element(
      "h3",
      {},
      roundOf(round),
      " ",
      open
        ? element("span", { class: "tag open" }, say("dashboard-progress-open"))
        : element("span", { class: "tag" }, say("dashboard-progress-closed")),
    ),
    element("p", { class: "number" }, say("dashboard-progress-answered", round)),
    sized((width) => bar(width, round, minimum)),
    element(
      "p",
      { class: "soft small" },
      say(open ? "dashboard-progress-closes" : "dashboard-progress-closed-at", round),
    ),
  );
}

/**
 * @param {number} width
 * @param {Round} round
 * @param {number} minimum
 */
function bar(width, round, minimum) {
  const across = scale(0, round.asked, 1, width - 1);
  const least = across(Math.min(minimum, round.asked));
  const anchor = least > width * 0.7 ? "end" : least < width * 0.3 ? "start" : "middle";
  return picture(
    width,
    38,
    { title: roundOf(round), words: say("dashboard-progress-bar", { ...round, minimum }) },
    drawn("rect", { class: "sunk", x: 0.5, y: 0.5, width: width - 1, height: 14, rx: 4 }),
    drawn("rect", { class: "own", x: 1, y: 1, width: Math.max(0, across(round.answered) - 1), height: 13, rx: 3.5 }),
    round.quota < round.asked
      ? drawn("line", { class: "error", x1: across(round.quota), x2: across(round.quota), y1: 0, y2: 15 })
      : drawn("g"),
    drawn("line", { class: "axis", x1: least, x2: least, y1: 0, y2: 21 }),
    label(least, 35, say("dashboard-progress-minimum", { minimum }), { "text-anchor": anchor }),
  );
}

/** @param {{code: string, words: string, count: number}[]} refused */
export function refusals(refused) {
  const some = refused.filter((one) => one.count > 0).sort((first, second) => second.count - first.count);
  const total = some.reduce((sum, one) => sum + one.count, 0);
  return section(
    "refused",
    say("dashboard-refused-heading"),
    element("p", {}, say(total ? "dashboard-refused-some" : "dashboard-refused-none", { total })),
    total
      ? table(
          say("dashboard-refused-heading"),
          texts("refused", "reason", "code", "uploads"),
          some.map((one) => [one.words, element("code", {}, one.code), one.count]),
        )
      : null,
  );
}
