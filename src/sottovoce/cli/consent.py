"""What a person should know before a device answers: who asks, what for, about which data, and at what cost."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

from sottovoce.cli import computed, own, terminal

if TYPE_CHECKING:
    from sottovoce.cli.held import Observed
    from sottovoce.device import Ledger
    from sottovoce.messages import Invitation, Manifest
    from sottovoce.problems import Problem

_LABELS = 20


def asked(
    manifest: Manifest,
    invitation: Invitation,
    *,
    columns: tuple[str, ...],
    observed: Observed | None,
    ledger: Ledger,
    source: str,
    warnings: list[str],
) -> list[str]:
    """The same for a terminal. `observed` is None where they are not read yet."""
    from sottovoce.explain import times

    left = own.left(ledger, source)
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
        ("from you", computed.from_you(manifest)),
        ("reads", _reads(manifest, columns)),
        *([("entries", entries(manifest, observed))] if observed else []),
        *([("categories", _categories(manifest.labels))] if manifest.labels else []),
        *([("groups", _categories(manifest.groups))] if manifest.groups else []),
        ("privacy", looks),
        ("method", _method(manifest)),
        ("minimum", few),
        ("kept", kept),
        ("until", own.moment(manifest.closes)),
        ("where", invitation.base),
        ("survey", manifest.digest),
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


def entries(manifest: Manifest, observed: Observed) -> str:
    """How much was read, and how much of it could not be."""
    if not observed.missing:
        return f"{observed.entries:,}"
    how = "in no category" if manifest.labels else "not a number"
    how += " or in no group" if manifest.groups else ""
    return f"{observed.entries:,}, of which missing or {how}: {observed.missing:,}"


def _reads(manifest: Manifest, columns: tuple[str, ...]) -> str:
    called = _names(manifest.columns)
    if not columns:
        return "what you give" + (f" (the survey asks for {called})" if called else "")
    where = f"your file, {_names(columns)}"
    return where + (f" (the survey calls it {called})" if called and columns != manifest.columns else "")


def _names(columns: tuple[str, ...]) -> str:
    shown = ", ".join(map(repr, columns[:_LABELS]))
    more = f" and {len(columns) - _LABELS:,} more" if len(columns) > _LABELS else ""
    return f"column{'s' if len(columns) > 1 else ''} {shown}{more}" if columns else ""


def _categories(labels: tuple[str, ...]) -> str:
    more = f" and {len(labels) - _LABELS:,} more" if len(labels) > _LABELS else ""
    return ", ".join(labels[:_LABELS]) + more


def _estimates(manifest: Manifest) -> str:
    problem = _problem(manifest)
    return str(problem.estimates) if problem else f"{manifest.problem}, which this version does not know"


def _method(manifest: Manifest) -> str:
    problem, name = _problem(manifest), manifest.settings.get("method")
    known = [method for method in (problem.methods if problem else ()) if method.name == name]
    return (
        f"{known[0].name}, which {known[0].help}" if known else f"{repr(name)[:60]}, which this version does not know"
    )


def _problem(manifest: Manifest) -> Problem[Any] | None:
    from sottovoce.problems import problems

    return next((problem for problem in problems() if problem.name == manifest.problem), None)
