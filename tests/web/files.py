"""The files of the pages, as the tests of them read them."""

from __future__ import annotations

from pathlib import Path

import sottovoce

WEB = Path(sottovoce.__file__).parent / "web"
DEVICE = WEB / "device"


def scripts(folder: Path = WEB) -> list[Path]:
    """Every script under a folder, in the order of names."""
    return sorted(folder.rglob("*.js"))


def named(path: Path) -> str:
    """How a file is called in a message."""
    return path.relative_to(WEB).as_posix()
