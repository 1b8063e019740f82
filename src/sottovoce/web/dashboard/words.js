/** Every word of the dashboard, in one place. */

import { count, counted, moment, number, percent } from "../shared/numbers.js";

/** @typedef {import("./shapes.js").Round} Round */

/** @type {Record<string, string>} */
const STATES = { early: "not open yet", open: "running", done: "done", abandoned: "ended without an answer" };

/** @type {Record<string, string>} */
const BECAUSE = { quota: "enough had answered", deadline: "its time was up", hand: "closed by hand" };

export const WORDS = {
  site: "Surveys in a low voice",
  siteWords:
    "Many people each send one short report that is made random on their own device. No single report says much about " +
    "anybody; all of them together answer the question.",
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
    heading: "Whoever runs surveys",
    why: "With the administrator's token this page lists all surveys, and makes new ones. The token stays in this tab, and is sent to this collector only.",
    whyNew: "A new survey, and the planner, need the administrator's token. The token stays in this tab, and is sent to this collector only.",
    whySurvey: "To invite people or to close a round, type the survey's token, or the administrator's. It stays in this tab, and is sent to this collector only.",
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

  survey: {
    loading: "Asking the collector…",
    askedBy: (/** @type {string} */ who) => `asked by ${who}`,
    estimates: (/** @type {string} */ what, /** @type {string[]} */ columns) =>
      columns.length ? `${what} of ${columns.slice(0, 20).join(", ")}` : what,
    state: (/** @type {string} */ state) => STATES[state] ?? state,
    early: (/** @type {number} */ opens) => `It opens on ${moment(opens)}.`,
    running: (/** @type {Round} */ round) =>
      `Round ${round.number + 1} is open: ${count(round.answered)} of ${count(round.asked)} answered.`,
    done: "The survey is over, and its answer is public.",
    abandoned: (/** @type {string} */ why) => `The survey ended without an answer: ${why}.`,
    window: (/** @type {number} */ opens, /** @type {number} */ closes) => `${moment(opens)} to ${moment(closes)}`,
    said: {
      opened: (/** @type {number} */ round) => `Round ${round} has opened.`,
      half: (/** @type {number} */ round) => `Half of round ${round} have answered.`,
      done: "The survey is over: the answer is shown.",
      abandoned: "The survey ended without an answer.",
    },
  },

  progress: {
    heading: "Who has answered",
    overall: (/** @type {number} */ answered, /** @type {number} */ users) =>
      `${count(answered)} of ${count(users)} people have answered.`,
    kept: (/** @type {number} */ left) => `${count(left)} are kept for later rounds.`,
    never: (/** @type {number} */ left) => `${counted(left, "seat")} were not asked.`,
    round: (/** @type {Round} */ round) => `Round ${round.number + 1}: ${round.role}`,
    open: "open",
    closed: "closed",
    answered: (/** @type {number} */ answered, /** @type {number} */ asked) =>
      `${count(answered)} of ${count(asked)} answered`,
    closesAt: (/** @type {number} */ quota, /** @type {number | null} */ closes) =>
      `Closes after ${counted(quota, "answer")}${closes === null ? "" : `, or on ${moment(closes)}`}.`,
    closedAt: (/** @type {Round} */ round) =>
      `Closed on ${moment(round.closed ?? 0)}: ${BECAUSE[round.because] ?? round.because}` +
      `${round.because === "hand" ? ` (${round.by})` : ""}.`,
    minimum: (/** @type {number} */ minimum) => `minimum ${count(minimum)}`,
    bar: (/** @type {Round} */ round, /** @type {number} */ minimum) =>
      `${count(round.answered)} of the ${count(round.asked)} people asked have answered. Nothing is looked at before ` +
      `${count(minimum)} have; the round closes after ${count(round.quota)}.`,
    heads: ["Round", "Asked", "Answered", "Share"],
    row: (/** @type {Round} */ round) => [
      `${round.number + 1}, ${round.role}`,
      count(round.asked),
      count(round.answered),
      percent(round.asked ? round.answered / round.asked : 0),
    ],
  },

  refused: {
    heading: "Uploads that were refused",
    none: "None so far.",
    some: (/** @type {number} */ total) => `${counted(total, "upload")} refused. None of them is counted anywhere else.`,
    heads: ["Reason", "Code", "Uploads"],
  },

  bars: {
    heading: "What a round saw",
    why: "A round is shown when it has closed with enough answers, and never before. Where noise is taken out, it is so on average: a share can come out below zero. The thin lines are two standard errors either way.",
    title: (/** @type {Round} */ round) => `Round ${round.number + 1}: ${round.role}`,
    words: (/** @type {number} */ places, /** @type {string} */ most, /** @type {string} */ share) =>
      `${counted(places, "place")}. The largest share, ${share}, is at ${most}.`,
    next: "Darker: where the next round looks.",
    heads: ["Place", "Share", "± two standard errors"],
    place: (/** @type {number} */ low, /** @type {number} */ high) => `${number(low)} to ${number(high)}`,
  },

  narrowing: {
    heading: "Closing in",
    title: "The range that is asked about, from round to round",
    why: "Each round asks inside the range that the one before left open. The guarded interval holds whatever people are like, that of the model if what the method assumes is true.",
    units: (/** @type {string} */ what) => `What each device is asked for: “${what}”.`,
    round: (/** @type {Round} */ round) => `Round ${round.number + 1} (${round.role}) asks in`,
    guarded: "Answer, guarded",
    model: "Answer, by the model",
    range: (/** @type {number} */ low, /** @type {number} */ high) => `${number(low)} to ${number(high)}`,
    heads: ["Step", "From", "To", "Width"],
  },

  answer: {
    heading: "The answer",
    between: (/** @type {string} */ low, /** @type {string} */ high) => `between ${low} and ${high}`,
    model: (/** @type {string} */ low, /** @type {string} */ high) =>
      `If the model holds that the method assumes: between ${low} and ${high}.`,
    all: "All that the answer says",
    causes: "Where the error comes from",
    causesWords: "Standard errors by cause; they add up as squares.",
    heads: ["Cause", "Standard error"],
    warnings: "Warnings",
  },

  reality: {
    heading: "Plan against reality",
    title: "Half-width of the interval, planned and as it came out",
    why: "What the planner expected when the survey was announced, beside what came.",
    planned: "planned",
    came: "came out",
    halfwidth: "Half-width of the interval",
    model: "Half-width, if the model holds",
    guarded: "Half-width, whatever people are like",
    people: "People who answered",
    round: (/** @type {number} */ round, /** @type {string} */ role) => `Round ${round}, ${role}: people`,
    heads: ["", "Planned", "Came out"],
    notYet: "not yet",
    thinking: "being worked out",
    none: "not one number",
    unknown: "not predicted",
    all: "All that the planner said",
    words: (/** @type {string} */ planned, /** @type {string} */ came) => `Planned ± ${planned}, came out ± ${came}.`,
  },

  privacy: {
    heading: "What one report gives away",
    words: (/** @type {number} */ epsilon, /** @type {number} */ times) =>
      `At most ε = ${number(epsilon)} for everything that a person holds, all of it together: whatever the data are, no ` +
      `report is more than ${number(times, 3)} times as likely to come from them as from anybody else. Each person ` +
      "sends one report at most, made random on their own device before it leaves; nobody can undo that, the collector " +
      "neither.",
    device: "Digest of the device that pages of this collector bring",
  },

  chain: {
    heading: "The chain",
    why: "What was promised, asked and counted is public. This page fetched it and computed the SHA-256 of each part itself:",
    waiting: "It begins when the first round has closed.",
    checking: "Checking…",
    whole: "Every link holds.",
    broken: "A link does not hold: see the cross below. What this survey shows is not what it announced.",
    holds: "holds",
    fails: "does not hold",
    insecure: "This browser computes SHA-256 only on pages that came by https, or on this machine; nothing was checked.",
    manifest: "Manifest: what was promised",
    question: (/** @type {number} */ round, /** @type {string} */ role) => `Round ${round}, question: ${role}`,
    tally: (/** @type {number} */ round) => `Round ${round}, tally`,
    answer: "Answer",
    end: "End without an answer",
    digest: "SHA-256",
    readable: "it can be read",
    named: "its digest is the survey's name",
    survey: "it names this survey",
    published: "it is the question that the collector says it asked",
    slots: (/** @type {number} */ first, /** @type {number} */ last) =>
      `it asks seats ${count(first)} to ${count(last)}, none of which was asked before`,
    later: "it closed no earlier than the round before",
    answers: "it adds up answers to the question above",
    few: (/** @type {number} */ answered, /** @type {number} */ minimum) =>
      `only ${count(answered)} answered, fewer than ${count(minimum)}: nothing of it is published`,
    missing: "no tally is published, though enough answered",
    shown: "it is the one that this page shows",
    answered: (/** @type {number} */ answered) => `${counted(answered, "person").replace("persons", "people")} answered`,
    facts: (/** @type {string} */ purpose, /** @type {string} */ collector) => `${purpose} (${collector})`,
    limits:
      "A page served by the collector protects nobody from that collector. Whether each question follows from the tallies " +
      "before it, whether it keeps to what was announced, and whether the answer follows from all of them, only a replay " +
      "can tell. On a machine of your own:",
    receipt: "The digest of a question from a receipt of yours",
    receiptHint: "64 letters and digits. The receipt that you got when you answered has it.",
    receiptFound: (/** @type {string} */ where) => `It is in the chain: ${where}.`,
    receiptMissing: "It is not in the chain of closed rounds.",
  },

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
      `${count(answered)} of ${count(asked)} have answered. Whoever has not is not asked again, and this cannot be taken back.`,
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
    halfwidthHint: "May be left empty. With it, leave one of people, observations and ε empty: the planner says what it must be.",
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
    enrolmentHint: "Ahead: each has a round of their own, and may have to come back for it. When they come: a seat of the open round.",
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
    once: "It is shown once: only its hash is kept. With it one invites people and closes rounds of this survey, and nothing else.",
    name: "The survey's name",
    open: "Open the survey, and invite people",
  },
};
