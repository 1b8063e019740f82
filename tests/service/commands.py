"""The command line as the tests of surveys call it."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any

import pytest

from sottovoce.cli import main
from tests.support.said import result_of


@dataclass(frozen=True)
class Sotto:
    """Runs a command in this process, which must end with `code`; returns what was printed."""

    capsys: pytest.CaptureFixture[str]

    def both(self, *words: str, code: int = 0) -> tuple[str, str]:
        found = main(list(words))
        printed = self.capsys.readouterr()
        assert found == code, printed.err
        return printed.out, printed.err

    def __call__(self, *words: str, code: int = 0) -> str:
        """Of a command that ends well what it says, of another the error."""
        return self.both(*words, code=code)[bool(code)]

    def flat(self, *words: str, code: int = 0) -> str:
        """Both streams in one line."""
        return " ".join(" ".join(self.both(*words, code=code)).split())

    def json(self, *words: str, code: int = 0) -> Any:
        return result_of(self.both(*words, "--json", code=code)[0])
