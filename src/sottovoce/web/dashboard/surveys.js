/** The list: the newest surveys as the plain page has them or, with the administrator's token, all of them. */

import { element, show } from "../shared/dom.js";
import { ADMINISTRATOR, administrator, forget } from "./access.js";
import { Trouble, data } from "./collector.js";
import { capital, section, table } from "./part.js";
import { complaint, tokenForm } from "./pieces.js";
import { announce } from "./status.js";
import { say, texts } from "./words.js";

const ID = /surveys\/([0-9a-f]{64})\//;
const FRESH = 20;

/** @typedef {{survey: string, purpose: string, by: string, words: string, state: string}} Entry */

/**
 * What the plain page lists.
 * @returns {Entry[]}
 */
export function listedPlainly() {
  const articles = [...document.querySelectorAll("#plain article")];
  return articles.flatMap((article) => {
    const link = article.querySelector("h2 a[href]");
    const survey = ID.exec(link?.getAttribute("href") ?? "")?.[1];
    if (!survey) return [];
    const [by, words] = [...article.querySelectorAll("p")].map((line) => line.textContent?.trim() ?? "");
    return [{ survey, purpose: link?.textContent?.trim() ?? survey, by: by ?? "", words: words ?? "", state: "" }];
  });
}

/** @type {Entry[]} */
const plain = listedPlainly();
/** Why it lists none. */
const none = document.querySelector("#plain > p:not(.soft)")?.textContent?.trim() || say("page-no-survey");

/**
 * @param {HTMLElement} place
 * @returns {{title: string, stop: () => void}}
 */
export function surveys(place) {
  const end = new AbortController();
  const list = element("div", {});
  const wrong = complaint();
  const access = element("div", {});
  show(
    place,
    element("h1", { tabindex: -1 }, say("page-site")),
    element("p", { class: "soft" }, say("page-site-about")),
    wrong.place,
    section("surveys", say("dashboard-surveys"), list),
    section("access", say("dashboard-access-heading"), access),
  );

  function open() {
    const here = access.contains(document.activeElement);
    show(
      access,
      administrator()
        ? element(
            "div",
            { class: "row" },
            element("a", { class: "button", href: "#/new" }, say("dashboard-new-survey")),
            element("button", { type: "button", class: "quiet", click: leave }, say("dashboard-access-forget")),
          )
        : tokenForm({
            id: "token",
            why: say("dashboard-access-why"),
            label: say("dashboard-access-label"),
            hint: say("dashboard-access-hint"),
            then: refresh,
          }),
    );
    if (here) access.querySelector(/** @type {"a"} */ ("a, input"))?.focus();
  }

  function leave() {
    forget();
    announce(say("dashboard-access-forgotten"));
    refresh();
  }

  function refresh() {
    wrong.clear();
    void fill().catch((error) => {
      if (end.signal.aborted) return;
      if (!(error instanceof Trouble)) throw error;
      if (error.kind === "token") forget(ADMINISTRATOR);
      wrong.say(error.words);
      if (error.kind === "token") refreshPlain();
    });
  }

  function refreshPlain() {
    open();
    showPlain();
  }

  async function fill() {
    open();
    if (!administrator()) {
      showPlain();
      await freshen();
      return;
    }
    const found = await data("surveys", { token: administrator(), signal: end.signal });
    if (end.signal.aborted) return;
    const newest = [...found.surveys].reverse();
    show(list, newest.length ? all(newest) : element("p", {}, say("page-no-survey")));
  }

  function showPlain() {
    if (!plain.length) show(list, element("p", {}, none));
    else
      show(
        list,
        element("p", { class: "soft" }, say("dashboard-list-public")),
        element("div", { class: "grid" }, plain.map(card)),
      );
  }

  /** What the plain page said may be old: ask once for each of the first. */
  async function freshen() {
    const asked = plain.slice(0, FRESH).map(async (entry) => {
      const now = await data(`surveys/${entry.survey}/progress`, { signal: end.signal });
      entry.state = now.state;
      if (now.state === "open" && now.round)
        entry.words = runningIn({ ...now.round, asked: now.round.count });
      else if (now.state === "done") entry.words = say("dashboard-survey-done");
    });
    await Promise.all(asked);
    if (!end.signal.aborted && !administrator()) showPlain();
  }

  refresh();
  return { title: say("dashboard-surveys"), stop: () => end.abort() };
}

/** @param {Entry} entry */
function card(entry) {
  return element(
    "article",
    { class: "card" },
    element("h3", {}, element("a", { href: `#/survey/${entry.survey}` }, entry.purpose)),
    entry.by ? element("p", { class: "soft small" }, entry.by) : null,
    element(
      "p",
      {},
      entry.state ? [tag(entry.state), " "] : null,
      entry.words,
    ),
  );
}

/** @param {{number: number, answered: number, asked: number}} round that is open */
export function runningIn({ number, answered, asked }) {
  return say("dashboard-survey-open", { round: number + 1, answered, asked });
}

/** @param {string} state */
export function tag(state) {
  const kind = state === "open" ? "open" : state === "abandoned" ? "bad" : "";
  return element("span", { class: `tag ${kind}` }, say("dashboard-state", { state }));
}

/** @param {{survey: string, purpose: string, state: string, enrolled: number, users: number}[]} found */
function all(found) {
  const rows = found.map((one) => [
    element("a", { href: `#/survey/${one.survey}` }, capital(one.purpose)),
    tag(one.state),
    say("dashboard-list-enrolled", { enrolled: one.enrolled, users: one.users }),
  ]);
  return table(say("dashboard-list-all"), texts("list", "survey", "state", "people"), rows);
}
