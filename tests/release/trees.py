"""Copies of the tree as it is committed, or would be: what git knows of, or what the source distribution holds."""

from __future__ import annotations

import os
import shutil
import subprocess
from pathlib import Path

from tests.support.components import missing

ROOT = Path(__file__).parents[2]


def known() -> list[str]:
    """Every file of the tree that is not ignored, by its path from the root."""
    command = ["git", "-C", str(ROOT), "ls-files", "-z", "--cached", "--others", "--exclude-standard"]
    try:
        done = subprocess.run(command, capture_output=True, text=True, check=True)
    except (OSError, subprocess.CalledProcessError):
        missing("git", reason="files are copied as git knows them", command="run in a clone, with git on the PATH")
    return sorted(name for name in done.stdout.split("\0") if name and (ROOT / name).is_file())


def copied(into: Path, *, umask: int, epoch: int) -> Path:
    """The tree, as somebody else has it: other modes, other times, the order of files turned round."""
    old = os.umask(umask)
    try:
        for number, name in enumerate(reversed(known())):
            target = into / name
            target.parent.mkdir(parents=True, exist_ok=True)
            target.touch()
            shutil.copyfile(ROOT / name, target)
            os.utime(target, (epoch + number, epoch + number))
    finally:
        os.umask(old)
    return into
