/** Every sentence of the page, in one place: the folder words. */

export * as places from "./words/places.js";
export { capital, listed, WORDS } from "./words/page.js";
export * as questions from "./words/questions.js";
export { told } from "./words/refusals.js";
export { PICTURES } from "./words/pictures.js";
export { reported } from "./words/reports.js";
export { TRUST } from "./words/trust.js";
