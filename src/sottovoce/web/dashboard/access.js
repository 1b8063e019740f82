/**
 * Tokens of whoever runs surveys: typed in, kept for this tab only, never in an address. What the administrator's token
 * opens, a survey's own token opens for that survey.
 */

const KEPT = "sottovoce.tokens";
export const ADMINISTRATOR = "administrator";

/** @type {Record<string, string>} */
let held = read();

/** @returns {Record<string, string>} */
function read() {
  try {
    const found = JSON.parse(sessionStorage.getItem(KEPT) ?? "{}");
    return Object.fromEntries(Object.entries(found).filter(([, token]) => typeof token === "string"));
  } catch {
    return {};
  }
}

function write() {
  try {
    sessionStorage.setItem(KEPT, JSON.stringify(held));
  } catch {
    // This browser keeps nothing: the tokens last until the page is left.
  }
}

/** @param {string} whose @param {string} token */
export function keep(whose, token) {
  held = { ...held, [whose]: token };
  write();
}

/**
 * One token, or every token of this tab.
 * @param {string} [whose]
 */
export function forget(whose) {
  held = whose === undefined ? {} : Object.fromEntries(Object.entries(held).filter(([name]) => name !== whose));
  write();
}

export function administrator() {
  return held[ADMINISTRATOR] ?? "";
}

/** @param {string} survey */
export function tokenFor(survey) {
  return held[survey] ?? administrator();
}

/**
 * The token that a survey's requests were sent with was refused.
 * @param {string} survey
 */
export function refusedFor(survey) {
  forget(survey in held ? survey : ADMINISTRATOR);
}

/**
 * What a person typed, if a request can carry it.
 * @param {string} typed
 */
export function readToken(typed) {
  const token = typed.trim();
  return /^[!-~]{1,512}$/.test(token) ? token : "";
}
