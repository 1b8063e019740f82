"""What the README shows works as shown."""

from __future__ import annotations

import doctest
import math
import re
import shlex
from pathlib import Path

import pytest

import sottovoce as sv
from sottovoce.cli import main
from sottovoce.problems import problems
from sottovoce.version import VERSION

ROOT = Path(__file__).parents[2]
README = (ROOT / "README.md").read_text(encoding="utf-8")
BLOCKS = re.findall(r"```(\w*)\n(.*?)```", README, flags=re.DOTALL)
COMMANDS = re.findall(r"^(sotto (?!demo$).*)$", README, flags=re.MULTILINE)
"""All but the demo, which has its own tests."""


@pytest.fixture(autouse=True)
def _with_a_file_of_ones_own(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    rows = (f"s{i % 500},{1 + (7 * i + i // 500) % 5}\n" for i in range(5000))
    (tmp_path / "ratings.csv").write_text("student,rating\n" + "".join(rows))
    monkeypatch.chdir(tmp_path)


def test_the_first_block_installs_all_from_a_clone_and_shows_that_it_works() -> None:
    """It is run in a fresh environment by ``make soak`` (tests/release)."""
    language, block = BLOCKS[0]
    assert (language, block.splitlines()) == ("sh", ['pip install ".[all]"', "sotto demo"])
    for line in ("pipx install .", f'pip install "dist/sottovoce-{VERSION}-py3-none-any.whl[all]"'):
        assert f"`{line}`" in README


def test_a_first_result_takes_ten_lines() -> None:
    first = next(block for language, block in BLOCKS if language == "python")
    assert len([line for line in first.splitlines() if line]) <= 10


def test_python_blocks_run(capsys: pytest.CaptureFixture[str]) -> None:
    blocks = [block for language, block in BLOCKS if language == "python"]
    assert len(blocks) == 2
    names: dict[str, object] = {}
    for block in blocks:
        exec(compile(block, "README.md", "exec"), names)
    printed = capsys.readouterr().out
    assert "it is 1-locally-private for its whole collection" in printed
    assert "one-round" in printed and "semi-user" in printed


def test_what_is_promised_is_in_numbers_that_are_so() -> None:
    promised = README.partition("## What was promised")[2].partition("\n## ")[0]
    told = re.findall(r"ε = (\d+) (?:that|it) is ([\d.]+)\s+times", promised)
    assert told == [(str(epsilon), f"{math.exp(epsilon):.2g}") for epsilon in (1, 4)]


@pytest.mark.parametrize("command", COMMANDS)
def test_commands_run(command: str) -> None:
    assert main(shlex.split(command.replace("--repetitions 20", "--repetitions 3"))[1:]) == 0


def test_links_lead_somewhere() -> None:
    for target in re.findall(r"\]\(([^)#]+)\)", README):
        assert (ROOT / target).exists(), target


@pytest.mark.parametrize("name", [*(problem.function for problem in problems()), "compare", "several", "read", "look"])
def test_every_call_has_an_example_that_works(name: str) -> None:
    runner = doctest.DocTestRunner(optionflags=doctest.ELLIPSIS)
    for example in doctest.DocTestFinder(recurse=False).find(getattr(sv, name), name, globs={}):
        runner.run(example)
    assert runner.tries >= 3 and runner.failures == 0
