"""What a person should know before a device answers: who asks, what for, about which data, and at what cost."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

from sottovoce.cli import own, terminal

if TYPE_CHECKING:
    from sottovoce.cli.held import Observed
    from sottovoce.device import Ledger
    from sottovoce.messages import Fact, Invitation, Manifest
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
    warnings: list[Fact],
) -> list[str]:
    """The same for a terminal. `observed` is None where they are not read yet."""
    from sottovoce.explain import from_you, times
    from sottovoce.messages import Fact

    left, cap, epsilon = own.left(ledger, source), float(ledger.cap), manifest.epsilon
    lines = [
        ("what for", Fact("consent-purpose", purpose=manifest.purpose)),
        ("estimates", _estimates(manifest)),
        ("from you", from_you(manifest)),
        ("reads", _reads(manifest, columns)),
        *([("entries", entries(manifest, observed))] if observed else []),
        *([("categories", _some(manifest.labels))] if manifest.labels else []),
        *([("groups", _some(manifest.groups))] if manifest.groups else []),
        ("privacy", Fact("consent-cost", **times(epsilon).data)),
        ("method", _method(manifest)),
        ("minimum", Fact("consent-people", users=manifest.users, minimum=manifest.minimum)),
        ("kept", Fact("consent-kept", days=manifest.retention_days)),
        ("until", own.moment(manifest.closes)),
        ("where", invitation.base),
        ("survey", manifest.digest),
        ("budget", Fact("consent-budget", left=left, cap=cap, source=repr(source), short=epsilon > left)),
        *(("warning", warning) for warning in warnings),
    ]
    return [terminal.heading("consent-asks", collector=manifest.collector), *terminal.told(lines)]


def doubts(manifest: Manifest) -> list[Fact]:
    """What of a manifest does not fit together. The device keeps to its rules all the same; the words may mislead."""
    from sottovoce.messages import Fact
    from sottovoce.problems import Announced

    try:
        announced = Announced(manifest)
        announced.check_edition()  # of a method that is not here, nobody can tell
        announced.check()
    except Exception as error:  # settings are anything that a collector wrote
        told = str(error)[:200] if isinstance(error, ValueError) else type(error).__name__
        return [Fact("consent-doubt", problem=told)]
    return []


def entries(manifest: Manifest, observed: Observed) -> Fact:
    """How much was read, and how much of it could not be."""
    from sottovoce.messages import Fact

    asked = {"labels": bool(manifest.labels), "groups": bool(manifest.groups)}
    return Fact("consent-entries", entries=observed.entries, missing=observed.missing, **asked)


def _reads(manifest: Manifest, columns: tuple[str, ...]) -> Fact:
    from sottovoce.messages import Fact

    called = _columns(manifest.columns) if manifest.columns and columns != manifest.columns else None
    if not columns:
        return Fact("consent-reads-given", called=called)
    return Fact("consent-reads-file", columns=_columns(columns), called=called)


def _columns(columns: tuple[str, ...]) -> Fact:
    from sottovoce.messages import Fact

    return Fact("consent-columns", several=len(columns) > 1, **_some(tuple(map(repr, columns))).data)


def _some(names: tuple[str, ...]) -> Fact:
    """The first of some names, and how many more there are."""
    from sottovoce.messages import Fact

    return Fact("some-names", names=names[:_LABELS], more=max(0, len(names) - _LABELS))


def _estimates(manifest: Manifest) -> Fact:
    from sottovoce.messages import Fact

    problem = _problem(manifest)
    return problem.estimates if problem else Fact("consent-unknown", name=manifest.problem)


def _method(manifest: Manifest) -> Fact:
    from sottovoce.messages import Fact

    problem, name = _problem(manifest), manifest.settings.get("method")
    known = [method for method in (problem.methods if problem else ()) if method.name == name]
    if not known:
        return Fact("consent-unknown", name=repr(name)[:60])
    return Fact("consent-method", name=known[0].name, help=known[0].help)


def _problem(manifest: Manifest) -> Problem[Any] | None:
    from sottovoce.problems import problems

    return next((problem for problem in problems() if problem.name == manifest.problem), None)
