"""What one can try out on the page: the regime diagram at one's own sizes, and what δ buys.

The pictures and the sentences for one example are made here; ``explorer.js`` moves the point, changes the words, and
shows the fields, which stay hidden where scripts do not run.
"""

from __future__ import annotations

import json
import math
from html import escape
from pathlib import Path
from typing import Literal

from sottovoce.theory import (
    REGIMES,
    Panel,
    Region,
    boundaries,
    notation,
    regime,
    regime_of,
    transition_in_epsilon,
    transition_in_observations,
    transition_in_users,
)

EXAMPLE = {"n": 1000, "T": 100, "epsilon": 1.0, "d": 400}
FRAME = {"left": 48, "right": 352, "top": 26, "bottom": 226, "most": 6, "low": -4, "high": 3}
"""The drawing's edges, and decades of T (from 0) and of nα²/d."""
LARGEST = math.log(1e300)
CLASSES: dict[Region, str] = {
    "both impossible": "r0", "user-level easier": "r1", "user-level harder": "r2", "equivalent": "r3",
}  # fmt: skip
TITLES: dict[Panel, str] = {"l2": "Mean on the ℓ2 ball", "sparse": "Sparse mean (s = 1)"}
Problem = Literal["mean-l2", "sparse"]
PLACES: dict[Panel, dict[Region, tuple[float, float]]] = {
    "l2": {"both impossible": (1.25, -3.1), "user-level harder": (4.2, -1.5), "equivalent": (3.0, 2.0)},
    "sparse": {
        "both impossible": (0.35, -2.4),
        "user-level easier": (3.4, -1.8),
        "user-level harder": (4.6, 0.5),
        "equivalent": (3.0, 2.0),
    },
}
_RAISED = str.maketrans("-0123456789", "⁻⁰¹²³⁴⁵⁶⁷⁸⁹")


def regimes() -> str:
    """Both panels on logarithmic axes, fields for n, T, ε and d, and what the regime means."""
    sentences = "".join(
        f'<p><b>{escape(TITLES[panel])}.</b> <output id="regime-{panel}" form="regime-form">{escape(words(panel))}'
        "</output></p>"
        for panel in PLACES
    )
    maps = "".join(f"<div>{_map(panel)}</div>" for panel in PLACES)
    fields = _fields(
        ("n", "n, users", EXAMPLE["n"], 'min="1"'),
        ("T", "T, observations per user", EXAMPLE["T"], 'min="1"'),
        ("epsilon", "ε (the paper's α)", f"{EXAMPLE['epsilon']:g}", 'min="0"'),
        ("d", "d, dimension", EXAMPLE["d"], 'min="1"'),
    )
    return (
        '<div class="try"><h3>Which regime is yours?</h3><p>The same diagram on logarithmic axes, for '
        "y = n·min(α, α²)/d. Constants and logarithms are left out, as in the paper: sizes are orders of magnitude. "
        f"The dot is n = {EXAMPLE['n']:,}, T = {EXAMPLE['T']}, ε = {EXAMPLE['epsilon']:g}, d = {EXAMPLE['d']}."
        f'</p><form id="regime-form" hidden><div class="fields">{fields}</div></form>'
        f'<div class="maps">{maps}</div><p class="hint note" id="regime-hint" aria-live="polite" hidden>Point at a '
        f"region, touch it, or move to it with the tab key, to read what it means.</p>{sentences}</div>"
    )


def words(panel: Panel, n: float = 0, T: float = 0, epsilon: float = 0, d: int = 0) -> str:
    """The regime of a collection and the sizes where its transitions are, as a sentence; the example unless told."""
    n, T, epsilon = n or EXAMPLE["n"], T or EXAMPLE["T"], epsilon or EXAMPLE["epsilon"]
    d = d or int(EXAMPLE["d"])
    region = regime_of(panel, users=n, observations=T, epsilon=epsilon, dimension=d)
    helps, users, least = transitions(panel, n, T, epsilon, d)
    return (
        f"{region}: {REGIMES[region]}. Observations help until about T = {_number(helps)}; all {_number(T)} of them "
        f"help from about n = {_number(math.ceil(users))} users on, or from ε = {_number(least)} on."
    )


def transitions(panel: Panel, n: float, T: float, epsilon: float, d: int) -> tuple[float, float, float]:
    """The T up to which observations help, and the n and ε from which on all T do (L960).

    A sparse mean with nα² > d is a mean of d coordinates: seen from there, so are its n and its ε.
    """
    problem: Problem = "mean-l2" if panel == "l2" or n * min(epsilon, epsilon**2) > d else "sparse"
    return (
        transition_in_observations(problem, users=n, epsilon=epsilon, dimension=d).boundary,
        transition_in_users(problem, observations=T, epsilon=epsilon, dimension=d).boundary,
        transition_in_epsilon(problem, users=n, observations=T, dimension=d).boundary,
    )


def approximate() -> str:
    """The theorem on (α, δ)-LDP (L1543) laid out as a table, at one's own n, ε and δ."""
    n, epsilon, d, delta = 1000.0, 1.0, 100.0, 1e-6
    strength = n * min(epsilon, epsilon**2)
    limit = min(1.0, epsilon) / (n * math.log(n))
    rows = "".join(
        f'<tr><th scope="row">{escape(problem)}</th><td data-label="formula">{notation.html(formula)}</td>'
        f'<td data-label="floor under ε" id="floor-{name}">{_number(floor)}</td>'
        f'<td data-label="floor under (ε, δ)" id="approximate-{name}">{_number(floor)}</td></tr>'
        for name, problem, formula, floor in (
            ("mean", "mean on the ℓ2 ball", "e^{−nα²/d}", math.exp(-strength / d)),
            ("sparse", "sparse mean, s = 1", "e^{−nα²}", math.exp(-strength)),
            ("density", "density, β = 1", "(nα²)^{−2}", strength**-2),
        )
    )
    fields = _fields(
        ("n", "n, users", f"{n:g}", 'min="2"'),
        ("epsilon", "ε (the paper's α)", f"{epsilon:g}", 'min="0"'),
        ("d", "d, dimension", f"{d:g}", 'min="1"'),
        ("delta", "δ", "0.000001", 'min="0" max="1"'),
    )
    return (
        '<div class="try"><h3>Does a small δ help? <small class="note">L1543</small></h3>'
        "<p>Where T grows without end an error is left that no number of observations removes. The paper proves the "
        "same floor for approximate privacy, (ε, δ), as long as δ ≤ c·min(1, α)/(n log n): it is n that counts, not "
        "nT. It states this as a theorem, not as a table; constants are left out, and c = 1.</p>"
        f'<form id="delta-form" hidden><div class="fields">{fields}</div></form>'
        '<table class="cards"><caption>What is left as T → ∞ (squared error, order of magnitude)</caption><thead><tr>'
        '<th scope="col">problem</th><th scope="col">formula</th><th scope="col">floor under ε</th>'
        f'<th scope="col">floor under (ε, δ)</th></tr></thead><tbody>{rows}</tbody></table>'
        f'<p><output id="delta-words" form="delta-form">With n = {n:,.0f}, ε = {epsilon:g}: δ buys nothing up to about '
        f"{_number(limit)}, whatever T is. δ = {_number(delta)} is below it.</output></p></div>"
    )


def script() -> str:
    """The data and the script, once a page, after what they work on."""
    meanings = {name: str(fact) for name, fact in REGIMES.items()}
    data = json.dumps({"words": meanings, "frame": FRAME, "largest": LARGEST}, ensure_ascii=False)
    code = Path(__file__).with_name("explorer.js").read_text(encoding="utf-8")
    return f'<script type="application/json" id="regime-data">{data}</script><script>{code}</script>'


def _fields(*fields: tuple[str, str, object, str]) -> str:
    return "".join(
        f'<label>{escape(label)}<input name="{name}" type="number" step="any" inputmode="decimal" '
        f'value="{value}" {rest}>'
        "</label>"
        for name, label, value, rest in fields
    )


def _map(panel: Panel) -> str:
    strength = EXAMPLE["n"] * min(EXAMPLE["epsilon"], EXAMPLE["epsilon"] ** 2)
    corner = min(math.exp(min(strength, LARGEST)), 1e300)
    curves = boundaries(panel, corner=corner)
    left, right, top, bottom = (FRAME[side] for side in ("left", "right", "top", "bottom"))
    lines = [_path([(t / 50, math.log10(max(c.curve(10 ** (t / 50)), 1e-9))) for t in range(301)]) for c in curves[:1]]
    if panel == "sparse":
        bend = min(float(FRAME["most"]), math.log10(corner))
        lines.append(_path([(0, 0), (bend, 0), (FRAME["most"], bend - FRAME["most"])]))
    lines.append(_path([(t / 50, math.log10(curves[-1].curve(10 ** (t / 50)))) for t in range(301)]))
    order: tuple[Region, ...] = (
        "both impossible",
        *(("user-level easier",) if panel == "sparse" else ()),
        "user-level harder",
    )
    below = [_region(name, f"{line}V{bottom}H{left}Z") for name, line in zip(order, lines, strict=True)]
    painted = _region("equivalent", f"M{left} {top}H{right}V{bottom}H{left}Z") + "".join(reversed(below))
    drawn = "".join(
        f'<path class="curve{" middle" if panel == "sparse" and i == 1 else ""}" d="{line}"/>'
        for i, line in enumerate(lines)
    )
    ticks = "".join(
        f'<text x="{_across(k):g}" y="{bottom + 15}" text-anchor="middle">{_power(k)}</text>' for k in range(0, 7, 2)
    ) + "".join(
        f'<text x="{left - 5}" y="{_down(k) + 4:g}" text-anchor="end">{_power(k)}</text>' for k in range(-4, 4, 2)
    )
    x, y = _across(math.log10(EXAMPLE["T"])), _down(math.log10(strength / EXAMPLE["d"]))
    dot = f'<circle class="dot" cx="{x:.1f}" cy="{y:.1f}" r="6"/>'
    return (
        f'<svg viewBox="0 0 370 262" data-panel="{panel}" role="group" aria-labelledby="map-{panel}">'
        f'<title id="map-{panel}">{escape(TITLES[panel])}: the regime by T and nα²/d</title>'
        f'<text x="{left}" y="14" style="font-weight:600">{escape(TITLES[panel])}</text>'
        f"{painted}{drawn}{_labels(panel, corner)}{ticks}"
        f'<text x="{(left + right) / 2}" y="{bottom + 32}" text-anchor="middle">T, observations per user</text>'
        f'<text transform="translate(12 {(top + bottom) / 2}) rotate(-90)" text-anchor="middle">nα²/d</text>{dot}</svg>'
    )


def _labels(panel: Panel, corner: float) -> str:
    labels = ""
    for name, (t, y) in PLACES[panel].items():
        here = regime(panel, observations=10**t, level=10**y, corner=corner) == name
        turn = " rotate(-90)" if (panel, name) == ("sparse", "both impossible") else ""
        hidden = "" if here else ' style="display:none"'
        labels += (
            f'<text transform="translate({_across(t):.1f} {_down(y):.1f}){turn}" text-anchor="middle" '
            f'data-t="{t}" data-y="{y}" data-region="{name}" pointer-events="none"{hidden}>{name}</text>'
        )
    return labels


def _region(name: Region, outline: str) -> str:
    meaning = f"{name}: {escape(str(REGIMES[name]))}"
    return f'<path class="region {CLASSES[name]}" role="img" aria-label="{meaning}" d="{outline}"/>'


def _path(points: list[tuple[float, float]]) -> str:
    return "M" + "L".join(f"{_across(t):.1f} {_down(y):.1f}" for t, y in points)


def _across(t: float) -> float:
    return FRAME["left"] + max(0, min(FRAME["most"], t)) / FRAME["most"] * (FRAME["right"] - FRAME["left"])


def _down(y: float) -> float:
    share = (max(FRAME["low"], min(FRAME["high"], y)) - FRAME["low"]) / (FRAME["high"] - FRAME["low"])
    return FRAME["bottom"] - share * (FRAME["bottom"] - FRAME["top"])


def _power(k: int) -> str:
    return "1" if k == 0 else f"10{str(k).translate(_RAISED)}"


def _number(x: float) -> str:
    if x == math.inf:
        return "more than 10³⁰⁸"
    if x == 0:
        return "less than 10⁻³⁰⁰"
    if 1e-3 <= x < 1e7:
        return f"{round(x):,}" if x >= 1000 else f"{x:.3g}"
    digits, power = f"{x:.1e}".split("e")
    return f"{digits}·10{str(int(power)).translate(_RAISED)}"
