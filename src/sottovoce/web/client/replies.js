// What a collector says besides its survey: a seat, and how far it is. Read with suspicion.

import { Declined } from "../device/errors.js";
import { MAX_TEXT } from "../device/limits.js";
import { usersOf } from "../device/manifest.js";
import { printable, readObject } from "./line.js";

/** @typedef {any} Manifest */
/** @typedef {{slot: number, capability: string, before: boolean, yours: boolean}} Seat
 *   A slot, and what opens it. `before`: the token had enrolled already; `yours`: with the number that was shown now. */
/** @typedef {{number: number, role: string, question: string, first: number, end: number, closes: number | null,
 *   closed: boolean}} Round A round: who is asked in it, and by which question. `closes`: when at the latest, where the
 *   collector says something that can be. */
/** @typedef {{state: string, round: Round | null}} Progress How far a survey is; the open round, or the last one. */

const CAPABILITY = /^[A-Za-z0-9_-]{16,128}$/;
const DIGEST = /^[0-9a-f]{64}$/;
const STATES = ["early", "open", "done", "abandoned"];

/**
 * From the reply to an enrolment.
 * @param {Uint8Array} body
 * @param {string} survey
 * @param {Manifest} manifest
 * @returns {Seat}
 */
export function readSeat(body, survey, manifest) {
  const found = readObject(body);
  const slot = whole(found, "slot");
  const capability = kind(found, "capability", "string");
  if (kind(found, "survey", "string") !== survey || !(slot < usersOf(manifest))) {
    throw new Declined("malformed", "the collector's seat is of another survey, or of a slot that there is not");
  }
  if (!CAPABILITY.test(capability)) {
    throw new Declined("malformed", "the collector's capability is not of 16 to 128 letters, digits, '-' or '_'");
  }
  return { slot, capability, before: kind(found, "before", "boolean"), yours: kind(found, "yours", "boolean") };
}

/**
 * From the reply to a look at how far it is.
 * @param {Uint8Array} body
 * @param {Manifest} manifest
 * @returns {Progress}
 */
export function readProgress(body, manifest) {
  const found = readObject(body);
  const state = kind(found, "state", "string");
  if (!STATES.includes(state)) {
    throw new Declined("malformed", `the collector's progress is none of ${STATES.join(", ")}`);
  }
  return { state, round: (found.round ?? null) === null ? null : round(found.round, manifest) };
}

/**
 * @param {unknown} told
 * @param {Manifest} manifest
 * @returns {Round}
 */
function round(told, manifest) {
  if (!(told instanceof Object)) {
    throw new Declined("malformed", "the collector's progress has no round that can be read");
  }
  const found = /** @type {Record<string, any>} */ (told);
  const { closes } = found;
  const possible = Number.isSafeInteger(closes) && manifest.opens <= closes && closes <= manifest.closes;
  const first = whole(found, "first");
  const made = {
    number: whole(found, "number"),
    role: kind(found, "role", "string"),
    question: kind(found, "question", "string"),
    first,
    end: first + whole(found, "count"),
    closes: possible ? closes : null,
    closed: kind(found, "closed", "boolean"),
  };
  const letters = [...made.role].length;
  if (!(letters > 0 && letters <= MAX_TEXT && printable(made.role))) {
    throw new Declined("malformed", "the collector's progress has a role that is no short printable name");
  }
  if (!(made.number <= 1000 && made.end > first && DIGEST.test(made.question))) {
    throw new Declined("malformed", "the collector's progress has a round that cannot be");
  }
  return made;
}

/**
 * @param {Record<string, any>} found
 * @param {string} name
 * @param {"string" | "boolean"} type
 * @returns {any}
 */
function kind(found, name, type) {
  if (typeof found[name] !== type) throw unreadable(name);
  return found[name];
}

/**
 * @param {Record<string, any>} found
 * @param {string} name
 * @returns {number}
 */
function whole(found, name) {
  if (!(Number.isSafeInteger(found[name]) && found[name] >= 0)) throw unreadable(name);
  return found[name];
}

/** @param {string} name */
const unreadable = (name) => new Declined("malformed", `the collector's reply has no '${name}' that can be read`);
