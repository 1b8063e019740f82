/** Words about one survey: where it stands, what its rounds saw, its answer, its plan, what it gives away. */

import { count, counted, moment, number, percent } from "../../shared/numbers.js";

/** @typedef {import("../shapes.js").Round} Round */

/** @type {Record<string, string>} */
export const STATES = { early: "not open yet", open: "running", done: "done", abandoned: "ended without an answer" };

/** @type {Record<string, string>} */
const BECAUSE = { quota: "enough had answered", deadline: "its time was up", hand: "closed by hand" };

export const SURVEY = {
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
    some: (/** @type {number} */ total) => `${counted(total, "upload")} refused. None is counted anywhere else.`,
    heads: ["Reason", "Code", "Uploads"],
  },

  bars: {
    heading: "What a round saw",
    why:
      "A round is shown when it has closed with enough answers, and never before. Where noise is taken out, it is " +
      "so on average: a share can come out below zero. The thin lines are two standard errors either way.",
    title: (/** @type {Round} */ round) => `Round ${round.number + 1}: ${round.role}`,
    words: (/** @type {number} */ places, /** @type {string} */ most, /** @type {string} */ share) =>
      `${counted(places, "place")}. The largest share, ${share}, is at ${most}.`,
    next: "In the stronger colour: where the next round looks.",
    heads: ["Place", "Share", "± two standard errors"],
    place: (/** @type {number} */ low, /** @type {number} */ high) => `${number(low)} to ${number(high)}`,
  },

  narrowing: {
    heading: "Closing in",
    title: "The range that is asked about, from round to round",
    why:
      "Each round asks inside the range that the one before left open. The guarded interval holds whatever people " +
      "are like, that of the model if what the method assumes is true.",
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
    sure: (/** @type {number} */ confidence) => `Meant to hold the truth in ${percent(confidence)} of such surveys.`,
    model: (/** @type {string} */ low, /** @type {string} */ high) =>
      `If what the method assumes is true: between ${low} and ${high}.`,
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
    nothing: "nothing",
    unknown: "not predicted",
    all: "All that the planner said",
    words: (/** @type {string} */ planned, /** @type {string} */ came) => `Planned ± ${planned}, came out ± ${came}.`,
  },

  privacy: {
    heading: "What one report gives away",
    words: (/** @type {number} */ epsilon, /** @type {number} */ times) =>
      `At most ε = ${number(epsilon)} for everything that a person holds, all of it together: whatever the data are, ` +
      `no report is more than ${number(times, 3)} times as likely to come from them as from anybody else. Each person ` +
      "sends one report at most, made random on their own device before it leaves; nobody can undo that, the " +
      "collector neither.",
    device: "Digest of the device that pages of this collector bring",
  },
};
