/** The step that shows what would be sent and how little it says: the own number, its chances, a hundred people. */

import { spanOf, unitOf } from "../device/channels.js";
import { fact } from "../client/fact.js";
import { element } from "../shared/dom.js";
import { number, percent } from "../shared/numbers.js";
import { sized } from "../shared/sized.js";
import { atLeast, atMost, chancesAt, farthest, guessed, inclusion, kept, namedAt, rateOf, reportAlike } from "./law.js";
import { worth } from "./own.js";
import { bars, curves, items, onScale, people } from "./pictures.js";
import { computes, endsOf, nothing, placed, randomised } from "./facts.js";
import { computedFor, isShare, itemName } from "./places.js";
import { say } from "./words.js";

/** @typedef {import("./own.js").Own} Own */

const NUMBERS = 8;
const ITEMS = 12;
const WEAK = 10;

/**
 * @param {{question: any, own: Own, manifest: any, epsilon: number}} told
 * @returns {HTMLElement}
 */
export function seeing({ question, own, manifest, epsilon }) {
  const law = lawOf(question, own, manifest);
  const several = own.parts.length > 1;
  return element(
    "div",
    {},
    element("h3", {}, say(own.draws ? "page-seen-own-drawn" : several ? "page-seen-own-several" : "page-seen-own")),
    ownNumbers(question, own, manifest),
    element("h3", {}, say("page-seen-chance")),
    element("p", {}, say("page-seen-randomised", { channel: randomised(question.channel) })),
    law,
    law && question.uses > 1 ? element("p", { class: "soft small" }, say("page-seen-first-part")) : null,
    element("h3", {}, say("page-seen-little")),
    little(question, own, epsilon),
  );
}

/**
 * @param {any} question
 * @param {Own} own
 * @param {any} manifest
 */
function ownNumbers(question, own, manifest) {
  const { statistic } = question.encoder;
  if (own.draws) {
    const shares =
      statistic.kind === "category" && own.shares ? [...own.shares].sort(([one], [other]) => one - other) : [];
    const told = shares.slice(0, ITEMS).map(([input, share]) => {
      const name = itemName(question, manifest, input / unitOf(question.channel));
      return element("li", {}, `${name} `, element("span", { class: "big number" }, percent(share)));
    });
    return [
      element("p", {}, say("page-seen-drawn", { what: computes(question.encoder), n: own.observations })),
      told.length ? element("ul", { class: "plain shares" }, told) : null,
      own.observations ? null : element("p", {}, say("page-seen-nothing", { nothing: nothing(question.encoder) })),
    ];
  }
  const rows = own.parts.slice(0, NUMBERS).map((part) => {
    const value = Number.isNaN(part.number) ? "–" : written(question, part.number, part.group, manifest);
    return element(
      "p",
      { class: "ownnumber" },
      `${say("page-seen-computed", { what: computedFor(question.encoder, manifest, part.group) })} `,
      element("span", { class: "big number" }, value),
    );
  });
  const [first] = own.parts;
  const rest = own.parts.length - rows.length;
  return [
    ...rows,
    rest > 0 ? element("p", { class: "soft" }, say("page-seen-more", { parts: rest })) : null,
    element(
      "p",
      { class: "soft small" },
      say("page-seen-placed", {
        from: fact("page-seen-from", { n: own.observations }),
        placed: placed(question.encoder),
      }),
    ),
    Number.isNaN(first.number)
      ? element("p", { class: "note care" }, say("page-seen-nothing", { nothing: nothing(question.encoder) }))
      : clamped(question, first, manifest),
    own.parts.length === 1 ? scalePicture(question, first, manifest) : null,
  ];
}

/**
 * A number of the statistic as people read it.
 * @param {any} question
 * @param {number} value
 * @param {number} group
 * @param {any} manifest
 */
function written(question, value, group, manifest) {
  const { statistic, placement } = question.encoder;
  if (statistic.kind === "nearest") return itemName(question, manifest, Math.floor(value), group);
  if (placement.kind !== "position" && isShare(statistic)) return percent(value);
  return isShare(statistic) ? percent(value) : number(value);
}

/**
 * @param {any} question
 * @param {import("./own.js").Part} part
 * @param {any} manifest
 */
function clamped(question, part, manifest) {
  const { placement } = question.encoder;
  if (placement.kind === "bins") return null;
  const [low, high] = endsOf(placement, part.group);
  if (part.number >= low && part.number <= high) return null;
  const end = part.number < low ? low : high;
  const value = written(question, end, part.group, manifest);
  return element("p", { class: "note" }, say("page-seen-counts", { value }));
}

/**
 * @param {any} question
 * @param {import("./own.js").Part} part
 * @param {any} manifest
 */
function scalePicture(question, part, manifest) {
  const { placement, statistic } = question.encoder;
  if (Number.isNaN(part.number) || placement.kind === "bins" || statistic.kind === "nearest") return null;
  const [low, high] = endsOf(placement, part.group);
  const shown = (/** @type {number} */ value) => written(question, value, part.group, manifest);
  const own = { value: part.number, low, high, knots: placement.inner ?? [], written: shown };
  return element(
    "figure",
    {},
    sized((width) => onScale(own, width)),
  );
}

/**
 * What the channel would say, drawn.
 * @param {any} question
 * @param {Own} own
 * @param {any} manifest
 */
function lawOf(question, own, manifest) {
  const { channel } = question;
  const [first] = own.parts;
  const shares = own.shares ?? (first ? new Map([[first.input, 1]]) : null);
  switch (channel.kind) {
    case "table": {
      if (!shares) return null;
      const [mine, theirs] = tableLaws(channel, shares);
      return element(
        "figure",
        {},
        sized((width) => bars(mine, theirs, width)),
      );
    }
    case "laplace": {
      if (!first) return null;
      const other = farthest(channel, first.input);
      const low = worth(question, 0, first.group);
      const high = worth(question, spanOf(channel), first.group);
      const reach = (high - low) / (rateOf(channel) * channel.steps);
      const drawn = {
        own: worth(question, first.input, first.group),
        other: worth(question, other, first.group),
        low,
        high,
        reach,
      };
      return element(
        "figure",
        {},
        sized((width) => curves(drawn, width)),
      );
    }
    default:
      return itemsOf(question, shares, manifest, first?.group ?? 0);
  }
}

/**
 * The law of a table at the own inputs, and at the node that is farthest from it.
 * @param {any} channel
 * @param {Map<number, number>} shares
 * @returns {[number[], number[]]}
 */
function tableLaws(channel, shares) {
  const mine = new Array(channel.rows[0].length).fill(0);
  for (const [input, share] of shares) {
    chancesAt(channel, input).forEach((chance, symbol) => (mine[symbol] += share * chance));
  }
  let theirs = mine;
  let least = 2;
  for (let node = 0; node < channel.rows.length; node++) {
    const there = chancesAt(channel, node * unitOf(channel));
    const both = there.reduce((sum, chance, symbol) => sum + Math.min(chance, mine[symbol]), 0);
    if (both < least) [theirs, least] = [there, both];
  }
  return [mine, theirs];
}

/**
 * @param {any} question
 * @param {Map<number, number> | null} shares
 * @param {any} manifest
 * @param {number} group
 */
function itemsOf(question, shares, manifest, group) {
  const { channel } = question;
  if (shares && channel.items <= ITEMS) {
    const chances = namedAt(channel, shares);
    const names = chances.map((_, index) => itemName(question, manifest, index, group));
    const floor = Math.min(...chances);
    const rows = names.map((name, index) => ({ name, chance: chances[index], own: chances[index] > floor + 1e-12 }));
    const told = chances.map((chance, index) =>
      fact("page-picture-items-item", { name: names[index], hundred: 100 * chance }),
    );
    return element(
      "figure",
      {},
      sized((width) => items(rows, { words: say("page-picture-items-words", { items: told }) }, width)),
    );
  }
  const { own, other } =
    channel.kind === "unary" ? { own: kept(channel), other: 1 - kept(channel) } : inclusion(channel);
  const near = channel.kind === "unary" && channel.reach > 0;
  const rows = [
    { name: say("page-picture-items-own", { near }), chance: own, own: true },
    { name: say("page-picture-items-other", { near }), chance: other, own: false },
  ];
  const hundred = { own: 100 * own, other: 100 * other };
  const words = say(near ? "page-picture-items-near" : "page-picture-items-two", hundred);
  return element(
    "figure",
    {},
    sized((width) => items(rows, { words }, width)),
  );
}

/**
 * The sentence, the hundred people, and what both mean.
 * @param {any} question
 * @param {Own} own
 * @param {number} epsilon
 */
function little(question, own, epsilon) {
  const shared = reportAlike(question.channel, own.inputs, epsilon);
  const hundred = atLeast(shared);
  return [
    element("p", { class: "big", id: "headline" }, say("page-seen-headline", { hundred })),
    element(
      "figure",
      {},
      sized((width) => people(hundred, width), 640),
    ),
    element("p", {}, say("page-seen-explained", { hundred })),
    element("p", {}, say("page-seen-guess", { right: atMost(guessed(shared)) })),
    hundred < WEAK ? element("p", { class: "note care" }, say("page-seen-weak")) : null,
    question.uses > 1 ? element("p", { class: "soft small" }, say("page-seen-parts", { uses: question.uses })) : null,
    own.draws ? element("p", { class: "soft small" }, say("page-seen-bound")) : null,
    element("details", {}, element("summary", {}, say("page-seen-how")), element("p", {}, say("page-seen-how-words"))),
  ];
}
