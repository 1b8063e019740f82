"""Transcripts of every method, made under two versions of numpy and scipy: each verifies what the other made."""

from __future__ import annotations

import os
import subprocess
import sys
from pathlib import Path

ROOT = Path(__file__).parents[2]


def run(python: Path | str, *words: str) -> str:
    environment = {**os.environ, "PYTHONPATH": f"{ROOT / 'src'}{os.pathsep}{ROOT}"}
    done = subprocess.run(
        [str(python), *words], cwd=ROOT, env=environment, capture_output=True, text=True, timeout=900, check=False
    )
    assert done.returncode == 0, done.stdout + done.stderr
    return done.stdout


def test_two_versions_verify_each_other(tmp_path: Path) -> None:
    run(sys.executable, "-m", "venv", str(tmp_path / "other"))
    other = tmp_path / "other" / "bin" / "python"
    run(other, "-m", "pip", "install", "-q", "--require-hashes", "-r", str(ROOT / "requirements" / "other.txt"))
    maker = ("-m", "tests.support.make_transcripts")
    for python, name in ((sys.executable, "here.zip"), (other, "there.zip")):
        print(run(python, *maker, str(tmp_path / name)))
    print(run(sys.executable, *maker, "--verify", str(tmp_path / "there.zip")))
    print(run(other, *maker, "--verify", str(tmp_path / "here.zip")))
