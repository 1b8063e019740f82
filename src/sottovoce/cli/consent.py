"""What a person should know before a device answers: who asks, what for, about which data, and at what cost."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

from sottovoce.cli import own, terminal

if TYPE_CHECKING:
    from sottovoce.cli.held import Observed
    from sottovoce.device import Ledger
    from sottovoce.messages import Invitation, Manifest
    from sottovoce.problems import Problem

_LABELS = 20


def asked(
    manifest: Manifest, invitation: Invitation, observed: Observed, *, ledger: Ledger, source: str, warnings: list[str]
) -> list[str]:
    """The same for a terminal."""
    from sottovoce.explain import times

    left = max(0.0, float(ledger.cap - ledger.spent(source)))
    short = "" if manifest.epsilon <= left else ", which is too little for this survey"
    few = f"nothing is shown of a round that fewer than {manifest.minimum:,} of {manifest.users:,} users answer"
    days = terminal.count(manifest.retention_days, "day")
    kept = f"reports are deleted {days} after the survey ends; their sums stay, and are public"
    if not manifest.retention_days:
        kept = "reports are deleted when the survey ends; their sums stay, and are public"
    looks = f"ε = {manifest.epsilon:g} for all you hold together: with other observations, no report would become more "
    looks += f"than {times(manifest.epsilon)} times as likely"
    lines = [
        ("what for", manifest.purpose or "no purpose is given"),
        ("estimates", _estimates(manifest)),
        ("from you", _from_you(manifest)),
        ("reads", _reads(manifest, observed)),
        *([("categories", _categories(manifest.labels))] if manifest.labels else []),
        ("privacy", looks),
        ("method", _method(manifest)),
        ("minimum", few),
        ("kept", kept),
        ("until", own.moment(manifest.closes)),
        ("where", f"{invitation.base}, survey {manifest.digest[:12]}"),
        ("budget", f"ε = {left:.4g} of {float(ledger.cap):g} left for {source!r}{short}"),
        *(("warning", warning) for warning in warnings),
    ]
    head = f"{manifest.collector} asks" if manifest.collector else "Somebody asks who gives no name"
    return [terminal.bold(head), *(terminal.labelled(name, text, indent=2) for name, text in lines)]


def doubts(manifest: Manifest) -> list[str]:
    """What of a manifest does not fit together. The device keeps to its rules all the same; the words may mislead."""
    from sottovoce.problems import Announced

    try:
        Announced(manifest).check()
    except Exception as error:  # settings are anything that a collector wrote
        told = str(error)[:200] if isinstance(error, ValueError) else type(error).__name__
        return [f"what this survey may ask is not what its own settings come to ({told}): its words may mislead you"]
    return []


def _reads(manifest: Manifest, observed: Observed) -> str:
    entries = "one entry" if observed.entries == 1 else f"{observed.entries:,} entries"
    called = _names(manifest.columns)
    if observed.columns:
        where = f"{entries} from your file, {_names(observed.columns)}"
        where += f" (the survey calls it {called})" if called and observed.columns != manifest.columns else ""
    else:
        where = f"{entries} that you give" + (f" (the survey asks for {called})" if called else "")
    if not observed.missing:
        return where
    return (
        f"{where}; of these, missing or {'in no category' if manifest.labels else 'not a number'}: {observed.missing:,}"
    )


def _names(columns: tuple[str, ...]) -> str:
    shown = ", ".join(map(repr, columns[:_LABELS]))
    more = f" and {len(columns) - _LABELS:,} more" if len(columns) > _LABELS else ""
    return f"column{'s' if len(columns) > 1 else ''} {shown}{more}" if columns else ""


def _categories(labels: tuple[str, ...]) -> str:
    more = f" and {len(labels) - _LABELS:,} more" if len(labels) > _LABELS else ""
    return ", ".join(labels[:_LABELS]) + more


def _estimates(manifest: Manifest) -> str:
    problem = _problem(manifest)
    return problem.estimates if problem else f"{manifest.problem}, which this version does not know"


def _method(manifest: Manifest) -> str:
    problem, name = _problem(manifest), manifest.settings.get("method")
    known = [method for method in (problem.methods if problem else ()) if method.name == name]
    return (
        f"{known[0].name}, which {known[0].help}" if known else f"{repr(name)[:60]}, which this version does not know"
    )


def _problem(manifest: Manifest) -> Problem[Any] | None:
    from sottovoce.problems import problems

    return next((problem for problem in problems() if problem.name == manifest.problem), None)


def _from_you(manifest: Manifest) -> str:
    """The ways to ask, each once: what of the observations the one report is about."""
    ways = dict.fromkeys(
        f"{way.statistic}{f' of {way.columns:,} columns' if way.columns > 1 else ''} (from {way.low:g} to {way.high:g})"
        for way in manifest.rules.ways
    )
    return f"one report, randomised on this device, about: {' or '.join(ways)}"
