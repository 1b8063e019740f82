/** One survey, as it happens. */

import { element, show } from "../shared/dom.js";
import { tokenFor } from "./access.js";
import { answer } from "./answer.js";
import { bars } from "./bars.js";
import { chain } from "./links.js";
import { narrowing } from "./narrowing.js";
import { Live, capital, section } from "./part.js";
import { complaint } from "./pieces.js";
import { watch } from "./polling.js";
import { progress, refusals } from "./progress.js";
import { reality } from "./reality.js";
import { run } from "./run.js";
import { announce } from "./status.js";
import { runningIn, tag } from "./surveys.js";
import { say } from "./words.js";

/** @typedef {import("./shapes.js").Standing} Standing */
/** @typedef {Live<any>} AnyLive */

const OPEN = 2000;
const EARLY = 10_000;
const COLUMNS = 20;

/**
 * @param {HTMLElement} place
 * @param {string} survey
 * @returns {{title: string, stop: () => void}}
 */
export function survey(place, survey) {
  const end = new AbortController();
  const heading = element("h1", { tabindex: -1 }, say("dashboard-survey-loading"));
  const wrong = complaint();
  const parts = {
    state: new Live(state),
    answer: new Live(answer),
    progress: new Live(progress),
    bars: new Live(bars),
    narrowing: new Live(narrowing),
    reality: new Live(reality),
    refused: new Live(refusals),
    privacy: new Live(privacy),
  };
  const links = chain(survey, end.signal);
  const running = run(survey, end.signal, { changed: () => watching.now(), opened: arrange });
  const rest = element(
    "div",
    { hidden: true },
    ...Object.values(parts).map((part) => part.place),
    links.place,
    running.place,
  );
  show(place, heading, wrong.place, rest);
  /** @type {Standing | null} */
  let before = null;

  /** Whoever may run it finds that near the top; for everybody else it stands last. Never while somebody types in it. */
  function arrange() {
    const near = tokenFor(survey) ? parts.progress.place : links.place;
    const busy = running.place.contains(document.activeElement);
    if (!busy && near.nextElementSibling !== running.place) near.after(running.place);
  }

  /** @param {Standing} now */
  function seen(now) {
    heading.textContent = capital(now.purpose);
    document.title = `${capital(now.purpose)} – Sottovoce`;
    const { rounds, users, minimum, plan } = now;
    parts.state.update(pick(now));
    parts.answer.update(now.answer);
    parts.progress.update({ rounds: rounds.map(bare), users, minimum, running: now.state === "open" });
    parts.bars.update(rounds.filter((round) => round.closed !== null || rounds.at(-1) === round).map(still));
    parts.narrowing.update({ rounds: rounds.map(still), answer: now.answer });
    parts.reality.update({ state: now.state, plan, rounds: rounds.map(bare), users, answer: now.answer });
    parts.refused.update(now.refused);
    parts.privacy.update({ epsilon: now.epsilon, device: now.device });
    const questions = rounds.map((round) => round.question);
    const closed = rounds.filter((round) => round.closed !== null).length;
    links.update({ closed, done: now.state === "done", survey, questions, value: now.answer?.value ?? null });
    running.update(now);
    arrange();
    rest.hidden = false;
    tell(before, now);
    before = now;
  }

  const watching = watch(`surveys/${survey}/rounds`, {
    seen,
    trouble: (trouble) => {
      if (trouble) wrong.say(trouble.words);
      else wrong.clear();
      if (trouble && !before) heading.textContent = say("dashboard-surveys");
    },
    every: (/** @type {Standing} */ now) =>
      now.state === "open" || !now.plan.lines.length ? OPEN : now.state === "early" ? EARLY : null,
  });
  return {
    title: say("dashboard-surveys"),
    stop: () => {
      watching.stop();
      end.abort();
    },
  };
}

/**
 * What changed in the large, for those who listen: a round, its half, the end. Not each report.
 * @param {Standing | null} before
 * @param {Standing} now
 */
function tell(before, now) {
  if (!before) return;
  const [old, last] = [before.rounds.at(-1), now.rounds.at(-1)];
  const half = (/** @type {import("./shapes.js").Round | undefined} */ round) =>
    Boolean(round && 2 * round.answered >= round.asked);
  if (now.state === "done" && before.state !== "done") announce(say("dashboard-survey-said-done"));
  else if (now.state === "abandoned" && before.state !== "abandoned") announce(say("dashboard-survey-said-abandoned"));
  else if (last && old?.number !== last.number)
    announce(say("dashboard-survey-said-opened", { round: last.number + 1 }));
  else if (last && half(last) && !half(old)) announce(say("dashboard-survey-said-half", { round: last.number + 1 }));
}

/** @param {Standing} now */
function pick({ state, estimates, columns, collector, opens, closes, abandoned, finish_with, rounds }) {
  const open = rounds.find((round) => round.closed === null) ?? null;
  return { state, estimates, columns, collector, opens, closes, abandoned, finish_with, open: open && bare(open) };
}

/** @param {import("./shapes.js").Round} round without what is drawn elsewhere */
function bare(round) {
  return { ...round, bars: null };
}

/** @param {import("./shapes.js").Round} round without what moves with every report */
function still(round) {
  return { ...round, answered: 0 };
}

/** @param {ReturnType<typeof pick>} now */
function state(now) {
  const words =
    now.state === "early"
      ? say("dashboard-survey-early", { opens: now.opens })
      : now.state === "done"
        ? say("dashboard-survey-done")
        : now.state === "abandoned"
          ? say("dashboard-survey-abandoned", { why: now.abandoned })
          : now.finish_with !== null
            ? say("dashboard-survey-other-edition", { release: now.finish_with })
            : now.open
              ? runningIn(now.open)
              : "";
  return [
    element(
      "p",
      { class: "soft" },
      say("dashboard-survey-about", {
        collector: now.collector,
        what: now.estimates,
        columns: now.columns.slice(0, COLUMNS),
      }),
    ),
    element("p", {}, tag(now.state), " ", words),
    element("p", { class: "soft small" }, say("page-asks-open", { opens: now.opens, closes: now.closes })),
  ];
}

/** @param {{epsilon: number, device: string}} told */
function privacy({ epsilon, device }) {
  return section(
    "privacy",
    say("dashboard-privacy-heading"),
    element("p", {}, say("dashboard-privacy-words", { epsilon, times: Math.exp(Math.min(epsilon, 700)) })),
    device
      ? element(
          "p",
          { class: "soft small" },
          `${say("dashboard-privacy-device")}: `,
          element("span", { class: "hash" }, device),
        )
      : null,
  );
}
