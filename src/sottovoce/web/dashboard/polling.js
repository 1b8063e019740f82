/**
 * Looking again, politely: with the tag of what is here, so that nothing travels that has not changed; seldom while
 * nobody looks at the page; less and less often while the collector cannot be reached; and not at all once it is over.
 */

import { Trouble, parsed, request } from "./collector.js";

const HIDDEN = 30_000;
const LONGEST = 60_000;

/**
 * @template Data
 * @param {string} path
 * @param {object} told
 * @param {(data: Data) => void} told.seen something new
 * @param {(trouble: Trouble | null) => void} told.trouble what is wrong; null: no longer
 * @param {(data: Data) => number | null} told.every milliseconds until the next look; null: it is over
 * @returns {{stop: () => void, now: () => void}}
 */
export function watch(path, { seen, trouble, every }) {
  const end = new AbortController();
  let tag = "";
  let usual = /** @type {number | null} */ (0);
  let wait = usual;
  let failures = 0;
  let timer = 0;
  let busy = false;

  async function look() {
    if (busy || end.signal.aborted) return;
    busy = true;
    clearTimeout(timer);
    try {
      const reply = await request(path, { tag, signal: end.signal });
      if (failures) trouble(null);
      failures = 0;
      if (reply.status !== 304) {
        const found = /** @type {Data} */ (parsed(reply.text));
        tag = reply.tag;
        usual = every(found);
        seen(found);
      }
      wait = usual;
    } catch (error) {
      if (end.signal.aborted) return;
      if (!(error instanceof Trouble)) throw error;
      failures += 1;
      wait = error.kind === "missing" ? null : Math.min(LONGEST, 2000 * 2 ** Math.min(failures, 5));
      trouble(error);
    } finally {
      busy = false;
    }
    again();
  }

  function again() {
    clearTimeout(timer);
    if (wait !== null && !end.signal.aborted) timer = setTimeout(look, document.hidden ? Math.max(wait, HIDDEN) : wait);
  }

  function turned() {
    if (document.hidden) again();
    else if (wait !== null) void look();
  }

  document.addEventListener("visibilitychange", turned, { signal: end.signal });
  addEventListener("online", () => void look(), { signal: end.signal });
  void look();
  return {
    stop: () => {
      clearTimeout(timer);
      end.abort();
    },
    now: () => void look(),
  };
}
