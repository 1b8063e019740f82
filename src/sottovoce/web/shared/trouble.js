// Loaded before everything else, and no module, so that it works where modules do not: when the page's own program does
// not start, or breaks, the plain page below stays, and this says what is wrong.
(function () {
  "use strict";
  const PATIENCE = 8000;

  /** What the page has to say, by name: it stands in the page itself. @param {...string} names */
  function words(...names) {
    const said = document.getElementById("trouble")?.dataset ?? {};
    return names.map((name) => said[name] ?? "");
  }

  /** @param {string[]} told @param {string} [detail] */
  function show(told, detail) {
    const place = document.getElementById("trouble");
    if (!place) return;
    place.hidden = false;
    place.textContent = [...told, ...(detail ? ["(" + String(detail).slice(0, 200) + ")"] : [])].join(" ");
  }

  /** @param {string} what @param {string} [detail] */
  function tell(what, detail) {
    show(words(what, "help"), detail);
    const plain = document.getElementById("plain");
    if (plain) plain.hidden = false;
  }

  /** @param {string} [detail] */
  function failed(detail) {
    tell(document.documentElement.dataset.ready ? "broke" : "began", detail);
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
      if (!foreign(there || "")) failed(event.message || words("part")[0]);
    },
    true,
  );
  addEventListener("unhandledrejection", (event) => failed(event.reason && event.reason.message));
  addEventListener("securitypolicyviolation", (event) => {
    if (!document.documentElement.dataset.ready) failed(event.violatedDirective);
    else show(words("stopped"), event.violatedDirective);
  });
  setTimeout(() => {
    if (!document.documentElement.dataset.ready) tell("began");
  }, PATIENCE);
})();
