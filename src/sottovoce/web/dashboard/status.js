/** One quiet voice for those who listen to the page: what has changed in the large, said once. */

import { element } from "../shared/dom.js";

export const voice = element("p", { class: "visually-hidden", role: "status" });

/** @param {string} words */
export function announce(words) {
  if (voice.textContent !== words) voice.textContent = words;
}
