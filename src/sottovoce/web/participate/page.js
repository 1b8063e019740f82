/**
 * The page on which a person answers a survey: reads the invitation, shows what is asked, takes their data, shows what
 * would be sent and how little it says, sends once, and gives a receipt. It decides nothing: the device does.
 */

import { Device } from "../client/device.js";
import { InvalidInput, readInvitation } from "../client/invitation.js";
import { Declined } from "../device/errors.js";
import { readManifest } from "../device/manifest.js";
import { digest } from "../device/canonical.js";
import { fact } from "../client/fact.js";
import { byId, element, show, takeOver } from "../shared/dom.js";
import { again, noMore, remember, remembered, sooner } from "./again.js";
import { asking, trusting } from "./asking.js";
import { giving } from "./giving.js";
import { ownOf } from "./own.js";
import { program } from "./pinned.js";
import { checking, fetched, receiptOf, said } from "./receipt.js";
import { seeing } from "./seeing.js";
import { sending } from "./sending.js";
import { clear, goTo, stage, step, steps, title, voice } from "./stage.js";
import { ended, waiting } from "./states.js";
import { say } from "./words.js";

/** @typedef {import("../client/device.js").Outcome} Outcome */
/** @typedef {import("./data.js").Observed} Observed */

/** What this browser ever spends on its person's data, and what it calls them: as `sotto answer` does. */
const CAP = 4;
const SOURCE = "my data";

/** @type {Device} */ let device;
/** @type {import("../client/invitation.js").Invitation} */ let invitation;
/** @type {import("./pinned.js").Program} */ let running;
/** @type {any} */ let manifest = null;
/** @type {Observed | null} */ let seen = null;
/** @type {ReturnType<typeof giving> | null} */ let form = null;
/** @type {ReturnType<typeof waiting>} */ let standing;

/** @param {Outcome} outcome @returns {Promise<void>} */
async function proceed(outcome) {
  noMore();
  if (outcome.manifest && !manifest) manifest = outcome.manifest;
  title(manifest);
  switch (outcome.state) {
    case "open":
      return opened();
    case "asked":
      return asked(outcome);
    case "answered":
      return answered(outcome);
    case "waiting":
      return outcome.receipt ? stored(outcome) : later(outcome);
    default:
      return over(outcome);
  }
}

/** What is asked, and the form for the data; where the person had come further before, from there. */
async function opened() {
  const early = manifest.opens > Date.now() / 1000;
  if (!early || !document.getElementById("waiting")) {
    step(
      "asked",
      1,
      say("page-step-asked"),
      asking(manifest),
      trusting(running, { url: location.href, survey: invitation.survey }),
    );
  }
  if (manifest.access === "invited" && !invitation.token) {
    return over({ state: "refused", code: location.hash ? "no-token" : "no-fragment" });
  }
  if (early) return wait({ words: [opening()], at: manifest.opens, look: opened });
  form = giving({ manifest, again: remembered(invitation.survey), see, changed: () => clear("seen") });
  step("data", 2, say("page-step-data"), form.place);
  if (remembered(invitation.survey)) await proceed(await device.ask(invitation));
}

/** @param {Observed} observed */
async function see(observed) {
  seen = observed;
  remember(invitation.survey, true);
  form?.busy(true);
  voice.textContent = say("page-data-asking");
  try {
    await proceed(await device.ask(invitation));
  } finally {
    form?.busy(false);
    voice.textContent = "";
  }
}

/** @param {Outcome} outcome */
async function asked({ asked: told }) {
  clear("waiting");
  if (!told || !seen) return; // after a reload: the question is there, the data are not
  const { question, slot, epsilon } = told;
  const own = ownOf(question, seen.values, slot);
  const head = step("seen", 3, say("page-step-seen"), seeing({ question, own, manifest, epsilon }));
  const last = sending({
    question,
    manifest,
    epsilon,
    budget: await device.budget(),
    send: (busy) => void send(busy),
    back: () => goTo(byId("data-title")),
  });
  step("promised", 4, say("page-step-send"), last);
  goTo(head);
}

/** @param {(yes: boolean) => void} busy */
async function send(busy) {
  if (!seen) return;
  const { values } = seen;
  busy(true);
  const outcome = await navigator.locks.request(`sotto sends ${invitation.survey}`, async () => { // one tab at a time
    const before = await device.receipt(invitation.survey); // made in another tab, of what was given there
    const made = await device.answer(invitation, values);
    return before && made.state === "answered" ? { ...made, code: "before" } : made;
  });
  busy(false);
  if (outcome.receipt) seen = null;
  await proceed(outcome);
}

/** @param {Outcome} outcome */
async function answered(outcome) {
  remember(invitation.survey, false);
  const before = outcome.code === "before";
  await receipt(
    outcome,
    before ? say("page-receipt-before") : say("page-receipt-answered"),
    before ? say("page-receipt-before-words") : say("page-receipt-sent"),
    true,
  );
}

/**
 * A report that is made and not known to have arrived: the same bytes, when the network is back.
 * @param {Outcome} outcome
 * @returns {Promise<void>}
 */
async function stored(outcome) {
  if (outcome.code === "stored") {
    const sent = await device.send(invitation);
    if (sent.state !== "waiting") return proceed(sent);
    outcome = sent;
  }
  await receipt(outcome, say("page-receipt-stored"), say("page-receipt-stored-words"), false);
  again(outcome.againAt ?? 0, async () => proceed(await device.send(invitation)));
}

/**
 * @param {Outcome} outcome
 * @param {string} name
 * @param {string} words
 * @param {boolean} arrived
 */
async function receipt(outcome, name, words, arrived) {
  const found = outcome.receipt ?? (await device.receipt(invitation.survey));
  if (!found) return over({ state: "declined", code: "ledger-unavailable" });
  const held = await device.outbox.of(invitation.survey);
  const url = `${location.origin}${location.pathname}#${invitation.survey}`;
  const names = manifest ?? (await announced().catch(() => null));
  manifest = names;
  title(manifest);
  show(steps);
  const head = step(
    "receipt",
    0,
    name,
    element("p", { id: "arrived" }, words),
    ...said(found, held?.question ?? null, names),
    element("h3", {}, say("page-step-receipt")),
    receiptOf(found, await device.budget(), url),
    arrived ? checking(found, url) : null,
    trusting(running, { url: location.href, survey: invitation.survey }),
  );
  goTo(head);
}

/** What the survey announces, where the device did not need it: for the names of things. */
async function announced() {
  const reply = await fetch("manifest", { credentials: "omit", redirect: "error", referrerPolicy: "no-referrer" });
  const bytes = new Uint8Array(await reply.arrayBuffer());
  return (await digest(bytes)) === invitation.survey ? readManifest(bytes) : null;
}

/** When the survey opens. */
function opening() {
  return say("page-waiting-early", { when: manifest.opens });
}

/** @param {Outcome} outcome */
function later(outcome) {
  const { code, againAt, latestAt } = outcome;
  const kind = code === "early" ? "round" : code === "unreachable" ? "unreachable" : "other";
  const about = [say(`page-waiting-${kind}`)];
  if (latestAt) about.push(say("page-waiting-latest", { when: latestAt }));
  const early = manifest && manifest.opens > Date.now() / 1000;
  const words = early ? [opening()] : about;
  wait({
    words,
    at: againAt,
    look: async () => proceed(manifest ? await device.ask(invitation) : await device.look(invitation)),
  });
}

/** @param {{words: string[], at: number | null, look: () => Promise<void>}} told */
function wait({ words, at, look }) {
  clear("seen");
  const seconds = again(at ?? 0, look);
  if (document.getElementById("waiting")) return standing.change(words, seconds);
  standing = waiting(() => void sooner());
  standing.change(words, seconds);
  goTo(step("waiting", 0, say("page-waiting-title"), ...standing.parts));
}

/** @param {{state: string, code: string, why?: import("../client/fact.js").Fact, receipt?: any}} outcome */
function over(outcome) {
  if (outcome.state !== "declined" && invitation) remember(invitation.survey, false);
  clear("loading");
  clear("data");
  title(manifest);
  const plain = byId("plain");
  // The plain page is as old as this one: what ended since then does not stand there.
  if (outcome.state === "over" && form) outcome = { ...outcome, state: "meanwhile" };
  const below = !["declined", "meanwhile"].includes(outcome.state) && outcome.code !== "no-token";
  plain.hidden = !below;
  plain.querySelectorAll("h1, h1 + p").forEach((part) => part.remove());
  plain.querySelectorAll("dd.rows").forEach((part) => part.setAttribute("tabindex", "0")); // it may scroll
  if (below) clear("asked");
  const [name, ...parts] = ended(outcome);
  goTo(step("ended", 0, name, ...parts));
}

/** The invitation in the address; an address without one names its survey all the same. */
function invited() {
  const survey = document.documentElement.dataset.survey ?? "";
  const address = location.href.split("#")[0];
  const found = readInvitation(location.hash.length > 1 ? location.href : `${address}#${survey}`);
  return { found, same: found.survey === survey };
}

async function begin() {
  const outcome = await device.look(invitation);
  const ended = outcome.state === "open" ? await endedEarly() : "";
  await proceed(ended ? { ...outcome, state: "over", code: ended } : outcome);
}

/** A survey that is over before its time asks nobody for data; where that cannot be learned, it is as announced. */
async function endedEarly() {
  try {
    const { state } = JSON.parse(await fetched("progress"));
    return ["done", "abandoned"].includes(state) ? state : "";
  } catch {
    return "";
  }
}

async function start() {
  stage();
  title(manifest);
  step("loading", 0, say("page-loading"));
  takeOver();
  try {
    const { found, same } = invited();
    invitation = found;
    if (!same) return over({ state: "refused", code: "other-survey" });
  } catch (error) {
    if (!(error instanceof InvalidInput)) throw error;
    return over({ state: "refused", code: "bad-invitation", why: fact("outcome-error", { message: error.message }) });
  }
  try {
    running = await program(invitation.more);
  } catch {
    return over({ state: "declined", code: "device-unknown" });
  }
  if (!running.whole) return over({ state: "declined", code: "device-unknown" });
  if (running.pin !== null && running.pin !== running.digest)
    return over({ state: "declined", code: "device-differs" });
  try {
    device = await Device.open({ cap: CAP, source: SOURCE });
  } catch (error) {
    if (!(error instanceof Declined)) throw error;
    return over({ state: "declined", code: error.code, why: fact("outcome-error", { message: error.message }) });
  }
  show(steps);
  await begin();
}

addEventListener("online", () => void sooner());
for (const name of ["dragover", "drop"]) addEventListener(name, (event) => event.preventDefault());
addEventListener("hashchange", () => location.reload());
await start();
