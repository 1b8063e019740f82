/**
 * The chain of a transcript, followed: manifest → question → tally → question → … → answer. Digests are computed here,
 * of the very texts that were published; what only a replay can tell is not claimed.
 */

import { say } from "./words.js";

/** @typedef {{ok: boolean, words: string}} Check */
/** @typedef {{kind: string, title: string, digest: string, about: string, checks: Check[]}} Link */
/** @typedef {{links: Link[], whole: boolean}} Chain */

/**
 * What this page was told elsewhere, which the transcript must agree with.
 * @typedef {{survey: string, questions: string[], value: number | null}} Known
 */

/**
 * SHA-256 of a text.
 * @param {string} text
 */
export async function digest(text) {
  const bytes = new Uint8Array(await crypto.subtle.digest("SHA-256", new TextEncoder().encode(text)));
  return [...bytes].map((byte) => byte.toString(16).padStart(2, "0")).join("");
}

/**
 * @param {string} transcript
 * @param {Known} known
 * @returns {Promise<Chain>}
 */
export async function followed(transcript, known) {
  const told = read(transcript);
  if (typeof told.manifest !== "string" || !Array.isArray(told.rounds)) {
    const nothing = { kind: "manifest", title: say("dashboard-chain-manifest"), digest: "", about: "" };
    return { links: [{ ...nothing, checks: [{ ok: false, words: say("dashboard-chain-readable") }] }], whole: false };
  }
  const manifest = read(told.manifest);
  const links = [await promised(told.manifest, manifest, known)];
  let before = { end: 0, closed: 0 };
  for (const [place, round] of told.rounds.entries()) {
    const question = read(round.question);
    const own = await digest(String(round.question));
    links.push(asked(place, question, own, round, before, known), await counted(place, round, own, manifest));
    before = { end: endOf(question), closed: Number(round.closed) };
  }
  if (told.answer || told.abandoned) links.push(await ended(told, known));
  return { links, whole: links.every((link) => link.checks.every((check) => check.ok)) };
}

/**
 * Whatever cannot be read has no parts.
 * @param {unknown} text
 * @returns {Record<string, any>}
 */
function read(text) {
  try {
    const found = JSON.parse(String(text));
    return found !== null && typeof found === "object" ? found : {};
  } catch {
    return {};
  }
}

/** @param {unknown} value */
const written = (value) => String(value ?? "");

/** @param {Record<string, any>} question */
function endOf(question) {
  return Number(question.slots?.first) + Number(question.slots?.count);
}

/**
 * @param {string} text
 * @param {Record<string, any>} manifest
 * @param {Known} known
 * @returns {Promise<Link>}
 */
async function promised(text, manifest, known) {
  const own = await digest(text);
  const [purpose, collector] = [manifest.purpose, manifest.collector].map(written);
  return {
    kind: "manifest",
    title: say("dashboard-chain-manifest"),
    digest: own,
    about: say("dashboard-chain-promised", { purpose, collector }),
    checks: [{ ok: own === known.survey, words: say("dashboard-chain-named") }],
  };
}

/**
 * @param {number} place
 * @param {Record<string, any>} question
 * @param {string} own
 * @param {Record<string, any>} round
 * @param {{end: number, closed: number}} before
 * @param {Known} known
 * @returns {Link}
 */
function asked(place, question, own, round, before, known) {
  const [first, end] = [Number(question.slots?.first), endOf(question)];
  return {
    kind: "question",
    title: say("dashboard-chain-question", { round: place + 1, role: written(question.role) }),
    digest: own,
    about: "",
    checks: [
      { ok: question.survey === known.survey, words: say("dashboard-chain-survey") },
      { ok: known.questions[place] === own, words: say("dashboard-chain-published") },
      { ok: first >= before.end && end > first, words: say("dashboard-chain-slots", { first: first + 1, last: end }) },
      ...(place ? [{ ok: Number(round.closed) >= before.closed, words: say("dashboard-chain-later") }] : []),
    ],
  };
}

/**
 * @param {number} place
 * @param {Record<string, any>} round
 * @param {string} question
 * @param {Record<string, any>} manifest
 * @returns {Promise<Link>}
 */
async function counted(place, round, question, manifest) {
  const [answered, minimum] = [Number(round.answered), Number(manifest.minimum)];
  const about = say("dashboard-chain-answered", { answered });
  const title = say("dashboard-chain-tally", { round: place + 1 });
  if (!round.tally) {
    const few = answered < minimum;
    const words = few ? say("dashboard-chain-few", { answered, minimum }) : say("dashboard-chain-missing");
    return { kind: "tally", title, digest: "", about, checks: [{ ok: few, words }] };
  }
  const tally = read(round.tally);
  const checks = [{ ok: tally.question === question, words: say("dashboard-chain-answers") }];
  return { kind: "tally", title, digest: await digest(String(round.tally)), about, checks };
}

/**
 * @param {Record<string, any>} told
 * @param {Known} known
 * @returns {Promise<Link>}
 */
async function ended(told, known) {
  if (!told.answer) {
    const about = String(told.abandoned);
    return { kind: "end", title: say("dashboard-chain-end"), digest: "", about, checks: [] };
  }
  const found = read(told.answer);
  const checks = [{ ok: Object.keys(found).length > 0, words: say("dashboard-chain-readable") }];
  const title = say("dashboard-chain-answer");
  if (known.value !== null)
    checks.push({ ok: Number(found.value) === known.value, words: say("dashboard-chain-shown") });
  return { kind: "answer", title, digest: await digest(String(told.answer)), about: "", checks };
}
