/**
 * The dashboard: which view the address names (`#/`, `#/survey/ID`, `#/new`), and what stands around all of them.
 * Tokens are never part of an address.
 */

import { byId, element, show, takeOver } from "../shared/dom.js";
import { create } from "./create.js";
import { voice } from "./status.js";
import { survey } from "./survey.js";
import { surveys } from "./surveys.js";
import { say } from "./words.js";

const SURVEY = /^#\/survey\/([0-9a-f]{64})$/;

const view = element("div", { id: "view" });
const links = [
  element("a", { href: "#/" }, say("dashboard-surveys")),
  element("a", { href: "#/new" }, say("dashboard-new-survey")),
];
let stop = () => {};
let first = true;

function go() {
  stop();
  const named = SURVEY.exec(location.hash)?.[1];
  const making = location.hash === "#/new";
  for (const link of links) {
    const here = link.getAttribute("href") === (making ? "#/new" : "#/") && !named;
    if (here) link.setAttribute("aria-current", "page");
    else link.removeAttribute("aria-current");
  }
  const shown = named ? survey(view, named) : making ? create(view) : surveys(view);
  stop = shown.stop;
  document.title = `${shown.title} – Sottovoce`;
  if (!first) {
    scrollTo(0, 0);
    view.querySelector("h1")?.focus({ preventScroll: true });
  }
  first = false;
}

show(
  byId("app"),
  element(
    "nav",
    { "aria-label": say("dashboard-nav"), class: "pages" },
    element("span", { class: "brand" }, "Sottovoce"),
    links,
  ),
  voice,
  view,
);
go();
addEventListener("hashchange", go);
takeOver();
