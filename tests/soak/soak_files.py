"""Twenty million rows of 200,000 users in a Parquet file: a survey of them takes less than 2 GB."""

from __future__ import annotations

import subprocess
import sys
from importlib import import_module
from pathlib import Path

_ASK = """
import sys
import sottovoce as sv
path = sys.argv[1]
print(sv.mean(path, user="u", value="v", low=0, high=1, epsilon=1.0).value)
sv.quantiles(path, user="u", value="v", low=0, high=1, epsilon=1.0, q=[0.5])
(peak,) = [line.split()[1] for line in open("/proc/self/status") if line.startswith("VmHWM")]
print(int(peak) // 1024)
"""


def test_twenty_million_rows_in_two_gigabytes(tmp_path: Path) -> None:
    polars, count = import_module("polars"), 20_000_000
    place = polars.int_range(count, eager=True)
    frame = polars.DataFrame({"u": (place * 7919) % 200_000, "v": (place % 1000) / 999})
    frame.write_parquet(tmp_path / "rows.parquet")
    command = [sys.executable, "-c", _ASK, str(tmp_path / "rows.parquet")]
    ran = subprocess.run(command, capture_output=True, text=True, timeout=600, check=False)
    assert ran.returncode == 0, ran.stderr
    value, peak = (float(line) for line in ran.stdout.split())
    assert abs(value - 0.5) < 0.05 and peak < 2000, (value, peak)
