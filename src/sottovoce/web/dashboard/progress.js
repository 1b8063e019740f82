/** Who has answered, round by round, against who was to be asked; and what was refused. */

import { drawn, element } from "../shared/dom.js";
import { sized } from "../shared/sized.js";
import { label, picture, scale } from "../shared/svg.js";
import { numbersOf, section, table } from "./part.js";
import { WORDS } from "./words.js";

/** @typedef {import("./shapes.js").Round} Round */

/**
 * @param {{rounds: Round[], users: number, minimum: number, running: boolean}} told
 */
export function progress({ rounds, users, minimum, running }) {
  if (!rounds.length) return [];
  const answered = rounds.reduce((sum, round) => sum + round.answered, 0);
  const left = users - rounds.reduce((sum, round) => sum + round.asked, 0);
  const rest = left > 0 ? (running ? WORDS.progress.kept(left) : WORDS.progress.never(left)) : "";
  return [
    section(
      "progress",
      WORDS.progress.heading,
      element("p", {}, `${WORDS.progress.overall(answered, users)} ${rest}`),
      element("ol", { class: "plain grid" }, rounds.map((round) => oneRound(round, minimum))),
      numbersOf("progress-numbers", WORDS.numbers, WORDS.progress.heads, rounds.map(WORDS.progress.row)),
    ),
  ];
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
      WORDS.progress.round(round),
      " ",
      element("span", { class: open ? "tag open" : "tag" }, open ? WORDS.progress.open : WORDS.progress.closed),
    ),
    element("p", { class: "number" }, WORDS.progress.answered(round.answered, round.asked)),
    sized((width) => bar(width, round, minimum)),
    element(
      "p",
      { class: "soft small" },
      open ? WORDS.progress.closesAt(round.quota, round.closes) : WORDS.progress.closedAt(round),
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
    { title: WORDS.progress.round(round), words: WORDS.progress.bar(round, minimum) },
    drawn("rect", { class: "sunk", x: 0.5, y: 0.5, width: width - 1, height: 14, rx: 4 }),
    drawn("rect", { class: "own", x: 1, y: 1, width: Math.max(0, across(round.answered) - 1), height: 13, rx: 3.5 }),
    round.quota < round.asked
      ? drawn("line", { class: "error", x1: across(round.quota), x2: across(round.quota), y1: 0, y2: 15 })
      : drawn("g"),
    drawn("line", { class: "axis", x1: least, x2: least, y1: 0, y2: 21 }),
    label(least, 35, WORDS.progress.minimum(minimum), { "text-anchor": anchor }),
  );
}

/** @param {{code: string, words: string, count: number}[]} refused */
export function refusals(refused) {
  const some = refused.filter((one) => one.count > 0).sort((first, second) => second.count - first.count);
  const total = some.reduce((sum, one) => sum + one.count, 0);
  return section(
    "refused",
    WORDS.refused.heading,
    element("p", {}, total ? WORDS.refused.some(total) : WORDS.refused.none),
    total
      ? table(
          WORDS.refused.heading,
          WORDS.refused.heads,
          some.map((one) => [one.words, element("code", {}, one.code), one.count]),
        )
      : null,
  );
}
