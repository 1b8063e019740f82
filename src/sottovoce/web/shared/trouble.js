// Loaded before everything else, and no module, so that it works where modules do not: when the page's own program does
// not start, or breaks, the plain page below stays, and this says what is wrong.
(function () {
  "use strict";
  const WORDS = {
    began: "This page's own program did not start, so the plain page is shown. ",
    broke: "This page's own program broke off. Load the page again; what was sent is not sent twice. ",
    stopped:
      "Something tried to do here what this page forbids, and your browser stopped it. Often that is an extension " +
      "of the browser. ",
    help: "A recent browser is needed (2024 or later), with scripts allowed for this site, opened by https or on this machine.",
  };
  const PATIENCE = 8000;

  /** @param {string} words */
  function show(words) {
    const place = document.getElementById("trouble");
    if (!place) return;
    place.hidden = false;
    place.textContent = words;
  }

  /** @param {string} what @param {string} [detail] */
  function tell(what, detail) {
    show(what + WORDS.help + (detail ? " (" + String(detail).slice(0, 200) + ")" : ""));
    const plain = document.getElementById("plain");
    if (plain) plain.hidden = false;
  }

  /** @param {string} [detail] */
  function failed(detail) {
    tell(document.documentElement.dataset.ready ? WORDS.broke : WORDS.began, detail);
  }

  /** What is not of this page, as an extension of the browser, cannot break it. @param {string} [source] */
  function foreign(source) {
    return Boolean(source) && !String(source).startsWith(location.origin + "/");
  }

  // `true`: also what fails to load, which does not bubble.
  addEventListener(
    "error",
    (event) => {
      const part = event.target instanceof Element ? event.target : null;
      const source = part ? part.getAttribute("src") || part.getAttribute("href") : event.filename;
      const there = part && source ? new URL(source, document.baseURI).href : source;
      if (!foreign(there || "")) failed(event.message || "a part of it could not be loaded");
    },
    true,
  );
  addEventListener("unhandledrejection", (event) => failed(event.reason && event.reason.message));
  addEventListener("securitypolicyviolation", (event) => {
    if (!document.documentElement.dataset.ready) failed(event.violatedDirective);
    else show(WORDS.stopped + "(" + event.violatedDirective + ")");
  });
  setTimeout(() => {
    if (!document.documentElement.dataset.ready) tell(WORDS.began);
  }, PATIENCE);
})();
