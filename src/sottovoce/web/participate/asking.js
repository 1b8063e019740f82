/** The first step: who asks, what for, about what, until when; and what this page can promise and what not. */

import { element } from "../shared/dom.js";
import { fromYou, lasting, people, someNames } from "./facts.js";
import { known, say, tell } from "./words.js";

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
  const { collector, problem, columns, labels, groups, closes } = manifest;
  const left = closes - Date.now() / 1000;
  return element(
    "div",
    {},
    element("p", {}, say("page-asked-lead", { who: collector })),
    pairs([
      [say("page-asked-estimates"), estimates(problem)],
      [say("page-asked-from-you"), tell(fromYou(manifest))],
      [
        say("page-asked-reads"),
        columns.length ? say("page-asked-columns", someNames(columns)) : say("page-asked-anything"),
      ],
      labels.length ? [say("page-asked-categories"), say("some-names", someNames(labels))] : null,
      groups ? [say("page-asked-groups"), say("some-names", someNames(groups))] : null,
      [say("page-asked-people"), tell(people(manifest))],
      [
        say("page-asked-until"),
        say("page-asked-until-when", { when: closes, left: left > 0 ? lasting(left) : null }),
      ],
    ]),
  );
}

/** What a problem estimates. @param {string} problem */
function estimates(problem) {
  const code = `estimates-${problem}`;
  return known(code) ? say(code) : say("page-asked-unknown", { problem });
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
      say(same ? "page-trust-same" : "page-trust-unpinned", { short }),
    ),
    element(
      "details",
      {},
      element("summary", {}, say("page-trust-title")),
      element("p", { class: "strong" }, say("page-trust-honest")),
      element("p", {}, say("page-trust-python")),
      element("pre", { tabindex: 0 }, `sotto answer "${url}" --data FILE`),
      element("p", {}, say("page-trust-files")),
      element(
        "p",
        { class: "small hash" },
        program.files.flatMap(({ name, url: file }) => [element("a", { href: file }, name), " "]),
      ),
      element("p", {}, say("page-trust-sum")),
      element("pre", { tabindex: 0 }, `sha256sum *.js | sha256sum\n${program.digest}`),
      element("p", {}, say("page-trust-policy")),
      element("p", {}, say("page-trust-clearing")),
      element("p", {}, say("page-trust-budget")),
      element("p", { class: "small" }, say("page-asked-survey-hint")),
      element("p", { class: "small hash" }, survey),
    ),
  );
}
