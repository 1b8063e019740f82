"""What the system says of a process. Read from /proc, so on Linux only."""

from __future__ import annotations

import re
import resource
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path

from tests.support.components import missing

_PROC = Path("/proc")


def _needed() -> None:
    if not (_PROC / "self" / "status").is_file():
        missing("/proc", reason="processes are looked at there", command="run on Linux, with /proc mounted")


def memory(process: int) -> int:
    """What a process holds, in bytes."""
    _needed()
    found = re.search(r"VmRSS:\s+(\d+) kB", (_PROC / str(process) / "status").read_text(encoding="ascii"))
    assert found is not None
    return 1024 * int(found.group(1))


def workers(parent: int) -> set[int]:
    """The processes that a collector started to do its work; one that was killed is none, waited for or not."""
    _needed()
    found = set()
    for folder in _PROC.iterdir():
        if folder.name.isdigit():
            try:
                state, above = (folder / "stat").read_text(encoding="latin-1").rpartition(")")[2].split()[:2]
                words = (folder / "cmdline").read_bytes()
            except OSError:  # it has just ended
                continue
            if int(above) == parent and state not in "ZX" and b"spawn_main" in words:
                found.add(int(folder.name))
    return found


@contextmanager
def open_files(count: int) -> Iterator[None]:
    """So many may be open in this process."""
    soft, hard = resource.getrlimit(resource.RLIMIT_NOFILE)
    if hard != resource.RLIM_INFINITY and hard < count:
        reason = f"{count:,} files must be open at once, the limit here is {hard:,}"
        missing("a higher limit of open files", reason=reason, command=f"ulimit -Hn {count} before the tests, as root")
    enough = soft == resource.RLIM_INFINITY or soft >= count
    resource.setrlimit(resource.RLIMIT_NOFILE, (soft if enough else count, hard))
    try:
        yield
    finally:
        resource.setrlimit(resource.RLIMIT_NOFILE, (soft, hard))
