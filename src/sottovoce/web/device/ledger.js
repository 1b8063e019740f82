// What a device has said and spent. Durable, and written before anything is sent.
//
// One IndexedDB database, of this origin in this browser's profile. A row of `answer` is a promise kept: this survey of
// this collector was answered with these bytes, at this cost to this source of data. `total` holds their sums, from the
// same transactions; `beside` is what a client notes, and nothing here reads it.
//
// Why two tabs cannot both answer, and nothing is half written:
// - Check, noise and row belong to one read-write transaction. The browser runs those over the same stores one after
//   another, in all tabs, and `add` fails where a row is there. A Web Lock around it says so a second time.
// - A transaction commits by itself once no request of it is under way and control goes back to the browser. So nothing
//   is awaited inside but its own requests; digests came before, and `make` is an ordinary function: nothing else runs
//   between the look at the rows and the order to add one.
// - Bytes are given out after `complete`, with durability "strict": the disk was asked to write. A tab that ends before
//   leaves no row, and sent nothing; after one that ends later the same bytes are sent.
// - Whatever else happens (no database, no locks, a quota, a later version, cleared storage) is "ledger-unavailable".

import { check, Declined } from "./errors.js";
import { asNumber, atMost, exact, plus, readFraction, text } from "./exact.js";
import { MAX_REPORT_BYTES } from "./limits.js";

/** @typedef {import("./exact.js").Fraction} Fraction */
/** @typedef {(name: string) => IDBObjectStore} Stores of one transaction, by name */
/** @typedef {(stores: Stores) => void | Promise<void>} Beside what a client notes with an answer */
/** @typedef {{collector: string, survey: string, source: string, question: string, slot: number, epsilon: string,
 *   report: Uint8Array<ArrayBuffer>, number: number}} Answer `number` counts the answers of the ledger */
/** @typedef {{source: string, epsilon: string, answers: number, bytes: number}} Total */

export const MAX_LEDGER_ANSWERS = 2 ** 16;
export const MAX_LEDGER_BYTES = 2 ** 26;
const VERSION = 1;
const KEYS = { answer: ["collector", "survey"], total: "source", beside: ["kind", "name"] };
const MOMENT = 30_000; // milliseconds to open it, or for other tabs to let go of the lock
const BLOCK = 256; // answers read together

/** The result of a request; inside of a transaction only this may be awaited.
 * @type {<T>(request: IDBRequest<T>) => Promise<T>} */
export const asked = (request) =>
  new Promise((resolve, reject) => {
    request.onsuccess = () => resolve(request.result);
    request.onerror = () => reject(request.error);
  });

/** Whatever else goes wrong is one decline. @type {(error: any) => never} */
const declined = (error) => {
  if (error instanceof Declined) throw error;
  throw new Declined("ledger-unavailable", `the ledger cannot be used now (${error?.name})`);
};

/** @type {(name: string) => Promise<IDBDatabase>} */
const connect = (name) =>
  new Promise((resolve, reject) => {
    const request = indexedDB.open(name, VERSION);
    setTimeout(reject, MOMENT, { name: "TimeoutError" });
    request.onblocked = () => reject({ name: "BlockedError" });
    request.onerror = () => reject(request.error);
    request.onupgradeneeded = () => {
      for (const [store, keyPath] of Object.entries(KEYS)) request.result.createObjectStore(store, { keyPath });
    };
    request.onsuccess = () => {
      const database = request.result;
      database.onversionchange = () => database.close(); // deleted, or a later version
      resolve(database);
    };
  });

/** The budget of one device: all answers about one `source`, whoever asked, cost at most `cap` together, and each survey
 * of a collector is answered at most once. Costs are exact. */
export class Ledger {
  #database;
  /** Whether the browser promises to keep it when room runs short. Some ask the person first. */
  persistent = Promise.resolve(navigator.storage?.persist?.() ?? false).catch(() => false);

  /** @param {IDBDatabase} database @param {Fraction} cap */
  constructor(database, cap) {
    this.#database = database;
    this.cap = cap;
  }

  /** The ledger of this origin. Its totals must be those of its answers. @param {{cap: number, name?: string}} told */
  static async open({ cap, name = "sottovoce" }) {
    if (!(cap > 0 && cap < Infinity)) throw new RangeError("cap must be a positive number");
    const ledger = new Ledger(await connect(name).catch(declined), exact(cap));
    await ledger.transaction(["answer", "total"], "readonly", verify);
    return ledger;
  }

  /**
   * The bytes to send: those stored for this question and slot, or fresh ones, stored before they are returned. Or
   * `Declined`, the ledger unchanged: already-answered (to another question, as another slot, about another source),
   * over-budget for the source, ledger-full or ledger-unavailable.
   * @param {{collector: string, survey: string, source: string, question: string, epsilon: Fraction,
   *   make: () => Uint8Array, slot?: number, beside?: Beside}} told
   */
  async answer({ collector, survey, source, question, epsilon, make, slot = 0, beside }) {
    return this.transaction(Object.keys(KEYS), "readwrite", async (stores) => {
      /** @type {Answer | undefined} */
      const row = await asked(stores("answer").get([collector, survey]));
      if (row && !(row.question === question && row.source === source && row.slot === slot)) {
        throw new Declined("already-answered", `survey ${survey} was answered before, and gets one answer`);
      }
      /** @type {Total[]} */
      const totals = await asked(stores("total").getAll());
      const total = totals.find((one) => one.source === source) ?? nothing(source);
      const [answers, held] = totals.reduce((sum, one) => [sum[0] + one.answers, sum[1] + one.bytes], [0, 0]);
      const spent = readFraction(total.epsilon);
      if (!row && !atMost(plus(spent, epsilon), this.cap)) {
        const [cost, before, cap] = [epsilon, spent, this.cap].map(asNumber);
        throw new Declined("over-budget", `survey ${survey} costs ${cost} on top of ${before}; the cap is ${cap}`);
      }
      if (!row && (answers >= MAX_LEDGER_ANSWERS || held + MAX_REPORT_BYTES > MAX_LEDGER_BYTES)) {
        throw new Declined("ledger-full", `${answers} answers of ${held} bytes in all leave no room for another`);
      }
      const report = row ? row.report : make();
      if (!row) {
        const key = { collector, survey, source, question, slot, epsilon: text(epsilon) };
        stores("total").put(added(total, epsilon, report));
        stores("answer").add({ ...key, report, number: answers });
      }
      await beside?.(stores);
      return report;
    });
  }

  /** What the answers about one source have cost so far, exactly. @param {string} source */
  async spent(source) {
    const row = await this.transaction(["total"], "readonly", (stores) => asked(stores("total").get(source)));
    return readFraction((row ?? nothing(source)).epsilon);
  }

  /**
   * All of `work` on the stores or nothing, and alone. It awaits nothing but their requests.
   * @template T
   * @param {string[]} stores
   * @param {"readonly" | "readwrite"} mode
   * @param {(stores: Stores) => Promise<T>} work
   * @returns {Promise<T>}
   */
  async transaction(stores, mode, work) {
    const run = async () => {
      const transaction = this.#database.transaction(stores, mode, { durability: "strict" });
      const complete = new Promise((resolve, reject) => {
        transaction.oncomplete = resolve;
        transaction.onabort = () => reject(transaction.error);
      });
      const ended = complete.catch(() => {});
      try {
        check(transaction.durability === "strict", "a browser that knows durability");
        const result = await work((name) => transaction.objectStore(name));
        await complete;
        return result;
      } catch (error) {
        try {
          transaction.abort();
        } catch {} // it has ended already; what went wrong before is what counts
        await ended;
        throw error;
      }
    };
    /** @type {any} */
    const held = { mode: mode === "readonly" ? "shared" : "exclusive", signal: AbortSignal.timeout(MOMENT) };
    const alone = async () => navigator.locks.request(`sottovoce ledger ${this.#database.name}`, held, run);
    return alone().catch(declined);
  }

  /** What was answered stays. */
  close() {
    this.#database.close();
  }
}

/** @type {(source: string) => Total} */
const nothing = (source) => ({ source, epsilon: "0/1", answers: 0, bytes: 0 });

/** @type {(total: Total, cost: Fraction, report: Uint8Array) => Total} */
function added({ source, epsilon, answers, bytes }, cost, report) {
  check(cost.n > 0n && report instanceof Uint8Array, "an answer has a cost, and is bytes");
  const sum = plus(readFraction(epsilon), cost);
  return { source, epsilon: text(sum), answers: answers + 1, bytes: bytes + report.length };
}

/** The totals again, from the answers themselves: once, when a ledger is opened. @param {Stores} stores */
async function verify(stores) {
  /** @type {Map<string, Total>} */
  const sums = new Map();
  for (let after = null, rows; (rows = await asked(stores("answer").getAll(after, BLOCK))).length > 0; ) {
    for (const { source, epsilon, report } of rows) {
      sums.set(source, added(sums.get(source) ?? nothing(source), readFraction(epsilon), report));
    }
    const { collector, survey } = rows[rows.length - 1];
    after = IDBKeyRange.lowerBound([collector, survey], true);
  }
  const made = [...sums.values()].sort((one, other) => (one.source < other.source ? -1 : 1)); // as the store has them
  if (JSON.stringify(made) !== JSON.stringify(await asked(stores("total").getAll()))) {
    throw new Declined("ledger-unavailable", "answers came or went by another hand: the ledger's totals do not fit");
  }
}
