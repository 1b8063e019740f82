// What a device has said and spent, durable before anything is sent: an `answer` to each survey, sums by source of data
// (`total`), a client's notes (`beside`).

import { check, Declined } from "./errors.js";
import { atMost, exact, plus, readFraction, text } from "./exact.js";
import { MAX_REPORT_BYTES } from "./limits.js";

export const MAX_LEDGER_ANSWERS = 2 ** 16;
export const MAX_LEDGER_BYTES = 2 ** 26;
const KEYS = { answer: ["collector", "survey"], total: "source", beside: ["kind", "name"] };
const MOMENT = 30_000; // milliseconds

export const asked = (request) =>
  new Promise((resolve, reject) => {
    request.onsuccess = () => resolve(request.result);
    request.onerror = () => reject(request.error);
  });

/** Whatever else happens is one decline. */
const declined = (error) => {
  if (error instanceof Declined) throw error;
  throw new Declined("ledger-unavailable", `it cannot be used now (${error?.name})`);
};

const connect = async (name) => {
  const request = indexedDB.open(name, 1);
  request.onupgradeneeded = () => {
    for (const [store, keyPath] of Object.entries(KEYS)) request.result.createObjectStore(store, { keyPath });
  };
  const late = new Promise((_, reject) => {
    setTimeout(reject, MOMENT, { name: "TimeoutError" });
    request.onblocked = () => reject({ name: "BlockedError" });
  });
  const opened = asked(request).then((database) => {
    database.onversionchange = () => database.close(); // deleted, or a later version
    return database;
  });
  return Promise.race([opened, late]);
};

/** All answers about one `source` cost at most `cap` together, exactly; a survey gets at most one. */
export class Ledger {
  #database;
  /** Whether the browser promises to keep it. */
  persistent = Promise.resolve(navigator.storage?.persist?.() ?? false).catch(() => false);

  constructor(database, cap) {
    this.#database = database;
    this.cap = cap;
  }

  static async open({ cap, name = "sottovoce" }) {
    if (!(cap > 0 && cap < Infinity)) throw new RangeError("cap must be a positive number");
    const ledger = new Ledger(await connect(name).catch(declined), exact(cap));
    await ledger.transaction(["answer", "total"], "readonly", verify);
    return ledger;
  }

  /** The bytes stored for this question and slot, or fresh ones, stored before they are returned. */
  answer({ collector, survey, source, question, epsilon, make, slot = 0, beside }) {
    return this.transaction(Object.keys(KEYS), "readwrite", async (stores) => {
      const row = await asked(stores("answer").get([collector, survey]));
      if (row && !(row.question === question && row.source === source && row.slot === slot)) {
        throw new Declined("already-answered", `survey ${survey} gets one answer`);
      }
      let report = row?.report;
      if (!row) {
        const totals = await asked(stores("total").getAll());
        const [answers, held] = totals.reduce(([all, bytes], one) => [all + one.answers, bytes + one.bytes], [0, 0]);
        const total = totals.find((one) => one.source === source) ?? nothing(source);
        const spent = readFraction(total.epsilon);
        if (!atMost(plus(spent, epsilon), this.cap)) throw new Declined("over-budget", "it costs more than is left");
        const full = answers >= MAX_LEDGER_ANSWERS || held + MAX_REPORT_BYTES > MAX_LEDGER_BYTES;
        if (full) throw new Declined("ledger-full", `no room beside ${answers} answers`);
        report = make();
        stores("total").put(added(total, epsilon, report));
        const key = { collector, survey, source, question, slot };
        stores("answer").add({ ...key, epsilon: text(epsilon), report, number: answers });
      }
      await beside?.(stores);
      return report;
    });
  }

  async spent(source) {
    const row = await this.transaction(["total"], "readonly", (stores) => asked(stores("total").get(source)));
    return readFraction((row ?? nothing(source)).epsilon);
  }

  /** All of `work` or nothing, and alone. It awaits requests only. */
  async transaction(names, mode, work) {
    const run = async () => {
      const transaction = this.#database.transaction(names, mode, { durability: "strict" });
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
        } catch {} // it has ended already
        await ended;
        throw error;
      }
    };
    /** @type {any} */
    const held = { mode: mode === "readonly" ? "shared" : "exclusive", signal: AbortSignal.timeout(MOMENT) };
    const alone = async () => navigator.locks.request(`sottovoce ledger ${this.#database.name}`, held, run);
    return alone().catch(declined);
  }

  close() {
    this.#database.close();
  }
}

const nothing = (source) => ({ source, epsilon: "0/1", answers: 0, bytes: 0 });

const added = ({ source, epsilon, answers, bytes }, cost, report) => {
  check(cost.n > 0n && report instanceof Uint8Array, "an answer has a cost, and is bytes");
  const sum = text(plus(readFraction(epsilon), cost));
  return { source, epsilon: sum, answers: answers + 1, bytes: bytes + report.length };
};

const verify = async (stores) => {
  const sums = new Map();
  for (let after = null, rows; (rows = await asked(stores("answer").getAll(after, 256))).length > 0; ) {
    for (const { source, epsilon, report } of rows) {
      sums.set(source, added(sums.get(source) ?? nothing(source), readFraction(epsilon), report));
    }
    const { collector, survey } = rows.at(-1);
    after = IDBKeyRange.lowerBound([collector, survey], true);
  }
  const totals = await asked(stores("total").getAll());
  const fits = (one) => JSON.stringify(one) === JSON.stringify(sums.get(one.source));
  if (totals.length !== sums.size || !totals.every(fits)) {
    throw new Declined("ledger-unavailable", "answers came or went by another hand");
  }
};
