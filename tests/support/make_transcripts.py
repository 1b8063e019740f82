"""A transcript for every method of the registry: ``python -m tests.support.make_transcripts FILE.zip`` writes them,
``… --verify FILE.zip`` goes through them again.

Made under one numpy and scipy and verified under another, they show that machines agree. `tests/vectors` holds those of
numpy 2.0.2; `tests/soak` makes both, and verifies each with the other.
"""

from __future__ import annotations

import sys
from collections import Counter
from collections.abc import Iterator
from pathlib import Path
from zipfile import ZIP_DEFLATED, ZipFile, ZipInfo

import numpy as np

from sottovoce.engines import Verdict, verify
from sottovoce.messages import Transcript
from sottovoce.problems import problems
from tests.support.transcripts import asking, manifest_of, transcript_of

EPSILONS = (1.0, 4.0)


def made() -> Iterator[tuple[str, Transcript]]:
    """One of each example at each ε."""
    for problem in problems():
        for example in problem.examples:
            for epsilon in EPSILONS:
                settings = problem.example_survey(example, epsilon=epsilon)
                transcript, _, _ = transcript_of(manifest_of(settings, minimum=1), asking(settings))
                yield f"{problem.name} {example.label} at {epsilon:g}", transcript


def write(path: Path) -> None:
    with ZipFile(path, "w") as file:
        for name, transcript in made():
            file.writestr(ZipInfo(f"{name}.json"), transcript.to_bytes(), compress_type=ZIP_DEFLATED, compresslevel=9)


def verdicts(path: Path) -> dict[str, Verdict]:
    """What is said here of those in a file."""
    with ZipFile(path) as file:
        return {name: verify(Transcript.from_bytes(file.read(name))) for name in file.namelist()}


if __name__ == "__main__":
    *verifying, path = sys.argv[1:]
    if not verifying:
        write(Path(path))
    counts = Counter(verdict.kind for verdict in verdicts(Path(path)).values())
    print(f"numpy {np.__version__}: {dict(counts)}")
    sys.exit("different" in counts)
