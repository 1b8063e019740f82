"""Do processes repeat one another's noise? A source that was used before a fork, its children, and fresh processes."""

from __future__ import annotations

import os
import subprocess
import sys
import warnings
from collections.abc import Callable, Iterable

import numpy as np

from sottovoce.audit.findings import Finding
from sottovoce.device import Entropy, SystemEntropy

WORDS = 256
"""Words drawn by each process. Twelve processes repeat one by chance once in 4·10^12 runs."""

_FRESH = (
    "import sys; from sottovoce.device import SystemEntropy as S; sys.stdout.buffer.write(S().words({0}).tobytes())"
)


def repeats(streams: Iterable[bytes]) -> int:
    """How many 64-bit words occur again, anywhere."""
    words = np.frombuffer(b"".join(streams), dtype=np.uint64)
    return len(words) - len(np.unique(words))


def forked(source: Entropy, *, children: int = 4) -> list[bytes]:
    """What a source that was used before gives to forked children and, after them, to their parent."""
    streams = [source.words(WORDS).tobytes()]
    for _ in range(children):
        reader, writer = os.pipe()
        with warnings.catch_warnings():
            warnings.simplefilter("ignore", DeprecationWarning)  # a fork with threads: the child only draws and leaves
            child = os.fork()
        if child == 0:
            try:
                os.write(writer, source.words(WORDS).tobytes())
            finally:
                os._exit(0)
        os.close(writer)
        with os.fdopen(reader, "rb") as pipe:
            streams.append(pipe.read())
        os.waitpid(child, 0)
    return [*streams, source.words(WORDS).tobytes()]


def fresh(*, processes: int = 2) -> list[bytes]:
    """What the shipped source gives in processes started from nothing."""
    command = [sys.executable, "-c", _FRESH.format(WORDS)]
    environment = {**os.environ, "PYTHONPATH": os.pathsep.join(filter(None, sys.path))}
    return [
        subprocess.run(command, stdout=subprocess.PIPE, check=True, timeout=120, env=environment).stdout
        for _ in range(processes)
    ]


def never_repeats(subject: str, make: Callable[[], Entropy] = SystemEntropy, *, started: bool = True) -> Finding:
    """Forks (where the system has them) and fresh processes; any repeated word is an alarm."""
    streams = forked(make()) + forked(make()) if hasattr(os, "fork") else [make().words(WORDS).tobytes()]
    if started:
        streams += fresh()
    again, missing = repeats(streams), sum(len(one) != 8 * WORDS for one in streams)
    return Finding(
        subject=subject,
        layer="processes",
        check="entropy across processes",
        passed=again == 0 and missing == 0,
        detail=f"{len(streams)} streams of {WORDS} words, {again} repeated" + (f", {missing} cut" if missing else ""),
    )
