"""``sotto paper``: every figure of the paper, computed, drawn and checked."""

from __future__ import annotations

import argparse
import sys
from pathlib import Path
from typing import TYPE_CHECKING, Any

from sottovoce.cli import failures, terminal
from sottovoce.cli.parser import at_least, json_option

if TYPE_CHECKING:
    from sottovoce.cli.options import Commands
    from sottovoce.paper import Outcome, Plan

FASTER = 'pip install "sottovoce[fast]" (in a clone: pip install -e ".[fast]")'
_MOVED = "a verdict or a frozen number is not what it was"
WORTH_SAYING = 2.0
"""Seconds: what takes less is done before its announcement is read."""

_EPILOG = """\
examples:
  sotto paper --list
  sotto paper univariate phase-transition --quick
  sotto paper --out figures
  sotto paper police --file tx_statewide.csv

Writes a CSV, an SVG and a PNG for each figure, report.html over all of them, and report.pdf: two
pages to print. Finished parts are kept in DIR/cells: the same command carries on where it was
stopped. Results depend on --seed and on nothing else, in particular not on --workers. Needs
matplotlib (sottovoce[plot]). Numba makes the phase transition many times faster:
pip install "sottovoce[fast]", in a clone pip install -e ".[fast]". Without it --quick does fewer
repetitions and says so, with the same verdicts; a full run says beforehand how long it will take,
an hour or more.
--check: exit code 1 when a verdict or a frozen number is not what it was; the frozen numbers are in
a clone of the repository, so this runs from one.
--json prints report, reduced (whether repetitions were cut for want of numba), and figures: a list
with name, claims (name, text, where, tolerance, verdict, expected, seen, why, choice) and moved,
the frozen numbers that are not what they were."""


def register(commands: Commands, *, wanted: str | None) -> None:
    """Add the command."""
    parser = commands.add_parser(
        "paper",
        help="every figure of the paper, computed and checked",
        description="Compute the paper's figures with the exact law of its algorithms, draw them, and say which\n"
        "of its claims hold.",
        epilog=_EPILOG,
    )
    parser.add_argument("figures", nargs="*", metavar="FIGURE", help="which figures (default: all; see --list)")
    parser.add_argument("--list", action="store_true", help="name the figures and stop")
    parser.add_argument("--quick", action="store_true", help="fewer repetitions and coarser grids: a minute or two")
    parser.add_argument("--check", action="store_true", help="fail when a claim's verdict or a frozen number changed")
    parser.add_argument("--out", metavar="DIR", default="paper-figures", help="where to write (default: paper-figures)")
    parser.add_argument("--file", metavar="CSV", help="the traffic stops, TX-Statewide, for the figure police")
    parser.add_argument("--workers", type=at_least(1), default=0, metavar="N", help="processes (default: one a core)")
    parser.add_argument("--seed", type=at_least(0), metavar="S", help="another seed than that of the frozen numbers")
    parser.add_argument("--freeze", action="store_true", help=argparse.SUPPRESS)
    json_option(parser)
    parser.set_defaults(run=run)


def run(options: argparse.Namespace) -> None:
    """Compute, check, draw, print."""
    from sottovoce import paper
    from sottovoce.messages import InvalidInput, has_numba
    from sottovoce.paper import Run, frozen_numbers, report, runner

    if options.list:
        _list(options)
        return
    unknown = [name for name in options.figures if name not in paper.names()]
    if unknown:
        message = f"there is no figure {unknown[0]!r}; the figures are {', '.join(paper.names())}"
        fix = failures.suggestion(unknown[0], list(paper.names()), command="sotto paper")
        raise failures.WrongUsage(message, command="sotto paper", fix=fix)
    if "police" in options.figures and options.file is None:
        raise InvalidInput(
            rule="the figure police needs --file, the TX-Statewide CSV of the Stanford Open Policing Project"
        )
    wanted = options.figures or [name for name in paper.names() if options.file or name not in paper.NEEDS_A_FILE]
    slow = not set(paper.COMPILED).isdisjoint(wanted) and not has_numba()
    asked = Run(quick=options.quick, file=options.file, reduced=options.quick and slow)
    if options.freeze and asked.reduced:
        raise InvalidInput(rule=f"frozen numbers have all repetitions, which needs numba: {FASTER}")
    if options.check or options.freeze:
        failures.require_laboratory("checks against frozen numbers", command="sotto paper")
    folder = _folder(options.out)
    figures = [paper.figure_of(name) for name in dict.fromkeys(wanted)]
    seed = runner.SEED if options.seed is None else options.seed
    rows = runner.results(
        figures,
        asked,
        folder=folder,
        workers=options.workers,
        seed=seed,
        announce=lambda plan: _announce(plan, reduced=asked.reduced, slow=slow),
    )
    if options.freeze:
        for figure in figures:
            frozen_numbers.freeze(figure, rows[figure.name], quick=options.quick)
    print(f"computed; drawing {terminal.count(len(figures), 'figure')} and the report", file=sys.stderr, flush=True)
    outcomes = [report.outcome(figure, rows[figure.name], asked) for figure in figures]
    page = report.write(outcomes, folder, asked)
    sound = not options.check or all(done.sound for done in outcomes)
    if options.json:
        documents = [_document(done) for done in outcomes]
        document = {"report": str(page), "reduced": asked.reduced, "figures": documents}
        terminal.show_json(document, failure=failures.check_failed(sound, _MOVED))
    else:
        _show(outcomes, page, reduced=asked.reduced)
    if not sound:
        print(f"sotto: {_MOVED}", file=sys.stderr)
        raise SystemExit(failures.FAULT)


def _folder(out: str) -> Path:
    """Where to write, found out before anything is computed; drawing needs matplotlib."""
    from importlib.util import find_spec

    from sottovoce.messages import InvalidInput, MissingExtra

    if find_spec("matplotlib") is None:
        raise MissingExtra("the figures need matplotlib", extra="plot")
    try:
        Path(out).mkdir(parents=True, exist_ok=True)
    except (FileExistsError, NotADirectoryError) as error:
        raise InvalidInput(f"--out {out}: there is a file in the way", fix="give a folder") from error
    return Path(out)


def _announce(plan: Plan, *, reduced: bool, slow: bool) -> None:
    """Before anything is computed: what it will take, and how to make it faster."""
    from sottovoce.paper import progress

    if plan.seconds < WORTH_SAYING:
        return
    cpu, wall = (progress.duration_in_words(seconds) for seconds in (plan.cpu_seconds, plan.seconds))
    cells, cores = terminal.count(plan.cells, "cell"), terminal.count(plan.cores, "core")
    lines = [f"{cells} to compute: about {cpu} of CPU, {wall} on {cores}"]
    if slow:
        lines.append(f"numba is not installed, or cannot be used. Faster with it: {FASTER}")
    if reduced:
        lines.append("without numba --quick does fewer repetitions of the phase transition and the sensitivity to Δ")
    print("\n".join(lines), file=sys.stderr, flush=True)


def _list(options: argparse.Namespace) -> None:
    from sottovoce import paper

    figures = [paper.figure_of(name) for name in paper.names()]
    if options.json:
        terminal.show_json([{"name": f.name, "title": f.title, "where": f.where} for f in figures])
        return
    terminal.show(
        terminal.table(("figure", "where", ""), [(f.name, f.where, f.title) for f in figures], left=(0, 1, 2))
    )


def _document(done: Outcome) -> dict[str, Any]:
    return {
        "name": done.figure.name,
        "claims": [
            {
                "name": claim.name,
                "text": claim.text,
                "where": claim.where,
                "tolerance": claim.tolerance,
                "verdict": finding.verdict.value,
                "expected": claim.expected.value,
                "seen": finding.seen,
                "why": finding.why,
                "choice": finding.choice,
            }
            for claim, finding in done.findings
        ],
        "moved": None if done.moved is None else [str(deviation) for deviation in done.moved],
    }


def _show(outcomes: list[Outcome], page: Path, *, reduced: bool) -> None:
    from sottovoce.paper import REDUCED

    lines: list[str] = []
    for done in outcomes:
        lines += [terminal.bold(f"{done.figure.title} ({done.figure.where})")]
        for claim, finding in done.findings:
            flipped = "" if finding.verdict == claim.expected else f" (was: {claim.expected.value})"
            claim_lines = [
                ("claim", claim.text),
                ("we see", finding.seen),
                ("verdict", f"{finding.verdict.value}{flipped}"),
            ]
            lines += terminal.labelled_lines([*claim_lines, *([("choice", finding.choice)] if finding.choice else [])])
        lines += terminal.labelled_lines(("moved", moved) for moved in (done.moved or ())[:5])
        lines.append("")
    if reduced:
        lines.append(terminal.labelled("reduced", f"{REDUCED} With numba: {FASTER}"))
    lines.append(terminal.labelled("report", str(page)))
    terminal.show(lines)
