"""``sotto survey export``: the reports of closed rounds as columns in Parquet."""

from __future__ import annotations

import argparse
import sys
from pathlib import Path
from typing import TYPE_CHECKING, Any

from sottovoce.cli import terminal
from sottovoce.cli.parser import at_least

if TYPE_CHECKING:
    from sottovoce.service import Collector, Exported

EPILOG = """\
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


def options(parser: argparse.ArgumentParser) -> None:
    """Add its options."""
    parser.epilog = EPILOG
    parser.add_argument("--out", required=True, metavar="DIR", help="the folder to write to; it is made where needed")
    parser.add_argument("--round", type=at_least(1), metavar="N", help="only this round, counted from 1")


def run(collector: Collector, survey: str, options: argparse.Namespace) -> None:
    """Write, then say what."""
    from tqdm import tqdm

    from sottovoce.service import export

    folder = Path(options.out).expanduser()
    silent = options.json or not sys.stderr.isatty()
    number = None if options.round is None else options.round - 1
    with tqdm(desc="export", unit=" reports", unit_scale=True, leave=False, disable=silent) as bar:
        rounds = export(collector.store, survey, folder, number=number, progress=bar.update)
    if options.json:
        terminal.show_json({"survey": survey, "folder": str(folder), "rounds": [document(one) for one in rounds]})
        return
    lines = [
        terminal.say(
            "command-exported",
            **document(one) | {"round": one.number + 1, "folder": str(one.folder)},
            each=one.bytes / max(1, one.reports),
        )
        for one in rounds
    ]
    terminal.show([*lines, terminal.say("command-next", command=f"sotto tally {folder}")])


def document(one: Exported) -> dict[str, Any]:
    """A round for programs."""
    return {
        "number": one.number,
        "role": one.role,
        "folder": one.folder.name,
        "reports": one.reports,
        "files": one.files,
        "bytes": one.bytes,
        "written": one.written,
    }
