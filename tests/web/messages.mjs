// To be imported first: what a page's import map and its collector give modules that fetch messages, from the package itself.

import { readdirSync, readFileSync } from "node:fs";

const folder = new URL("../../src/sottovoce/words/en/", import.meta.url);
const hashes = Object.fromEntries(readdirSync(folder).map((name) => [`../../web/words/en/${name}`, "sha256-…"]));

globalThis.document = { querySelector: () => ({ textContent: JSON.stringify({ integrity: hashes }) }) };
globalThis.fetch = async (url) => ({
  ok: true,
  text: async () => readFileSync(new URL(url.split("/").at(-1), folder), "utf-8"),
});
