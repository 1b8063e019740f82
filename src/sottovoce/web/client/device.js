// A device on the network, as a page uses it: it reads an invitation, checks what it is asked, answers once, sends, and
// tries again. The steps of a page are `look`, `ask`, `answer` and, later or after a reload, `send`.

import { digest } from "../device/canonical.js";
import { collection } from "../device/encode.js";
import { SystemEntropy } from "../device/entropy.js";
import { Declined } from "../device/errors.js";
import { asNumber } from "../device/exact.js";
import { Ledger } from "../device/ledger.js";
import { respond } from "../device/respond.js";
import { fact } from "./fact.js";
import { InvalidInput, readInvitation } from "./invitation.js";
import { Later, Line, Refusal } from "./line.js";
import { Outbox } from "./outbox.js";
import { Ended, LOST, Visit } from "./visit.js";

/** @typedef {import("./fact.js").Fact} Fact */
/** @typedef {import("./invitation.js").Invitation} Invitation */
/** @typedef {import("./outbox.js").Entry} Entry */
/** @typedef {import("./visit.js").Asked} Asked */
/** @typedef {import("./visit.js").Memory} Memory */
/** @typedef {any} Manifest */
/** @typedef {{rows: number, columns: number, values: Float64Array}} Collection */
/** @typedef {Collection | number[] | number[][]} Observations One user's: numbers, or rows of them. */
/** @typedef {{survey: string, question: string, slot: number, round: number, role: string, report: string,
 *   reportDigest: string, epsilon: number, collector: string, purpose: string, source: string, sent: number | null,
 *   acknowledged: number | null}} Receipt An answer and what became of it; `question` is its digest. */
/** @typedef {object} Outcome What came of it, for the device's owner: a decline is silence to the collector.
 * @property {string} state "open" or "asked" on the way; then one of those of the Python client
 * @property {string} code a short word for why
 * @property {Fact} why the same as a fact; a sentence in ledgers that are older than facts
 * @property {string} survey
 * @property {number | null} epsilon what the report cost, proven, whatever became of it; null where none was made
 * @property {number | null} againAt when it is worth coming back, in seconds since 1970; null where that is no use
 * @property {number | null} latestAt where another round is open: when it will have closed at the latest; else null
 * @property {number | null} slot of the report, or of the seat where none was made yet
 * @property {boolean} before the collector says that the invitation was used before, and not by this ledger
 * @property {Manifest} [manifest] where it is known
 * @property {Asked} [asked] where the question has come
 * @property {Receipt} [receipt] where a report was made
 */

/** Seconds for which a step tries, where nobody says otherwise. */
const PATIENCE = 10;
const GIVEN_UP = ["missed", "over", "refused"];
/** @param {number} seconds @returns {Promise<void>} */
const sleeping = (seconds) => new Promise((resolve) => setTimeout(resolve, 1000 * seconds));

/** Answers surveys about one `source` of data, within the budget of its ledger.
 *
 * Privacy: what is sent is made by device/respond.js, with the browser's entropy and no other, and stored before it is
 * sent; tried again, the stored bytes are sent again, and nothing once the survey has closed by the device's own clock.
 * Which requests are made, and whether, does not depend on the observations; a decline is silence. The report goes at a
 * moment between half of `spreadSeconds` and all of it after `answer` was called, drawn before anything is looked at:
 * take more than twice what computing takes. A survey that closes within it is not answered. */
export class Device {
  /** @type {Map<string, Memory>} */ #memories = new Map();

  /** @param {{ledger: Ledger, source: string, base?: string, spreadSeconds: number, fetch: typeof fetch,
   *   clock: () => number, sleep: (seconds: number) => Promise<void>}} parts */
  constructor({ ledger, source, base, spreadSeconds, fetch, clock, sleep }) {
    if (!(spreadSeconds >= 0 && spreadSeconds < Infinity)) throw new InvalidInput("spreadSeconds: 0 or more");
    this.ledger = ledger;
    this.source = source;
    this.base = base;
    this.spreadSeconds = spreadSeconds;
    this.outbox = new Outbox(ledger);
    this.parts = { fetch, clock, sleep };
    /** Whether the browser promises to keep the ledger when it runs short of room; it may ask the person first. */
    this.persistent = ledger.persistent;
  }

  /**
   * With the ledger of this origin; `Declined` as "ledger-unavailable" where there can be none. With `base`, it speaks
   * to that collector alone.
   * @param {{cap: number, source: string, base?: string, spreadSeconds?: number, name?: string,
   *   fetch?: typeof globalThis.fetch, clock?: () => number, sleep?: (seconds: number) => Promise<void>}} options
   */
  static async open({ cap, source, base, spreadSeconds = 2, name, fetch, clock, sleep }) {
    const ledger = await Ledger.open({ cap, name });
    return new Device({
      ledger,
      source,
      base,
      spreadSeconds,
      fetch: fetch ?? globalThis.fetch.bind(globalThis),
      clock: clock ?? (() => Date.now() / 1000),
      sleep: sleep ?? sleeping,
    });
  }

  /**
   * What a survey announces, checked against the invitation: state "open", with its `manifest`. Or, where there is
   * nothing to decide upon, what came of it before (which the ledger knows, without the network), or what is wrong.
   * @param {string | Invitation} invitation
   * @param {{patienceSeconds?: number}} [how]
   * @returns {Promise<Outcome>}
   */
  async look(invitation, how) {
    return this.#step(invitation, how, async (visit) => {
      const before = await this.#before(visit);
      if (before) return before;
      await visit.manifest();
      return { state: "open", code: "open", why: fact("outcome-open") };
    });
  }

  /**
   * Take a seat and fetch the question: state "asked", with `asked`; or "waiting" for its round, and till when.
   * @param {string | Invitation} invitation
   * @param {{patienceSeconds?: number}} [how]
   * @returns {Promise<Outcome>}
   */
  async ask(invitation, how) {
    return this.#step(invitation, how, async (visit) => {
      const before = await this.#before(visit);
      if (before) return before;
      const asked = await visit.ask();
      return { state: "asked", code: "asked", why: fact("outcome-asked"), asked };
    });
  }

  /**
   * Answer a survey, or go on with what was begun before; at most one report is ever made for it.
   *
   * Whatever the observations are, there is an answer. They may be a function that gives them, if reading them takes
   * time that nobody should see: it is called once, after the question has come, or not at all, and must not fail.
   * @param {string | Invitation} invitation
   * @param {Observations | (() => Observations | Promise<Observations>)} observations
   * @param {{patienceSeconds?: number}} [how]
   * @returns {Promise<Outcome>}
   */
  async answer(invitation, observations, how) {
    return this.#step(invitation, how, async (visit) => {
      const stored = visit.stored;
      if (stored && stored.acknowledged !== null) return BEFORE;
      if (stored && stored.capability && stored.address === visit.invitation.base) return visit.send();
      return visit.answer({
        respond: async (asked, manifest, beside) => {
          const found = typeof observations === "function" ? await observations() : observations;
          const { survey } = visit.invitation;
          const named = { slot: asked.slot, digest: asked.digest, collector: survey, survey, manifest, beside };
          const own = { source: this.source, ledger: this.ledger, entropy: new SystemEntropy() };
          return respond(asked.bytes, collection(found), { ...named, ...own });
        },
      });
    });
  }

  /**
   * Send the stored bytes, once more if need be: when a page is opened, or the network is back.
   * @param {string | Invitation} invitation
   * @param {{patienceSeconds?: number}} [how]
   * @returns {Promise<Outcome>}
   */
  async send(invitation, how) {
    return this.#step(invitation, how, async (visit) => {
      const stored = visit.stored;
      if (stored && stored.capability && stored.address === visit.invitation.base) return visit.send();
      const why = fact("outcome-unanswered");
      return (await this.#before(visit)) ?? { state: "waiting", code: "unanswered", why };
    });
  }

  /**
   * What there is to show of an answer; null where none was made.
   * @param {string} survey
   * @returns {Promise<Receipt | null>}
   */
  async receipt(survey) {
    const entry = await this.outbox.of(survey);
    return entry && receiptOf(entry);
  }

  /**
   * Every answer of this ledger, in order.
   * @returns {Promise<Receipt[]>}
   */
  async history() {
    return Promise.all((await this.outbox.history()).map(receiptOf));
  }

  /** What the source may spend, has spent and has left; exact in the ledger, and rounded here. */
  async budget() {
    const [cap, spent] = [asNumber(this.ledger.cap), asNumber(await this.ledger.spent(this.source))];
    return { cap, spent, left: Math.max(0, cap - spent) };
  }

  /**
   * What the ledger knows without the network; null where there is something to decide upon.
   * @param {Visit} visit
   */
  async #before(visit) {
    const { stored, invitation, line } = visit;
    if (stored && stored.acknowledged !== null) return BEFORE;
    if (stored?.ended) return stored.ended;
    const closed = stored && line.clock() >= stored.closes;
    if (closed) return { state: "over", code: "expired", why: fact("outcome-expired") };
    if (stored) return { state: "waiting", code: "stored", why: fact("outcome-kept"), againAt: line.clock() };
    const { survey, token } = invitation;
    const lost = token !== "" && (await this.outbox.lost(survey, token));
    return lost ? { state: "declined", code: "ledger-lost", why: LOST } : null;
  }

  /**
   * @param {string | Invitation} invitation
   * @param {{patienceSeconds?: number} | undefined} how
   * @param {(visit: Visit) => Promise<Partial<Outcome> & {state: string, code: string, why: Fact}>} step
   * @returns {Promise<Outcome>}
   */
  async #step(invitation, { patienceSeconds = PATIENCE } = {}, step) {
    const invited = typeof invitation === "string" ? readInvitation(invitation) : invitation;
    if (this.base !== undefined && invited.base !== this.base) {
      throw new InvalidInput("this invitation is of another collector: open it at its own address");
    }
    const { survey, base } = invited;
    const memory = this.#memories.get(survey + invited.token) ?? {};
    this.#memories.set(survey + invited.token, memory);
    const line = new Line({ base, ...this.parts, end: this.parts.clock() + patienceSeconds });
    const { outbox, spreadSeconds } = this;
    const visit = new Visit({ invitation: invited, line, outbox, memory, spreadSeconds });
    let told;
    try {
      visit.stored = await outbox.of(survey);
      told = await step(visit);
    } catch (error) {
      told = ending(error);
      const { state, code, why } = told;
      const given = GIVEN_UP.includes(state);
      if (given) await outbox.givenUp(survey, { state, code, why }).catch(() => {}); // a busy ledger forgets later
    }
    if (GIVEN_UP.includes(told.state) || told.state === "answered") {
      delete memory.seat; // with what opens the slot
      delete memory.asked;
    }
    const stored = visit.stored;
    return {
      survey,
      epsilon: stored && asNumber(stored.cost),
      againAt: null,
      latestAt: told.state === "waiting" ? visit.latestAt : null,
      slot: stored?.slot ?? memory.seat?.slot ?? null,
      before: told.code === "ledger-lost",
      ...(memory.manifest && { manifest: memory.manifest }),
      ...(stored && { receipt: await receiptOf(stored) }),
      ...told,
    };
  }
}

const BEFORE = Object.freeze({ state: "answered", code: "before", why: fact("outcome-before") });

/**
 * @param {unknown} error
 * @returns {{state: string, code: string, why: Fact, againAt?: number}}
 */
function ending(error) {
  if (error instanceof Declined) {
    const message = error.message.slice(error.code.length + 2);
    return { state: "declined", code: error.code, why: fact("outcome-error", { message }) };
  }
  if (error instanceof Later) return { state: "waiting", code: error.code, why: error.why, againAt: error.at };
  if (error instanceof Ended) return { state: error.state, code: error.code, why: error.why };
  if (!(error instanceof Refusal)) throw error;
  return { state: error.status === 410 ? "over" : "refused", code: error.code, why: error.why };
}

/**
 * @param {Entry} entry
 * @returns {Promise<Receipt>}
 */
async function receiptOf({ survey, digest: question, slot, round, role, report, cost, ...rest }) {
  const { collector, purpose, source, sent, acknowledged } = rest;
  const made = { report: new TextDecoder().decode(report), reportDigest: await digest(report) };
  const told = { epsilon: asNumber(cost), collector, purpose, source, sent, acknowledged };
  return { survey, question, slot, round, role, ...made, ...told };
}
