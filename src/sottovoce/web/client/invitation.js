// An invitation: one URL that says which survey, and who may answer it.
//
// Both stand in the fragment, which no browser sends and no server logs: …/surveys/ID/participate#ID.TOKEN. Further
// parts name=value may follow, with dots between them; what a device does not know, it passes over.

/** @typedef {{base: string, survey: string, token: string, more: [string, string][]}} Invitation
 *   Where a collector is, the survey's id, a token (empty where everybody may come), and what else was written. */

const ID = /^[0-9a-f]{64}$/;
const TOKEN = /^[A-Za-z0-9_-]{22,128}$/;
const MORE = /^[a-z]+=[A-Za-z0-9_+/=-]+$/;
const LETTERS = /^[!-~]*$/;
const HOST = /^(?=.{1,253}$)(?:[A-Za-z0-9_-]{1,63}\.)*[A-Za-z0-9_-]{1,63}\.?$/;
const ADDRESS = /^([A-Za-z][A-Za-z0-9+.-]*):\/\/([^/?#]*)([^?#]*)(?:\?.*)?$/;
const NETLOC = /^(\[[0-9A-Fa-f:.]+\]|[^:[\]]*)(?::([0-9]*))?$/;
const PATH = /^(.*?)(?:\/surveys\/[0-9a-f]{64}(?:\/[a-z]*)?)?\/?$/;

/** What the caller passed cannot be used. The text says what was expected, and what to do. */
export class InvalidInput extends Error {}

/**
 * @param {string} url
 * @returns {Invitation}
 */
export function readInvitation(url) {
  const [address, ...fragment] = url.trim().split("#");
  const [survey, token = "", ...rest] = fragment.join("#").split(".");
  if (!rest.every((part) => MORE.test(part))) {
    throw new InvalidInput("an invitation ends with '#' and survey.token; further parts are written name=value");
  }
  const base = baseOf(address);
  if (!ID.test(survey)) throw new InvalidInput("an invitation names a survey by 64 hexadecimal digits after its '#'");
  if (token && !TOKEN.test(token)) {
    throw new InvalidInput("an invitation's token has 22 to 128 letters, digits, '-' or '_'");
  }
  const more = rest.map((part) => /** @type {[string, string]} */ (part.split(/=(.*)/s).slice(0, 2)));
  return Object.freeze({ base, survey, token, more });
}

/**
 * The collector's address: what stands before /surveys/….
 * @param {string} address
 */
export function baseOf(address) {
  const { scheme, netloc, path } = checkAddress(address);
  return `${scheme}://${netloc}${/** @type {RegExpMatchArray} */ (path.match(PATH))[1]}`;
}

/**
 * Refuse an address that would send a report in the clear, or that programs read in more than one way.
 *
 * It is https, or this very machine; it has no letters that a program may leave out or spell otherwise.
 * @param {string} address
 */
export function checkAddress(address) {
  if (!LETTERS.test(address)) {
    throw new InvalidInput(
      "the collector's address holds no blanks, control characters or letters beyond ASCII; write its host in " +
        "punycode (xn--…) and its path with %XX",
    );
  }
  const [, named = "", netloc = "", path = ""] = address.match(ADDRESS) ?? [];
  const scheme = named.toLowerCase();
  if (!["http", "https"].includes(scheme) || !netloc) {
    throw new InvalidInput("the collector's address is a URL that begins with https://");
  }
  if (netloc.includes("@")) throw new InvalidInput("the collector's address holds no user name and no password");
  const [, host = "", port = ""] = netloc.match(NETLOC) ?? [];
  if (!(HOST.test(host) || host.startsWith("[")) || Number(port) > 65535 || !URL.canParse(`http://${host}/`)) {
    throw new InvalidInput("the collector's host is a name of letters, digits, '-', '_' and dots, or an IP address");
  }
  if (scheme === "http" && !isLoopback(host)) {
    throw new InvalidInput(`the collector at ${host} is reached by https only; http is for this very machine`);
  }
  return { scheme, netloc, path };
}

/**
 * Whether a host is this very machine.
 * @param {string} host
 */
export function isLoopback(host) {
  return host.toLowerCase() === "localhost" || host === "[::1]" || /^127(\.(0|[1-9][0-9]{0,2})){3}$/.test(host);
}
