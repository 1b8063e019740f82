/** Elements without mark-up in strings: what comes from data can only ever become text. */

/** @typedef {Node | string | number | null | undefined | false} Part */

const SVG = "http://www.w3.org/2000/svg";

/**
 * An element: `element("p", { class: "soft" }, "words", element("b", {}, "more"))`. Attributes that are false, null or
 * undefined are left out, true is an empty one; functions are listeners, by the name of their event (`click`).
 * @template {keyof HTMLElementTagNameMap} Name
 * @param {Name} name
 * @param {Record<string, unknown>} [attributes]
 * @param {...(Part | Part[])} parts
 * @returns {HTMLElementTagNameMap[Name]}
 */
export function element(name, attributes = {}, ...parts) {
  return filled(document.createElement(name), attributes, parts);
}

/**
 * The same for a part of a picture.
 * @template {keyof SVGElementTagNameMap} Name
 * @param {Name} name
 * @param {Record<string, unknown>} [attributes]
 * @param {...(Part | Part[])} parts
 * @returns {SVGElementTagNameMap[Name]}
 */
export function drawn(name, attributes = {}, ...parts) {
  return filled(/** @type {SVGElementTagNameMap[Name]} */ (document.createElementNS(SVG, name)), attributes, parts);
}

/**
 * @template {Element} Made
 * @param {Made} made
 * @param {Record<string, unknown>} attributes
 * @param {(Part | Part[])[]} parts
 * @returns {Made}
 */
function filled(made, attributes, parts) {
  for (const [name, value] of Object.entries(attributes)) {
    if (typeof value === "function") made.addEventListener(name, /** @type {EventListener} */ (value));
    else if (value === true) made.setAttribute(name, "");
    else if (value !== false && value !== null && value !== undefined) made.setAttribute(name, String(value));
  }
  made.append(...parts.flat().filter(isThere).map((part) => (part instanceof Node ? part : String(part))));
  return made;
}

/**
 * @param {Part} part
 * @returns {part is Node | string | number}
 */
function isThere(part) {
  return part !== null && part !== undefined && part !== false;
}

/**
 * Put parts in the place of whatever an element held.
 * @param {Element} place
 * @param {...(Part | Part[])} parts
 */
export function show(place, ...parts) {
  place.replaceChildren();
  filled(place, {}, parts);
}

/**
 * An element that the page must have.
 * @param {string} id
 * @returns {HTMLElement}
 */
export function byId(id) {
  const found = document.getElementById(id);
  if (!found) throw new Error(`the page has no part called ${id}`);
  return found;
}

/** The page's program has taken over from the plain page. */
export function takeOver() {
  byId("plain").hidden = true;
  byId("app").hidden = false;
  document.documentElement.dataset.ready = "yes";
}

/**
 * A file of text that the person keeps.
 * @param {string} name
 * @param {string | Blob} content
 */
export function download(name, content) {
  const url = URL.createObjectURL(content instanceof Blob ? content : new Blob([content], { type: "text/plain" }));
  const link = element("a", { href: url, download: name });
  document.body.append(link);
  link.click();
  link.remove();
  setTimeout(() => URL.revokeObjectURL(url), 10_000);
}
