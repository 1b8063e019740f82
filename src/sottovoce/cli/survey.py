"""``sotto survey``: make a survey, invite people, look after it. On the collector's own machine, in its store."""

from __future__ import annotations

import argparse
import os
from collections.abc import Callable
from typing import TYPE_CHECKING, Any

from sottovoce.cli import survey_create, survey_export, survey_show, terminal
from sottovoce.cli.parser import at_least, json_option

if TYPE_CHECKING:
    from sottovoce.cli.quantities import Commands
    from sottovoce.service import Collector

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
    survey_create.register(_part(parts, "create", survey_create.run, help="announce a survey from a plan file"))
    _part(parts, "list", _list, help="all surveys of the store")
    show = _part(parts, "show", _show, help="what was announced, and where it stands")
    _named(show)
    invite = _part(parts, "invite", _invite, help="make invitations, a URL for each device")
    _named(invite)
    invite.add_argument("--count", type=at_least(1), default=1, metavar="N", help="how many (default: 1)")
    invite.add_argument(
        "--base",
        default="http://127.0.0.1:8000",
        metavar="URL",
        help="where devices reach the collector (default: http://127.0.0.1:8000)",
    )
    invite.add_argument("--out", metavar="FILE", help="write them to a file, one to a line, for its owner alone")
    close = _part(parts, "close", _close, help="close the open round now, if enough have answered")
    _named(close)
    close.add_argument("--reason", default="", metavar="TEXT", help="why, in a few words; it is published")
    export = _part(parts, "export", _export, help="write the reports of closed rounds as columns in Parquet")
    _named(export)
    survey_export.options(export)
    _part(
        parts,
        "administrator",
        _administrator,
        help="make the token that makes surveys over HTTP, in place of any before",
    )
    backup = _part(parts, "backup", _backup, help="copy the whole store to a file, while it is in use")
    backup.add_argument("file", metavar="FILE", help="the file to make; it must not exist")
    restore = _bare(parts, "restore", _restore, help="fill an empty store from a backup")
    restore.add_argument("file", metavar="FILE", help="a file made by backup")
    scrub = _part(parts, "scrub", _scrub, help="delete the reports of closed rounds; slots and hashes stay")
    _named(scrub)


def _part(
    parts: Commands,
    name: str,
    run: Callable[[Collector, argparse.Namespace], None],
    *,
    help: str,
) -> argparse.ArgumentParser:
    """A part that works on a collector."""
    return _bare(parts, name, lambda options: _with_collector(options, run), help=help)


def _bare(
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


def _named(parser: argparse.ArgumentParser) -> None:
    parser.add_argument("survey", metavar="ID", help="the survey's id, or the beginning of it")


def store_option(parser: argparse.ArgumentParser) -> None:
    """``--store``."""
    parser.add_argument(
        "--store", metavar="URL", help=f"sqlite:FILE or postgresql://… (default: $SOTTO_STORE or {STORE})"
    )


def store_url(options: argparse.Namespace) -> str:
    """The store that is meant."""
    given: str | None = options.store
    return given or os.environ.get("SOTTO_STORE") or STORE


def _with_collector(options: argparse.Namespace, run: Callable[[Collector, argparse.Namespace], None]) -> None:
    import time

    from sottovoce.messages import InvalidInput
    from sottovoce.service import Collector, open_store, store_file

    path = store_file(store_url(options))
    if path is not None and options.part != "create" and not path.exists():
        fix = "sotto survey create makes one, --store names another"
        raise InvalidInput(f"there is no store at {path}", fix=fix, code="missing-file")
    with open_store(store_url(options)) as store:
        run(Collector(store, clock=time.time), options)


def found(collector: Collector, beginning: str) -> str:
    """The one survey whose id begins so."""
    from sottovoce.messages import InvalidInput

    ids = [row.id for row in collector.store.surveys()]
    fitting = [one for one in ids if one.startswith(beginning.lower())]
    if len(fitting) != 1:
        many = f"{len(fitting)} surveys begin with {beginning}" if fitting else f"no survey begins with {beginning}"
        raise InvalidInput(f"{many}; there are {', '.join(one[:12] for one in ids[:8]) or 'none'}")
    return fitting[0]


def _list(collector: Collector, options: argparse.Namespace) -> None:
    survey_show.show_all(collector, as_json=options.json)


def _show(collector: Collector, options: argparse.Namespace) -> None:
    survey_show.show_one(collector, found(collector, options.survey), as_json=options.json)


def _invite(collector: Collector, options: argparse.Namespace) -> None:
    survey = found(collector, options.survey)
    if options.out is None:
        urls = _invited(collector, survey, options)
    else:  # the file first: an invitation that nobody can read is lost
        descriptor = os.open(options.out, os.O_WRONLY | os.O_CREAT | os.O_EXCL, 0o600)
        with os.fdopen(descriptor, "w", encoding="utf-8") as file:
            urls = _invited(collector, survey, options)
            file.writelines(f"{url}\n" for url in urls)
    if options.json:
        terminal.show_json({"survey": survey, "invitations": urls if options.out is None else len(urls)})
    elif options.out is not None:
        terminal.show([terminal.say("command-invitations", n=len(urls), file=options.out)])
    else:
        terminal.show(urls)


def _invited(collector: Collector, survey: str, options: argparse.Namespace) -> list[str]:
    from sottovoce.service import MAX_INVITATIONS

    urls: list[str] = []
    while len(urls) < options.count:
        urls += collector.invite(survey, count=min(MAX_INVITATIONS, options.count - len(urls)), base=options.base)
    return urls


def _close(collector: Collector, options: argparse.Namespace) -> None:
    survey = found(collector, options.survey)
    number = collector.survey(survey, fresh=True).last.number
    collector.close(survey, number, by="sotto survey close", reason=options.reason)
    survey_show.show_one(collector, survey, as_json=options.json)


def _export(collector: Collector, options: argparse.Namespace) -> None:
    survey_export.run(collector, found(collector, options.survey), options)


def _administrator(collector: Collector, options: argparse.Namespace) -> None:
    from sottovoce.service import new_administrator

    _done(options, "command-administrator", {"token": new_administrator(collector.store)})


def _backup(collector: Collector, options: argparse.Namespace) -> None:
    collector.store.backup(options.file)
    _done(options, "command-backed-up", {"backup": options.file})


def _restore(options: argparse.Namespace) -> None:
    from sottovoce.service import open_store, restore

    restore(options.file, store_url(options))
    with open_store(store_url(options)) as store:
        _done(options, "command-restored", {"restored": len(store.surveys())}, file=options.file)


def _scrub(collector: Collector, options: argparse.Namespace) -> None:
    survey = found(collector, options.survey)
    count = collector.store.scrub(survey, now=int(collector.clock()))
    _done(options, "command-scrubbed", {"survey": survey, "scrubbed": count})


def _done(options: argparse.Namespace, code: str, document: dict[str, Any], **more: Any) -> None:
    """The same for programs and for people, whose sentence may need `more`."""
    if options.json:
        terminal.show_json(document)
    else:
        terminal.show([terminal.say(code, **document, **more)])
