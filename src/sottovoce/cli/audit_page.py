"""An audit as a page: self-contained, inline SVG, nothing loaded from anywhere."""

from __future__ import annotations

from html import escape

from sottovoce.audit import LAYERS, Audit, Finding, Planned, numpy_laplace, our_laplace, support_picture
from sottovoce.cli import audit_plots as plots
from sottovoce.cli import audit_words as words
from sottovoce.cli.page import document

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


def page(plan: list[Planned], result: Audit, unavailable: list[tuple[str, str]]) -> str:
    """The whole document."""
    parts = [_verdict(result), _layers(result), _table(plan, result, unavailable), _failures(result)]
    parts += [_slack(plan, result), _seen(plan, result), _floats(), _reading()]
    body = "\n".join(part for part in parts if part)
    return document(
        "Is ε what it is said to be?",
        about="Sottovoce, every mechanism measured in every layer.",
        body=body,
        style=_STYLE,
    )


def _section(name: str, title: str, *parts: str) -> str:
    """A part of the page under its heading, which is also its name for those who jump from part to part."""
    heading = f'<h2 id="{name}">{escape(title)}</h2>'
    return f'<section aria-labelledby="{name}">{heading}{"".join(parts)}</section>'


def _verdict(result: Audit) -> str:
    failed = sum(not one.passed for one in result.findings)
    head = "All certified" if result.certified else f"{failed} findings failed"
    told = f"{len(result.findings):,} findings in {result.seconds:.0f} s. {words.level(result)}."
    return (
        f'<section aria-labelledby="verdict" class="verdict{"" if result.certified else " failed"}">'
        f'<h2 id="verdict" class="{"good" if result.certified else "bad"}">{head}</h2><p>{escape(told)}</p></section>'
    )


def _layers(result: Audit) -> str:
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


def _table(plan: list[Planned], result: Audit, unavailable: list[tuple[str, str]]) -> str:
    rows = []
    for name in dict.fromkeys(one.mechanism for one in plan):
        mine = [one for one in plan if one.mechanism == name]
        found = words.of(result, mine)
        room, laws, bound, verdict = words.figures(found, none="")
        kind = "good" if all(one.passed for one in found) else "bad"
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


def _failures(result: Audit) -> str:
    failed = [one for one in result.findings if not one.passed]
    if not failed:
        return ""
    items = "".join(f'<li class="bad">{escape(words.failure(one))}</li>' for one in failed)
    return _section("failed", "What failed", f"<ul>{items}</ul>")


def _by_mechanism(plan: list[Planned], result: Audit, layer: str) -> list[tuple[str, list[Finding]]]:
    owner = {one.target.name: one.mechanism for one in plan}
    found: dict[str, list[Finding]] = {}
    for one in result.findings:
        if one.layer == layer and one.measured is not None and one.declared:
            found.setdefault(owner[one.subject], []).append(one)
    return list(found.items())


def _slack(plan: list[Planned], result: Audit) -> str:
    rows = [
        (name, [(one.slack, one.passed) for one in found if one.slack is not None])
        for name, found in _by_mechanism(plan, result, "exact")
    ]
    if not rows:
        return ""
    return _section(
        "slack",
        "Proven: how much of ε is left over",
        "<p>A dot is a question at one ε, or a whole protocol: the declared ε minus what the integers of its law can "
        "cost at most. All that is right of the line is spent within the budget, a cross is not; further left among "
        "the dots is tighter.</p>",
        f"<figure>{plots.both(lambda width: plots.slack(rows, width))}</figure>",
    )


def _seen(plan: list[Planned], result: Audit) -> str:
    points = [
        (float(one.declared or 0), float(one.measured or 0), one.passed)
        for _, found in _by_mechanism(plan, result, "statistical")
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
        f"<figure>{plots.both(lambda width: plots.seen(points, width))}</figure>",
    )


def _floats() -> str:
    """The picture that shows why there are no floats after the clamp."""
    pictures = [support_picture(box) for box in (numpy_laplace(1.0), our_laplace(1.0))]
    titles = ("NumPy, floating point", "Sottovoce, whole numbers")
    drawn = "".join(
        f"<figure><h3>{title}</h3>{plots.shares(one)}</figure>" for title, one in zip(titles, pictures, strict=True)
    )
    return _section(
        "floats",
        "Why there are no floats after the clamp",
        "<p>Laplace noise for ε = 1, on two collections: all 0 and all 1. Shares of reports by the place of their "
        "lowest bit that is set. Where only one colour has a bar, a single report tells for certain which collection "
        "it came from.</p>",
        f'<div class="grid">{drawn}</div>',
    )


def _reading() -> str:
    return _section(
        "reading",
        "How to read this",
        "<p>The exact layer proves that ε is at most what was declared, for the laws as they are written. The tree "
        "layer proves that the sampler follows those laws, on instances small enough to walk through every path; the "
        "sampler layer shows it for large ones, for large collections and late slots, on words aimed at every "
        "threshold. The statistical layer assumes nothing and proves only that ε is at least something: it can find a "
        "mistake that the others do not model, and can never show that there is none. Entropy and ledger are about the "
        "ground that all of this stands on. The device of a browser (javascript) runs in Node: its words cannot be "
        "followed, so they are tried at the corners of every path.</p>",
    )
