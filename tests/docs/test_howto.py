"""What the how-to pages show works as shown."""

from __future__ import annotations

import re
import shlex
from pathlib import Path

import pytest

from sottovoce.cli import app
from sottovoce.service.limits import MAX_BATCH_BYTES
from tests.docs.page import Page
from tests.docs.walk import Walk, differs

WALKED = ("howto/survey.md", "howto/unknown.md", "howto/groups.md")


@pytest.mark.parametrize("name", WALKED)
def test_the_page_can_be_followed(name: str, tmp_path: Path) -> None:
    for step, _, why in Walk(tmp_path).through(Page(name)):
        assert why is None, f"$ {step.command}\n{why}"


@pytest.mark.parametrize("name", ["howto/rehearse.md", "howto/epsilon.md"])
def test_python_blocks_run(name: str, capsys: pytest.CaptureFixture[str]) -> None:
    names: dict[str, object] = {}
    for block in Page(name).blocks("python"):
        Page(name).run(block, names)
    assert capsys.readouterr().out.count("\n") > 5


@pytest.mark.parametrize("name", ["deploy", "embed", "epsilon", "rehearse"])
def test_commands_can_be_typed(name: str) -> None:
    text = Page(f"howto/{name}.md").text.replace("\\\n", " ")
    typed = re.findall(r"^(?:ExecStart=|sudo .*)?(?:/opt/sottovoce/bin/)?sotto (.+)$", text, flags=re.MULTILINE)
    assert typed
    parser = app.build_parser()
    for command in typed:
        words = shlex.split(command)
        parser.parse_args(app.spelled_out(words))  # a wrong one would exit


def test_proxies_let_through_what_the_collector_takes() -> None:
    text = Page("howto/deploy.md").text
    assert f"client_max_body_size {MAX_BATCH_BYTES // 2**20}m;" in text
    assert f"max_size {MAX_BATCH_BYTES // 2**20}MiB" in text


@pytest.mark.parametrize(
    ("shown", "printed"),
    [
        ("estimate 3.1", "estimate 3.9"),
        ("estimate 3.1", "guess 3.1"),
        ("a\n…\nc", "a\nb\nd"),
        ("a … c", "a b"),
        ("a", "a\nb"),
        ("1,000 users", "2,000 users"),
    ],
)
def test_another_output_is_noticed(shown: str, printed: str) -> None:
    assert differs(shown, printed) is not None


@pytest.mark.parametrize(
    ("shown", "printed"),
    [("estimate 3.11", "estimate 3.12\n"), ("a\n…\nc", "a\nb\nb\nc"), ("a … c", "a b c"), ("…", "x"), ("", "x")],
)
def test_the_same_output_is_not(shown: str, printed: str) -> None:
    assert differs(shown, printed) is None
