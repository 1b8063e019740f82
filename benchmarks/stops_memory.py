"""Peak memory of the traffic-stop loader on a generated file of 5 million rows with the schema of TX-Statewide."""

from __future__ import annotations

import csv
import subprocess
import sys
import tempfile
import time
from pathlib import Path

from tests.support.stops import HEADER, stop_rows

ROWS = 5_000_000
COPIES = 10
"""A tenth of the rows is made up and repeated: making rows takes longer than reading them."""
WANTED_MB = 1000

CODE = """
import resource, sys, time
from pathlib import Path
from sottovoce.paper.figures.police import load
start = time.process_time()
held = load(Path(sys.argv[1]))
print(held, held.read, held.kept, f"{time.process_time() - start:.0f}")
print(resource.getrusage(resource.RUSAGE_SELF).ru_maxrss)
"""


def main() -> None:
    rows = int(sys.argv[1]) if len(sys.argv) > 1 else ROWS
    with tempfile.TemporaryDirectory() as folder:
        path = Path(folder) / "tx_statewide.csv"
        start = time.process_time()
        with path.open("w", newline="") as file:
            writer = csv.writer(file)
            writer.writerow(HEADER)
            writer.writerows(stop_rows(rows // COPIES, officers=4000, seed=1))
        text = path.read_bytes().partition(b"\n")[2]
        with path.open("ab") as file:
            for _ in range(COPIES - 1):
                file.write(text)
        del text
        made = time.process_time() - start
        done = subprocess.run([sys.executable, "-c", CODE, str(path)], capture_output=True, text=True, check=True)
        first, peak = done.stdout.splitlines()
        unit = 1 if sys.platform == "darwin" else 1024
        megabytes = int(peak) * unit / 1e6
        print(f"{rows:,} rows, {path.stat().st_size / 1e6:.0f} MB, made in {made:.0f} CPU s")
        print(f"{first} CPU s; peak memory {megabytes:.0f} MB (under {WANTED_MB} MB wanted)")
    if megabytes > WANTED_MB:
        raise SystemExit(1)


if __name__ == "__main__":
    main()
