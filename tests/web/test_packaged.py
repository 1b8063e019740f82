"""Whoever installs the package has the pages: every file of web/ is in the wheel and in the archive of the sources."""

from __future__ import annotations

from pathlib import Path

import pytest

from tests.web.files import WEB

ROOT = Path(__file__).resolve().parents[2]


@pytest.mark.parametrize("kind, prefix", [("wheel", "sottovoce/web/"), ("sdist", "src/sottovoce/web/")])
def test_every_file_of_the_pages_is_shipped(kind: str, prefix: str) -> None:
    builder = _builder(kind)
    shipped = {file.distribution_path for file in builder.recurse_included_files()}
    ours = {prefix + path.relative_to(WEB).as_posix() for path in WEB.rglob("*") if path.is_file()}
    assert ours and ours <= shipped, sorted(ours - shipped)
    assert all(path.endswith((".js", ".css")) for path in ours), "no Python, and no setting of a tool, is served"


def _builder(kind: str):  # type: ignore[no-untyped-def]  # the package has no types
    if kind == "wheel":
        wheel = pytest.importorskip("hatchling.builders.wheel")
        return wheel.WheelBuilder(str(ROOT))
    sdist = pytest.importorskip("hatchling.builders.sdist")
    return sdist.SdistBuilder(str(ROOT))
