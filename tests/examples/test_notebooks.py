"""The notebooks run from the first cell to the last, and what their texts say of the results is so."""

from __future__ import annotations

import json
import os
import re
import subprocess
import sys
from itertools import pairwise
from pathlib import Path

import pytest

pytestmark = pytest.mark.slow
EXAMPLES = Path(__file__).parents[2] / "examples"
NOTEBOOKS = sorted(file.stem for file in EXAMPLES.glob("*.ipynb"))
QUICK = {"insteval": ("REPETITIONS = 7, 20", "REPETITIONS = 7, 4")}
"""What is made smaller here, in the source of a notebook."""
RUN = """
import sys, nbformat
from nbclient import NotebookClient
notebook = nbformat.reads(sys.stdin.read(), as_version=4)
nbformat.validate(notebook)
NotebookClient(notebook, timeout=1800, startup_timeout=600, kernel_name="python3").execute()
print(nbformat.writes(notebook))
"""


def executed(name: str, folder: Path) -> str:
    """All that it prints. In a process of its own: the kernel's client leaves loops and sockets to the collector."""
    source = (EXAMPLES / f"{name}.ipynb").read_text(encoding="utf-8")
    for old, new in [QUICK[name]] if name in QUICK else []:
        assert old in source
        source = source.replace(old, new)
    home = {
        "HOME": str(folder),
        "IPYTHONDIR": str(folder),
        "JUPYTER_RUNTIME_DIR": str(folder),
        "MPLCONFIGDIR": str(folder),
    }
    done = subprocess.run(
        [sys.executable, "-c", RUN],
        input=source,
        cwd=folder,
        env={**os.environ, **home, "PYTHONWARNINGS": "default"},
        capture_output=True,
        text=True,
        timeout=3600,
        check=False,
    )
    assert done.returncode == 0, done.stderr[-3000:]
    outputs = [one for cell in json.loads(done.stdout)["cells"] for one in cell.get("outputs", [])]
    assert not [one for one in outputs if one.get("name") == "stderr"], "a notebook warns of nothing"
    return "".join("".join(one.get("text", [])) for one in outputs)


def test_insteval(tmp_path: Path) -> None:
    said = executed("insteval", tmp_path)
    assert "median 22 and at most 92" in said
    assert "1-locally-private for its whole collection" in said
    students = [int(found.replace(",", "")) for found in re.findall(r"^ε = \S+ +([\d,]+) students", said, flags=re.M)]
    assert len(students) == 3
    assert all(3 < more / fewer < 5 for more, fewer in pairwise(students)), students
    semi = [float(found) for found in re.findall(r"^semi-user +(\d\S+) .*higher", said, flags=re.M)]
    auto = [float(found) for found in re.findall(r"^auto \(.*?\) +(\d\S+) .*reference", said, flags=re.M)]
    assert len(semi) == len(auto) == 3 and all(a < s for a, s in zip(auto, semi, strict=True))


def test_nycflights(tmp_path: Path) -> None:
    said = executed("nycflights", tmp_path)
    assert "-86 to 1272 minutes" in said
    rows = re.findall(r"^\[ *\S+ +\S+\] +(\S+) +\[ *(\S+), +(\S+)\] +(\S+)% of the aircraft", said, flags=re.M)
    (generous, plausible, hoped), truth = [tuple(map(float, row)) for row in rows], 7.1
    widths = [high - low for _, low, high, _ in (generous, plausible, hoped)]
    assert widths == sorted(widths, reverse=True), "noise grows with the range"
    assert generous[1] <= truth <= generous[2] and plausible[1] <= truth <= plausible[2]
    assert hoped[2] < truth and 30 < hoped[3] < 40, "a narrow interval in the wrong place"
    median = re.search(r"^ +median +(\S+)", said, flags=re.M)
    assert median is not None and float(median[1]) <= 0


@pytest.mark.parametrize("name", NOTEBOOKS)
def test_what_is_committed_is_clean(name: str) -> None:
    """No outputs, no counts, nothing about who ran it on what."""
    text = (EXAMPLES / f"{name}.ipynb").read_text(encoding="utf-8")
    held = json.loads(text)
    assert set(held["metadata"]) == {"kernelspec", "language_info"}
    assert held["metadata"]["language_info"] == {"name": "python"}
    for cell in held["cells"]:
        assert cell["metadata"] == {}
        assert not cell.get("outputs") and cell.get("execution_count") is None
    assert text == json.dumps(held, indent=1, ensure_ascii=False, sort_keys=True) + "\n"


def test_every_notebook_is_run() -> None:
    assert NOTEBOOKS == ["insteval", "nycflights"]
