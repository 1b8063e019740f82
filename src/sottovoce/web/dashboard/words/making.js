/** Words for whoever runs surveys: invitations, closing a round, a new survey and its plan. */

import { count, counted, number } from "../../shared/numbers.js";

export const MAKING = {
  run: {
    heading: "Run this survey",
    invite: "Invite people",
    inviteWords: "Each invitation is an address for one person. They are shown once; only their hashes are kept.",
    count: "How many invitations",
    countHint: (/** @type {number} */ users) => `The survey has room for ${count(users)}; at most 10,000 at a time.`,
    make: "Make invitations",
    made: (/** @type {number} */ made) => `${counted(made, "invitation")}, shown once:`,
    download: "Download as a text file",
    close: "Close the open round",
    closeWords: "A round closes by itself. To close it now, say why: everybody can read that in the transcript.",
    reason: "Why",
    reasonHint: "At most 80 letters.",
    reasonMissing: "Say in a few words why the round is closed by hand.",
    closeButton: "Close the round …",
    confirm: (/** @type {number} */ round) => `Close round ${round} now?`,
    confirmWords: (/** @type {number} */ answered, /** @type {number} */ asked) =>
      `${count(answered)} of ${count(asked)} have answered. Whoever has not is not asked again, and this cannot be ` +
      "taken back.",
    confirmButton: "Close it now",
    closed: (/** @type {number} */ round) => `Round ${round} is closed.`,
    transcript: "Download the transcript",
    answer: "Download the answer",
    odd: (/** @type {number} */ most) => `Type a whole number from 1 to ${count(most)}.`,
  },

  create: {
    heading: "New survey",
    problem: "What to estimate",
    settings: "The question",
    more: "More settings",
    halfwidth: "How close the answer should be (half-width)",
    halfwidthHint:
      "May be left empty. With it, leave one of people, observations and ε empty: the planner says what it must be.",
    particulars: "The survey",
    purpose: "What for",
    purposeHint: "In a few words that everybody who is asked will read.",
    collector: "Who asks",
    collectorHint: "A name that people know.",
    columns: "Columns",
    columnsHint: "What the columns of people's own files are called, with commas between them. May be left empty.",
    minimum: "Fewest answers that are looked at",
    minimumHint: "A round that fewer answer shows nothing. Empty: as the collector likes.",
    opens: "Opens",
    opensHint: "Empty: now.",
    closes: "Closes",
    access: "Who may answer",
    accesses: /** @type {[string, string][]} */ ([
      ["invited", "those who are invited"],
      ["open", "whoever comes"],
    ]),
    enrolment: "When people get their seat",
    enrolments: /** @type {[string, string][]} */ ([
      ["ahead", "ahead, before their round"],
      ["on-arrival", "when they come"],
    ]),
    enrolmentHint:
      "Ahead: each has a round of their own, and may have to come back for it. When they come: a seat of the open " +
      "round.",
    roundHours: "Longest a round stays open, in hours",
    roundHoursHint: "Empty: until enough have answered, or the survey closes.",
    quota: "Part of those asked after whose answers a round closes",
    quotaHint: "Above 0, at most 1. Empty: 1, everybody.",
    retention: "Days for which reports are kept afterwards",
    retentionHint: "Empty: 30. Sums of reports stay.",
    submit: "Announce the survey",
    wait: "Announcing… this may take a few seconds.",
    wrong: "The survey was not announced.",
    fix: "Something is missing:",
    needed: (/** @type {string} */ name) => `${name}: this is needed`,
    isNumber: (/** @type {string} */ name) => `${name}: a number, with a point for decimals`,
    isWhole: (/** @type {string} */ name) => `${name}: a whole number`,
    isMoment: (/** @type {string} */ name) => `${name}: a day and a time`,
    default: (/** @type {string} */ text) => `if empty: ${text}`,
    choose: "as the method likes",
    yes: "yes",
    no: "no",
    several: "Several: with commas between them.",
    table: "A row on each line, with commas between the numbers.",
    names: /** @type {Record<string, string>} */ ({
      epsilon: "Privacy ε",
      users: "People",
      low: "Lowest value",
      high: "Highest value",
      observations: "Observations a person holds",
      method: "Method",
      confidence: "Confidence",
    }),
  },

  plan: {
    heading: "What the planner expects",
    first: "Fill in the question: what the planner expects stands here, and changes as you type.",
    thinking: "Computing…",
    halfwidth: (/** @type {string} */ halfwidth) => `± ${halfwidth}`,
    users: (/** @type {number} */ users) => `with ${count(users)} people`,
    method: "method",
    rounds: "people a round",
    epsilon: "ε of one report",
    guarded: "whatever people are like",
    take: (/** @type {string} */ name, /** @type {number} */ value) => `Take ${number(value)} for: ${name}`,
    all: "All that the planner says",
    said: (/** @type {string} */ halfwidth, /** @type {number} */ users) =>
      `The planner expects plus or minus ${halfwidth} with ${count(users)} people.`,
    not: "The planner cannot say yet:",
  },

  created: {
    heading: "The survey is announced",
    token: "The survey's token",
    once:
      "It is shown once: only its hash is kept. With it one invites people and closes rounds of this survey, and " +
      "nothing else.",
    name: "The survey's name",
    open: "Open the survey, and invite people",
  },
};
