"""An audit as a page: self-contained, inline SVG, nothing loaded from anywhere."""

from __future__ import annotations

from html import escape

from sottovoce.audit import LAYERS, Audit, Finding, Planned, numpy_laplace, our_laplace, support_picture
from sottovoce.cli import audit_plots as plots
from sottovoce.cli import audit_words as words

_STYLE = """
:root { --ink:#1d2433; --soft:#5d6780; --line:#e3e7ef; --paper:#fbfcfe; --good:#1b7f5c; --bad:#b3261e;
  --blue:#3366cc; --amber:#d98324 }
@media (prefers-color-scheme: dark) { :root { --ink:#e8ebf2; --soft:#9aa4ba; --line:#2c3446; --paper:#141925;
  --good:#2b9c74; --bad:#d9534f; --blue:#82a9ff; --amber:#f0b060 } }
* { box-sizing:border-box }
body { margin:0; font:16px/1.55 system-ui,sans-serif; color:var(--ink); background:var(--paper) }
main { max-width:1060px; margin:0 auto; padding:32px 20px 64px }
h1 { font-size:30px; margin:0 0 4px; letter-spacing:-.01em }
h2 { font-size:20px; margin:44px 0 6px }
h3 { font-size:15px; margin:14px 0 0 }
p { max-width:74ch; margin:6px 0; color:var(--soft) }
.banner { border-radius:14px; padding:22px 26px; color:#fff; background:var(--good); margin:20px 0 }
.banner.failed { background:var(--bad) }
.banner strong { display:block; font-size:26px }
.banner p { color:#fff; margin:4px 0 0 }
.layers { display:grid; grid-template-columns:repeat(auto-fit,minmax(180px,1fr)); gap:12px }
.layers div { border:1px solid var(--line); border-radius:12px; padding:14px 16px }
.layers b { display:block; font-size:24px }
.layers span { color:var(--soft); font-size:14px }
table { border-collapse:collapse; width:100%; font-size:14px; font-variant-numeric:tabular-nums }
th { text-align:left; color:var(--soft); font-weight:500 }
th, td { padding:5px 10px 5px 0; border-bottom:1px solid var(--line) }
td.n, th.n { text-align:right; padding-right:24px }
.good { color:var(--good) }
.bad { color:var(--bad); font-weight:600 }
svg { width:100%; height:auto; display:block; margin-top:8px }
svg text { font:12px system-ui,sans-serif; fill:var(--soft) }
svg .name { fill:var(--ink) }
.scroll { overflow-x:auto }
.pair { display:grid; gap:20px; grid-template-columns:repeat(auto-fit,minmax(320px,1fr)) }
"""


def page(plan: list[Planned], result: Audit, unavailable: list[tuple[str, str]]) -> str:
    """The whole document."""
    parts = [_banner(result), _layers(result), _table(plan, result, unavailable), _failures(result)]
    parts += [_slack(plan, result), _seen(plan, result), _floats(), _reading()]
    body = "\n".join(part for part in parts if part)
    return (
        '<!doctype html>\n<html lang="en">\n<head>\n<meta charset="utf-8">\n'
        '<meta name="viewport" content="width=device-width, initial-scale=1">\n'
        f"<title>Sottovoce audit</title>\n<style>{_STYLE}</style>\n</head>\n<body><main>\n"
        "<h1>Is ε what it is said to be?</h1>\n<p>Sottovoce, every mechanism measured in every layer.</p>\n"
        f"{body}\n</main></body>\n</html>\n"
    )


def _banner(result: Audit) -> str:
    failed = sum(not one.passed for one in result.findings)
    head = "All certified" if result.certified else f"{failed} findings failed"
    return (
        f'<div class="banner{"" if result.certified else " failed"}"><strong>{head}</strong>'
        f"<p>{len(result.findings):,} findings in {result.seconds:.0f} s. {escape(words.level(result))}.</p></div>"
    )


def _layers(result: Audit) -> str:
    about = {
        "exact": "proofs: ε from the integers of the laws",
        "tree": "laws enumerated, equal to the word",
        "sampler": "reports equal to what scripted words give",
        "statistical": "lower bounds from reports alone",
        "timing": "does time tell noise or data?",
        "processes": "do processes repeat noise?",
        "entropy": "the operating system's bytes (for many at once OpenSSL's), no others",
        "ledger": "promises kept through crashes and races",
    }
    cells = []
    for layer in LAYERS:
        mine = [one for one in result.findings if one.layer == layer]
        if mine:
            passed = sum(one.passed for one in mine)
            kind = "good" if passed == len(mine) else "bad"
            cells.append(
                f'<div><b class="{kind}">{passed:,} / {len(mine):,}</b><span>{layer}: {about[layer]}</span></div>'
            )
    return f'<div class="layers">{"".join(cells)}</div>'


def _table(plan: list[Planned], result: Audit, unavailable: list[tuple[str, str]]) -> str:
    rows = []
    for name in dict.fromkeys(one.mechanism for one in plan):
        mine = [one for one in plan if one.mechanism == name]
        found = words.of(result, mine)
        room, bound = words.slack(found), words.seen(found)
        trees = [one for one in found if one.layer == "tree"]
        kind = "good" if all(one.passed for one in found) else "bad"
        note = mine[0].note
        rows.append(
            f"<tr><td>{escape(name)}</td><td class=n>{'' if room is None else f'{room:.1e}'}</td>"
            f"<td class=n>{f'{sum(one.passed for one in trees)}/{len(trees)}' if trees else ''}</td>"
            f"<td class=n>{'' if bound is None else f'{bound[0]:.2f} of {bound[1]:g}'}</td>"
            f'<td class="{kind}">{words.verdict(found)}</td><td>{escape(note)}</td></tr>'
        )
    rows += [
        f"<tr><td>{escape(name)}</td><td></td><td></td><td></td><td>unavailable</td><td>{escape(reason)}</td></tr>"
        for name, reason in unavailable
    ]
    head = (
        "<tr><th>mechanism</th><th class=n>smallest slack</th><th class=n>laws equal</th>"
        "<th class=n>seen at least</th><th>verdict</th><th></th></tr>"
    )
    return f'<h2>Mechanisms</h2><div class="scroll"><table>{head}{"".join(rows)}</table></div>'


def _failures(result: Audit) -> str:
    failed = [one for one in result.findings if not one.passed]
    if not failed:
        return ""
    return "<h2>What failed</h2>" + "".join(f'<p class="bad">{escape(words.failure(one))}</p>' for one in failed)


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
    return (
        "<h2>Proven: how much of ε is left over</h2><p>A dot is a question at one ε, or a whole protocol: the declared "
        "ε minus what the integers of its law can cost at most. All that is right of the line is spent within the "
        "budget; further left among the dots is tighter.</p>" + plots.slack(rows)
    )


def _seen(plan: list[Planned], result: Audit) -> str:
    points = [
        (float(one.declared or 0), float(one.measured or 0), one.passed)
        for _, found in _by_mechanism(plan, result, "statistical")
        for one in found
    ]
    if not points:
        return ""
    return (
        "<h2>Seen: what the reports alone give away</h2><p>A dot is a test: the ε that was declared, and the ε that "
        "the reports prove was spent at least. Above the diagonal a promise is broken. With few reports large ε "
        "cannot be seen in full, which is why proofs come first.</p>" + plots.seen(points)
    )


def _floats() -> str:
    """The picture that shows why there are no floats after the clamp."""
    pictures = [support_picture(box) for box in (numpy_laplace(1.0), our_laplace(1.0))]
    titles = ("NumPy, floating point", "Sottovoce, whole numbers")
    drawn = "".join(
        f"<div><h3>{title}</h3>{plots.shares(one)}</div>" for title, one in zip(titles, pictures, strict=True)
    )
    return (
        "<h2>Why there are no floats after the clamp</h2><p>Laplace noise for ε = 1, on two collections: all 0 and all "
        "1. Shares of reports by the place of their lowest bit that is set. Where only one colour has a bar, a single "
        f'report tells for certain which collection it came from.</p><div class="pair">{drawn}</div>'
    )


def _reading() -> str:
    return (
        "<h2>How to read this</h2><p>The exact layer proves that ε is at most what was declared, for the laws as they "
        "are written. The tree layer proves that the sampler follows those laws, on instances small enough to "
        "walk through every path; the sampler layer shows it for large ones, for large collections and late slots, on "
        "words aimed at every threshold. The statistical layer assumes nothing and proves only that ε is at least "
        "something: it can find a mistake that the others do not model, and can never show that there is none. Entropy "
        "and ledger are about the ground that all of this stands on.</p>"
    )
