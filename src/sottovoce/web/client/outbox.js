// The outbox: what a device was asked and by whom, where its answer goes, and whether it arrived.
//
// It lies in the ledger's own database. A row is written in the transaction that stores the answer, before anything is
// sent; what is sent, again and again if need be, are the bytes that the ledger holds. Nothing here can make a report.

import { digest } from "../device/canonical.js";
import { readFraction } from "../device/exact.js";
import { asked, MAX_LEDGER_BYTES } from "../device/ledger.js";

/** @typedef {import("../device/ledger.js").Ledger} Ledger */
/** @typedef {Record<string, any>} Answer */
/** @typedef {(stores: (name: string) => IDBObjectStore) => void | Promise<void>} Beside */
/** @typedef {{n: bigint, d: bigint}} Fraction */
/** @typedef {{state: string, code: string, why: import("./fact.js").Fact}} End Why an answer is not taken. */
/** @typedef {object} Row What is noted beside an answer; its name is the survey.
 * @property {string} address mutable; where the collector is
 * @property {string} capability mutable; hands in the report; emptied when it has arrived, or is not taken
 * @property {Uint8Array} question mutable; the bytes that were answered; emptied where there is no more room
 * @property {number} round
 * @property {string} role
 * @property {string} collector who asked, in the manifest's words
 * @property {string} purpose what for, in the manifest's words
 * @property {number} closes nothing is sent from then on, by the manifest
 * @property {number | null} sent mutable once; when it was first handed to the network, in seconds since 1970
 * @property {number | null} acknowledged mutable once; when it was first known to have arrived
 * @property {End | null} ended mutable; why it was given up
 */
/** @typedef {Row & {survey: string, source: string, digest: string, slot: number, cost: Fraction,
 *   report: Uint8Array<ArrayBuffer>}}
 *   Entry An answer and what became of it; `digest` is the question's, `question` its bytes. */
/** @typedef {{kind: "seat", name: string, visit: string, lost: boolean}} Note
 *   That this ledger has enrolled under a token of a survey, or was about to; `name` is the digest of the two. `visit`
 *   is the random number that it shows then; `lost`: the seat was taken without it, by another ledger. */

const STORE = "beside";

export class Outbox {
  /** @param {Ledger} ledger */
  constructor(ledger) {
    this.ledger = ledger;
  }

  /**
   * For `respond`: writes the row of an answer beside it. Tried again, only where it goes to may change.
   * @param {string} survey
   * @param {Omit<Row, "sent" | "acknowledged" | "ended">} row
   * @returns {Beside}
   */
  posting(survey, row) {
    return async (stores) => {
      const store = stores(STORE);
      const rows = await asked(store.getAll(IDBKeyRange.bound(["outbox"], ["outbox", []])));
      const before = rows.find((one) => one.name === survey);
      if (!before) {
        const held = rows.reduce((sum, one) => sum + one.question.length, row.question.length);
        const room = held <= MAX_LEDGER_BYTES;
        for (const one of room ? [] : rows) store.put({ ...one, question: new Uint8Array() }); // digests stay
        store.add({ kind: "outbox", name: survey, ...row, sent: null, acknowledged: null, ended: null });
      } else if (before.acknowledged === null) {
        store.put({ ...before, address: row.address, capability: row.capability, ended: null });
      }
    };
  }

  /**
   * Every answer, in order.
   * @returns {Promise<Entry[]>}
   */
  async history() {
    return this.ledger.transaction(["answer", STORE], "readonly", async (stores) => {
      const answers = await asked(stores("answer").getAll());
      const rows = await asked(stores(STORE).getAll(IDBKeyRange.bound(["outbox"], ["outbox", []])));
      const beside = new Map(rows.map((row) => [row.name, row]));
      answers.sort((one, other) => one.number - other.number);
      return answers.flatMap((answer) => joined(answer, beside.get(answer.survey)) ?? []);
    });
  }

  /**
   * The answer to a survey, if it was given.
   * @param {string} survey
   * @returns {Promise<Entry | null>}
   */
  async of(survey) {
    return this.ledger.transaction(["answer", STORE], "readonly", async (stores) => {
      const answer = await asked(stores("answer").get([survey, survey]));
      return joined(answer, await asked(stores(STORE).get(["outbox", survey])));
    });
  }

  /**
   * An answer is about to be handed to the network; the first time counts.
   * @param {string} survey
   * @param {number} now
   */
  async sent(survey, now) {
    await this.#change(survey, (row) => ({ ...row, sent: row.sent ?? now }));
  }

  /**
   * An answer has arrived: what opened its slot is forgotten. The answer itself never is.
   * @param {string} survey
   * @param {number} now
   */
  async acknowledged(survey, now) {
    const arrived = (/** @type {Row} */ row) => ({ ...row, acknowledged: row.acknowledged ?? now, capability: "" });
    await this.#change(survey, arrived, true);
  }

  /**
   * An answer is not taken: what opened its slot is forgotten, and where all is over the own token too.
   *
   * The answer and its cost stay. Whoever tries again enrols again, under the same token, and sends the same bytes.
   * @param {string} survey
   * @param {End} ended
   */
  async givenUp(survey, ended) {
    await this.#change(survey, (row) => ({ ...row, capability: "", ended }), ended.state === "over");
  }

  /**
   * The token under which this device enrols where its invitation gives none: the same at every try.
   * @param {string} survey
   * @param {() => string} make
   * @returns {Promise<string>}
   */
  async token(survey, make) {
    return this.ledger.transaction([STORE], "readwrite", async (stores) => {
      const found = await asked(stores(STORE).get(["token", survey]));
      const row = found ?? { kind: "token", name: survey, token: make() };
      if (!found) stores(STORE).add(row);
      return row.token;
    });
  }

  /**
   * Before this device enrols: what it shows then, the same at every try, and whether that is no use any more.
   * @param {string} survey
   * @param {string} token
   * @param {() => string} make
   * @returns {Promise<Note>}
   */
  async enrolling(survey, token, make) {
    const name = await nameOf(survey, token);
    return this.ledger.transaction([STORE], "readwrite", async (stores) => {
      const found = await asked(stores(STORE).get(["seat", name]));
      const note = found ?? { kind: "seat", name, visit: make(), lost: false };
      if (!found) stores(STORE).add(note);
      return note;
    });
  }

  /**
   * Another ledger enrolled under a token: this one never will.
   * @param {string} survey
   * @param {string} token
   * @param {string} visit
   */
  async usedElsewhere(survey, token, visit) {
    const name = await nameOf(survey, token);
    await this.ledger.transaction([STORE], "readwrite", async (stores) => {
      stores(STORE).put({ kind: "seat", name, visit, lost: true });
    });
  }

  /**
   * Whether that is noted of a token.
   * @param {string} survey
   * @param {string} token
   * @returns {Promise<boolean>}
   */
  async lost(survey, token) {
    const name = await nameOf(survey, token);
    return this.ledger.transaction([STORE], "readonly", async (stores) => {
      return (await asked(stores(STORE).get(["seat", name])))?.lost ?? false;
    });
  }

  /**
   * @param {string} survey
   * @param {(row: Row) => Row} change
   * @param {boolean} [forget] the own token
   */
  async #change(survey, change, forget = false) {
    await this.ledger.transaction([STORE], "readwrite", async (stores) => {
      const store = stores(STORE);
      const row = await asked(store.get(["outbox", survey]));
      if (row) store.put(change(row));
      if (forget) store.delete(["token", survey]);
    });
  }
}

/**
 * What a note is kept under. With the survey: one token in two of them gets two numbers, which nobody can connect.
 * @param {string} survey
 * @param {string} token
 */
const nameOf = (survey, token) => digest(new TextEncoder().encode(`${survey}.${token}`));

/**
 * An answer and its row; null where one of them is missing: it was not given through an outbox.
 * @param {Answer | undefined} answer
 * @param {(Row & {kind?: string, name?: string}) | undefined} row
 * @returns {Entry | null}
 */
function joined(answer, row) {
  if (!answer || !row || answer.collector !== answer.survey) return null;
  const { survey, source, question, slot, epsilon, report } = answer;
  const { kind, name, ...rest } = row;
  return { ...rest, survey, source, digest: question, slot, cost: readFraction(epsilon), report };
}
