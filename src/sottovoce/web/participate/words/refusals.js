/** Why there is no answer: each code in plain words, and what to do. */

/** @typedef {{title: string, why: string, do: string}} Told */

const NOTHING = "Nothing was sent.";

/** @type {Record<string, Told>} */
export const BY_CODE = {
  // what this device refuses
  malformed: {
    title: "This device declines",
    why: "What the collector sent cannot be read as a survey's message.",
    do: `${NOTHING} Tell the people who ask; their collector may be broken, or of another version.`,
  },
  "wrong-digest": {
    title: "This device declines",
    why: "The collector shows something else than what your invitation names.",
    do:
      `${NOTHING} Somebody changed the survey after you were invited, or shows you another one than others. Tell ` +
      "the people who invited you.",
  },
  "not-announced": {
    title: "This device declines",
    why: "The question asks for something that the survey did not announce.",
    do: `${NOTHING} A survey must keep to what it promised. Tell the people who invited you.`,
  },
  "not-asked": {
    title: "This device declines",
    why: "The question is not for the place that you were given.",
    do: `${NOTHING} Tell the people who ask.`,
  },
  "over-declared": {
    title: "This device declines",
    why: "The report would say more about you than the question admits.",
    do: `${NOTHING} Tell the people who invited you.`,
  },
  "over-budget": {
    title: "Your budget does not allow it",
    why: "With this report, this browser would have said more about your data than its limit.",
    do: `${NOTHING} What was spent in earlier surveys cannot be had back: what they were told stays told.`,
  },
  "already-answered": {
    title: "Answered before",
    why: "This browser has answered this survey before, from another place in it.",
    do: `${NOTHING} A survey gets one answer.`,
  },
  "ledger-full": {
    title: "This browser's ledger is full",
    why: "It has no room for another answer.",
    do: `${NOTHING} Answer from another device, or with the command sotto answer.`,
  },
  "ledger-unavailable": {
    title: "This browser cannot keep a ledger",
    why:
      "What was said must be noted before it is sent, so that nothing is ever said twice; the browser does not let " +
      "this page store it, or what was stored does not fit together.",
    do:
      `${NOTHING} Private windows and strict settings may be the cause: allow this site to store data, use an ` +
      "ordinary window, or answer with the command sotto answer.",
  },
  "ledger-lost": {
    title: "This invitation was used before",
    why:
      "The collector says so, but this browser knows nothing of it: its storage was cleared, or the invitation was " +
      "used in another browser or device.",
    do:
      `${NOTHING} A second report about the same data would say more about you than was promised, so this browser ` +
      "does not make one. If you have not answered, ask for a new invitation.",
  },
  "too-late": {
    title: "Too late",
    why: "The survey closes in a moment; a report could arrive after its end.",
    do: NOTHING,
  },
  "device-differs": {
    title: "This page stops here",
    why: "The program that would make your report is not the one that your invitation names.",
    do:
      `${NOTHING} The collector may have a newer version than when you were invited, or somebody changed it. Ask ` +
      "for a new invitation, or answer with the command sotto answer.",
  },
  "device-unknown": {
    title: "This page stops here",
    why: "The files of the program that would make your report could not be compared with your invitation.",
    do: `${NOTHING} Load the page again. If it stays so, answer with the command sotto answer.`,
  },
  // what an invitation lacks
  "no-token": {
    title: "Your invitation is incomplete",
    why:
      "This survey is for people who were invited, and the address that you opened lacks the part behind the # that " +
      "is yours alone.",
    do: `${NOTHING} Open the whole address as it was sent to you; some programs cut it off.`,
  },
  "no-fragment": {
    title: "This is the survey's page, not an invitation",
    why: "An invitation is an address with a # near its end; what follows the # names the survey, and is yours.",
    do: "Open the whole address as it was sent to you. What the survey asks can be read below.",
  },
  "bad-invitation": {
    title: "This invitation cannot be read",
    why: "What stands behind the # in the address is not complete, or was changed on the way.",
    do: "Open the whole address as it was sent to you, without line breaks.",
  },
  "other-survey": {
    title: "This invitation is for another survey",
    why: "The address names one survey, and what stands behind the # another.",
    do: "Open the whole address as it was sent to you.",
  },
  // what a collector says
  unauthorised: {
    title: "The collector does not know this invitation",
    why: "It was withdrawn, mistyped, or is of another survey.",
    do: `${NOTHING} Ask for a new invitation.`,
  },
  full: {
    title: "The survey is full",
    why: "Every place in it is taken.",
    do: `${NOTHING} There is nothing that you need to do.`,
  },
};

/** By state, where the code has no words of its own. @type {Record<string, Told>} */
export const BY_STATE = {
  declined: { title: "This device declines", why: "It does not answer this survey.", do: NOTHING },
  missed: {
    title: "Your round is over",
    why: "The round that asked you closed before your report arrived.",
    do: "There is nothing that you need to do. You are not asked again in this survey.",
  },
  full: BY_CODE.full,
  over: {
    title: "The survey is over",
    why: "Nobody is asked any more.",
    do: "What came of it is public, and stands below.",
  },
  refused: {
    title: "The collector does not take it",
    why: "It answers that it will not.",
    do: `${NOTHING} Tell the people who ask.`,
  },
};

/** After the report was sent: whatever a collector then says, it may have it. @type {Told} */
const SENT = {
  title: "The collector does not take it",
  why: "Your report was sent, and the collector answers that it will not take it, or answers what cannot be read.",
  do: "Count it as said. Tell the people who ask.",
};

/**
 * What to say of an outcome that is no answer.
 * @param {{state: string, code: string, receipt?: {sent: number | null}}} outcome
 * @returns {Told}
 */
export function told({ state, code, receipt }) {
  if (state === "refused" && receipt && receipt.sent !== null) return SENT;
  const lasting = state === "declined" || state === "refused";
  return (lasting && Object.hasOwn(BY_CODE, code) && BY_CODE[code]) || BY_STATE[state] || BY_STATE.refused;
}
