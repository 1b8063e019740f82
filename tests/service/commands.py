"""The command line as the tests of surveys call it."""

from __future__ import annotations

from typing import Any

import pytest

from sottovoce.cli import main
from tests.support.said import result_of


def sotto(capsys: pytest.CaptureFixture[str], *words: str, code: int = 0) -> str:
    found = main(list(words))
    printed = capsys.readouterr()
    assert found == code, printed.err
    return printed.out if code == 0 else printed.err


def told(capsys: pytest.CaptureFixture[str], *words: str) -> Any:
    return result_of(sotto(capsys, *words, "--json"))
