"""A transcript for every method of the registry: ``python -m tests.support.make_transcripts FILE.zip`` writes them,
``… --verify FILE.zip`` goes through them again, ``… 3 --digests`` tells what is asked in every third of them.

Made under one numpy and scipy and verified under another, they show that machines agree. `tests/vectors` holds those of
another numpy; `tests/soak` makes both, and verifies each with the other. Digests show that processors agree.
"""

from __future__ import annotations

import json
import sys
from collections import Counter
from collections.abc import Iterator
from dataclasses import fields
from itertools import product
from pathlib import Path
from typing import Any
from zipfile import ZIP_DEFLATED, ZipFile, ZipInfo

import numpy as np

from sottovoce.engines import Verdict, verify
from sottovoce.messages import Transcript, digest
from sottovoce.problems import problems
from tests.support.transcripts import asking, manifest_of, transcript_of

EPSILONS = (1.0, 4.0)


def made(*, every: int = 1) -> Iterator[tuple[str, Transcript]]:
    """One of each example at each ε, or some of those."""
    examples = [(problem, example) for problem in problems() for example in problem.examples]
    for (problem, example), epsilon in [*product(examples, EPSILONS)][::every]:
        settings = problem.example_survey(example, epsilon=epsilon)
        transcript, _, _ = transcript_of(manifest_of(settings, minimum=1), asking(settings))
        yield f"{problem.name} {example.label} at {epsilon:g}", transcript


def write(path: Path) -> None:
    with ZipFile(path, "w") as file:
        for name, transcript in made():
            file.writestr(ZipInfo(f"{name}.json"), transcript.to_bytes(), compress_type=ZIP_DEFLATED, compresslevel=9)


def verdicts(path: Path, *, every: int = 1) -> dict[str, Verdict]:
    """What is said here of those in a file, or of one of every so many, by turns: names alternate between two ε."""
    with ZipFile(path) as file:
        names = [name for place, name in enumerate(file.namelist()) if (place + place // every) % every == 0]
        return {name: verify(Transcript.from_bytes(file.read(name))) for name in names}


def digests(*, every: int = 1) -> dict[str, dict[str, Any]]:
    """Of each: its manifest, with every table, and its questions; and apart from those, its answer."""
    found: dict[str, dict[str, Any]] = {"asked": {}, "answers": {}}
    for name, transcript in made(every=every):
        found["asked"][name] = [transcript.survey, *(digest(closed.question.encode()) for closed in transcript.rounds)]
        found["answers"][name] = digest(transcript.answer.encode())
    return found


def manifests(*, every: int = 1) -> dict[str, str]:
    """The names of surveys of many sizes, or of some of those: what a choice of a method and its reasons depend on.

    25 and 28 observations are such at which a prediction or an edge lies on a tie.
    """
    sizes = [*product((3.0, 0.5, 2.0), (20_000, 4096, 600), (25, 100, 28, 4, 16, 64, 400))]
    found = {}
    for problem in problems():
        example = next((one for one in problem.examples if one.method == "auto"), problem.examples[0])
        observed = any(field.name == "observations" for field in fields(problem.settings))
        for epsilon, users, observations in sizes[::every]:
            given = {**example.more, "users": users, **({"observations": observations} if observed else {})}
            settings = problem.settings(epsilon=epsilon, method=example.method, **given)
            found[f"{problem.name} {epsilon} {users} {observations}"] = manifest_of(settings, minimum=1).digest
    return found


if __name__ == "__main__":
    *options, last = sys.argv[1:]
    if (tell := {"--digests": digests, "--manifests": manifests}.get(last)) is not None:
        print(json.dumps(tell(every=int(options[0]))))
        sys.exit()
    if not options:
        write(Path(last))
    counts = Counter(verdict.kind for verdict in verdicts(Path(last)).values())
    print(f"numpy {np.__version__}: {dict(counts)}")
    sys.exit("different" in counts)
