"""``sotto answer``: read an invitation, show what is asked and by whom, and answer it once."""

from __future__ import annotations

import argparse
import sys
from dataclasses import asdict, dataclass
from functools import cache
from typing import TYPE_CHECKING, Any

from sottovoce.cli import failures, terminal
from sottovoce.cli.collection import read_given
from sottovoce.cli.failures import Failure
from sottovoce.cli.file_options import column_names
from sottovoce.cli.ledger import SOURCE, budget_left, ledger_options, local_time, open_ledger, read_invitation
from sottovoce.cli.parser import json_option, number

if TYPE_CHECKING:
    from sottovoce.cli.collection import Given, Observed
    from sottovoce.cli.options import Commands
    from sottovoce.client import Device, Outcome
    from sottovoce.device import Ledger
    from sottovoce.messages import Fact, Invitation, Manifest

SPREAD = 5.0
WAIT = 60.0

_EPILOG = """\
examples:
  sotto answer "https://example.org/surveys/ID/participate#ID.TOKEN" --data ratings.csv
  sotto answer @invitation.txt --data ratings.csv --column stars --yes
  sotto answer - --values 4,5,3 --yes

The invitation is one URL; quote it, since it holds a #. What stands behind the # is checked here,
and is not part of any address that is asked for. Its last part is a token for you alone, and other
programs may see a command line: @FILE reads the URL from a file, and - from standard input.
What cannot be read in your data counts as missing; you are told how much it is. A file is read
before the first request. What takes longer the more you hold, and is left to do, is done between
the question and your report, whose moment --spread hides; without --yes it is done before you are
asked, and hidden by your own pause.
One report is ever made for a survey: run the command again after a failure, or when it says to come
back, and it goes on from where it was. sotto ledger shows what was said.
exit codes: 0 answered, or to come back later, also where the collector cannot be reached; 3
declined, or too late, or not taken.
--json needs --yes and prints survey, manifest (collector, purpose, problem, method, epsilon, users,
minimum, retention_days, closes), warnings (a list), entries and missing (how many you gave, and
how many of them could not be read), outcome (state, code, why; again_at, when it is worth coming
back, and latest_at, when the round that is open will have closed at the latest, in seconds since
1970 or null; epsilon and slot of the report, taken or not; before, whether the invitation had been
used before you first came), report (its payload, or null) and budget (source, cap, spent, left).
manifest, entries and missing are null where the survey need not, or cannot, be looked at."""


def register(commands: Commands, *, wanted: str | None) -> None:
    """Add the command."""
    parser = commands.add_parser(
        "answer",
        help="answer a survey that you are invited to, once",
        description="Answer a survey: see who asks, what for and at what cost, and send one report that is randomised\n"
        "on this device. Your observations do not leave it.",
        epilog=_EPILOG,
    )
    parser.add_argument("url", metavar="URL", help="the invitation; or @FILE that holds it, or - for standard input")
    mine = parser.add_mutually_exclusive_group(required=True)
    mine.add_argument(
        "--data",
        metavar="FILE",
        help="your observations: text with commas, spaces or new lines between them, or .csv with a header; - reads "
        "standard input",
    )
    mine.add_argument(
        "--values",
        metavar="X,Y,…",
        help="the same on the command line, where other programs may see it; vectors with semicolons between them",
    )
    parser.add_argument(
        "--column",
        type=column_names,
        action="extend",
        metavar="COL,COL,…",
        help="columns of the file that hold the observations (default: those that the survey names; else, of a .csv "
        "file, its only one, or as many as the survey looks at)",
    )
    parser.add_argument(
        "--source",
        default=SOURCE,
        metavar="NAME",
        help=f"which of your data this is: answers about one source share a budget (default: {SOURCE!r})",
    )
    ledger_options(parser)
    parser.add_argument(
        "--wait",
        type=number,
        default=WAIT,
        metavar="SECONDS",
        help=f"how long to try, and to wait for your turn (default: {WAIT:g})",
    )
    parser.add_argument(
        "--spread",
        type=number,
        default=SPREAD,
        metavar="SECONDS",
        help="send at a random moment, half of these seconds to all of them after the question has come, so that the "
        "time it takes tells nothing of how much you hold, as long as that is less than half; 0 sends at once, and a "
        f"survey that closes before is not answered (default: {SPREAD:g})",
    )
    parser.add_argument("--yes", action="store_true", help="answer without asking you first")
    json_option(parser)
    parser.set_defaults(run=run)


def run(options: argparse.Namespace) -> None:
    """Look, show, ask, answer, tell."""
    from sottovoce.client import Device, Outcome
    from sottovoce.messages import InvalidInput, Invitation

    if "-" == options.data == options.url:
        raise InvalidInput(
            "standard input holds the invitation or the observations, not both", fix="put one into a file"
        )
    unasked = options.json or options.data == "-" or not sys.stdin.isatty()
    if unasked and not options.yes:
        raise InvalidInput("nobody can be asked here whether to answer", fix="add --yes to answer all the same")
    given = read_given(options)  # before the first request: what is wrong with a file is nobody else's business
    invitation = Invitation.read(read_invitation(options.url))
    with open_ledger(options) as ledger:
        device = Device(ledger=ledger, source=options.source, spread_seconds=options.spread)
        survey = device.look(invitation, patience_seconds=options.wait)
        if isinstance(survey, Outcome):
            outcome, asked = survey, None
        else:
            outcome, asked = _ask_and_answer(survey, invitation, given, device, options)
        if options.json:
            terminal.show_json(outcome_document(outcome, device, asked), failure=outcome_failure(outcome))
        else:
            show_outcome(outcome, device, asked if options.yes else None)
    if outcome_failure(outcome) is not None:
        raise SystemExit(failures.DECLINED)


def _ask_and_answer(
    manifest: Manifest, invitation: Invitation, given: Given, device: Device, options: argparse.Namespace
) -> tuple[Outcome, AskedSurvey]:
    """Show, ask, answer. How much there is to read shows in no moment of a request.

    Where a person is asked, it is read before, and their own pause hides how long that took; else after the question
    has come, within the spread (see `Device`), or after the last request.
    """
    from sottovoce.messages import Fact

    columns, warnings = given.columns(manifest), manifest_doubts(manifest)
    read = cache(lambda: given.seen_by(manifest))
    if not options.json:
        observed = None if options.yes else read()
        terminal.show(
            consent_lines(
                manifest,
                invitation,
                columns=columns,
                observed=observed,
                ledger=device.ledger,
                source=device.source,
                warnings=warnings,
            )
        )
    if not options.yes and not _agreed():
        terminal.show(["", str(Fact("consent-nothing-sent"))])
        raise SystemExit(failures.DECLINED)
    outcome = device.answer(invitation, lambda: read().values, patience_seconds=options.wait)
    return outcome, AskedSurvey(manifest=manifest, observed=read(), warnings=warnings)


def _agreed() -> bool:
    try:
        return input("\nAnswer? [y/N] ").strip().lower() in ("y", "yes")
    except EOFError:
        return False


_NAMES_SHOWN = 20


def consent_lines(
    manifest: Manifest,
    invitation: Invitation,
    *,
    columns: tuple[str, ...],
    observed: Observed | None,
    ledger: Ledger,
    source: str,
    warnings: list[Fact],
) -> list[str]:
    """What is asked, for a terminal. `observed` is None where observations are not read yet."""
    from sottovoce.explain import consent_fact, likelier_times
    from sottovoce.messages import Fact
    from sottovoce.problems import problems

    left, cap, epsilon = budget_left(ledger, source), float(ledger.cap), manifest.epsilon
    problem = next((problem for problem in problems() if problem.name == manifest.problem), None)
    name = manifest.settings.get("method")
    known = [method for method in (problem.methods if problem else ()) if method.name == name]
    method = (
        Fact("consent-method", name=known[0].name, help=known[0].help)
        if known
        else Fact("consent-unknown", name=repr(name)[:60])
    )
    lines = [
        ("what for", Fact("consent-purpose", purpose=manifest.purpose)),
        ("estimates", problem.estimates if problem else Fact("consent-unknown", name=manifest.problem)),
        ("from you", consent_fact(manifest)),
        ("reads", _columns_fact(manifest, columns)),
        *([("entries", entries_read(manifest, observed))] if observed else []),
        *([("categories", _some_names(manifest.labels))] if manifest.labels else []),
        *([("groups", _some_names(manifest.groups))] if manifest.groups else []),
        ("privacy", Fact("consent-cost", **likelier_times(epsilon).data)),
        ("method", method),
        ("minimum", Fact("consent-people", users=manifest.users, minimum=manifest.minimum)),
        ("kept", Fact("consent-kept", days=manifest.retention_days)),
        ("until", local_time(manifest.closes)),
        ("where", invitation.base),
        ("survey", manifest.digest),
        ("budget", Fact("consent-budget", left=left, cap=cap, source=repr(source), short=epsilon > left)),
        *(("warning", warning) for warning in warnings),
    ]
    return [terminal.heading("consent-asks", collector=manifest.collector), *terminal.labelled_lines(lines)]


def manifest_doubts(manifest: Manifest) -> list[Fact]:
    """What of a manifest does not fit together. The device keeps to its rules all the same; the words may mislead."""
    from sottovoce.messages import Fact
    from sottovoce.problems import Announced

    try:
        announced = Announced(manifest)
        announced.check_edition()  # of a method that is not here, nobody can tell
        announced.check()
    except Exception as error:  # settings are anything that a collector wrote
        words = str(error)[:200] if isinstance(error, ValueError) else type(error).__name__
        return [Fact("consent-doubt", problem=words)]
    return []


def entries_read(manifest: Manifest, observed: Observed) -> Fact:
    """How much was read, and how much of it could not be."""
    from sottovoce.messages import Fact

    asked = {"labels": bool(manifest.labels), "groups": bool(manifest.groups)}
    return Fact("consent-entries", entries=observed.entries, missing=observed.missing, **asked)


def _columns_fact(manifest: Manifest, columns: tuple[str, ...]) -> Fact:
    from sottovoce.messages import Fact

    called = _names_fact(manifest.columns) if manifest.columns and columns != manifest.columns else None
    if not columns:
        return Fact("consent-reads-given", called=called)
    return Fact("consent-reads-file", columns=_names_fact(columns), called=called)


def _names_fact(columns: tuple[str, ...]) -> Fact:
    from sottovoce.messages import Fact

    return Fact("consent-columns", several=len(columns) > 1, **_some_names(tuple(map(repr, columns))).data)


def _some_names(names: tuple[str, ...]) -> Fact:
    """The first of some names, and how many more there are."""
    from sottovoce.messages import Fact

    return Fact("some-names", names=names[:_NAMES_SHOWN], more=max(0, len(names) - _NAMES_SHOWN))


_MANIFEST = ("collector", "purpose", "problem", "epsilon", "users", "minimum", "retention_days", "closes")


@dataclass(frozen=True, kw_only=True)
class AskedSurvey:
    """A survey that was looked at, and what the person holds for it."""

    manifest: Manifest
    observed: Observed
    warnings: list[Fact]


def show_outcome(outcome: Outcome, device: Device, asked: AskedSurvey | None) -> None:
    """For people; why a device declined is what the command ends with."""
    from sottovoce.messages import Declined, Fact

    lines = _report_lines(outcome, device)
    if outcome.before:
        lines.append(("note", Fact("answered-used-before")))
    if asked is not None and outcome.state != "declined":
        lines.insert(0, ("entries", entries_read(asked.manifest, asked.observed)))
    if outcome.state == "answered":
        head = Fact("answered-before" if outcome.code == "before" else "answered")
    elif outcome.state == "waiting":
        head = Fact("answered-not-yet")
        latest = None if outcome.latest_at is None else local_time(outcome.latest_at)
        again = Fact("answered-come-back", again=local_time(outcome.again_at), latest=latest)
        lines = [("why", outcome.why), ("come back", again), *lines]
    else:
        head = Fact("answered-not")
        lines = lines if outcome.state == "declined" else [("why", outcome.why), *lines]
    if lines:
        terminal.show(["", terminal.bold(str(head)), *terminal.labelled_lines(lines)])
    if outcome.state == "declined":
        raise Declined(outcome.code, terminal.plain(str(outcome.why)))


def _report_lines(outcome: Outcome, device: Device) -> list[tuple[str, Fact]]:
    """What became of the report, where there is one: it has its cost in any case."""
    from sottovoce.messages import Fact

    entry, left = device.outbox.of(outcome.survey), budget_left(device.ledger, device.source)
    if entry is None:
        return []
    payload = Fact("answered-said", payload=_payload(outcome, device))
    cost = Fact("answered-cost", cost=float(entry.epsilon), left=left, source=repr(device.source))
    if outcome.state == "answered":
        return [("sent", payload), ("cost", cost)]
    if outcome.state == "waiting":
        became = "unsent" if entry.sent is None else "unknown"
    else:
        became = "kept" if entry.sent is None else "refused"
    return [("report", Fact("answered-report", became=became)), ("it says", payload), ("cost", cost)]


def outcome_document(outcome: Outcome, device: Device, asked: AskedSurvey | None) -> dict[str, Any]:
    """For programs."""
    plain, manifest = asdict(outcome) | {"why": outcome.why.to_plain()}, None
    if asked is not None:
        manifest = {name: getattr(asked.manifest, name) for name in _MANIFEST}
        manifest["method"] = asked.manifest.settings.get("method")
    return {
        "survey": plain.pop("survey"),
        "manifest": manifest,
        "warnings": [warning.to_plain() for warning in asked.warnings] if asked else [],
        "entries": asked.observed.entries if asked else None,
        "missing": asked.observed.missing if asked else None,
        "outcome": plain,
        "report": _payload(outcome, device),
        "budget": {
            "source": device.source,
            "cap": float(device.ledger.cap),
            "spent": float(device.ledger.spent(device.source)),
            "left": budget_left(device.ledger, device.source),
        },
    }


def outcome_failure(outcome: Outcome) -> Failure | None:
    """Why nothing was answered, where nothing was and no waiting helps."""
    if outcome.state in ("answered", "waiting"):
        return None
    return Failure(code="not-answered", message=terminal.plain(str(outcome.why)), reason=outcome.code or None)


def _payload(outcome: Outcome, device: Device) -> str | None:
    from sottovoce.messages import Report

    entry = device.outbox.of(outcome.survey)
    return None if entry is None else Report.from_bytes(entry.report).payload
