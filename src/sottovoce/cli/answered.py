"""What came of trying to answer a survey, for people and for programs."""

from __future__ import annotations

from dataclasses import asdict, dataclass
from typing import TYPE_CHECKING, Any

from sottovoce.cli import consent, own, terminal
from sottovoce.cli.failures import Failure

if TYPE_CHECKING:
    from sottovoce.cli.held import Observed
    from sottovoce.client import Device, Outcome
    from sottovoce.messages import Manifest

_MANIFEST = ("collector", "purpose", "problem", "epsilon", "users", "minimum", "retention_days", "closes")


@dataclass(frozen=True, kw_only=True)
class Asked:
    """A survey that was looked at, and what the person holds for it."""

    manifest: Manifest
    observed: Observed
    warnings: list[str]


def tell(outcome: Outcome, device: Device, asked: Asked | None) -> None:
    """For people; why a device declined is what the command ends with."""
    from sottovoce.messages import Declined

    lines = _report(outcome, device)
    if outcome.before:
        lines.append(("note", "this invitation was used before; if that was not you, tell the people who ask"))
    if asked is not None and outcome.state != "declined":
        lines.insert(0, ("entries", consent.entries(asked.manifest, asked.observed)))
    if outcome.state == "answered":
        head = "Answered before; nothing new was sent" if outcome.code == "before" else "Answered"
    elif outcome.state == "waiting":
        head = "Not yet"
        lines = [("why", outcome.why), ("come back", f"{_when(outcome)}, with the same command"), *lines]
    else:
        head = "Not answered"
        lines = lines if outcome.state == "declined" else [("why", outcome.why), *lines]
    if lines:
        terminal.show(["", terminal.bold(head), *(terminal.labelled(name, text, indent=2) for name, text in lines)])
    if outcome.state == "declined":
        raise Declined(outcome.code, terminal.plain(outcome.why))


def _when(outcome: Outcome) -> str:
    if outcome.latest_at is None:
        return own.moment(outcome.again_at)
    return f"when that round has closed, {own.moment(outcome.latest_at)} at the latest"


def _report(outcome: Outcome, device: Device) -> list[tuple[str, str]]:
    """What became of the report, where there is one: it has its cost in any case."""
    entry, payload = device.outbox.of(outcome.survey), _payload(outcome, device)
    if entry is None:
        return []
    said = f"{payload} (in hexadecimal), and nothing else of what you hold"
    cost = f"ε = {float(entry.epsilon):.4g}; {own.left(device.ledger, device.source):.4g} left for {device.source!r}"
    if outcome.state == "answered":
        return [("sent", said), ("cost", cost)]
    if outcome.state == "waiting":
        became = "is still to be sent" if entry.sent is None else "was sent, and whether it arrived is not known"
    else:
        became = "was not sent" if entry.sent is None else "was sent, but not taken"
    return [("report", f"a report was made, and {became}; it cost ε all the same"), ("it says", said), ("cost", cost)]


def document(outcome: Outcome, device: Device, asked: Asked | None) -> dict[str, Any]:
    """For programs."""
    told, manifest = asdict(outcome), None
    if asked is not None:
        manifest = {name: getattr(asked.manifest, name) for name in _MANIFEST}
        manifest["method"] = asked.manifest.settings.get("method")
    return {
        "survey": told.pop("survey"),
        "manifest": manifest,
        "warnings": asked.warnings if asked else [],
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
    return Failure(code="not-answered", message=terminal.plain(outcome.why), reason=outcome.code or None)


def _payload(outcome: Outcome, device: Device) -> str | None:
    from sottovoce.messages import Report

    entry = device.outbox.of(outcome.survey)
    return None if entry is None else Report.from_bytes(entry.report).payload
