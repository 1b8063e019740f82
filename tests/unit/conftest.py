"""What tests of commands share."""

import math
import os

import pytest

from sottovoce.cli import main


@pytest.fixture
def sotto(capsys, monkeypatch):
    """Run a command here; what it prints, or says if it fails, and never both, but for one that tells its progress."""
    monkeypatch.setattr("sottovoce.cli.terminal.FIRST_SECONDS", math.inf)  # a slow machine is told how far it is

    def run(*words, code=0, progress=False):
        assert main(list(words)) == code
        printed = capsys.readouterr()
        assert progress or printed.err == "" or (code and printed.out == "")
        return printed.out or printed.err

    return run


@pytest.fixture(scope="session")
def without(tmp_path_factory):
    """An environment in which these packages cannot be imported, by whatever process is started in it."""

    def environment(*names):
        folder = tmp_path_factory.mktemp("without")
        (folder / "sitecustomize.py").write_text(f"import sys\nsys.modules |= dict.fromkeys({sorted(names)})\n")
        paths = [str(folder), *filter(None, [os.environ.get("PYTHONPATH")])]
        return {**os.environ, "PYTHONPATH": os.pathsep.join(paths)}

    return environment
