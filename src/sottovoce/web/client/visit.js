// One visit to a collector: from the manifest to the report. Which requests are made never depends on observations.

import { digest } from "../device/canonical.js";
import { Declined, Malformed } from "../device/errors.js";
import { asNumber } from "../device/exact.js";
import { MAX_DOCUMENT } from "../device/limits.js";
import { readManifest } from "../device/manifest.js";
import { examine } from "../device/respond.js";
import { fact } from "./fact.js";
import { chance, Later, printable, Refusal } from "./line.js";
import { readProgress, readSeat } from "./replies.js";

/** @typedef {any} Manifest */
/** @typedef {import("./fact.js").Fact} Fact */
/** @typedef {any} Question */
/** @typedef {import("./invitation.js").Invitation} Invitation */
/** @typedef {import("./line.js").Line} Line */
/** @typedef {import("./outbox.js").Outbox} Outbox */
/** @typedef {import("./outbox.js").Entry} Entry */
/** @typedef {import("./replies.js").Seat} Seat */
/** @typedef {import("./replies.js").Round} Round */
/** @typedef {{question: Question, bytes: Uint8Array<ArrayBuffer>, digest: string, slot: number, capability: string,
 *   round: number, role: string, epsilon: number}} Asked A question that has come and was examined; `epsilon` is its proven cost. */
/** @typedef {{manifest?: Manifest, seat?: Seat, asked?: Asked}} Memory
 *   What a page remembers of a survey from step to step; after a reload it is asked for again. */
/** @typedef {{respond: (asked: Asked, manifest: Manifest, beside: import("./outbox.js").Beside) =>
 *   Promise<Uint8Array>}} Answering the device, with the observations that it is to look at */

/** There is nothing to answer any more, and why. */
export class Ended extends Error {
  /**
   * @param {string} state
   * @param {string} code
   * @param {Fact} why
   */
  constructor(state, code, why) {
    super(why.code);
    this.state = state;
    this.code = code;
    this.why = why;
  }
}

/** A second report about the same data is not made. */
export const LOST = fact("outcome-ledger-lost");

export class Visit {
  /** @param {{invitation: Invitation, line: Line, outbox: Outbox, memory: Memory, spreadSeconds: number}} parts */
  constructor({ invitation, line, outbox, memory, spreadSeconds }) {
    this.invitation = invitation;
    this.line = line;
    this.outbox = outbox;
    this.memory = memory;
    this.spreadSeconds = spreadSeconds;
    /** @type {Entry | null} the report, once there is one */ this.stored = null;
    /** @type {number | null} */ this.latestAt = null;
  }

  get #path() {
    return `/surveys/${this.invitation.survey}`;
  }

  /** The manifest, if it is the one that the invitation names. */
  async manifest() {
    if (!this.memory.manifest) {
      const how = { limit: MAX_DOCUMENT.letters, unchanging: true };
      const { body } = await this.line.ask("GET", `${this.#path}/manifest`, how);
      if ((await digest(body)) !== this.invitation.survey) {
        throw new Declined("wrong-digest", "the manifest is not the one that the invitation names");
      }
      this.memory.manifest = await message(() => readManifest(body), "manifest");
    }
    this.line.until = this.memory.manifest.closes;
    this.#inTime();
    return this.memory.manifest;
  }

  /**
   * Take a seat, look for its round, and fetch its question.
   *
   * What a page remembers of it is not asked for again, but whether the round is still open is; where that cannot be
   * learned for want of a network, it goes on with what it knows: the report is then made, and waits.
   * @returns {Promise<Asked>}
   */
  async ask() {
    const manifest = await this.manifest();
    const seat = (this.memory.seat ??= await this.#enrol(manifest));
    const known = this.memory.asked;
    let now;
    try {
      now = await this.#openRound(seat.slot, manifest);
    } catch (error) {
      if (known && error instanceof Later && error.code === "unreachable") return known;
      throw error;
    }
    this.#inTime();
    if (known && known.digest === now.question) return known;
    const bytes = await this.#question(now);
    const named = { slot: seat.slot, digest: now.question, manifest, survey: this.invitation.survey };
    const { question, cost } = await message(() => examine(bytes, named), "question");
    if (question.round !== now.number || question.role !== now.role) {
      throw new Declined("not-announced", "the question is of another round or role than the one that is open");
    }
    const { slot, capability } = seat;
    const place = { slot, capability, round: now.number, role: now.role };
    return (this.memory.asked = { question, bytes, digest: now.question, ...place, epsilon: asNumber(cost) });
  }

  /**
   * Answer, and send at a moment of the device's own choosing.
   *
   * The moment is drawn before any observation is looked at: how long that takes, and what is computed of them, is not
   * part of it, as long as it takes less than half of `spreadSeconds`.
   * @param {Answering} device
   */
  async answer({ respond }) {
    const asked = await this.ask();
    const manifest = await this.manifest();
    const moment = this.line.clock() + chance(this.spreadSeconds / 2, this.spreadSeconds);
    const { survey, base } = this.invitation;
    const { collector, purpose } = manifest;
    const place = { address: base, capability: asked.capability, round: asked.round, role: asked.role };
    const row = { ...place, question: asked.bytes, collector, purpose, closes: manifest.closes };
    await respond(asked, manifest, this.outbox.posting(survey, row));
    this.stored = await this.outbox.of(survey);
    if (!this.stored) throw new Declined("ledger-unavailable", "the answer is not in the outbox");
    const left = moment - this.line.clock();
    if (left > 0) await this.line.sleep(left);
    return this.send();
  }

  /**
   * Hand in the bytes that the ledger holds, until the collector says that it has them, or the survey closes. One tab
   * after the other: what another has brought there meanwhile is not sent again.
   * @returns {Promise<{state: string, code: string, why: Fact}>}
   */
  async send() {
    const { survey } = this.invitation;
    return navigator.locks.request(`sottovoce send ${survey}`, async () => {
      const stored = (this.stored = await this.outbox.of(survey));
      if (!stored) throw new Declined("ledger-unavailable", "the report is not in the ledger any more");
      if (stored.acknowledged !== null) return { state: "answered", code: "same", why: fact("outcome-same") };
      if (stored.ended) throw new Ended(stored.ended.state, stored.ended.code, stored.ended.why);
      this.line.until = stored.closes;
      if (this.line.open) await this.outbox.sent(survey, this.line.clock());
      this.stored = await this.outbox.of(survey); // whatever comes of it, it says that it was sent
      const { capability, report } = stored;
      const reply = await this.line
        .ask("POST", `${this.#path}/reports`, { token: capability, body: report })
        .catch((error) => {
          if (error instanceof Declined) throw new Ended("refused", "too-long", fact("outcome-too-long"));
          if (!(error instanceof Refusal && error.code === "closed")) throw error;
          throw new Ended("missed", "closed", fact("outcome-closed-before-report"));
        });
      await this.outbox.acknowledged(survey, this.line.clock());
      this.stored = await this.outbox.of(survey);
      const code = reply.status === 201 ? "stored" : "same";
      return { state: "answered", code, why: fact(`outcome-${code}`) };
    });
  }

  /** Whatever moment is drawn must lie before the survey closes: else no report is made.
   *
   * The spread is not made shorter for it: a survey that closes soon would learn how long its devices compute. */
  #inTime() {
    if (!this.line.open) throw new Refusal(410, "expired", fact("outcome-expired"));
    if (this.line.clock() + this.spreadSeconds >= this.line.until) {
      throw new Ended("declined", "too-late", fact("outcome-too-late", { seconds: this.spreadSeconds }));
    }
  }

  /**
   * Take a seat. A random number of this visit is noted before, durably, and shown at every try: a collector which says
   * that the token was used, and not with this number, is believed. Another ledger used it, or this one before it was
   * cleared; that is noted too, for good. One tab after the other.
   * @param {Manifest} manifest
   * @returns {Promise<Seat>}
   */
  async #enrol(manifest) {
    const { survey } = this.invitation;
    const open = manifest.access === "open";
    const token = this.invitation.token || (open ? await this.outbox.token(survey, newToken) : "");
    if (!token) {
      throw new Ended("refused", "no-token", fact("outcome-no-token"));
    }
    return navigator.locks.request(`sottovoce enrol ${survey}`, async () => {
      const { visit, lost } = await this.outbox.enrolling(survey, token, newVisit);
      if (lost) throw new Ended("declined", "ledger-lost", LOST);
      const body = new TextEncoder().encode(JSON.stringify({ visit }));
      let reply;
      try {
        reply = await this.line.ask("POST", `${this.#path}/enrol`, { token, body });
      } catch (error) {
        if (!(error instanceof Refusal)) throw error;
        if (error.code === "full") throw new Ended("full", "full", fact("outcome-full"));
        if (error.code === "closed") throw new Ended("over", "closed", fact("outcome-nobody-any-more"));
        throw error;
      }
      const seat = readSeat(reply.body, survey, manifest);
      if (seat.before && !seat.yours) {
        await this.outbox.usedElsewhere(survey, token, visit);
        throw new Ended("declined", "ledger-lost", LOST);
      }
      return seat;
    });
  }

  /**
   * The round that asks this slot, if it is open.
   * @param {number} slot
   * @param {Manifest} manifest
   * @returns {Promise<Round>}
   */
  async #openRound(slot, manifest) {
    const reply = await this.line.ask("GET", `${this.#path}/progress`);
    const { state, round: now } = readProgress(reply.body, manifest);
    if (state === "done" || state === "abandoned") throw new Ended("over", state, fact(`outcome-${state}`));
    if (now && (slot < now.first || (now.closed && slot < now.end))) {
      throw new Ended("missed", "closed", fact("outcome-round-over"));
    }
    if (now && !now.closed && slot < now.end && state === "open") return now;
    let wanted = reply.waitSeconds ?? 0;
    let why = fact("outcome-round-not-open");
    if (state === "early") {
      wanted = Math.max(wanted, manifest.opens - this.line.clock());
      why = fact("outcome-early");
    } else if (now && !now.closed) {
      why = fact("outcome-asks-others", { round: now.number + 1 });
      this.latestAt = now.closes;
    }
    throw this.line.later("early", why, 0, wanted);
  }

  /**
   * @param {Round} now
   * @returns {Promise<Uint8Array<ArrayBuffer>>}
   */
  async #question(now) {
    const path = `${this.#path}/rounds/${now.number}/${encodeURIComponent(now.role)}/question`;
    const { body } = await this.line.ask("GET", path, { limit: MAX_DOCUMENT.letters, unchanging: true });
    return body;
  }
}

/** For a survey that is open to everybody: what opens this device's own seat again. */
function newToken() {
  const bytes = crypto.getRandomValues(new Uint8Array(32));
  return btoa(String.fromCharCode(...bytes)).replace(/\+/g, "-").replace(/\//g, "_").replace(/=/g, "");
}

/** By which a collector can tell that it was this ledger that took a seat; for one token of one survey. */
function newVisit() {
  const bytes = crypto.getRandomValues(new Uint8Array(32));
  return Array.from(bytes, (byte) => byte.toString(16).padStart(2, "0")).join("");
}

/**
 * A message from a collector; whatever goes wrong while it is read is a decline, in letters that can be shown.
 * @template T
 * @param {() => T | Promise<T>} read
 * @param {string} what
 * @returns {Promise<T>}
 */
async function message(read, what) {
  try {
    return await read();
  } catch (error) {
    const code = error instanceof Declined ? error.code : "malformed";
    const known = error instanceof Declined || error instanceof Malformed;
    const told = known ? error.message.replace(`${code}: `, "").slice(0, 200) : "it cannot be read";
    throw new Declined(code, `the ${what}: ${printable(told) ? told : "it cannot be read"}`);
  }
}
