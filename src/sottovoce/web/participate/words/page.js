/** The sentences of the page itself. */

import { count, counted, duration, moment, number } from "../../shared/numbers.js";

/** @param {string} text */
const capital = (text) => text.charAt(0).toUpperCase() + text.slice(1);

/** `e^ε`, or only its left side when the number would say nothing. @param {number} epsilon */
const times = (epsilon) => (epsilon <= 100 ? number(Math.exp(epsilon), 3) : `e^${number(epsilon)}`);

/** When reports go. @param {number} days */
const after = (days) => (days ? `${counted(days, "day")} after the survey ends` : "when the survey ends");

const WITHOUT =
  "You may go on all the same: a report is made, and the next step says what it is made of where nothing is there.";

export const WORDS = {
  steps: {
    asked: "What is asked",
    data: "Your data",
    seen: "What would be sent",
    send: "What is promised",
    receipt: "Your receipt",
  },
  step: (/** @type {number} */ place, /** @type {string} */ name) => `${place}. ${name}`,
  loading: "Reading the invitation …",
  nobody: "Somebody who gives no name",
  nothingFor: "A survey without a stated purpose",
  title: (/** @type {string} */ purpose) => capital(purpose),
  by: (/** @type {string} */ collector) => `asked by ${collector}`,
  details: "Details",

  asked: {
    lead: (/** @type {string} */ who) =>
      `${capital(who)} would like one short answer from you. It is made from your own data here, in this page, and ` +
      "mixed with chance before it leaves. How much it can tell about you, you see before you send it. Your data " +
      "themselves stay on this device.",
    estimates: "wanted",
    unknown: (/** @type {string} */ problem) => `${problem}, which this page does not know`,
    fromYou: "from you",
    report: (/** @type {string[]} */ what) => `one report, made random here, about ${what.join("; or ")}`,
    reads: "reads",
    columns: (/** @type {readonly string[]} */ names) =>
      (names.length > 1 ? "the columns " : "the column ") + listed(names),
    anything: "what you give it below",
    categories: "categories",
    groups: "groups",
    people: "people",
    peopleWords: (/** @type {number} */ users, /** @type {number} */ minimum) =>
      `${count(users)} are asked; nothing is shown of a round that fewer than ${count(minimum)} answer`,
    until: "until",
    untilWords: (/** @type {number} */ closes, /** @type {number} */ now) =>
      `${moment(closes)} (${closes > now ? `${duration(closes - now)} from now` : "over"})`,
    surveyHint:
      "The survey's name is the SHA-256 of everything it promises. This page has checked it against your invitation.",
  },

  data: {
    lead: "Give the numbers that the survey is about: as a file, or typed. They are read here and stay here.",
    leadLabels:
      "Give what the survey is about, by the names of the categories: as a file, or typed. It is read here and " +
      "stays here.",
    again: "Your place in the survey is kept. Your data are not kept anywhere, so please give them once more.",
    drop: "Drop a CSV file here, or choose one",
    fileHint: "Text with commas, semicolons or tabs between columns. It is not uploaded.",
    typed: "Or type",
    typedHint: "Numbers, with commas, blanks or new lines between them. Decimals with a point: 3.5",
    typedRows: (/** @type {number} */ dimension) =>
      `One observation a line: ${count(dimension)} numbers with commas between them.`,
    typedLabels: "Names of categories, with commas or new lines between them.",
    add: (/** @type {string} */ label) => `Add ${label}`,
    addTo: "Add to what you typed:",
    header: "The first line holds the names of the columns",
    choose: "Which column is yours?",
    none: "Give something first: a file, or typed. Who has nothing types NA; a report is made all the same.",
    chooseFor: (/** @type {string | null} */ field, /** @type {number} */ place) =>
      field === null ? `Column ${place + 1} of the survey` : `The survey's ${field}`,
    chooseRun: (/** @type {number} */ fields) => `The first of ${count(fields)} columns that follow each other`,
    pick: "choose …",
    column: (/** @type {string | null} */ name, /** @type {number} */ place, /** @type {boolean} */ twice) =>
      name === null ? `column ${place + 1}` : twice ? `${name} (column ${place + 1})` : name,
    tooFew: (/** @type {number} */ fields, /** @type {number} */ there) =>
      `The survey looks at ${counted(fields, "column")}; this file has ${count(there)}.`,
    unclosed: "This file has a quote that is never closed, so its cells cannot be told apart.",
    notText: "This file is not UTF-8 text. Save it as CSV with UTF-8, and choose it again.",
    tooLong: (/** @type {number} */ most) => `This file has more than ${count(most)} letters. Choose a smaller one.`,
    unreadable: "This file could not be read. Choose it again.",
    read: (/** @type {any} */ seen, /** @type {number} */ dimension) => {
      if (!seen.entries) return `Nothing is in it. ${WITHOUT}`;
      const what = dimension > 1 ? counted(seen.observations, "row") : counted(seen.entries, "observation");
      return seen.missing
        ? `${what} read, ${count(seen.missing)} of ${dimension > 1 ? "their cells" : "them"} missing.`
        : `${what} read.`;
    },
    odd: (/** @type {any} */ seen, /** @type {boolean} */ labels) => {
      const where = `line${seen.lines.length > 1 ? "s" : ""} ${seen.lines.map(count).join(", ")}`;
      const more = seen.odd > seen.lines.length ? " and elsewhere" : "";
      const kind = labels ? "in none of the categories" : "no number";
      return (
        `${count(seen.odd)} ${seen.odd === 1 ? "entry is" : "entries are"} ${kind} (${where}${more}); ` +
        `${seen.odd === 1 ? "it counts" : "they count"} as missing.`
      );
    },
    commas: "Commas inside numbers are read as decimal commas: 1,234 is a little more than one.",
    apart: "Commas stand between numbers here: 3,5 is read as 3 and 5. For decimals, type a point: 3.5",
    taken: (/** @type {string[]} */ names) =>
      `Read from the ${names.length > 1 ? "columns" : "column"} ${listed(names)}.`,
    all: `Everything in it counts as missing. ${WITHOUT}`,
    see: "See what would be sent",
    seeHint:
      "This takes your place in the survey and fetches the question. Nothing about your data is sent, and nothing " +
      "is drawn yet.",
    asking: "Taking your place and fetching the question …",
  },

  seen: {
    own: "Your own number",
    ownSeveral: "Your own numbers",
    ownDrawn: "What of yours goes in",
    computed: (/** @type {string} */ what) => `${capital(what)}:`,
    from: (/** @type {number} */ observations) => `from ${counted(observations, "observation")}`,
    counts: (/** @type {string} */ value) => `It lies outside the survey's range, and counts as ${value}.`,
    nothing: (/** @type {string} */ words) => `Nothing of this was observed: ${words}.`,
    drawn: "Which one is drawn by chance when you press Send, not before.",
    more: (/** @type {number} */ parts) => `… and ${count(parts)} more`,
    chance: "What chance makes of it",
    little: "What that says about you",
    headline: (/** @type {number} */ hundred) =>
      hundred >= 1
        ? `${hundred === 100 ? "All" : "At least"} ${hundred} of 100 people with other data send the same as people ` +
          "with yours."
        : "Hardly any of 100 people with other data send the same as people with yours.",
    explained: (/** @type {number} */ hundred) =>
      hundred >= 1
        ? "Take very many people with your data, and as many whose data are as different from yours as can be. At " +
          `least ${hundred} in 100 of them can be put in pairs, one of each kind, in which both send the very same ` +
          "report: what such a pair sends does not tell one from the other."
        : "Chance hides little here: think twice before you send.",
    guess: (/** @type {number} */ right) =>
      "Who guesses between your data and other data by tossing a coin is right in 50 of 100 cases; who has also " +
      `seen your report, in at most ${right}.`,
    bound: "What goes into it is drawn when you press Send, so this holds for whatever is drawn.",
    parts: (/** @type {number} */ uses) => `Your report has ${count(uses)} parts; this counts all of them together.`,
    firstPart: "The picture is of the first part of your report; the others are made in the same way.",
    how: "How this is computed",
    howWords:
      "Every report has a chance with your data, and a chance with other data. Added up over all reports, the " +
      "smaller of the two chances is the part in which both kinds of data lead to the same report. Of all other " +
      "data those are taken for which this part is smallest. The chances are those in the question, which your " +
      "device draws by; they are whole numbers, and nothing here is an estimate. Where a report has several parts, " +
      "what they share is multiplied, which is never more than what all of them share; where ε alone promises more " +
      "than that, its promise is shown.",
    weak: "That is weak: whoever sees your report may become almost certain which of two kinds of data is yours.",
  },

  send: {
    once: ["one report", "It is made when you press the button, sent once, and never made again for this survey."],
    privacyName: "privacy",
    privacy: (/** @type {number} */ epsilon) =>
      `ε = ${number(epsilon)} for all you hold together: with any other data, no report would become more than ` +
      `${times(epsilon)} times as likely, or as unlikely. The page has computed this from the question itself.`,
    until: "until",
    untilWords: (/** @type {number} */ closes) => `${moment(closes)}; after that this page sends nothing`,
    kept: "kept",
    keptWords: (/** @type {number} */ days) => `reports are deleted ${after(days)}; their sums stay, and are public`,
    size: "size",
    budget: "your budget",
    budgetWords: (/** @type {number} */ cost, /** @type {number} */ left, /** @type {number} */ cap) =>
      `this costs ${number(cost)} of the ${number(left)} that are left; this browser spends at most ${number(cap)} ` +
      "on your data in its lifetime, over all surveys of this address",
    short: "That is more than what is left of your budget, so this browser will not answer.",
    button: "Send my report",
    hint:
      "Chance is drawn when you press it, and not before. Sending then waits a moment, so that time does not tell " +
      "how much you hold.",
    back: "Change my data",
    sending: "Your report is made, and is sent in a moment …",
  },

  receipt: {
    answered: "Sent. Thank you.",
    before: "You have answered this survey.",
    beforeWords: "This browser answered it before, with the report below. Nothing new was made or sent.",
    sent: "The collector has your report.",
    stored: "Your report is made and stored here. It will be sent when you are online.",
    storedWords:
      "Nothing is drawn again: the same bytes are sent when the network is back, or when you open this page again.",
    unsent:
      "A report was made; the collector says that it does not take it. It counts against your budget all the same.",
    said: "What your device said",
    lead:
      "Keep this if you want to check later that what you answered is what was asked. Nothing else about your data " +
      "is in it than the report itself.",
    survey: "survey",
    question: "question",
    report: "report",
    reportDigest: "SHA-256 of the report",
    slot: "your place",
    slotWords: (/** @type {number} */ slot, /** @type {number} */ round) =>
      `seat ${count(slot + 1)}, asked in round ${count(round + 1)}; the report counts seats from 0`,
    cost: "cost",
    costWords: (/** @type {number} */ cost, /** @type {any} */ budget) =>
      `ε = ${number(cost)}; ${number(budget.left)} of ${number(budget.cap)} left`,
    when: "arrived",
    download: "Save the receipt",
    check: "How to check it",
    checkLead:
      "When your round has closed, everything that was asked and what came of it is public: the transcript. The " +
      "digests of survey and question above stand for what is in it. To go through all of it again, on your own " +
      "machine:",
    command: (/** @type {string} */ url) => `sotto verify "${url}"`,
    transcript: "the transcript",
    looking: "Looking into the transcript …",
    notClosed: "Your round is not closed yet, so it is not in the transcript. This page looks again by itself.",
    found: (/** @type {number} */ round, /** @type {number} */ answered) =>
      `Your question is round ${count(round + 1)} of the transcript, with the same digest, and so is the survey. ` +
      `${count(answered)} answered it.`,
    foreign:
      "The transcript is of another survey, or its question is not the one you answered. Tell the people who ask, " +
      "and keep the receipt.",
    unread: "The transcript cannot be read now.",
    again: "Look again",
    file: (/** @type {string} */ survey) => `receipt-${survey.slice(0, 12)}.json`,
  },

  waiting: {
    title: "Not yet",
    early: (/** @type {number} */ opens) => `The survey opens on ${moment(opens)}.`,
    round:
      "You have a place in a later round. Its question depends on what comes of the round before, and is not known " +
      "yet.",
    latest: (/** @type {number} */ at) => `The round that is open now closes on ${moment(at)} at the latest.`,
    unreachable: "The collector cannot be reached now. Are you online?",
    other: "The collector asks you to come back a little later.",
    next: (/** @type {number} */ seconds) =>
      `This page looks again by itself in ${duration(seconds)}. You may also close it, and come back with the same ` +
      "invitation.",
    now: "Look again now",
  },

  budgetPicture: {
    title: "Your budget",
    words: (/** @type {number} */ spent, /** @type {number} */ cost, /** @type {number} */ cap) =>
      `Of ${number(cap)}, ${number(spent)} were spent before, ${number(cost)} go to this report, and ` +
      `${number(Math.max(0, cap - spent - cost))} are left.`,
    spent: "spent before",
    cost: "this report",
    left: "left",
  },
};

/** @param {readonly string[]} names */
function listed(names) {
  const shown = names.slice(0, 20).join(", ");
  return names.length > 20 ? `${shown} and ${count(names.length - 20)} more` : shown;
}

export { capital, listed, times };
