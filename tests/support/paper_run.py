"""``sotto paper --quick --check``, run once for all tests of a run: what it printed, and the report that it wrote."""

from __future__ import annotations

import io
import json
from contextlib import redirect_stdout
from pathlib import Path

import pytest

from sottovoce.cli import main
from tests.support.once import once


def quick_check(temporary: pytest.TempPathFactory) -> tuple[Path, int, str]:
    """Where everything was written, the exit code, and what was printed. Two minutes for whoever asks first."""
    folder, said = once(temporary, "paper", _checked)
    code, printed = json.loads(said)
    return folder, code, printed


def _checked(folder: Path) -> str:
    with redirect_stdout(io.StringIO()) as printed:
        code = main(["paper", "--quick", "--check", "--workers", "1", "--out", str(folder), "--json"])
    return json.dumps([code, printed.getvalue()])
