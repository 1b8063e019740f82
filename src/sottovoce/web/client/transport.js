// Requests over the network: the browser's, with limits on time and size, and nothing that follows a person.
//
// No redirects, no cookies, no referrer, no cache but for documents that never change. What a browser says of itself
// (its name, its languages) it says here too.

import { checkAddress } from "./invitation.js";

/** @typedef {{status: number, body: Uint8Array<ArrayBuffer>, waitSeconds: number | null}} Reply
 *   What came back. `waitSeconds` is what Retry-After asks for, if it does. */
/** @typedef {{method: string, url: string, token?: string, body?: Uint8Array<ArrayBuffer>, limit: number,
 *   patienceSeconds?: number, unchanging?: boolean}} Asking
 *   `token` is shown as Authorization: Bearer; `body` is JSON; `patienceSeconds` is what is left of it; a document that
 *   is `unchanging` may come from the browser's cache. */

export const MAX_REPLY_BYTES = 2 ** 16;
const LONGEST_WAIT = 86_400; // seconds that a collector can make a device wait by one reply
const TIMEOUT = 15; // seconds for a request in any case; four times as many where patience lasts

/** No reply: the network, the collector's machine or its certificate. */
export class Unreachable extends Error {}

/** A reply that is longer than what was asked for can be. */
export class TooLarge extends Error {}

/**
 * One request, one reply, or `Unreachable`, or `TooLarge`. However slowly the other side sends, it ends in time.
 * @param {typeof fetch} fetch
 * @param {Asking} asking
 * @returns {Promise<Reply>}
 */
export async function request(fetch, { method, url, token, body, limit, patienceSeconds = Infinity, unchanging }) {
  checkAddress(url);
  /** @type {Record<string, string>} */
  const headers = { Accept: "application/json" };
  if (token) headers.Authorization = `Bearer ${token}`;
  if (body) headers["Content-Type"] = "application/json";
  const seconds = Math.max(TIMEOUT, Math.min(4 * TIMEOUT, patienceSeconds));
  try {
    const response = await fetch(url, {
      method,
      headers,
      body: body ?? null,
      credentials: "omit",
      redirect: "error",
      referrerPolicy: "no-referrer",
      cache: unchanging ? "default" : "no-store",
      signal: AbortSignal.timeout(1000 * seconds),
    });
    const waitSeconds = secondsOf(response.headers.get("Retry-After"));
    return { status: response.status, body: await read(response, limit), waitSeconds };
  } catch (error) {
    if (error instanceof TooLarge) throw error;
    const name = error instanceof Error || error instanceof DOMException ? error.name : "Error";
    throw new Unreachable(`the collector cannot be reached (${name})`); // its words may name an address
  }
}

/**
 * The body, as long as it is not too long.
 * @param {Response} response
 * @param {number} limit
 */
async function read(response, limit) {
  const parts = [];
  let size = 0;
  const reader = response.body?.getReader();
  for (let block; reader && !(block = await reader.read()).done; ) {
    parts.push(block.value);
    size += block.value.length;
    if (size > limit) {
      reader.cancel().catch(() => {});
      throw new TooLarge(`a reply of at most ${limit} bytes was expected; it has more`);
    }
  }
  const whole = new Uint8Array(size);
  let at = 0;
  for (const part of parts) {
    whole.set(part, at);
    at += part.length;
  }
  return whole;
}

/**
 * Retry-After as seconds; a date in its place is passed over, and the device's own patience goes on.
 * @param {string | null} text
 */
function secondsOf(text) {
  return text !== null && /^[0-9]{1,9}$/.test(text) ? Math.min(Number(text), LONGEST_WAIT) : null;
}
