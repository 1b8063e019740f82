// Loaded before everything else, and no module, so that it works where modules do not: when the page's own program does
// not start, or breaks, the plain page below stays, and this says what is wrong.
(function () {
  "use strict";
  const WORDS = {
    began: "This page's own program did not start, so the plain page is shown. ",
    broke: "This page's own program broke off. Load the page again; what was sent is not sent twice. ",
    help: "A recent browser is needed (2024 or later), with scripts allowed for this site, opened by https or on this machine.",
  };
  const PATIENCE = 8000;

  /** @param {string} what @param {string} [detail] */
  function tell(what, detail) {
    const place = document.getElementById("trouble");
    if (!place) return;
    place.hidden = false;
    place.textContent = what + WORDS.help + (detail ? " (" + String(detail).slice(0, 200) + ")" : "");
    const plain = document.getElementById("plain");
    if (plain) plain.hidden = false;
  }

  /** @param {string} [detail] */
  function failed(detail) {
    tell(document.documentElement.dataset.ready ? WORDS.broke : WORDS.began, detail);
  }

  // `true`: also what fails to load, which does not bubble.
  addEventListener("error", (event) => failed(event.message || "a part of it could not be loaded"), true);
  addEventListener("unhandledrejection", (event) => failed(event.reason && event.reason.message));
  addEventListener("securitypolicyviolation", (event) => failed(event.violatedDirective));
  setTimeout(() => {
    if (!document.documentElement.dataset.ready) tell(WORDS.began);
  }, PATIENCE);
})();
