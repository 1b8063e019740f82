// A line to one collector: requests that are tried again, ever more slowly, until patience ends.

import { Declined } from "../device/errors.js";
import { fact } from "./fact.js";
import { MAX_REPLY_BYTES, request, TooLarge, Unreachable } from "./transport.js";

/** @typedef {import("./fact.js").Fact} Fact */
/** @typedef {import("./transport.js").Reply} Reply */
/** @typedef {{base: string, fetch: typeof fetch, clock: () => number, sleep: (seconds: number) => Promise<void>,
 *   end: number}} Ends `clock` gives seconds since 1970; `end` is when patience ends. */

const SOON = 0.5;
const LATE = 60;
const LONGEST = 181; // letters of what a collector says that are passed on
const AGAIN = [408, 425, 429, 500, 502, 503, 504]; // what may go well another time: busy, broken, or not open yet

/** What a device says for itself. A collector's word for why is never taken for one of these, nor for a name that every
 * object has. */
const OWN = Object.fromEntries(
  (
    "already-answered before ledger-full ledger-lost ledger-unavailable malformed no-token not-announced not-asked " +
    "over-budget over-declared same stored too-late unanswered unreachable wrong-digest"
  )
    .split(" ")
    .map((code) => [code, true]),
);

/** Patience ended first. `at` is when to try again. */
export class Later extends Error {
  /**
   * @param {string} code
   * @param {Fact} why
   * @param {number} at
   */
  constructor(code, why, at) {
    super(why.code);
    this.code = code;
    this.why = why;
    this.at = at;
  }
}

/** The collector's word is final. `code` is its own, or stands for its status. */
export class Refusal extends Error {
  /**
   * @param {number} status
   * @param {string} code
   * @param {Fact} why
   */
  constructor(status, code, why) {
    super(why.code);
    this.status = status;
    this.code = code;
    this.why = why;
  }
}

/** To the collector at `base`. Whatever is asked, is asked once in any case. */
export class Line {
  /** @param {Ends} ends */
  constructor({ base, fetch, clock, sleep, end }) {
    this.base = base;
    this.fetch = fetch;
    this.clock = clock;
    this.sleep = sleep;
    this.end = end;
    /** When the survey closes, by its manifest: once the device's own clock is there, nothing is asked or sent. */
    this.until = Infinity;
  }

  /** Whether the survey is, by the device's own clock; a collector that goes on is left alone. */
  get open() {
    return this.clock() < this.until;
  }

  /**
   * A reply of the kind 200, or `Later`, or `Refusal`; the same bytes at every try.
   * @param {string} method
   * @param {string} path
   * @param {{token?: string, body?: Uint8Array<ArrayBuffer>, limit?: number, unchanging?: boolean}} [more]
   * @returns {Promise<Reply>}
   */
  async ask(method, path, { token, body, limit = MAX_REPLY_BYTES, unchanging } = {}) {
    for (let tries = 0; ; tries++) {
      if (!this.open) throw new Refusal(410, "expired", fact("outcome-expired"));
      const patienceSeconds = Math.max(0, this.end - this.clock());
      const asking = { method, url: this.base + path, token, body, limit, patienceSeconds, unchanging };
      try {
        const reply = await request(this.fetch, asking);
        if (reply.status === 200 || reply.status === 201) return reply;
        const { code, why } = complaint(reply);
        if (!AGAIN.includes(reply.status)) throw new Refusal(reply.status, code, why);
        await this.wait(code, why, tries, reply.waitSeconds);
      } catch (error) {
        if (error instanceof TooLarge) throw new Declined("malformed", error.message);
        if (!(error instanceof Unreachable)) throw error;
        await this.wait("unreachable", fact("outcome-error", { message: error.message }), tries, null);
      }
    }
  }

  /**
   * Sleep: twice as long at each try, spread by chance, and never less than the collector wants; or `Later` where
   * patience ends before, or the browser knows that it has no network.
   * @param {string} code
   * @param {Fact} why
   * @param {number} tries
   * @param {number | null} wanted
   */
  async wait(code, why, tries, wanted) {
    const later = this.later(code, why, tries, wanted);
    const offline = code === "unreachable" && globalThis.navigator?.onLine === false;
    const left = later.at - this.clock();
    if (offline || left <= 0 || later.at > this.end) throw later;
    await this.sleep(left);
  }

  /**
   * When to try again: once the survey has closed there is no later.
   * @param {string} code
   * @param {Fact} why
   * @param {number} tries
   * @param {number | null} wanted
   */
  later(code, why, tries, wanted) {
    const delay = Math.min(LATE, SOON * 2 ** Math.min(tries, 10)) * chance(0.5, 1.5);
    const [now, then] = [this.clock(), this.clock() + Math.max(delay, wanted ?? 0)];
    return new Later(code, why, then < this.until ? then : now);
  }
}

/**
 * A number between two others, by chance: for moments, never for a report.
 * @param {number} low
 * @param {number} high
 */
export function chance(low, high) {
  return low + ((high - low) * crypto.getRandomValues(new Uint32Array(1))[0]) / 2 ** 32;
}

/**
 * Whether a text can be shown: no control characters, no blanks but spaces.
 * @param {string} text
 */
export function printable(text) {
  return /^(?: |[^\p{C}\p{Z}])*$/u.test(text);
}

/**
 * The code of an error, and what is said of it; nothing from a collector is trusted to be short or printable.
 * @param {Reply} reply
 */
function complaint(reply) {
  let told;
  try {
    told = readObject(reply.body).error;
  } catch {} // an error without words
  const { code, message } = told instanceof Object ? told : {};
  const plain = typeof code === "string" && /^(?=.*[A-Za-z])[A-Za-z-]{1,32}$/.test(code) && !(code in OWN);
  const words = typeof message === "string" && printable(message);
  return {
    code: plain ? code : `status-${reply.status}`,
    why: words
      ? fact("outcome-collector-says", { message: `'${message}'`.slice(0, LONGEST) })
      : fact("outcome-collector-answers", { status: reply.status }),
  };
}

/**
 * A small JSON object from a collector; anything else is `Declined` as malformed.
 * @param {Uint8Array} body
 * @returns {Record<string, any>}
 */
export function readObject(body) {
  let found;
  try {
    found = JSON.parse(new TextDecoder("utf-8", { fatal: true }).decode(body));
  } catch {} // told below
  if (!(found instanceof Object) || Array.isArray(found)) {
    throw new Declined("malformed", "the collector's reply is not a JSON object");
  }
  return found;
}
