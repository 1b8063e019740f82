/** Requests to the collector that served this page; where one fails, what is wrong in plain words. */

import { say } from "./words.js";

const PATIENCE = 30_000;
/** Advice that is for whoever writes programs. */
const PROGRAMS = /openapi/;

/** What went wrong, for people: a sentence, and what to do. `kind` is for the page. */
export class Trouble extends Error {
  /**
   * @param {"unreachable" | "slow" | "token" | "missing" | "early" | "busy" | "refused" | "strange"} kind
   * @param {string} message
   * @param {string} [advice]
   */
  constructor(kind, message, advice = "") {
    super(message);
    this.kind = kind;
    this.advice = advice;
  }

  get words() {
    return [this.message, this.advice].filter(Boolean).join(" ");
  }
}

/**
 * @typedef {object} Asked
 * @property {"GET" | "POST"} [method]
 * @property {string} [token]
 * @property {unknown} [body]
 * @property {string} [tag] the ETag of what is here already
 * @property {AbortSignal} [signal]
 */

/**
 * One request. Whoever gave it up gets an AbortError, everything else that fails is a `Trouble`.
 * @param {string} path below the collector's address
 * @param {Asked} [asked]
 * @returns {Promise<{status: number, tag: string, text: string}>}
 */
export async function request(path, asked = {}) {
  const patience = AbortSignal.timeout(PATIENCE);
  const signal = asked.signal ? AbortSignal.any([asked.signal, patience]) : patience;
  try {
    const reply = await fetch(path, {
      method: asked.method ?? "GET",
      headers: headersOf(asked),
      body: asked.body === undefined ? undefined : JSON.stringify(asked.body),
      signal,
      cache: "no-store",
      credentials: "omit",
      redirect: "error",
      referrerPolicy: "no-referrer",
    });
    const text = await reply.text();
    if (!reply.ok && reply.status !== 304) throw refusal(reply.status, text);
    return { status: reply.status, tag: reply.headers.get("etag") ?? "", text };
  } catch (error) {
    if (error instanceof Trouble || asked.signal?.aborted) throw error;
    throw failure(patience.aborted ? "slow" : "unreachable");
  }
}

/**
 * The same, and what the collector says as data.
 * @param {string} path
 * @param {Asked} [asked]
 * @returns {Promise<any>}
 */
export async function data(path, asked = {}) {
  return parsed((await request(path, asked)).text);
}

/**
 * @param {string} text
 * @returns {any}
 */
export function parsed(text) {
  try {
    return JSON.parse(text);
  } catch {
    throw failure("strange");
  }
}

/** @param {"slow" | "unreachable" | "strange"} kind */
function failure(kind) {
  return new Trouble(kind, say(`dashboard-trouble-${kind}`), say(`dashboard-trouble-${kind}-advice`));
}

/** @param {Asked} asked */
function headersOf(asked) {
  const headers = new Headers();
  if (asked.token) headers.set("authorization", `Bearer ${asked.token}`);
  if (asked.body !== undefined) headers.set("content-type", "application/json");
  if (asked.tag) headers.set("if-none-match", asked.tag);
  return headers;
}

/**
 * @param {number} status
 * @param {string} text
 */
function refusal(status, text) {
  let told;
  try {
    told = JSON.parse(text).error;
  } catch {
    told = undefined;
  }
  const said = typeof told?.message === "string" ? sentence(told.message) : say("dashboard-trouble-status", { status });
  const advice = typeof told?.do === "string" && !PROGRAMS.test(told.do) ? sentence(told.do) : "";
  if (status === 401 || status === 403) return new Trouble("token", say("dashboard-trouble-token"), advice);
  if (status === 404) return new Trouble("missing", say("dashboard-trouble-missing"));
  if (status === 425) return new Trouble("early", said, advice);
  if (status === 429 || status >= 500) return new Trouble("busy", said, advice || say("dashboard-trouble-busy-advice"));
  return new Trouble("refused", said, advice);
}

/** @param {string} words */
function sentence(words) {
  const said = words.trim().slice(0, 600);
  return said && `${said[0]?.toUpperCase()}${said.slice(1)}${/[.!?]$/.test(said) ? "" : "."}`;
}
