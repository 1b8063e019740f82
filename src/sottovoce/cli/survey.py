"""``sotto survey``: make a survey, invite people, look after it. On the collector's own machine, in its store."""

from __future__ import annotations

import argparse
import os
import re
import shlex
import sys
from collections.abc import Callable
from dataclasses import asdict
from datetime import UTC, datetime
from pathlib import Path
from typing import TYPE_CHECKING, Any

from sottovoce.cli import terminal
from sottovoce.cli.parser import at_least, json_option, number, shown_text, texts

if TYPE_CHECKING:
    from sottovoce.cli.options import Commands
    from sottovoce.service import Collector, Survey

STORE = "sqlite:sottovoce.db"
_EPILOG = """\
examples:
  sotto plan mean --low 1 --high 5 --epsilon 1 --observations 25 --users 3000 --save plan.toml
  sotto survey create plan.toml --collector "the lecturers" --purpose "how lectures are rated" \\
      --closes 14d
  sotto survey invite 3f2a --count 3000 --base https://survey.example.org --out invitations.txt
  sotto serve
  sotto survey show 3f2a

A survey is named by its id or the beginning of it. --store is sqlite:FILE or postgresql://…; the
default is $SOTTO_STORE, or sqlite:sottovoce.db. Tokens and invitations are shown once: the store
keeps their SHA-256 only. Needs the extra "service": pip install "sottovoce[service]"."""


def register(commands: Commands, *, wanted: str | None) -> None:
    """Add the command and its parts."""
    parser = commands.add_parser(
        "survey",
        help="make a survey, invite people, close rounds, export it, back it up",
        description="Make a survey, invite people, look after it. Works on the collector's store, beside a server\n"
        "that is running or without one.",
        epilog=_EPILOG,
    )
    parts = parser.add_subparsers(dest="part", metavar="PART", required=True, title="parts")
    create_options(_add_part(parts, "create", create, help="announce a survey from a plan file"))
    _add_part(parts, "list", _list, help="all surveys of the store")
    _add_part(parts, "show", _show, named=True, help="what was announced, and where it stands")
    invite = _add_part(parts, "invite", _invite, named=True, help="make invitations, a URL for each device")
    invite.add_argument("--count", type=at_least(1), default=1, metavar="N", help="how many (default: 1)")
    invite.add_argument(
        "--base",
        default="http://127.0.0.1:8000",
        metavar="URL",
        help="where devices reach the collector (default: http://127.0.0.1:8000)",
    )
    invite.add_argument("--out", metavar="FILE", help="write them to a file, one to a line, for its owner alone")
    close = _add_part(parts, "close", _close, named=True, help="close the open round now, if enough have answered")
    close.add_argument("--reason", default="", metavar="TEXT", help="why, in a few words; it is published")
    export = _add_part(
        parts, "export", _export, named=True, help="write the reports of closed rounds as columns in Parquet"
    )
    export.epilog = _EXPORT_EPILOG
    export.add_argument("--out", required=True, metavar="DIR", help="the folder to write to; it is made where needed")
    export.add_argument("--round", type=at_least(1), metavar="N", help="only this round, counted from 1")
    _add_part(
        parts,
        "administrator",
        _administrator,
        help="make the token that makes surveys over HTTP, in place of any before",
    )
    backup = _add_part(parts, "backup", _backup, help="copy the whole store to a file, while it is in use")
    backup.add_argument("file", metavar="FILE", help="the file to make; it must not exist")
    restore = _add_bare_part(parts, "restore", _restore, help="fill an empty store from a backup")
    restore.add_argument("file", metavar="FILE", help="a file made by backup")
    _add_part(parts, "scrub", _scrub, named=True, help="delete the reports of closed rounds; slots and hashes stay")


def _add_part(
    parts: Commands,
    name: str,
    run: Callable[[Collector, argparse.Namespace], None],
    *,
    named: bool = False,
    help: str,
) -> argparse.ArgumentParser:
    """A part that works on a collector; where it is `named`, on one of its surveys."""

    def on_collector(options: argparse.Namespace) -> None:
        import time

        from sottovoce.messages import InvalidInput
        from sottovoce.service import Collector, open_store, store_file

        path = store_file(store_url(options))
        if path is not None and name != "create" and not path.exists():
            fix = "sotto survey create makes one, --store names another"
            raise InvalidInput(f"there is no store at {path}", fix=fix, code="missing-file")
        with open_store(store_url(options)) as store:
            run(Collector(store, clock=time.time), options)

    parser = _add_bare_part(parts, name, on_collector, help=help)
    if named:
        parser.add_argument("survey", metavar="ID", help="the survey's id, or the beginning of it")
    return parser


def _add_bare_part(
    parts: Commands,
    name: str,
    run: Callable[[argparse.Namespace], None],
    *,
    help: str,
) -> argparse.ArgumentParser:
    parser = parts.add_parser(name, help=help, description=f"{help[0].upper()}{help[1:]}.")
    store_option(parser)
    json_option(parser)
    parser.set_defaults(run=run)
    return parser


def store_option(parser: argparse.ArgumentParser) -> None:
    """``--store``."""
    parser.add_argument(
        "--store", metavar="URL", help=f"sqlite:FILE or postgresql://… (default: $SOTTO_STORE or {STORE})"
    )


def store_url(options: argparse.Namespace) -> str:
    """The store that is meant."""
    url: str = options.store or os.environ.get("SOTTO_STORE") or STORE
    return url


def survey_id(collector: Collector, options: argparse.Namespace) -> str:
    """The id of the one survey whose id begins as the options say."""
    from sottovoce.messages import InvalidInput

    beginning = options.survey
    ids = [row.id for row in collector.store.surveys()]
    fitting = [one for one in ids if one.startswith(beginning.lower())]
    if len(fitting) != 1:
        many = f"{len(fitting)} surveys begin with {beginning}" if fitting else f"no survey begins with {beginning}"
        raise InvalidInput(f"{many}; there are {', '.join(one[:12] for one in ids[:8]) or 'none'}")
    return fitting[0]


def _invite(collector: Collector, options: argparse.Namespace) -> None:
    survey = survey_id(collector, options)
    if options.out is None:
        urls = _make_invitations(collector, survey, options)
    else:  # the file first: an invitation that nobody can read is lost
        descriptor = os.open(options.out, os.O_WRONLY | os.O_CREAT | os.O_EXCL, 0o600)
        with os.fdopen(descriptor, "w", encoding="utf-8") as file:
            urls = _make_invitations(collector, survey, options)
            file.writelines(f"{url}\n" for url in urls)
    if options.json:
        terminal.show_json({"survey": survey, "invitations": urls if options.out is None else len(urls)})
    elif options.out is not None:
        terminal.show([terminal.sentence("command-invitations", n=len(urls), file=options.out)])
    else:
        terminal.show(urls)


def _make_invitations(collector: Collector, survey: str, options: argparse.Namespace) -> list[str]:
    from sottovoce.service import MAX_INVITATIONS

    urls: list[str] = []
    while len(urls) < options.count:
        urls += collector.invite(survey, count=min(MAX_INVITATIONS, options.count - len(urls)), base=options.base)
    return urls


def _close(collector: Collector, options: argparse.Namespace) -> None:
    survey = survey_id(collector, options)
    number = collector.survey(survey, fresh=True).last.number
    collector.close(survey, number, by="sotto survey close", reason=options.reason)
    _show(collector, options)


def _administrator(collector: Collector, options: argparse.Namespace) -> None:
    from sottovoce.service import new_administrator

    _show_done(options, "command-administrator", {"token": new_administrator(collector.store)})


def _backup(collector: Collector, options: argparse.Namespace) -> None:
    collector.store.backup(options.file)
    _show_done(options, "command-backed-up", {"backup": options.file})


def _restore(options: argparse.Namespace) -> None:
    from sottovoce.service import open_store, restore

    restore(options.file, store_url(options))
    with open_store(store_url(options)) as store:
        _show_done(options, "command-restored", {"restored": len(store.surveys())}, file=options.file)


def _scrub(collector: Collector, options: argparse.Namespace) -> None:
    survey = survey_id(collector, options)
    count = collector.store.scrub(survey, now=int(collector.clock()))
    _show_done(options, "command-scrubbed", {"survey": survey, "scrubbed": count})


def _show_done(options: argparse.Namespace, code: str, document: dict[str, Any], **more: Any) -> None:
    """Say what was done, to programs and to people, whose sentence may need `more`."""
    if options.json:
        terminal.show_json(document)
    else:
        terminal.show([terminal.sentence(code, **document, **more)])


_UNITS = {"s": 1, "m": 60, "h": 3600, "d": 86_400, "w": 604_800}


def duration(text: str) -> int:
    """Seconds from ``90s``, ``15m``, ``12h``, ``14d`` or ``2w``."""
    match = re.fullmatch(r"(\d+)([smhdw])", text)
    if match is None:
        raise argparse.ArgumentTypeError("a time is wanted, such as 30m, 12h, 14d or 2w")
    return int(match.group(1)) * _UNITS[match.group(2)]


def moment(text: str) -> tuple[bool, int]:
    """A moment, as told: from now on (``14d``), or a date such as ``2030-01-31`` or ``2030-01-31T12:00``, in UTC."""
    if re.fullmatch(r"\d+[smhdw]", text):
        return True, duration(text)
    try:
        date = datetime.fromisoformat(text)
    except ValueError:
        raise argparse.ArgumentTypeError("a moment is wanted, such as 14d or 2030-01-31T12:00 (UTC)") from None
    return False, int((date if date.tzinfo else date.replace(tzinfo=UTC)).timestamp())


def _store_words(options: argparse.Namespace) -> str:
    """For a command to type next: the option that names the same store, if one was given; never its password."""
    if options.store is None:
        return ""
    shown = re.sub(r"(://[^/@:]*):[^/@]*@", r"\1@", options.store)
    return f" --store {shlex.quote(shown)}"


def create_options(parser: argparse.ArgumentParser) -> None:
    """Add its options."""
    parser.add_argument("plan", metavar="PLAN", help="a plan file, made by: sotto plan … --save PLAN")
    participants = parser.add_argument_group("what participants are told")
    participants.add_argument("--collector", type=shown_text, required=True, metavar="TEXT", help="who asks")
    participants.add_argument("--purpose", type=shown_text, required=True, metavar="TEXT", help="what for")
    participants.add_argument(
        "--columns", type=texts, default=(), metavar="A,B,…", help="what the asked numbers are called"
    )
    times = parser.add_argument_group("when")
    times.add_argument("--opens", type=moment, default=(True, 0), metavar="WHEN", help="12h, or a date (default: now)")
    times.add_argument("--closes", type=moment, required=True, metavar="WHEN", help="14d from now, or a date, in UTC")
    times.add_argument(
        "--round",
        type=duration,
        metavar="TIME",
        help="how long a round stays open at most (default: of several, each an equal part of the time)",
    )
    times.add_argument(
        "--quota", type=number, default=1.0, metavar="P", help="a round closes when this part has answered (default: 1)"
    )
    who = parser.add_argument_group("who")
    who.add_argument(
        "--enrol",
        choices=("ahead", "on-arrival"),
        default="ahead",
        help="ahead deals all slots evenly, devices come back for their round; on-arrival gives a slot of the open "
        "round: one visit, but early and late users are asked different things (default: ahead)",
    )
    who.add_argument("--open", action="store_true", help="anybody may answer, not only who was invited")
    who.add_argument(
        "--minimum",
        type=at_least(1),
        metavar="N",
        help="a round that fewer answer is not looked at, and at its deadline ends the survey (default: 10)",
    )
    who.add_argument(
        "--retention",
        type=at_least(0),
        default=30,
        metavar="DAYS",
        help="reports are deleted so long after the end (default: 30)",
    )
    who.add_argument(
        "--origin",
        action="append",
        default=[],
        metavar="URL",
        help="a web page that may fetch questions and send reports (CORS); again for each",
    )


def create(collector: Collector, options: argparse.Namespace) -> None:
    """Announce, and say what comes next."""
    from sottovoce.planning import load
    from sottovoce.problems import announce
    from sottovoce.version import SOFTWARE

    now = int(collector.clock())
    opens, closes = (now + when if relative else when for relative, when in (options.opens, options.closes))
    plan = load(options.plan)
    manifest = announce(
        plan.protocol,
        purpose=options.purpose,
        collector=options.collector,
        software=SOFTWARE,
        opens=opens,
        closes=closes,
        columns=options.columns,
        enrolment=options.enrol,
        access="open" if options.open else "invited",
        minimum=options.minimum,
        round_seconds=options.round,
        quota=options.quota,
        retention_days=options.retention,
    )
    token = collector.create(manifest, origins=tuple(options.origin))
    if options.json:
        terminal.show_json({"survey": manifest.digest, "token": token, "users": manifest.users})
        return
    survey, store, n = manifest.digest, _store_words(options), manifest.users
    asks = {"n": n, "epsilon": manifest.epsilon, "problem": plan.problem.name, "method": manifest.settings["method"]}
    invite = {"n": n, "access": manifest.access, "survey": survey, "short": survey[:12], "store": store}
    terminal.show(
        terminal.labelled_lines(
            [
                ("survey", survey),
                ("token", token),
                ("", terminal.sentence("command-survey-token")),
                ("asks", terminal.sentence("command-survey-asks", **asks)),
                ("next", terminal.sentence("command-survey-invite", **invite)),
                ("", f"sotto serve{store}"),
            ],
            indent=0,
        )
    )


_EXPORT_EPILOG = """\
examples:
  sotto survey export 3f2a --out ratings
  sotto survey export 3f2a --out ratings --round 2
  sotto tally ratings
  sotto estimate --from-tally ratings

Writes DIR/manifest.json, and for every closed round DIR/round-1/question.json and
DIR/round-1/part-00000.parquet and so on, in the order of slots; DIR/round-1/round.json says how many
there are, and the SHA-256 of the published tally. A round's folder has its name only when it is
whole; one that is there already stays as it is. What is in the files says docs/columns.md; they hold
every report: keep them as safe as the store. Needs the extras "service" and "columns":
pip install "sottovoce[service,columns]".
--json prints survey, folder and rounds (a list with number, from 0, role, folder, reports, files,
bytes and written: false where it was there already)."""


def _export(collector: Collector, options: argparse.Namespace) -> None:
    from tqdm import tqdm

    from sottovoce.service import export

    survey, folder = survey_id(collector, options), Path(options.out).expanduser()
    silent = options.json or not sys.stderr.isatty()
    number = None if options.round is None else options.round - 1
    with tqdm(desc="export", unit=" reports", unit_scale=True, leave=False, disable=silent) as bar:
        rounds = export(collector.store, survey, folder, number=number, progress=bar.update)
    if options.json:
        documents = [asdict(one) | {"folder": one.folder.name} for one in rounds]
        terminal.show_json({"survey": survey, "folder": str(folder), "rounds": documents})
        return
    lines = [
        terminal.sentence(
            "command-exported",
            **asdict(one) | {"round": one.number + 1, "folder": str(one.folder)},
            each=one.bytes / max(1, one.reports),
        )
        for one in rounds
    ]
    terminal.show([*lines, terminal.sentence("command-next", command=f"sotto tally {folder}")])


def utc_time(moment: float) -> str:
    """A moment for people, in UTC."""
    return f"{datetime.fromtimestamp(moment, UTC):%Y-%m-%d %H:%M} UTC"


def _list(collector: Collector, options: argparse.Namespace) -> None:
    """One line a survey."""
    surveys, now = collector.surveys(), collector.clock()
    if options.json:
        terminal.show_json([survey_document(survey, now) for survey in surveys])
    elif not surveys:
        terminal.show([terminal.sentence("command-survey-none")])
    else:
        rows = [
            (
                one.row.id[:12],
                one.manifest.problem,
                one.state(now),
                str(one.last.number + 1),
                terminal.sentence("command-survey-answered", answered=one.answered, asked=one.question.slots.count),
                utc_time(one.manifest.closes),
                one.manifest.purpose[:32],
            )
            for one in surveys
        ]
        header = ("id", "problem", "state", "round", "answered", "closes", "purpose")
        terminal.show(terminal.table(header, rows, left=(0, 1, 2, 5, 6), indent=0))


def _show(collector: Collector, options: argparse.Namespace) -> None:
    """Everything that is public of a survey."""
    survey, now = collector.survey(survey_id(collector, options), fresh=True), collector.clock()
    if options.json:
        terminal.show_json(survey_document(survey, now))
        return
    manifest, state, say = survey.manifest, survey.state(now), terminal.sentence
    users = {"enrolled": survey.row.enrolled, "enrolment": manifest.enrolment, "access": manifest.access}
    closes = utc_time(survey.deadline) if state == "open" else None
    lines = [
        ("survey", survey.row.id),
        ("asks", f"{manifest.collector}: {manifest.purpose}"),
        (
            "estimates",
            f"{survey.announced.settings.problem.estimates} ({manifest.problem}, {manifest.settings['method']})",
        ),
        ("privacy", say("command-survey-privacy", epsilon=manifest.epsilon)),
        ("users", say("command-survey-users", users=manifest.users, **users)),
        ("open", say("command-survey-open", opens=utc_time(manifest.opens), closes=utc_time(manifest.closes))),
        ("minimum", say("command-survey-minimum", n=manifest.minimum)),
        ("kept", say("command-survey-kept", days=manifest.retention_days)),
        ("state", say("command-survey-state", state=state, ended=survey.ended, closes=closes)),
    ]
    terminal.show([*terminal.labelled_lines(lines, indent=0), "", *_round_table(survey, state)])
    if survey.row.answer:
        from sottovoce.cli.answer_output import show_answer
        from sottovoce.problems import read

        terminal.show([""])
        show_answer(read(survey.row.answer), (), seed=None)


def _round_table(survey: Survey, state: str) -> list[str]:
    """Counted from 1, for people; from 0 for programs, as in addresses."""
    rows, under_way = [], terminal.sentence("command-round-under-way", state=state)
    for row in survey.rounds:
        asked = _asked_users(row.question)
        answered = survey.answered if row.closed is None else row.answered or 0
        ended = under_way if row.closed is None else f"{utc_time(row.closed)}, {row.because}"
        rows.append((str(row.number + 1), row.role, f"{asked:,}", f"{answered:,}", utc_time(row.opened), ended))
    by_hand = [
        terminal.sentence("command-round-closed-by", round=row.number + 1, by=row.by) for row in survey.rounds if row.by
    ]
    heads = ("round", "role", "asked", "answered", "opened", "closed")
    return [*terminal.table(heads, rows, left=(1, 4, 5), indent=0), *by_hand]


def _asked_users(question: bytes) -> int:
    from sottovoce.messages import Question

    return Question.from_bytes(question).slots.count


def survey_document(survey: Survey, now: float) -> dict[str, Any]:
    """What is known of a survey, for programs."""
    manifest = survey.manifest
    return {
        "survey": survey.row.id,
        "problem": manifest.problem,
        "method": manifest.settings["method"],
        "collector": manifest.collector,
        "purpose": manifest.purpose,
        "epsilon": manifest.epsilon,
        "state": survey.state(now),
        "abandoned": survey.ended and survey.ended.to_plain(),
        "users": manifest.users,
        "enrolled": survey.row.enrolled,
        "minimum": manifest.minimum,
        "opens": manifest.opens,
        "closes": manifest.closes,
        "rounds": [
            {
                "number": row.number,
                "role": row.role,
                "asked": _asked_users(row.question),
                "answered": survey.answered if row.closed is None else row.answered,
                "opened": row.opened,
                "closed": row.closed,
                "because": row.because or None,
                "by": row.by or None,
            }
            for row in survey.rounds
        ],
    }
