(() => {
  "use strict";
  const data = JSON.parse(document.getElementById("regime-data").textContent);
  const strength = (n, e) => n * Math.min(e, e * e);
  const valid = (...sizes) => sizes.every((size) => size > 0 && size < Infinity);

  /* Regions of the diagram (L663-746), as theory.regime has them. */
  const region = (panel, T, y, logCorner) => {
    if (y < (panel === "l2" ? 1 / T : Math.exp(1 - T))) return "both impossible";
    if (y >= 1 + Math.log(T)) return "equivalent";
    if (panel === "l2") return "user-level harder";
    const middle = Math.min(0, logCorner - Math.log(T));
    return Math.log(y) >= middle ? "user-level harder" : "user-level easier";
  };
  window.sottovoceRegime = (panel, n, T, epsilon, d) => {
    if (!valid(n, T, epsilon, d) || T < 1) return null;
    const w = strength(n, epsilon);
    return region(panel, T, w / d, Math.min(w, data.largest));
  };
  /* Where more observations stop to help, seen from T, n and epsilon (table, L960), as theory.transition_in_... */
  window.sottovoceTransitions = (panel, n, T, epsilon, d) => {
    const w = strength(n, epsilon);
    const size = panel === "l2" || w > d ? d : 1;
    let needed = size * Math.log(T);
    if (size === 1 && needed > d) needed = Math.max(d, d * Math.log(T));
    const each = needed / n;
    return {
      T: w / size > 709 ? Infinity : Math.exp(w / size),
      n: needed / Math.min(epsilon, epsilon * epsilon),
      epsilon: each <= 1 ? Math.sqrt(each) : each,
    };
  };
  window.sottovoceDelta = (n, epsilon) => Math.min(1, epsilon) / (n * Math.log(n));

  const number = (x) => {
    if (x === Infinity) return "more than 10³⁰⁸";
    if (x === 0) return "less than 10⁻³⁰⁰";
    if (x >= 1e-3 && x < 1e7) return x >= 1000 ? Math.round(x).toLocaleString("en") : String(Number(x.toPrecision(3)));
    const [digits, power] = x.toExponential(1).split("e");
    const raised = [...power.replace("+", "")].map((c) => (c === "-" ? "⁻" : "⁰¹²³⁴⁵⁶⁷⁸⁹"[c])).join("");
    return `${digits}·10${raised}`;
  };
  const sizes = (form) => Object.fromEntries([...form.elements].filter((f) => f.name).map((f) => [f.name, f.valueAsNumber]));
  const { left, right, top, bottom, most, low, high } = data.frame;
  const across = (t) => left + (Math.max(0, Math.min(most, t)) / most) * (right - left);
  const down = (y) => bottom - ((Math.max(low, Math.min(high, y)) - low) / (high - low)) * (bottom - top);

  const tell = (panel, s) => {
    const found = window.sottovoceRegime(panel, s.n, s.T, s.epsilon, s.d);
    const at = window.sottovoceTransitions(panel, s.n, s.T, s.epsilon, s.d);
    return `${found}: ${data.words[found]}. Observations help until about T = ${number(at.T)}; ` +
      `all ${number(s.T)} of them help from about n = ${number(Math.ceil(at.n))} users on, or from ε = ${number(at.epsilon)} on.`;
  };
  const form = document.getElementById("regime-form");
  const maps = form ? [...document.querySelectorAll(".maps svg")] : [];
  const redraw = () => {
    const s = sizes(form);
    const fine = valid(s.n, s.T, s.epsilon, s.d) && s.T >= 1;
    for (const map of maps) {
      const panel = map.dataset.panel;
      const words = document.getElementById(`regime-${panel}`);
      if (!fine) {
        words.textContent = "Give n, ε and d above 0, and T of at least 1.";
        continue;
      }
      const w = strength(s.n, s.epsilon);
      const dot = map.querySelector(".dot");
      dot.setAttribute("cx", across(Math.log10(s.T)));
      dot.setAttribute("cy", down(Math.log10(w / s.d)));
      words.textContent = tell(panel, s);
      const corner = Math.min(w, data.largest);
      if (panel === "sparse") {
        const c = Math.min(most, corner / Math.LN10);
        const line = `M${left} ${down(0)}L${across(c)} ${down(0)}L${right} ${down(c - most)}`;
        map.querySelector(".middle").setAttribute("d", line);
        map.querySelector(".r1").setAttribute("d", `${line}V${bottom}H${left}Z`);
      }
      for (const label of map.querySelectorAll("[data-region]")) {
        const here = region(panel, 10 ** label.dataset.t, 10 ** label.dataset.y, corner);
        label.style.display = here === label.dataset.region ? "" : "none";
      }
    }
  };
  if (form) {
    form.hidden = false;
    form.addEventListener("input", redraw);
    form.addEventListener("submit", (event) => event.preventDefault());
    const hint = document.getElementById("regime-hint");
    hint.hidden = false;
    for (const map of maps) {
      const point = (event) => {
        const box = map.getBoundingClientRect();
        const view = map.viewBox.baseVal;
        const x = ((event.clientX - box.left) / box.width) * view.width;
        const y = ((event.clientY - box.top) / box.height) * view.height;
        if (x < left || x > right || y < top || y > bottom) return;
        const s = sizes(form);
        const T = 10 ** (((x - left) / (right - left)) * most);
        const level = 10 ** (low + ((bottom - y) / (bottom - top)) * (high - low));
        const found = region(map.dataset.panel, T, level, Math.min(strength(s.n, s.epsilon) || 0, data.largest));
        hint.textContent = `T = ${number(T)}, nα²/d = ${number(level)}: ${found}: ${data.words[found]}.`;
      };
      map.addEventListener("pointermove", point);
      map.addEventListener("pointerdown", point);
      for (const part of map.querySelectorAll(".region")) {
        part.setAttribute("tabindex", "0");
        part.addEventListener("focus", () => { hint.textContent = `${part.getAttribute("aria-label")}.`; });
      }
    }
    redraw();
  }
  const other = document.getElementById("delta-form");
  if (other) {
    const retell = () => {
      const s = sizes(other);
      const words = document.getElementById("delta-words");
      if (!valid(s.n, s.epsilon, s.d) || s.n < 2 || !(s.delta >= 0)) {
        words.textContent = "Give n of at least 2, ε and d above 0, and δ of at least 0.";
        return;
      }
      const w = strength(s.n, s.epsilon);
      const limit = window.sottovoceDelta(s.n, s.epsilon);
      const floors = { mean: Math.exp(-w / s.d), sparse: Math.exp(-w), density: w ** -2 };
      for (const [name, floor] of Object.entries(floors)) {
        document.getElementById(`floor-${name}`).textContent = number(Math.min(1, floor));
        document.getElementById(`approximate-${name}`).textContent = s.delta <= limit ? number(Math.min(1, floor)) : "not promised";
      }
      words.textContent = `δ buys nothing up to about ${number(limit)}, whatever T is. δ = ${number(s.delta)} is ` +
        (s.delta <= limit ? "below it." : `above it; about ${number(Math.min(1, s.delta) * s.n)} of the n users may be laid open.`);
    };
    other.hidden = false;
    other.addEventListener("input", retell);
    other.addEventListener("submit", (event) => event.preventDefault());
    retell();
  }
})();
