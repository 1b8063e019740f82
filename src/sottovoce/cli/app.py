"""From words on a command line to an exit code."""

from __future__ import annotations

import os
import sys
from collections.abc import Sequence
from importlib import import_module

from sottovoce.cli import failures, terminal
from sottovoce.cli.parser import EXPLAINED, PLANNED, QUESTION, TALLIED, Parser
from sottovoce.version import VERSION

_EPILOG = """\
examples:
  sotto demo
  sotto look ratings.csv
  sotto estimate mean ratings.csv --user student --value rating --low 1 --high 5 --epsilon 1
  sotto estimate vector walks.csv --user phone --value x,y,z --radius 2 --epsilon 2
  sotto plan mean --low 1 --high 5 --epsilon 1 --observations 25 --halfwidth 0.1
  sotto simulate mean --users 3000 --observations 25 --low 1 --high 5 --epsilon 1
  sotto compare mean --users 3000 --observations 25 --low 1 --high 5 --epsilon 0.5 1 2 4
  sotto explain --low 1 --high 5 --epsilon 1 --users 3000 --observations 25 --collection 3,4,5
  sotto survey create plan.toml --collector "a class" --purpose "ratings of lectures" --closes 14d
  sotto serve
  sotto survey export 3f2a --out ratings
  sotto tally ratings
  sotto answer "https://example.org/surveys/ID/participate#ID.TOKEN" --data ratings.csv
  sotto ledger

exit codes: 0 done, 2 wrong usage or input, 3 the device declined or could not answer, 4 a package
is missing, 130 interrupted; 1 is an audit or a check that failed, or a fault of sotto itself. Every
command but serve, completion and help takes --json: one document, errors included (see
docs/reference/json.md). NO_COLOR switches colours off."""


_COMMANDS = (
    "demo",
    "look",
    "estimate",
    "plan",
    "simulate",
    "compare",
    "explain",
    "survey",
    "serve",
    "tally",
    "verify",
    "answer",
    "ledger",
    "audit",
    "paper",
    "completion",
)
"""Each is a file here, in the order in which they are shown."""


def build_parser(words: Sequence[str] | None = None) -> Parser:
    """All commands and their options; given the words of a command line, only its command is loaded."""
    parser = Parser(
        prog="sotto",
        description="Sottovoce: estimates from many users' whole collections, each of whom sends one locally\n"
        "private report.",
        epilog=_EPILOG,
    )
    parser.add_argument("-V", "--version", action="version", version=f"sotto {VERSION}")
    commands = parser.add_subparsers(dest="command", metavar="COMMAND", required=True, title="commands")
    called = words[0] if words and words[0] in _COMMANDS else None
    wanted = "" if words is None else None if called is None else "".join(words[1:2])
    for name in _COMMANDS if called is None else (called,):
        import_module(f"sottovoce.cli.{name}").register(commands, wanted=wanted)
    if called is None:  # its words are spelled out before they are parsed, so it has nothing to run
        commands.add_parser(
            "help",
            help="what a command does, and its options",
            description="Show what a command does and its options, as COMMAND --help does.",
            epilog="examples:\n  sotto help\n  sotto help estimate mean",
        ).add_argument("words", nargs="*", metavar="COMMAND", help="a command and its part (default: all commands)")
    return parser


def spell_out(words: Sequence[str]) -> list[str]:
    """With the words that may be left out: ``help X`` is ``X --help``, and an option or a file may say what is meant.

    ``estimate --plan FILE …`` and ``estimate --from-tally DIR`` say in the file what is estimated; ``explain --low …``
    is about a mean, ``explain FILE.json`` about that question.
    """
    spelled = [*words[1:], "--help"] if words[0] == "help" else list(words)
    command, first, part = spelled[0], spelled[1] if len(spelled) > 1 else "-", ""
    options = {word.partition("=")[0] for word in spelled}
    if command == "explain" and first.endswith(".json"):
        part = QUESTION
    elif command == "explain" and first[:1] == "-" and first not in ("-h", "--help"):
        part = EXPLAINED
    elif command in ("estimate", "simulate") and first[:1] == "-":
        part = (
            PLANNED if "--plan" in options else TALLIED if "--from-tally" in options and command == "estimate" else ""
        )
    return [command, part, *spelled[1:]] if part else spelled


def main(argv: Sequence[str] | None = None) -> int:
    """Run one command; returns the exit code and never raises, unless ``SOTTO_DEBUG=1``."""
    terminal.prepare_streams()
    try:
        code = _run(argv)
        sys.stdout.flush()
    except BrokenPipeError:  # the reader has seen enough
        os.dup2(os.open(os.devnull, os.O_WRONLY), sys.stdout.fileno())  # so that the last flush finds a home
        return failures.BROKEN_PIPE
    return code


def _run(argv: Sequence[str] | None) -> int:
    words = list(sys.argv[1:] if argv is None else argv)
    command = "sotto"
    terminal.COMMAND.set("")
    try:
        if not words:
            build_parser(words).print_help(sys.stderr)
            return failures.USAGE
        words = spell_out(words)
        options = build_parser(words).parse_args(words)
        command = options.prog
        terminal.COMMAND.set(command.partition(" ")[2])
        options.run(options)
    except SystemExit as stop:  # help, version, or a check that does not hold
        return stop.code if isinstance(stop.code, int) else failures.USAGE
    except BrokenPipeError:
        raise
    except (Exception, KeyboardInterrupt) as error:
        if os.environ.get("SOTTO_DEBUG") == "1":
            raise
        if isinstance(error, failures.WrongUsage):
            terminal.COMMAND.set(error.command.partition(" ")[2])
        failure = failures.failure_of(error, command=command)
        if "--json" in words:
            terminal.show_json(None, failure=failure)
        else:
            terminal.complain(failure.lines)
        return failure.exit
    return failures.OK
