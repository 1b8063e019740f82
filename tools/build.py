"""Wheel, source distribution and bill of materials: ``make build``, or ``python -m tools.build --out dist``.

Two builds of one commit give the same bytes, wherever the tree lies and whoever builds it: every time in them is that
of the last commit (``SOURCE_DATE_EPOCH``), modes are normalised, files sorted. The wheel is built from the source
distribution, so that the one holds what the other needs. Nothing is fetched: hatchling is the one that is installed.
"""

from __future__ import annotations

import argparse
import hashlib
import os
import subprocess
import sys
import tempfile
from pathlib import Path

from tools.bill import bill

ROOT = Path(__file__).parents[1]
UNKNOWN = 1580601600
"""2 February 2020, which hatchling takes too, where there is neither a commit nor ``SOURCE_DATE_EPOCH``."""


def epoch(root: Path = ROOT) -> int:
    """The time that a build bears: what the environment says, else that of the last commit."""
    told = os.environ.get("SOURCE_DATE_EPOCH")
    if told:
        return int(told)
    command = ["git", "-C", str(root), "log", "-1", "--format=%ct"]
    try:
        done = subprocess.run(command, capture_output=True, text=True, check=True)
    except (OSError, subprocess.CalledProcessError):
        return UNKNOWN
    return int(done.stdout) if (root / ".git").exists() else UNKNOWN


def build(out: Path, *, root: Path = ROOT) -> list[Path]:
    """The three files, made in `out`."""
    at = epoch(root)
    out.mkdir(parents=True, exist_ok=True)
    with tempfile.TemporaryDirectory(prefix="sotto-build-") as folder:
        command = [sys.executable, "-m", "build", "--no-isolation", "--outdir", folder, str(root)]
        done = subprocess.run(
            command, env={**os.environ, "SOURCE_DATE_EPOCH": str(at)}, capture_output=True, text=True, check=False
        )
        if done.returncode:
            raise SystemExit(done.stdout + done.stderr)
        made = [out / one.name for one in sorted(Path(folder).iterdir())]
        for file in made:
            file.write_bytes((Path(folder) / file.name).read_bytes())
    wheel = next(file for file in made if file.suffix == ".whl")
    listed = out / f"{'-'.join(wheel.name.split('-')[:2])}.cdx.json"
    listed.write_text(bill(root, epoch=at), encoding="utf-8")
    return [*made, listed]


def main() -> None:
    """Build, and say what was made."""
    parser = argparse.ArgumentParser(description=(__doc__ or "").partition("\n")[0])
    parser.add_argument("--out", type=Path, default=ROOT / "dist", help="where to (default: dist)")
    for file in build(parser.parse_args().out):
        held = file.read_bytes()
        print(f"{hashlib.sha256(held).hexdigest()}  {len(held):>9,} bytes  {file.name}")


if __name__ == "__main__":
    main()
