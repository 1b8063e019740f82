/** What the planner expects, changing as one types: asked a moment after the last letter, older questions given up. */

import { element, show } from "../shared/dom.js";
import { count, number } from "../shared/numbers.js";
import { administrator } from "./access.js";
import { Trouble, data } from "./collector.js";
import { labelOf } from "./fields.js";
import { told } from "./part.js";
import { announce } from "./status.js";
import { say } from "./words.js";

/** @typedef {import("./shapes.js").Planned} Planned */

const PAUSE = 400;
/** What the page of a participant spends in all. */
const CAP = 4;
const QUIET = 1500;

/**
 * @param {(name: string, value: number) => void} take what the planner solved for is taken over
 */
export function planner(take) {
  const result = element("div", { class: "planned" }, element("p", { class: "soft" }, say("dashboard-plan-first")));
  const place = element(
    "section",
    { class: "card planner", "aria-labelledby": "planner" },
    element("h2", { id: "planner" }, say("dashboard-plan-heading")),
    result,
  );
  let asking = new AbortController();
  let [timer, quiet] = [0, 0];
  let last = "";

  /**
   * @param {{problem: string, settings: Record<string, unknown>, halfwidth?: number} | null} body null: too early
   * @param {string} [why] it is
   */
  function ask(body, why = say("dashboard-plan-first")) {
    const now = JSON.stringify([body, why]);
    if (now === last) return;
    last = now;
    stop();
    asking = new AbortController();
    if (!body) show(result, element("p", { class: "soft" }, why));
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
      const { halfwidth, users } = found;
      quiet = setTimeout(() => announce(say("dashboard-plan-said", { halfwidth, users })), QUIET);
    } catch (error) {
      if (signal.aborted) return;
      if (!(error instanceof Trouble)) throw error;
      show(result, element("p", {}, say("dashboard-plan-not")), element("p", { class: "note care" }, error.words));
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

/** @param {number} halfwidth */
const plusMinus = (halfwidth) => say("dashboard-plus-minus", { halfwidth });

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
  const guarded = found.guarded_halfwidth;
  return [
    element("p", { class: "huge number" }, plusMinus(found.halfwidth)),
    element("p", { class: "strong number" }, say("dashboard-plan-users", { users: found.users })),
    solved === undefined || solved === null
      ? null
      : element(
          "div",
          { class: "row" },
          element(
            "button",
            { type: "button", class: "quiet", click: () => take(found.solved, solved) },
            say("dashboard-plan-take", { value: solved, name: labelOf(found.solved) }),
          ),
        ),
    element(
      "dl",
      {},
      [
        ...(guarded === null || guarded === found.halfwidth ? [] : [[say("dashboard-plan-guarded"), plusMinus(guarded)]]),
        [say("dashboard-plan-method"), found.method],
        [say("dashboard-plan-rounds"), found.users_per_round.map(count).join(" + ")],
        [say("dashboard-plan-epsilon"), number(found.epsilon)],
      ].flatMap(([name, text]) => [element("dt", {}, name), element("dd", {}, text)]),
    ),
    found.reason ? element("p", { class: "soft small" }, found.reason) : null,
    found.epsilon > CAP ? element("p", { class: "note care small" }, say("dashboard-plan-dear", { cap: CAP })) : null,
    ...found.warnings.map((warning) => element("p", { class: "note care small" }, warning)),
    element("details", { id: "planner-lines" }, element("summary", {}, say("dashboard-plan-all")), told(found.lines)),
  ];
}
