/** The chain as one can follow it: each link with its digest, and a tick or a cross for each thing that was checked. */

import { element, show } from "../shared/dom.js";
import { followed } from "./chain.js";
import { Trouble, request } from "./collector.js";
import { section } from "./part.js";
import { copied, field } from "./pieces.js";
import { say } from "./words.js";

/** @typedef {import("./chain.js").Link} Link */
/** @typedef {import("./chain.js").Known} Known */

/** @param {string} survey */
export function transcriptOf(survey) {
  return `surveys/${survey}/transcript`;
}

/**
 * @param {string} survey
 * @param {AbortSignal} signal
 */
export function chain(survey, signal) {
  const verdict = element("p", { class: "strong" }, say("dashboard-chain-waiting"));
  const list = element("ol", { class: "plain chain" });
  const keeping = element("div", {});
  const place = section(
    "chain",
    say("dashboard-chain-heading"),
    element("p", { class: "soft" }, say("dashboard-chain-why")),
    verdict,
    list,
    element("p", {}, say("dashboard-chain-limits")),
    copied("verify", "sotto verify", command(survey)),
    receipt(() => links),
    keeping,
  );
  /** @type {Link[]} */
  let links = [];
  let shown = "";

  /** @param {Known} known */
  async function check(known) {
    if (!globalThis.crypto?.subtle) {
      verdict.textContent = say("dashboard-chain-insecure");
      return;
    }
    try {
      const reply = await request(transcriptOf(survey), { signal });
      const found = await followed(reply.text, known);
      links = found.links;
      verdict.textContent = say(found.whole ? "dashboard-chain-whole" : "dashboard-chain-broken");
      verdict.className = found.whole ? "strong good" : "strong trouble";
      list.dataset.whole = String(found.whole);
      show(list, links.map(oneLink));
    } catch (error) {
      if (signal.aborted) return;
      if (!(error instanceof Trouble)) throw error;
      shown = "";
      verdict.textContent = error.words;
    }
  }

  /** @param {Known & {closed: number, done: boolean}} known */
  function update({ closed, done, ...known }) {
    const now = JSON.stringify([closed, done]);
    if (!closed || now === shown) return;
    shown = now;
    show(keeping, downloads(survey, done));
    void check(known);
  }

  return { place, update };
}

/**
 * @param {string} survey
 * @param {boolean} done
 */
function downloads(survey, done) {
  const link = (/** @type {string} */ href, /** @type {string} */ name, /** @type {string} */ words) =>
    element("a", { class: "button quiet", href, download: `${name}-${survey.slice(0, 12)}.json` }, words);
  return element(
    "div",
    { class: "row" },
    link(transcriptOf(survey), "transcript", say("dashboard-run-transcript")),
    done ? link(`surveys/${survey}/estimate`, "answer", say("dashboard-run-answer")) : null,
  );
}

/** @param {string} survey */
function command(survey) {
  const url = new URL(transcriptOf(survey), document.baseURI);
  url.hash = "";
  return `sotto verify ${url.href} --survey ${survey}`;
}

/** @param {Link} link */
function oneLink(link) {
  return element(
    "li",
    { class: `link ${link.kind}`, "data-digest": link.digest },
    element("h3", {}, link.title),
    link.about ? element("p", { class: "soft small" }, link.about) : null,
    link.digest
      ? element(
          "p",
          { class: "small" },
          `${say("dashboard-chain-digest")} `,
          element("span", { class: "hash" }, link.digest),
        )
      : null,
    element(
      "ul",
      { class: "plain small" },
      link.checks.map((check) =>
        element(
          "li",
          { class: check.ok ? "tick" : "cross" },
          element("span", { "aria-hidden": "true" }, check.ok ? "✓ " : "✗ "),
          check.words,
          element(
            "span",
            { class: "visually-hidden" },
            ` (${say(check.ok ? "dashboard-chain-holds" : "dashboard-chain-fails")})`,
          ),
        ),
      ),
    ),
  );
}

/**
 * Somebody who answered looks for the question of their receipt.
 * @param {() => Link[]} links
 */
function receipt(links) {
  const input = element("input", { id: "receipt", class: "hash", autocomplete: "off", spellcheck: "false" });
  const said = element("p", { role: "status", class: "small" });
  input.addEventListener("input", () => {
    const typed = input.value.trim().toLowerCase();
    const found = links().find((link) => link.digest === typed);
    const whole = /^[0-9a-f]{64}$/.test(typed);
    said.textContent = found
      ? say("dashboard-chain-receipt-found", { where: found.title })
      : whole
        ? say("dashboard-chain-receipt-missing")
        : "";
  });
  return element("div", {}, field(input, say("dashboard-chain-receipt"), say("dashboard-chain-receipt-hint")), said);
}
