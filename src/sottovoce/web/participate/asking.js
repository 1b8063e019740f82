/** The first step: who asks, what for, about what, until when; and what this page can promise and what not. */

import { element } from "../shared/dom.js";
import { listed, questions, TRUST, WORDS } from "./words.js";

const TELL = WORDS.asked;

/**
 * Pairs of a name and what it means; empty ones are left out.
 * @param {([string, import("../shared/dom.js").Part | import("../shared/dom.js").Part[]] | null)[]} lines
 */
export function pairs(lines) {
  const there = lines.filter((line) => line !== null);
  return element(
    "dl",
    {},
    there.flatMap(([name, text]) => [element("dt", {}, name), element("dd", {}, text)]),
  );
}

/** @param {any} manifest */
export function asking(manifest) {
  const who = manifest.collector || WORDS.nobody;
  return element(
    "div",
    {},
    element("p", {}, TELL.lead(who)),
    pairs([
      [TELL.estimates, questions.ESTIMATES[manifest.problem] ?? TELL.unknown(manifest.problem)],
      [TELL.fromYou, TELL.report(questions.mayCompute(manifest))],
      [TELL.reads, manifest.columns.length ? TELL.columns(manifest.columns) : TELL.anything],
      manifest.labels.length ? [TELL.categories, listed(manifest.labels)] : null,
      manifest.groups ? [TELL.groups, listed(manifest.groups)] : null,
      [TELL.people, TELL.peopleWords(usersOf(manifest), manifest.minimum)],
      [TELL.until, TELL.untilWords(manifest.closes, Date.now() / 1000)],
    ]),
  );
}

/** @param {any} manifest */
function usersOf(manifest) {
  const last = manifest.rules.waves[manifest.rules.waves.length - 1];
  return last.first + last.count;
}

/**
 * What this page can promise: which program it runs, and what no page can promise.
 * @param {import("./pinned.js").Program} program
 * @param {{url: string, survey: string}} invited
 */
export function trusting(program, { url, survey }) {
  const short = program.digest.slice(0, 12);
  const same = program.pin === program.digest;
  return element(
    "div",
    { class: "trust" },
    element(
      "p",
      { id: "program" },
      element("span", { class: same ? "tick" : "soft", "aria-hidden": "true" }, same ? "✓ " : "○ "),
      same ? TRUST.same(short) : TRUST.unpinned(short),
    ),
    element(
      "details",
      {},
      element("summary", {}, TRUST.title),
      element("p", { class: "strong" }, TRUST.honest),
      element("p", {}, TRUST.python),
      element("pre", { tabindex: 0 }, TRUST.command(url)),
      element("p", {}, TRUST.files),
      element(
        "p",
        { class: "small hash" },
        program.files.flatMap(({ name, url: file }) => [element("a", { href: file }, name), " "]),
      ),
      element("p", {}, TRUST.sum),
      element("pre", { tabindex: 0 }, `${TRUST.sumCommand}\n${program.digest}`),
      element("p", {}, TRUST.policy),
      element("p", {}, TRUST.clearing),
      element("p", {}, TRUST.budget),
      element("p", { class: "small" }, TELL.surveyHint),
      element("p", { class: "small hash" }, survey),
    ),
  );
}
