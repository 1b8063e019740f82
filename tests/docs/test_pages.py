"""What pages show works as shown: the same words, and figures near those shown."""

from __future__ import annotations

import doctest
import json
import re
import shlex
from dataclasses import dataclass
from importlib import import_module
from pathlib import Path
from typing import Any

import numpy as np
import pytest

import sottovoce as sv
from sottovoce import design
from sottovoce.cli import app
from sottovoce.data.records import NOBODY
from sottovoce.messages import Question, columns
from sottovoce.problems import named, problems
from sottovoce.risk import table_reach
from sottovoce.service.limits import MAX_BATCH_BYTES
from tests.docs.page import DOCS, Page, figures, typed, words
from tests.support.transcripts import mean
from tests.unit.test_tally import QUESTIONS


@pytest.fixture(autouse=True)
def folder(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    """A folder of one's own."""
    monkeypatch.chdir(tmp_path)
    return tmp_path


# ---- the page of each problem ----------------------------------------------------------------------------------------


@dataclass(frozen=True, kw_only=True)
class Shown:
    """Lines whose figures are compared, for each command; how closely; and the settings that the page explains."""

    lines: tuple[tuple[str, ...], ...]
    settings: tuple[str, ...] = ()
    within: float = 0.05
    relative: float = 0.0
    first: int | None = None
    """Only so many figures of a line."""


GROUPED = ("groups", "memberships", "levels", "bins", "step", "categories", "other", "edges", "q", "of")
CURVED = ("low", "high", "q", "points", "count", "step", "observations", "spread", "public_seed", "confidence")
PAGES = {
    "mean": Shown(
        lines=(("estimate", "interval"),),
        settings=("caution", "rounds", "spread", "shrink", "observations"),
        within=0.1,
    ),
    "histogram": Shown(
        lines=(("bus", "feet"),),
        settings=("categories", "other", "edges", "bins", "spread", "public_seed", "observations", "confidence"),
        within=0.02,
    ),
    "vector": Shown(
        lines=(("x", "y", "z"),), settings=("ball", "radius", "centre", "spread", "public_seed", "observations")
    ),
    "sparse": Shown(lines=(("tag_3", "tag_9"),), within=0.1),
    "density": Shown(lines=(("band", "model"),), settings=("smoothness", "coefficients"), relative=0.2, first=1),
    "mixture": Shown(lines=(("component 1", "component 2", "component 3"),)),
    "range": Shown(
        lines=(("range", "outside"),), settings=("smallest", "largest", "of"), relative=0.2, within=2, first=2
    ),
    "groups": Shown(lines=(("arts", "law", "science"),), settings=GROUPED, within=0.05),
    "cover": Shown(lines=(("chosen", "share"),)),
    "quantiles": Shown(
        lines=(("10%", "median", "90%"), ("≤10", "≤20", "≤40")), settings=CURVED, relative=0.02, within=0.02
    ),
}


@pytest.mark.parametrize("name", PAGES)
def test_commands_print_what_is_shown(name: str, capsys: pytest.CaptureFixture[str]) -> None:
    page, of = Page(f"{name}.md"), PAGES[name]
    page.run(page.blocks("python")[0])
    for command, shown, lines in zip(page.commands, page.blocks("text"), of.lines, strict=True):
        assert typed(command) == 0
        printed = capsys.readouterr().out
        assert words(printed) == words(shown)
        for label in lines:
            found, told = (figures(label, text)[: of.first] for text in (printed, shown))
            assert told and found == pytest.approx(told, abs=of.within, rel=of.relative)


@pytest.mark.parametrize("name", PAGES)
def test_every_method_and_setting_is_explained(name: str) -> None:
    text = Page(f"{name}.md").text
    for method in named(name).methods:
        assert f'`"{method.name}"`' in text
    for setting in PAGES[name].settings:
        assert re.search(rf"`{setting}\b", text), setting


def test_the_call_of_quantiles_and_its_command_say_the_same(capsys: pytest.CaptureFixture[str]) -> None:
    page, names = Page("quantiles.md"), {"sv": sv}
    for block in page.blocks("python"):
        page.run(block, names)
    assert typed(f"{page.commands[0]} --json") == 0
    printed = json.loads(capsys.readouterr().out)["result"]["value"]
    answer: Any = names["answer"]
    assert answer.value == pytest.approx(printed, rel=1e-9)
    for value, told in zip(answer.value, re.findall(r"at most ([\d.]+)", page.blocks("text")[0])[:3], strict=True):
        assert f"{value:.{len(told.partition('.')[2])}f}" == told, "the sentence shows it, to its last digit"


@pytest.mark.parametrize("name", sorted(str(path.relative_to(DOCS)) for path in DOCS.rglob("*.md")))
def test_links_lead_somewhere(name: str) -> None:
    for target in Page(name).links():
        assert target.exists(), target


# ---- other pages -----------------------------------------------------------------------------------------------------


@pytest.mark.parametrize(
    ("name", "told"),
    [
        ("comparing", "What a smaller budget costs"),
        ("planning", "users (solved for)"),
        ("howto/rehearse", "\n"),
        ("howto/epsilon", "\n"),
    ],
)
def test_python_blocks_run(name: str, told: str, capsys: pytest.CaptureFixture[str]) -> None:
    page, names = Page(f"{name}.md"), dict[str, object]()
    for block in page.blocks("python"):
        page.run(block, names)
    printed = capsys.readouterr().out
    assert told in printed and printed.count("\n") > 5


@pytest.mark.parametrize(
    ("name", "least"),
    [("columns", 3), ("howto/deploy", 1), ("howto/embed", 1), ("howto/epsilon", 1), ("howto/rehearse", 1)],
)
def test_commands_can_be_typed(name: str, least: int) -> None:
    text = Page(f"{name}.md").text.replace("\\\n", " ")
    found = re.findall(r"^(?:ExecStart=|sudo .*)?(?:/opt/sottovoce/bin/)?sotto (.+)$", text, flags=re.MULTILINE)
    assert len(found) >= least
    parser = app.build_parser()
    for command in found:
        parser.parse_args(app.spell_out(shlex.split(command.partition("#")[0])))  # a wrong one would exit


def test_a_comparison_prints_what_is_shown(capsys: pytest.CaptureFixture[str]) -> None:
    page = Page("comparing.md")
    (command,), (shown,) = page.commands, page.blocks("text")
    assert typed(command) == 0
    assert capsys.readouterr().out == shown


def test_planning(folder: Path) -> None:
    page = Page("planning.md")
    (folder / "ratings.csv").write_text("student,rating\n" + "".join(f"s{i % 50},{i % 5 + 1}\n" for i in range(500)))
    assert len(page.commands) == 3
    for command in page.commands:
        assert typed(command + (" --repetitions 3" if "simulate" in command else "")) == 0
    told = set(re.findall(r"^\| `([a-z-]+)` \| `", page.text, flags=re.MULTILINE))
    assert told == {problem.name for problem in problems()}, "every problem has its row"
    assert f"{table_reach(design.one_bit(1.0), 1.0):.2f} widths" in page.text
    for held, width in ((100, "0.29"), (10_000, "0.095"), (1_000_000, "0.26")):
        plan = sv.plan(low=1, high=5, users=3000, observations=held, epsilon=0.5, method="paper")
        assert f"{plan.halfwidth:.2g}" == width and width in page.text
    result = doctest.testmod(import_module("sottovoce.planning.planner"), optionflags=doctest.ELLIPSIS)
    assert result.attempted >= 3 and result.failed == 0


def test_columns() -> None:
    page = Page("columns.md")
    for key in columns.metadata_of(QUESTIONS["table"]):
        assert f"`{key.decode()}`" in page.text
    for kind in {question.channel.kind for question in QUESTIONS.values()}:
        assert f"| `{kind}` |" in page.text
    pytest.importorskip("pyarrow")
    own, polars, arrow = page.blocks("python")
    people = sv.collections(np.random.default_rng(1).uniform(1, 5, (1200, 20)))
    names: dict[str, Any] = {"protocol": mean(), "people": people}
    page.run(own, names)
    assert isinstance(names["question"], Question)
    assert not names["faults"].any() and sum(names["tally"].reports) == names["question"].slots.count
    page.run(arrow.replace("ratings", "kept"))
    pytest.importorskip("polars")
    page.run(polars.replace("ratings", "kept"))


def test_files(capsys: pytest.CaptureFixture[str]) -> None:
    page, rows = Page("files.md"), ("c1;3,5;1;bus", "c2;;2;tram", "c1;27,25;5;bus", "c3;12;3;bus")
    text = "\n".join(("card;minutes;stops;way", *rows, "c2;n.a.;2;tram", "c3;9,5;4;tram\n"))
    Path("rides.csv").write_text(text)
    assert typed("look rides.csv") == 0
    shown = next(block for block in page.blocks("") if block.startswith("$ sotto look rides.csv\n"))
    assert capsys.readouterr().out == shown.partition("\n")[2]
    reading = sv.reading_of(sv.people(sv.read("rides.csv", skip_bad=True), user="card", value="minutes"))
    assert reading is not None
    (block,) = [one for one in page.blocks("python") if "reading_of" in one]
    assert block.rpartition("# ")[2].strip() == repr(reading.warnings())
    (block,) = [one for one in page.blocks("python") if one.startswith("rides = sv.read(")]
    names = {"sv": sv}
    page.run(block, names)
    assert repr(names["rides"]) == "<Records of 'rides.csv', user='card', separator=';', skip_bad=True>"
    for path in (DOCS / "files.md", DOCS.parent / "CHANGELOG.md"):
        told = re.search(r"(`NA`[^;.]*?),\s+written\s+exactly so", path.read_text(encoding="utf-8"))
        assert told is not None and set(re.findall("`([^`]+)`", told[1])) == NOBODY - {""}, path.name


def test_proxies_let_through_what_the_collector_takes() -> None:
    text = Page("howto/deploy.md").text
    assert f"client_max_body_size {MAX_BATCH_BYTES // 2**20}m;" in text
    assert f"max_size {MAX_BATCH_BYTES // 2**20}MiB" in text
