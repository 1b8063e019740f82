/** Every word of the dashboard, in one place: here, and in words/. */

import { count } from "../shared/numbers.js";
import { CHAIN } from "./words/chain.js";
import { MAKING } from "./words/making.js";
import { STATES, SURVEY } from "./words/survey.js";

export const WORDS = {
  site: "Surveys in a low voice",
  siteWords:
    "Many people each send one short report that is made random on their own device. No single report says much " +
    "about anybody; all of them together answer the question.",
  nav: "Pages",
  surveys: "Surveys",
  newSurvey: "New survey",
  numbers: "The numbers",
  copy: "Copy",
  copied: "Copied.",
  notCopied: "This browser does not copy for pages: the text is selected, copy it yourself.",
  cancel: "Cancel",

  trouble: {
    unreachable: "The collector cannot be reached.",
    unreachableAdvice: "What is shown may be old; the page tries again by itself.",
    slow: "The collector did not answer in time.",
    slowAdvice: "The page tries again by itself.",
    token: "The collector refused this token.",
    missing: "This collector knows no such survey.",
    strange: "The collector's answer was not what this page understands.",
    strangeAdvice: "Load the page again: it may be older than the collector.",
    busyAdvice: "Try again in a moment.",
    status: (/** @type {number} */ status) => `The collector answered with status ${status}.`,
    over: "The collector answers again.",
  },

  access: {
    heading: "For whoever runs surveys",
    why:
      "With the administrator's token this page lists all surveys, and makes new ones. The token stays in this " +
      "tab, and is sent to this collector only.",
    whyNew:
      "A new survey, and the planner, need the administrator's token. The token stays in this tab, and is sent to " +
      "this collector only.",
    whySurvey:
      "To invite people or to close a round, type the survey's token, or the administrator's. It stays in this " +
      "tab, and is sent to this collector only.",
    label: "Administrator's token",
    labelSurvey: "The survey's token, or the administrator's",
    hint: "sotto survey administrator prints one on the collector's machine.",
    hintSurvey: "It was shown once, when the survey was created.",
    use: "Use this token",
    forget: "Forget the tokens of this tab",
    forgotten: "Tokens are forgotten.",
    odd: "That cannot be a token: letters, digits and signs without blanks.",
    taken: "The token is known here.",
  },

  list: {
    empty: "No survey is running here yet.",
    all: "All surveys of this collector, the newest first.",
    public: "The newest surveys of this collector.",
    heads: ["Survey", "State", "People enrolled"],
    enrolled: (/** @type {number} */ enrolled, /** @type {number} */ users) => `${count(enrolled)} of ${count(users)}`,
    state: (/** @type {string} */ state) => STATES[state] ?? state,
  },

  ...SURVEY,
  ...CHAIN,
  ...MAKING,
};
