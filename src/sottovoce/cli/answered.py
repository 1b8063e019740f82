"""What came of trying to answer a survey, for people and for programs."""

from __future__ import annotations

from dataclasses import asdict, dataclass
from typing import TYPE_CHECKING, Any

from sottovoce.cli import consent, own, terminal
from sottovoce.cli.failures import Failure

if TYPE_CHECKING:
    from sottovoce.cli.held import Observed
    from sottovoce.client import Device, Outcome
    from sottovoce.messages import Fact, Manifest

_MANIFEST = ("collector", "purpose", "problem", "epsilon", "users", "minimum", "retention_days", "closes")


@dataclass(frozen=True, kw_only=True)
class Asked:
    """A survey that was looked at, and what the person holds for it."""

    manifest: Manifest
    observed: Observed
    warnings: list[Fact]


def tell(outcome: Outcome, device: Device, asked: Asked | None) -> None:
    """For people; why a device declined is what the command ends with."""
    from sottovoce.messages import Declined, Fact

    lines = _report(outcome, device)
    if outcome.before:
        lines.append(("note", Fact("answered-used-before")))
    if asked is not None and outcome.state != "declined":
        lines.insert(0, ("entries", consent.entries(asked.manifest, asked.observed)))
    if outcome.state == "answered":
        head = Fact("answered-before" if outcome.code == "before" else "answered")
    elif outcome.state == "waiting":
        head = Fact("answered-not-yet")
        lines = [("why", outcome.why), ("come back", _when(outcome)), *lines]
    else:
        head = Fact("answered-not")
        lines = lines if outcome.state == "declined" else [("why", outcome.why), *lines]
    if lines:
        terminal.show(["", terminal.bold(str(head)), *terminal.told(lines)])
    if outcome.state == "declined":
        raise Declined(outcome.code, terminal.plain(str(outcome.why)))


def _when(outcome: Outcome) -> Fact:
    from sottovoce.messages import Fact

    latest = None if outcome.latest_at is None else own.moment(outcome.latest_at)
    return Fact("answered-come-back", again=own.moment(outcome.again_at), latest=latest)


def _report(outcome: Outcome, device: Device) -> list[tuple[str, Fact]]:
    """What became of the report, where there is one: it has its cost in any case."""
    from sottovoce.messages import Fact

    entry, left = device.outbox.of(outcome.survey), own.left(device.ledger, device.source)
    if entry is None:
        return []
    said = Fact("answered-said", payload=_payload(outcome, device))
    cost = Fact("answered-cost", cost=float(entry.epsilon), left=left, source=repr(device.source))
    if outcome.state == "answered":
        return [("sent", said), ("cost", cost)]
    if outcome.state == "waiting":
        became = "unsent" if entry.sent is None else "unknown"
    else:
        became = "kept" if entry.sent is None else "refused"
    return [("report", Fact("answered-report", became=became)), ("it says", said), ("cost", cost)]


def document(outcome: Outcome, device: Device, asked: Asked | None) -> dict[str, Any]:
    """For programs."""
    told, manifest = asdict(outcome) | {"why": outcome.why.to_plain()}, None
    if asked is not None:
        manifest = {name: getattr(asked.manifest, name) for name in _MANIFEST}
        manifest["method"] = asked.manifest.settings.get("method")
    return {
        "survey": told.pop("survey"),
        "manifest": manifest,
        "warnings": [warning.to_plain() for warning in asked.warnings] if asked else [],
        "entries": asked.observed.entries if asked else None,
        "missing": asked.observed.missing if asked else None,
        "outcome": told,
        "report": _payload(outcome, device),
        "budget": {
            "source": device.source,
            "cap": float(device.ledger.cap),
            "spent": float(device.ledger.spent(device.source)),
            "left": own.left(device.ledger, device.source),
        },
    }


def failure(outcome: Outcome) -> Failure | None:
    """Why nothing was answered, where nothing was and no waiting helps."""
    if outcome.state in ("answered", "waiting"):
        return None
    return Failure(code="not-answered", message=terminal.plain(str(outcome.why)), reason=outcome.code or None)


def _payload(outcome: Outcome, device: Device) -> str | None:
    from sottovoce.messages import Report

    entry = device.outbox.of(outcome.survey)
    return None if entry is None else Report.from_bytes(entry.report).payload
