/** The sentences of the page: messages of the catalogue by their codes, fetched before anything is shown. */

import { loaded } from "../shared/catalogue.js";

const catalogue = await loaded(["numbers", "outcome", "participate", "question"]);

/**
 * A message with data in it.
 * @param {string} code
 * @param {Record<string, any>} [data]
 */
export const say = (code, data) => catalogue.say(code, data);

/** The sentence of a fact. @param {import("../client/fact.js").Fact} fact */
export const tell = (fact) => catalogue.say(fact.code, fact.data);

/** Whether there is such a message. @param {string} code */
export const known = (code) => code in catalogue.written;
