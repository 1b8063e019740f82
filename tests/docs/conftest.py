"""The documentation site, built once for all tests of a run, whichever process asks first."""

from __future__ import annotations

import os
import subprocess
import sys
from pathlib import Path

import pytest

from tests.docs.page import DOCS
from tests.support.components import missing
from tests.support.once import once

REPOSITORY = DOCS.parent


def built(temporary: pytest.TempPathFactory) -> Path:
    """Where the pages are. A warning fails whoever asks."""
    if not _have("sphinx", "myst_parser", "pydata_sphinx_theme", "sphinx_design", "sphinx_copybutton"):
        missing("the site's builder", reason="a package is not installed", command='pip install "sottovoce[docs]"')
    site, said = once(temporary, "site", _build)
    assert not said, said
    return site


def _build(site: Path) -> str:
    """What went wrong, in the builder's own words; nothing if all is well."""
    strict = ["-b", "html", "-W", "-n", "--keep-going", "-q", "-j", "2"]
    command = [sys.executable, "-m", "sphinx", *strict, "-d", str(site.with_name("site.trees")), str(DOCS), str(site)]
    ours = os.environ | {"PYTHONPATH": os.pathsep.join(filter(None, sys.path)), "NO_COLOR": "1"}
    ran = subprocess.run(command, cwd=REPOSITORY, env=ours, capture_output=True, text=True, timeout=3600, check=False)
    return "" if ran.returncode == 0 else f"sphinx: exit code {ran.returncode}\n{ran.stdout}{ran.stderr}"


def _have(*names: str) -> bool:
    from importlib.util import find_spec

    return all(find_spec(name) is not None for name in names)


@pytest.fixture(scope="session")
def site(tmp_path_factory: pytest.TempPathFactory) -> Path:
    return built(tmp_path_factory)
