"""An audit as a table of lines, and as a page: self-contained, inline SVG, nothing loaded from anywhere.

Each plot is drawn twice, for a desk and for a phone, with words for the ear. What failed is told by its shape and its
place, and not by colour alone.
"""

from __future__ import annotations

import math
from collections.abc import Callable, Iterable, Sequence
from html import escape

from sottovoce.audit import LAYERS, Audit, Finding, PlannedTarget, Series, numpy_laplace, our_laplace, support_picture
from sottovoce.cli import terminal
from sottovoce.cli.pages import html_document
from sottovoce.messages import Fact

_STYLE = """
main, header { max-width:66rem; margin:0 auto; padding-left:1.25rem; padding-right:1.25rem }
header { padding-top:2.5rem } main { padding-top:0 }
section > p { max-width:74ch; color:var(--soft) }
.verdict { border:1px solid var(--line); border-left:.5rem solid var(--good); border-radius:10px;
  background:var(--card); padding:1rem 1.25rem; margin:1.2rem 0 }
.verdict.failed { border-left-color:var(--bad) }
.verdict h2 { margin:0; font-size:1.5rem }
.layers { list-style:none; margin:0; padding:0; display:grid; gap:.75rem;
  grid-template-columns:repeat(auto-fit,minmax(min(100%,13rem),1fr)) }
.layers li { border:1px solid var(--line); border-radius:10px; background:var(--card); padding:.8rem 1rem }
.layers b { display:block; font-size:1.4rem; font-variant-numeric:tabular-nums }
.layers span { color:var(--soft); font-size:.92rem }
.scroll table { min-width:46rem } .scroll { overflow-wrap:normal }
caption { text-align:left; color:var(--soft); padding-bottom:.4rem; font-size:.92rem }
tbody th, td.n, td.good, td.bad { white-space:nowrap } tbody th { color:var(--ink) } td:last-child { min-width:16rem }
.good { color:var(--good) } .bad { color:var(--bad); font-weight:600 }
.narrow { display:none }
@media (max-width:44rem) { .wide { display:none } .narrow { display:block }
  .scroll table { min-width:40rem } tbody th { white-space:normal; width:9.5rem } }
svg text { paint-order:stroke; stroke:var(--back); stroke-width:4px; stroke-linejoin:round }
svg .held { fill:var(--blue); fill-opacity:.6 } svg .broken { stroke:var(--bad); stroke-width:2.5; fill:none }
svg .even { stroke:var(--care) } svg .second { fill:var(--care) }
figure svg { max-width:66rem }
"""


def findings_about(result: Audit, plan: Iterable[PlannedTarget]) -> list[Finding]:
    """The findings about some of the targets."""
    names = {one.target.name for one in plan}
    return [finding for finding in result.findings if finding.subject in names]


def figures_of(findings: Sequence[Finding], *, none: str) -> tuple[str, str, str, str]:
    """The slack, how many laws are equal, what was seen at least, and one word; `none` where no layer can say."""
    slacks = [one.slack for one in findings if one.layer == "exact" and one.slack is not None]
    trees = [one.passed for one in findings if one.layer == "tree"]
    bounds = [  # as a part of the declared ε, and in words
        (one.measured / one.declared, f"{one.measured:.2f} of {one.declared:g}")
        for one in findings
        if one.layer == "statistical" and one.measured is not None and one.declared
    ]
    return (
        f"{min(slacks):.1e}" if slacks else none,
        f"{sum(trees)}/{len(trees)}" if trees else none,
        max(bounds, key=lambda bound: bound[0])[1] if bounds else none,
        "certified" if all(one.passed for one in findings) else "FAILED",
    )


def audit_table(
    plan: list[PlannedTarget], result: Audit, unavailable: list[tuple[str, str]], *, each: bool
) -> list[str]:
    """The lines to print."""
    rows = []
    for name in dict.fromkeys(one.mechanism for one in plan):
        mine = [one for one in plan if one.mechanism == name]
        budgets = dict.fromkeys(one.epsilon for one in mine)
        for some in [[one for one in mine if one.epsilon == budget] for budget in budgets] if each else [mine]:
            known = sorted({one.epsilon for one in some if one.epsilon is not None})
            span = " … ".join(f"{budget:g}" for budget in dict.fromkeys([*known[:1], *known[-1:]])) or "-"
            rows.append((name, span, *figures_of(findings_about(result, some), none="-")))
    rows += [(name, "-", "-", "-", "-", "unavailable") for name, _ in unavailable]
    header = ("mechanism", "ε", "slack", "laws equal", "seen at least", "verdict")
    lines = terminal.table(header, rows, left=(0, 1, 5))
    notes = {one.mechanism: one.note for one in plan if one.note}
    lines += ["", *(terminal.labelled("note", f"{name}: {note}") for name, note in notes.items())]
    lines += [terminal.labelled("unavailable", f"{name}: {reason}") for name, reason in unavailable]
    lines += [terminal.labelled("failed", failure_line(one)) for one in result.findings if not one.passed]
    lines += [
        terminal.labelled("level", level_line(result)),
        terminal.labelled(
            "verdict",
            f"{'all certified' if result.certified else 'NOT CERTIFIED'}: "
            f"{terminal.count(len(result.findings), 'finding')} in {result.seconds:.0f} s",
        ),
    ]
    return lines


def failure_line(finding: Finding) -> str:
    """What was seen, in one sentence."""
    amounts = ""
    if finding.measured is not None and finding.declared is not None:
        kind = "at least" if finding.layer == "statistical" else "in truth"
        amounts = f"ε {kind} {finding.measured:.4g}, declared {finding.declared:g}; "
    return f"{finding.subject}, {finding.layer} layer, {finding.check}: {amounts}{finding.detail}"


def level_line(result: Audit) -> str:
    """The false-alarm rate, in words."""
    return (
        f"{terminal.count(result.tests, 'statistical test')} at {result.level:.2g} each: a run over correct mechanisms "
        f"raises a false alarm with probability at most {result.level * result.tests:.0e}"
    )


def audit_page(plan: list[PlannedTarget], result: Audit, unavailable: list[tuple[str, str]]) -> str:
    """The whole document."""
    failed = "".join(f'<li class="bad">{escape(failure_line(one))}</li>' for one in result.findings if not one.passed)
    parts = [_verdict_section(result), _layers_section(result), _mechanism_table(plan, result, unavailable)]
    parts += [_section("failed", "What failed", f"<ul>{failed}</ul>")] if failed else []
    parts += [
        _slack_section(plan, result),
        _seen_section(plan, result),
        _floats_section(),
        _section("reading", "How to read this", _READING),
    ]
    body = "\n".join(part for part in parts if part)
    return html_document(
        "Is ε what it is said to be?",
        about="Sottovoce, every mechanism measured in every layer.",
        body=body,
        style=_STYLE,
    )


def _section(name: str, title: str, *parts: str) -> str:
    """A part of the page under its heading, which is also its name for those who jump from part to part."""
    heading = f'<h2 id="{name}">{escape(title)}</h2>'
    return f'<section aria-labelledby="{name}">{heading}{"".join(parts)}</section>'


def _verdict_section(result: Audit) -> str:
    failed = sum(not one.passed for one in result.findings)
    head = "All certified" if result.certified else f"{failed} findings failed"
    words = f"{len(result.findings):,} findings in {result.seconds:.0f} s. {level_line(result)}."
    return (
        f'<section aria-labelledby="verdict" class="verdict{"" if result.certified else " failed"}">'
        f'<h2 id="verdict" class="{"good" if result.certified else "bad"}">{head}</h2><p>{escape(words)}</p></section>'
    )


def _layers_section(result: Audit) -> str:
    about = {
        "exact": "proofs: ε from the integers of the laws",
        "tree": "laws enumerated, equal to the word",
        "sampler": "reports equal to what scripted words give",
        "statistical": "lower bounds from reports alone",
        "timing": "does time tell noise or data?",
        "processes": "do processes repeat noise?",
        "entropy": "the system's bytes (for many at once OpenSSL's), no others",
        "ledger": "promises kept through crashes and races",
    }
    cells = []
    for layer in LAYERS:
        mine = [one for one in result.findings if one.layer == layer]
        if mine:
            passed = sum(one.passed for one in mine)
            kind = "good" if passed == len(mine) else "bad"
            cells.append(
                f'<li><b class="{kind}">{passed:,} of {len(mine):,}</b><span>{layer}: {about[layer]}</span></li>'
            )
    return _section("layers", "Passed, by layer", f'<ul class="layers">{"".join(cells)}</ul>')


def _mechanism_table(plan: list[PlannedTarget], result: Audit, unavailable: list[tuple[str, str]]) -> str:
    rows = []
    for name in dict.fromkeys(one.mechanism for one in plan):
        mine = [one for one in plan if one.mechanism == name]
        findings = findings_about(result, mine)
        room, laws, bound, verdict = figures_of(findings, none="")
        kind = "good" if all(one.passed for one in findings) else "bad"
        note = mine[0].note
        rows.append(
            f'<tr><th scope="row">{escape(name)}</th><td class="{kind}">{verdict}</td>'
            f'<td class="n">{room}</td><td class="n">{laws}</td><td class="n">{bound}</td>'
            f"<td>{escape(note)}</td></tr>"
        )
    rows += [
        f'<tr><th scope="row">{escape(name)}</th><td>unavailable</td><td></td><td></td><td></td>'
        f"<td>{escape(reason)}</td></tr>"
        for name, reason in unavailable
    ]
    columns = (("mechanism", ""), ("verdict", ""), ("smallest slack", "n"), ("laws equal", "n"), ("seen at least", "n"))
    head = "".join(
        f'<th scope="col"{f" class={kind}" if kind else ""}>{name}</th>' for name, kind in (*columns, ("note", ""))
    )
    return _section(
        "mechanisms",
        "Mechanisms",
        '<div class="scroll" role="region" aria-labelledby="mechanisms" tabindex="0"><table>'
        "<caption>Slack is declared ε minus proven ε; seen is what reports alone prove.</caption>"
        f"<thead><tr>{head}</tr></thead><tbody>{''.join(rows)}</tbody></table></div>",
    )


def _findings_by_mechanism(plan: list[PlannedTarget], result: Audit, layer: str) -> list[tuple[str, list[Finding]]]:
    owner = {one.target.name: one.mechanism for one in plan}
    findings: dict[str, list[Finding]] = {}
    for one in result.findings:
        if one.layer == layer and one.measured is not None and one.declared:
            findings.setdefault(owner[one.subject], []).append(one)
    return list(findings.items())


def _slack_section(plan: list[PlannedTarget], result: Audit) -> str:
    rows = [
        (name, [(one.slack, one.passed) for one in found if one.slack is not None])
        for name, found in _findings_by_mechanism(plan, result, "exact")
    ]
    if not rows:
        return ""
    return _section(
        "slack",
        "Proven: how much of ε is left over",
        "<p>A dot is a question at one ε, or a whole protocol: the declared ε minus what the integers of its law can "
        "cost at most. All that is right of the line is spent within the budget, a cross is not; further left among "
        "the dots is tighter.</p>",
        f"<figure>{wide_and_narrow(lambda width: slack_plot(rows, width))}</figure>",
    )


def _seen_section(plan: list[PlannedTarget], result: Audit) -> str:
    points = [
        (float(one.declared or 0), float(one.measured or 0), one.passed)
        for _, found in _findings_by_mechanism(plan, result, "statistical")
        for one in found
    ]
    if not points:
        return ""
    return _section(
        "seen",
        "Seen: what the reports alone give away",
        "<p>A dot is a test: the ε that was declared, and the ε that the reports prove was spent at least. Above the "
        "diagonal a promise is broken, and the test is a cross. With few reports large ε cannot be seen in full, which "
        "is why proofs come first.</p>",
        f"<figure>{wide_and_narrow(lambda width: bounds_plot(points, width))}</figure>",
    )


def _floats_section() -> str:
    """The picture that shows why there are no floats after the clamp."""
    pictures = [support_picture(box) for box in (numpy_laplace(1.0), our_laplace(1.0))]
    titles = ("NumPy, floating point", "Sottovoce, whole numbers")
    drawn = "".join(
        f"<figure><h3>{title}</h3>{shares_plot(one)}</figure>" for title, one in zip(titles, pictures, strict=True)
    )
    return _section(
        "floats",
        "Why there are no floats after the clamp",
        "<p>Laplace noise for ε = 1, on two collections: all 0 and all 1. Shares of reports by the place of their "
        "lowest bit that is set. Where only one colour has a bar, a single report tells for certain which collection "
        "it came from.</p>",
        f'<div class="grid">{drawn}</div>',
    )


_READING = (
    "<p>The exact layer proves that ε is at most what was declared, for the laws as they are written. The tree "
    "layer proves that the sampler follows those laws, on instances small enough to walk through every path; the "
    "sampler layer shows it for large ones, for large collections and late slots, on words aimed at every "
    "threshold. The statistical layer assumes nothing and proves only that ε is at least something: it can find a "
    "mistake that the others do not model, and can never show that there is none. Entropy and ledger are about the "
    "ground that all of this stands on. The device of a browser (javascript) runs in Node: its words cannot be "
    "followed, so they are tried at the corners of every path.</p>"
)


WIDE, NARROW = 960.0, 350.0
Rows = Sequence[tuple[str, Sequence[tuple[float, bool]]]]
Points = Sequence[tuple[float, float, bool]]


def wide_and_narrow(draw: Callable[[float], str]) -> str:
    """A picture for wide windows and one for narrow ones, of which a page shows one."""
    return f'<div class="wide">{draw(WIDE)}</div><div class="narrow">{draw(NARROW)}</div>'


def _svg(size: tuple[float, float], parts: Sequence[str], title: Fact, description: Fact) -> str:
    """A picture with a name and a description, which is read out in its place."""
    (width, height), name, words = size, escape(str(title)), escape(str(description))
    return (
        f'<svg viewBox="0 0 {width:.0f} {height:.0f}" role="img" aria-label="{name}. {words}" '
        f'xmlns="http://www.w3.org/2000/svg"><title>{name}</title><desc>{words}</desc>'
        f"{''.join(parts)}</svg>"
    )


def _svg_line(x1: float, y1: float, x2: float, y2: float, kind: str = "line", width: float = 1) -> str:
    return f'<line class="{kind}" x1="{x1:.1f}" y1="{y1:.1f}" x2="{x2:.1f}" y2="{y2:.1f}" stroke-width="{width}"/>'


def _svg_text(x: float, y: float, words: Fact | str, *, anchor: str = "middle", kind: str = "") -> str:
    name = f' class="{kind}"' if kind else ""
    return f'<text x="{x:.1f}" y="{y:.1f}" text-anchor="{anchor}"{name}>{escape(str(words))}</text>'


def _dot(x: float, y: float, passed: bool) -> str:
    """A dot, or a cross."""
    if passed:
        return f'<circle class="held" cx="{x:.1f}" cy="{y:.1f}" r="4.5"/>'
    return f'<path class="broken" d="M{x - 5:.1f} {y - 5:.1f}l10 10m0 -10l-10 10"/>'


def slack_plot(rows: Rows, width: float) -> str:
    """Dots on a logarithmic axis, one row for each mechanism; what overspends stands left of a line, as a cross.

    Where there is little room a name stands above its row.
    """
    narrow = width < 600
    low, high = -21, 1
    left, right, row, top = (4.0, 14.0, 42.0, 34.0) if narrow else (250.0, 20.0, 24.0, 34.0)
    bottom = top + row * len(rows)

    def place(exponent: float) -> float:
        return left + 44 + (width - left - 44 - right) * (exponent - low) / (high - low)

    parts = []
    for exponent in range(-20, high + 1, 5 if narrow else 2):
        x = place(exponent)
        parts += [_svg_line(x, top - 8, x, bottom), _svg_text(x, top - 14, "1" if exponent == 0 else f"1e{exponent}")]
    parts += [_svg_line(left + 24, top - 8, left + 24, bottom, "axis", 1.5)]
    parts.append(_svg_text(left, top - 14, Fact("picture-audit-over"), anchor="start"))
    for turn, (name, values) in enumerate(rows):
        y = top + row * (turn + (0.72 if narrow else 0.5))
        at = (left + 30, y - 14, "start") if narrow else (left - 12, y + 4, "end")
        parts.append(_svg_text(at[0], at[1], name, anchor=at[2], kind="ink"))
        for value, passed in values:
            x = place(min(high, max(low, math.log10(value)))) if value > 0 else left + 24 if value == 0 else left + 8
            parts.append(_dot(x, y, passed))
    over = sum(not passed for _, values in rows for _, passed in values)
    least, name = min((value, name) for name, values in rows for value, _ in values)
    dots = sum(len(values) for _, values in rows)
    description = Fact(
        "picture-audit-slack-told", dots=dots, rows=len(rows), over=over, least=f"{least:.1e}", name=name
    )
    return _svg((width, bottom + 10), parts, Fact("picture-audit-slack"), description)


def bounds_plot(points: Points, width: float) -> str:
    """Lower bounds against declared ε, both on logarithmic axes, with the diagonal."""
    narrow = width < 600
    low, high = math.log10(0.05), math.log10(40)
    left, right, top, height = (44.0, 10.0, 14.0, 300.0) if narrow else (60.0, 20.0, 14.0, 430.0)
    bottom = top + height

    def along(value: float) -> float:
        return (min(high, max(low, math.log10(max(value, 1e-9)))) - low) / (high - low)

    def across(value: float) -> float:
        return left + (width - left - right) * along(value)

    def up(value: float) -> float:
        return bottom - height * along(value)

    parts = []
    for tick in (0.1, 0.5, 1, 2, 4, 8, 16, 32):
        parts += [_svg_line(across(tick), top, across(tick), bottom), _svg_text(across(tick), bottom + 18, f"{tick:g}")]
        parts += [
            _svg_line(left, up(tick), width - right, up(tick)),
            _svg_text(left - 8, up(tick) + 4, f"{tick:g}", anchor="end"),
        ]
    parts.append(_svg_text(left - 8, bottom + 4, Fact("picture-audit-none"), anchor="end"))
    parts.append(_svg_line(across(0.05), up(0.05), across(40), up(40), "even", 2))
    parts += [_dot(across(declared), up(bound), passed) for declared, bound, passed in points]
    parts.append(_svg_text((left + width) / 2, bottom + 38, Fact("picture-audit-declared")))
    parts.append(_svg_text(left + 8, top + 12, Fact("picture-audit-proven"), anchor="start"))
    slope = math.degrees(math.atan2(height, width - left - right))
    words = _svg_text(0, -8, Fact("picture-audit-even"))
    parts.append(f'<g transform="translate({across(11):.1f} {up(11):.1f}) rotate({-slope:.2f})">{words}</g>')
    above = sum(not passed for *_, passed in points)
    description = Fact("picture-audit-seen-told", tests=len(points), above=above)
    return _svg((width, bottom + 46), parts, Fact("picture-audit-seen"), description)


def shares_plot(series: Series) -> str:
    """Two samples as bars side by side."""
    width, left, top, height = 400.0, 44.0, 30.0, 190.0
    bottom, step = top + height, (width - left - 10) / len(series.cells)
    most = max(0.05, *series.first, *series.second)
    parts = []
    for tick in (0.0, 0.5, 1.0):
        y = bottom - height * tick
        parts += [_svg_line(left, y, width - 10, y), _svg_text(left - 6, y + 4, f"{tick * most:.0%}", anchor="end")]
    for place, name in enumerate(series.cells):
        x = left + step * place
        for shift, share, kind in ((0.1, series.first[place], "model"), (0.5, series.second[place], "second")):
            tall = height * share / most
            parts.append(
                f'<rect class="{kind}" x="{x + shift * step:.1f}" y="{bottom - tall:.1f}" width="{0.4 * step:.1f}" '
                f'height="{tall:.1f}"/>'
            )
        if place % 4 == 0:
            parts.append(_svg_text(x + step / 2, bottom + 18, name))
    for turn, (label, kind) in enumerate(zip(series.labels, ("model", "second"), strict=True)):
        x = left + 90 * turn
        parts += [f'<rect class="{kind}" x="{x}" y="4" width="12" height="12"/>']
        parts.append(_svg_text(x + 18, 15, label, anchor="start"))
    parts.append(_svg_text(left + (width - left) / 2, bottom + 38, Fact("picture-audit-bit")))
    pairs = list(zip(series.first, series.second, strict=True))
    alone = sum(one + other for one, other in pairs if min(one, other) == 0.0) / 2
    description = Fact("picture-audit-shares-told", alone=alone)
    return _svg((width, bottom + 46), parts, Fact("picture-audit-shares", title=series.title), description)
