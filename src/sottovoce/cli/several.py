"""``sotto estimate several`` and ``sotto plan several``: several answers from one survey."""

from __future__ import annotations

import argparse
import shlex
from contextlib import suppress
from typing import TYPE_CHECKING, Any

from sottovoce.cli import terminal
from sottovoce.cli.answer_output import show_result
from sottovoce.cli.failures import WrongUsage, and_see
from sottovoce.cli.file_options import FILES, reading_options, seed_option, stated_options
from sottovoce.cli.options import add_settings, check_declared, ranges_to_declare, read_settings
from sottovoce.cli.parser import Parser, dated, html_option, json_option, number, whole

if TYPE_CHECKING:
    from sottovoce.cli.options import Commands
    from sottovoce.rehearsal import Ask

_EPILOG = """\
examples:
  sotto {command} --epsilon 2 \\
    --ask "delay: mean {delay}" --ask "fare: mean {fare}"

A part is NAME: WHAT {given} and the settings that 'sotto estimate WHAT --help' lists, without
dashes. Every user sends one report. --split users gives each part its own users; --split budget lets
everybody answer for all parts with an equal part of epsilon (means only)."""
_ESTIMATE_EPILOG = _EPILOG.format(
    command="estimate several trips.csv --user card",
    delay="value=minutes low=0 high=60",
    fare="value=euros low=0 high=20",
    given="value=COLUMN",
)
_PLAN_EPILOG = _EPILOG.format(
    command="plan several --users 5000",
    delay="low=0 high=60 observations=20",
    fare="low=0 high=20 observations=20",
    given="observations=T",
)
_SPLITS = ("auto", "users", "budget")
_COMMON = ("epsilon", "users", "user", "seed", "split")


def register_estimate(quantities: Commands) -> None:
    """Add ``sotto estimate several``."""
    parser = _add_part(quantities, "Estimate", epilog=_ESTIMATE_EPILOG)
    parser.add_argument("file", metavar="FILE", help=FILES.format("an observation"))
    parser.add_argument("--user", required=True, metavar="COL", help="column that says whose observation a row is")
    _shared_options(parser)
    reading_options(parser)
    seed_option(parser)
    html_option(parser)
    json_option(parser)
    parser.set_defaults(run=estimate)


def register_plan(quantities: Commands) -> None:
    """Add ``sotto plan several``."""
    parser = _add_part(quantities, "Predict", epilog=_PLAN_EPILOG)
    parser.add_argument("--users", type=whole, required=True, metavar="N", help="how many users")
    _shared_options(parser)
    html_option(parser, "the plan")
    json_option(parser)
    parser.set_defaults(run=plan)


def _add_part(quantities: Commands, verb: str, *, epilog: str) -> argparse.ArgumentParser:
    return quantities.add_parser(
        "several",
        help="several of these from one survey",
        description=terminal.wrap_help(
            f"{verb} several quantities in one survey: every user sends one report, locally private for all columns "
            "together."
        ),
        epilog=epilog,
    )


def _shared_options(parser: argparse.ArgumentParser) -> None:
    parser.add_argument("--epsilon", type=number, required=True, metavar="E", help="privacy budget of a report")
    parser.add_argument("--ask", action="append", required=True, metavar="PART", help="what to ask for; see below")
    parser.add_argument("--split", choices=_SPLITS, default="auto", metavar="|".join(_SPLITS), help="what parts share")


def estimate(options: argparse.Namespace) -> None:
    """Read options, rehearse, print."""
    from sottovoce.data import read
    from sottovoce.rehearsal import SeveralRequest, rehearse

    asks = _read_asks(options.ask)
    request = SeveralRequest(
        data=read(options.file, **stated_options(options)),
        asks=asks,
        epsilon=options.epsilon,
        user=options.user,
        split=options.split,
        seed=options.seed,
    )
    show_result(options, rehearse(request))


def plan(options: argparse.Namespace) -> None:
    """Predict, print."""
    from sottovoce.messages import InvalidInput
    from sottovoce.planning import plan_several
    from sottovoce.problems import Several, named

    parts = []
    for name, one in _read_asks(options.ask).items():
        if "observations" not in one.settings:
            raise InvalidInput(rule=f"--ask {name!r} needs observations=T: how many observations a user holds")
        parts.append((name, named(one.problem).settings(users=options.users, epsilon=options.epsilon, **one.settings)))
    planned = plan_several(
        Several(epsilon=options.epsilon, users=options.users, parts=tuple(parts), split=options.split)
    )
    if options.html is not None:
        from sottovoce.cli.pages import save_page, several_plan_page

        save_page(options.html, several_plan_page(planned))
    if options.json:
        terminal.show_json(planned.to_dict())
        return
    take = terminal.labelled("answer", str(planned.taken))
    terminal.show([take, "", *terminal.table(planned.header, planned.table(), left=(0, 1, 2), indent=0)])


def _read_asks(texts: list[str]) -> dict[str, Ask]:
    from sottovoce.messages import InvalidInput

    asks: dict[str, Ask] = {}
    for text in texts:
        name, one = _read_ask(text)
        if name in asks:
            raise InvalidInput(f"two parts are called {name!r}", fix="give each a name: --ask 'NAME: …'")
        asks[name] = one
    return asks


def _read_ask(text: str) -> tuple[str, Ask]:
    """``delay: mean value=minutes low=0 high=60`` as a name and what to ask for."""
    from sottovoce.messages import InvalidInput
    from sottovoce.problems import named
    from sottovoce.rehearsal import ask

    name, colon, rest = text.partition(":")
    try:
        words = shlex.split(rest if colon else text)
    except ValueError:
        raise InvalidInput(rule=f"--ask {text!r} has a quote that is not closed") from None
    if not words or any("=" not in word for word in words[1:]):
        raise InvalidInput(rule="--ask wants a part such as 'delay: mean value=minutes low=0 high=60'")
    keys = [key.replace("-", "_") for key, _, _ in map(_split, words[1:])]
    for key in keys:
        if key in _COMMON:
            raise InvalidInput(f"{key} is shared by all parts:", fix=f"give it once, as --{key}, not in --ask")
    ask(words[0], **dict.fromkeys(key for key in keys if key not in ("value", "problem")))  # refuses unknown names
    problem = named(words[0])
    parser: Any = _Settings(prog="sotto estimate several", add_help=False, epilog=_range_example(words[1:]))
    parser.add_argument("--value")
    skip = ("users", "epsilon", "dimension", "names")
    add_settings(parser, problem, skip=skip, instead={"observations": "looked up"} | ranges_to_declare(problem))
    try:
        given = parser.parse_args([f"--{key.replace('_', '-')}={value}" for key, _, value in map(_split, words[1:])])
        check_declared(given, problem, written="{}=")
    except (WrongUsage, InvalidInput) as error:
        fix = error.fix if isinstance(error, WrongUsage) else and_see(error.fix, parser.prog)
        part = name.strip() if colon else words[0]
        raise WrongUsage(f"--ask {part!r}: {error}", command=parser.prog, fix=fix) from None
    settings = {key: value for key, value in read_settings(given, problem).items() if value is not None}
    label = name.strip() if colon else f"{words[0]} of {given.value}" if given.value else words[0]
    return label, ask(words[0], value=given.value, **settings)


class _Settings(Parser):
    """Says ``high=60``, as it is typed in a part, where a command has the option ``--high 60``."""

    def _spelt(self, option: str) -> str:
        return f"{option.lstrip('-').replace('-', '_')}="

    def _about(self, action: argparse.Action) -> str:
        return action.dest

    def _with(self, action: argparse.Action, value: str) -> str:
        return f"{action.dest}={value}"


def _range_example(words: list[str]) -> str:
    """An example of a range with the end that is given, where it can be read, and another one that fits it."""
    from sottovoce.data import date_text

    given = {key: value for key, _, value in map(_split, words) if key in ("low", "high")}
    ends = {"low": "0", "high": "60"}
    for end, other, apart in (("low", "high", 60), ("high", "low", -60)):
        with suppress(argparse.ArgumentTypeError):
            if end in given:
                day = "-" in given[end][1:]
                there = dated(given[end])
                ends |= {end: given[end], other: date_text(there + apart) if day else f"{there + apart:g}"}
    return " ".join(f"--{end} {value}" for end, value in ends.items())


def _split(word: str) -> tuple[str, str, str]:
    return word.partition("=")
