"""An audit as a table: a line for each mechanism, or for each mechanism and ε."""

from __future__ import annotations

from collections.abc import Iterable, Sequence

from sottovoce.audit import Audit, Finding, Planned
from sottovoce.cli import terminal


def of(result: Audit, plan: Iterable[Planned]) -> list[Finding]:
    """The findings about some of the targets."""
    names = {one.target.name for one in plan}
    return [finding for finding in result.findings if finding.subject in names]


def _slack(findings: Iterable[Finding]) -> float | None:
    """The smallest distance to the declared ε that was proven."""
    found = [one.slack for one in findings if one.layer == "exact" and one.slack is not None]
    return min(found) if found else None


def _seen(findings: Iterable[Finding]) -> tuple[float, float] | None:
    """The largest lower bound from reports, as a part of the declared ε: (bound, declared)."""
    found = [
        (one.measured, one.declared)
        for one in findings
        if one.layer == "statistical" and one.measured is not None and one.declared
    ]
    return max(found, key=lambda pair: pair[0] / pair[1]) if found else None


def figures(findings: Sequence[Finding], *, none: str) -> tuple[str, str, str, str]:
    """The slack, how many laws are equal, what was seen at least, and one word; `none` where no layer can say."""
    room, bound = _slack(findings), _seen(findings)
    trees = [one for one in findings if one.layer == "tree"]
    return (
        none if room is None else f"{room:.1e}",
        f"{sum(one.passed for one in trees)}/{len(trees)}" if trees else none,
        none if bound is None else f"{bound[0]:.2f} of {bound[1]:g}",
        "certified" if all(one.passed for one in findings) else "FAILED",
    )


def table(plan: list[Planned], result: Audit, unavailable: list[tuple[str, str]], *, each: bool) -> list[str]:
    """The lines to print."""
    rows = []
    for name in dict.fromkeys(one.mechanism for one in plan):
        mine = [one for one in plan if one.mechanism == name]
        if each:
            rows += [
                (name, "-" if epsilon is None else f"{epsilon:g}", *figures(of(result, some), none="-"))
                for epsilon in dict.fromkeys(one.epsilon for one in mine)
                if (some := [one for one in mine if one.epsilon == epsilon])
            ]
            continue
        budgets = sorted({one.epsilon for one in mine if one.epsilon is not None})
        span = "-" if not budgets else f"{budgets[0]:g}" if len(budgets) == 1 else f"{budgets[0]:g} … {budgets[-1]:g}"
        rows.append((name, span, *figures(of(result, mine), none="-")))
    rows += [(name, "-", "-", "-", "-", "unavailable") for name, _ in unavailable]
    header = ("mechanism", "ε", "slack", "laws equal", "seen at least", "verdict")
    lines = terminal.table(header, rows, left=(0, 1, 5))
    notes = {one.mechanism: one.note for one in plan if one.note}
    lines += ["", *(terminal.labelled("note", f"{name}: {note}") for name, note in notes.items())]
    lines += [terminal.labelled("unavailable", f"{name}: {reason}") for name, reason in unavailable]
    for finding in result.findings:
        if not finding.passed:
            lines.append(terminal.labelled("failed", failure(finding)))
    lines += [
        terminal.labelled("level", level(result)),
        terminal.labelled(
            "verdict",
            f"{'all certified' if result.certified else 'NOT CERTIFIED'}: "
            f"{terminal.count(len(result.findings), 'finding')} in {result.seconds:.0f} s",
        ),
    ]
    return lines


def failure(finding: Finding) -> str:
    """What was seen, in one sentence."""
    amounts = ""
    if finding.measured is not None and finding.declared is not None:
        kind = "at least" if finding.layer == "statistical" else "in truth"
        amounts = f"ε {kind} {finding.measured:.4g}, declared {finding.declared:g}; "
    return f"{finding.subject}, {finding.layer} layer, {finding.check}: {amounts}{finding.detail}"


def level(result: Audit) -> str:
    """The false-alarm rate, in words."""
    return (
        f"{terminal.count(result.tests, 'statistical test')} at {result.level:.2g} each: a run over correct mechanisms "
        f"raises a false alarm with probability at most {result.level * result.tests:.0e}"
    )
