"""``sotto survey create``: from a plan to a survey that is announced."""

from __future__ import annotations

import argparse
import re
import shlex
from typing import TYPE_CHECKING

from sottovoce.cli import terminal
from sottovoce.cli.parser import at_least, number, said, texts

if TYPE_CHECKING:
    from sottovoce.service import Collector

_UNITS = {"s": 1, "m": 60, "h": 3600, "d": 86_400, "w": 604_800}


def duration(text: str) -> int:
    """Seconds from ``90s``, ``15m``, ``12h``, ``14d`` or ``2w``."""
    match = re.fullmatch(r"(\d+)([smhdw])", text)
    if match is None:
        raise argparse.ArgumentTypeError("a time is wanted, such as 30m, 12h, 14d or 2w")
    return int(match.group(1)) * _UNITS[match.group(2)]


def moment(text: str) -> tuple[bool, int]:
    """A moment, as told: from now on (``14d``), or a date such as ``2030-01-31`` or ``2030-01-31T12:00``, in UTC."""
    from datetime import UTC, datetime

    if re.fullmatch(r"\d+[smhdw]", text):
        return True, duration(text)
    try:
        told = datetime.fromisoformat(text)
    except ValueError:
        raise argparse.ArgumentTypeError("a moment is wanted, such as 14d or 2030-01-31T12:00 (UTC)") from None
    return False, int((told if told.tzinfo else told.replace(tzinfo=UTC)).timestamp())


def _same_store(options: argparse.Namespace) -> str:
    """For a command to type next: the option that names the same store, if one was given; never its password."""
    if options.store is None:
        return ""
    shown = re.sub(r"(://[^/@:]*):[^/@]*@", r"\1@", options.store)
    return f" --store {shlex.quote(shown)}"


def register(parser: argparse.ArgumentParser) -> None:
    """Add its options."""
    parser.add_argument("plan", metavar="PLAN", help="a plan file, made by: sotto plan … --save PLAN")
    told = parser.add_argument_group("what participants are told")
    told.add_argument("--collector", type=said, required=True, metavar="TEXT", help="who asks")
    told.add_argument("--purpose", type=said, required=True, metavar="TEXT", help="what for")
    told.add_argument("--columns", type=texts, default=(), metavar="A,B,…", help="what the asked numbers are called")
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


def run(collector: Collector, options: argparse.Namespace) -> None:
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
    survey, store, n = manifest.digest, _same_store(options), manifest.users
    asks = {"n": n, "epsilon": manifest.epsilon, "problem": plan.problem.name, "method": manifest.settings["method"]}
    invite = {"n": n, "access": manifest.access, "survey": survey, "short": survey[:12], "store": store}
    terminal.show(
        terminal.told(
            [
                ("survey", survey),
                ("token", token),
                ("", terminal.say("command-survey-token")),
                ("asks", terminal.say("command-survey-asks", **asks)),
                ("next", terminal.say("command-survey-invite", **invite)),
                ("", f"sotto serve{store}"),
            ],
            indent=0,
        )
    )
