/** The sentences of the dashboard: messages of the catalogue by their codes, fetched before anything is shown. */

import { loaded } from "../shared/catalogue.js";

const catalogue = await loaded(["dashboard", "numbers", "pages"]);

/**
 * A message with data in it.
 * @param {string} code
 * @param {Record<string, any>} [data]
 */
export const say = (code, data) => catalogue.say(code, data);

/** Several messages of one part. @param {string} part @param {...string} names */
export const texts = (part, ...names) => names.map((name) => say(`dashboard-${part}-${name}`));
