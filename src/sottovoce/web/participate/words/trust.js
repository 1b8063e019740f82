/** What this page can promise and what not: the words of the part that says so. */

export const TRUST = {
  title: "What this page can promise, and what it cannot",
  same: (/** @type {string} */ short) =>
    `The program that makes your report is the one that your invitation names (${short}…).`,
  unpinned: (/** @type {string} */ short) => `Your invitation names no program; the one that is here is ${short}….`,
  honest:
    "A page that is served by a collector protects nobody from that collector: whoever writes the page could write " +
    "another one for you, with other checks, or none. If you would not trust these people with your data, answer " +
    "with a program that you got elsewhere.",
  python: "With the command line of the package sottovoce, which checks all of this on its own:",
  command: (/** @type {string} */ url) => `sotto answer "${url}" --data FILE`,
  files:
    "Or compare the files that this page runs with a copy that you trust. They are in the package, under " +
    "web/device, and can be read here:",
  sum: "Inside the folder of your copy, this must print the same digest:",
  sumCommand: "sha256sum *.js | sha256sum",
  digest: "digest",
  policy:
    "The browser itself keeps this page from talking to any other address than this one, from running any other " +
    "program than the files listed in it, and from loading anything from elsewhere.",
  clearing:
    "What this browser has said is noted in its storage for this address. Whoever clears that storage, or answers " +
    "in a private window, makes it forget: it then refuses an invitation that the collector says was used before. A " +
    "collector that lies about that could get a second report, and so learn more about you than one report tells.",
  budget: "Each browser and each device keeps its own ledger: who answers from two of them spends twice.",
};
