/** What the planner expects, changing as one types: asked a moment after the last letter, older questions given up. */

import { element, show } from "../shared/dom.js";
import { count, number } from "../shared/numbers.js";
import { administrator } from "./access.js";
import { Trouble, data } from "./collector.js";
import { told } from "./part.js";
import { say } from "./status.js";
import { WORDS } from "./words.js";

/** @typedef {import("./shapes.js").Planned} Planned */

const PAUSE = 400;
const QUIET = 1500;

/**
 * @param {(name: string, value: number) => void} take what the planner solved for is taken over
 */
export function planner(take) {
  const result = element("div", { class: "planned" }, element("p", { class: "soft" }, WORDS.plan.first));
  const place = element(
    "section",
    { class: "card planner", "aria-labelledby": "planner" },
    element("h2", { id: "planner" }, WORDS.plan.heading),
    result,
  );
  let asking = new AbortController();
  let [timer, quiet] = [0, 0];
  let last = "";

  /** @param {{problem: string, settings: Record<string, unknown>, halfwidth?: number} | null} body null: too early */
  function ask(body) {
    const now = JSON.stringify(body);
    if (now === last) return;
    last = now;
    stop();
    asking = new AbortController();
    if (!body) show(result, element("p", { class: "soft" }, WORDS.plan.first));
    else timer = setTimeout(() => void plan(body, asking.signal), PAUSE);
  }

  /**
   * @param {{problem: string, settings: Record<string, unknown>, halfwidth?: number}} body
   * @param {AbortSignal} signal
   */
  async function plan(body, signal) {
    result.classList.add("old");
    try {
      const found = /** @type {Planned} */ (
        await data("plan", { method: "POST", token: administrator(), body, signal })
      );
      if (signal.aborted) return;
      show(result, shown(found, take));
      quiet = setTimeout(() => say(WORDS.plan.said(number(found.halfwidth, 3), found.users)), QUIET);
    } catch (error) {
      if (signal.aborted) return;
      if (!(error instanceof Trouble)) throw error;
      show(result, element("p", {}, WORDS.plan.not), element("p", { class: "note care" }, error.words));
    }
    result.classList.remove("old");
  }

  function stop() {
    clearTimeout(timer);
    clearTimeout(quiet);
    asking.abort();
    result.classList.remove("old");
  }

  return { place, ask, stop };
}

/**
 * @param {Planned} found
 * @param {(name: string, value: number) => void} take
 */
function shown(found, take) {
  const solved = new Map([
    ["users", found.users],
    ["observations", found.observations],
    ["epsilon", found.epsilon],
  ]).get(found.solved);
  return [
    element("p", { class: "huge number" }, WORDS.plan.halfwidth(number(found.halfwidth, 3))),
    element("p", { class: "strong number" }, WORDS.plan.users(found.users)),
    solved === undefined || solved === null
      ? null
      : element(
          "div",
          { class: "row" },
          element(
            "button",
            { type: "button", class: "quiet", click: () => take(found.solved, solved) },
            WORDS.plan.take(WORDS.create.names[found.solved] ?? found.solved, solved),
          ),
        ),
    element(
      "dl",
      {},
      [
        ...(found.guarded_halfwidth === null ? [] : [[WORDS.plan.guarded, `± ${number(found.guarded_halfwidth, 3)}`]]),
        [WORDS.plan.method, found.method],
        [WORDS.plan.rounds, found.users_per_round.map(count).join(" + ")],
        [WORDS.plan.epsilon, number(found.epsilon)],
      ].flatMap(([name, text]) => [element("dt", {}, name), element("dd", {}, text)]),
    ),
    found.reason ? element("p", { class: "soft small" }, found.reason) : null,
    ...found.warnings.map((warning) => element("p", { class: "note care small" }, warning)),
    element("details", { id: "planner-lines" }, element("summary", {}, WORDS.plan.all), told(found.lines)),
  ];
}
