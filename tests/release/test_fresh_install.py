"""A wheel in an environment that has nothing: what the README's first block promises. For ``make soak``: it fetches."""

from __future__ import annotations

import os
import re
import subprocess
import venv
from pathlib import Path

import pytest

from sottovoce.version import VERSION
from tests.release.trees import ROOT
from tests.support.components import missing
from tools.build import build
from tools.lock import running

README = (ROOT / "README.md").read_text(encoding="utf-8")


def clean() -> dict[str, str]:
    """Without what leads to this checkout."""
    left_out = ("PYTHONPATH", "PYTHONHOME", "VIRTUAL_ENV")
    return {name: value for name, value in os.environ.items() if name not in left_out}


def pip(environment: Path, *words: str) -> None:
    command = [str(environment / "bin" / "python"), "-m", "pip", "install", "-q", *words]
    done = subprocess.run(command, env=clean(), capture_output=True, text=True, timeout=1800, check=False)
    if done.returncode and re.search(r"Connection|No matching distribution|Temporary failure", done.stderr):
        missing("an index of packages", reason="pip could not fetch what is locked", command="run with a network")
    assert done.returncode == 0, done.stderr[-3000:]


@pytest.fixture(scope="module")
def wheel(tmp_path_factory: pytest.TempPathFactory) -> Path:
    made = build(tmp_path_factory.mktemp("dist"))
    return next(file for file in made if file.suffix == ".whl")


def made(folder: Path, wheel: Path, extra: str) -> Path:
    """An environment with the wheel, and the locked packages of an extra or, without one, of none."""
    environment = folder / "fresh"
    venv.create(environment, with_pip=True)
    lock = folder / "lock.txt"
    everything = running(ROOT)
    needed = everything.values() if extra else [everything[one] for one in ("narwhals", "numpy", "scipy", "tqdm")]
    lock.write_text("\n".join(one.line for one in needed) + "\n")
    pip(environment, "--require-hashes", "--only-binary", ":all:", "--no-deps", "-r", str(lock))
    pip(environment, "--no-index", f"{wheel}{extra}")  # and nothing is missing: pip would have to fetch it
    return environment


def typed(environment: Path, command: str, folder: Path) -> str:
    """In a shell in which the environment is active, somewhere else than in the clone."""
    path = f"{environment / 'bin'}{os.pathsep}{os.environ['PATH']}"
    done = subprocess.run(
        command, shell=True, cwd=folder, env={**clean(), "PATH": path}, capture_output=True, text=True, timeout=900,
        check=False,
    )  # fmt: skip
    assert done.returncode == 0, done.stdout + done.stderr
    return done.stdout


@pytest.mark.soak
def test_the_first_block_of_the_readme_in_a_fresh_environment(wheel: Path, tmp_path: Path) -> None:
    install, *then = README.partition("```sh\n")[2].partition("```")[0].splitlines()
    assert install == 'pip install ".[all]"' and then == ["sotto demo"]
    environment = made(tmp_path, wheel, "[all]")
    assert typed(environment, "sotto --version", tmp_path).strip() == f"sotto {VERSION}"
    said = typed(environment, then[0], tmp_path)
    assert "2,972 students gave 73,421 ratings" in said and "verified    identical" in said


@pytest.mark.soak
def test_without_extras(wheel: Path, tmp_path: Path) -> None:
    environment = made(tmp_path, wheel, "")
    said = typed(environment, "sotto demo", tmp_path)
    assert "3,000 students gave 98,122 ratings" in said
    assert said.splitlines()[-2].strip() == 'pip install "sottovoce[datasets,service]"'
    (tmp_path / "ratings.csv").write_text("student,rating\n" + "".join(f"s{i % 50},{i % 5 + 1}\n" for i in range(500)))
    command = re.search(r"^sotto estimate .*$", README, flags=re.MULTILINE)
    assert command is not None and "estimate" in typed(environment, command[0], tmp_path)
