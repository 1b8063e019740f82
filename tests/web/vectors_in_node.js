/** `node vectors_in_node.js DEVICE VECTORS`: what differs, as one line of JSON. */

import { readFileSync } from "node:fs";
import { pathToFileURL } from "node:url";

import { modules, run } from "./vectors.js";

const [folder, file] = process.argv.slice(2);
const found = await run(JSON.parse(readFileSync(file, "utf8")), await modules(pathToFileURL(folder).href));
console.log(JSON.stringify(found));
