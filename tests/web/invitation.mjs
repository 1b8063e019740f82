// Reads invitations, line by line, and prints what the page's client takes them for.

import { createInterface } from "node:readline";

const { InvalidInput, readInvitation } = await import(process.argv[2]);

for await (const line of createInterface({ input: process.stdin })) {
  let said;
  try {
    said = readInvitation(JSON.parse(line));
  } catch (error) {
    if (!(error instanceof InvalidInput)) throw error;
    said = error.message;
  }
  console.log(JSON.stringify(said));
}
