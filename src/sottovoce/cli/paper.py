"""``sotto paper``: every figure of the paper, computed, drawn and checked."""

from __future__ import annotations

import argparse
import sys
from pathlib import Path
from typing import TYPE_CHECKING, Any

from sottovoce.cli import failures, terminal
from sottovoce.cli.parser import at_least, json_option

if TYPE_CHECKING:
    from sottovoce.paper import Outcome

_EPILOG = """\
examples:
  sotto paper --list
  sotto paper univariate phase-transition --quick
  sotto paper --out figures
  sotto paper police --file tx_statewide.csv

Writes a CSV, an SVG and a PNG for each figure, report.html over all of them, and report.pdf: two
pages to print. Finished parts are kept in DIR/cells: the same command carries on where it was
stopped. Results depend on --seed and on nothing else, in particular not on --workers. Needs
matplotlib (sottovoce[plot]); with numba (sottovoce[fast]) the phase transition takes minutes, without
it an hour.
--check: exit code 1 when a verdict or a frozen number is not what it was.
--json prints report, and figures: a list with name, claims (name, text, where, verdict, expected,
seen, why, choice) and moved, the frozen numbers that are not what they were."""


def register(commands: argparse._SubParsersAction[argparse.ArgumentParser], *, whole_tree: bool) -> None:
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
    from sottovoce.messages import InvalidInput
    from sottovoce.paper import Run, frozen, report, runner

    if options.list:
        _list(options)
        return
    unknown = [name for name in options.figures if name not in paper.names()]
    if unknown:
        raise InvalidInput(f"there is no figure {unknown[0]!r}; the figures are {', '.join(paper.names())}")
    if "police" in options.figures and options.file is None:
        raise InvalidInput("the figure police needs --file, the TX-Statewide CSV of the Stanford Open Policing Project")
    wanted = options.figures or [name for name in paper.names() if options.file or name not in paper.NEEDS_A_FILE]
    asked = Run(quick=options.quick, file=options.file)
    folder = Path(options.out)
    figures = [paper.named(name) for name in dict.fromkeys(wanted)]
    seed = runner.SEED if options.seed is None else options.seed
    rows = runner.results(figures, asked, folder=folder, workers=options.workers, seed=seed)
    if options.freeze:
        for figure in figures:
            frozen.freeze(figure, rows[figure.name], quick=options.quick)
    outcomes = [report.outcome(figure, rows[figure.name], asked) for figure in figures]
    page = report.write(outcomes, folder, asked)
    if options.json:
        terminal.show_json({"report": str(page), "figures": [_document(done) for done in outcomes]})
    else:
        _show(outcomes, page)
    if options.check and not all(done.sound for done in outcomes):
        print("sotto: a verdict or a frozen number is not what it was", file=sys.stderr)
        raise SystemExit(failures.FAULT)


def _list(options: argparse.Namespace) -> None:
    from sottovoce import paper

    figures = [paper.named(name) for name in paper.names()]
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
                "verdict": found.verdict.value,
                "expected": claim.expected.value,
                "seen": found.seen,
                "why": found.why,
                "choice": found.choice,
            }
            for claim, found in done.findings
        ],
        "moved": None if done.moved is None else [str(deviation) for deviation in done.moved],
    }


def _show(outcomes: list[Outcome], page: Path) -> None:
    lines: list[str] = []
    for done in outcomes:
        lines += [terminal.bold(f"{done.figure.title} ({done.figure.where})")]
        for claim, found in done.findings:
            flipped = "" if found.verdict == claim.expected else f" (was: {claim.expected.value})"
            lines += [
                terminal.labelled("claim", claim.text, indent=2),
                terminal.labelled("we see", found.seen, indent=2),
                terminal.labelled("verdict", f"{found.verdict.value}{flipped}", indent=2),
            ]
            if found.choice:
                lines.append(terminal.labelled("choice", found.choice, indent=2))
        lines += [terminal.labelled("moved", str(moved), indent=2) for moved in (done.moved or ())[:5]]
        lines.append("")
    lines.append(terminal.labelled("report", str(page)))
    terminal.show(lines)
