"""A block of repetitions, and one survey: the protocol's own questions, answered by users drawn from a pool."""

from __future__ import annotations

from dataclasses import dataclass
from hashlib import sha256
from typing import Any

from benchmarks.accuracy.pools import Pool, Stream, ask
from sottovoce.problems import ChosenMethod

SEED = 10


@dataclass(frozen=True, order=True)
class Block:
    """Repetitions that are run together, in a cell of any problem, which has a `key` of plain data.

    `stage`: ``"base"``, or ``"fresh"`` for a second look at a cell.
    """

    cell: Any
    method: str
    stage: str
    number: int
    repetitions: int

    @property
    def key(self) -> tuple[Any, ...]:
        return (*self.cell.key, self.method, self.stage, self.number, self.repetitions)

    @property
    def seed(self) -> int:
        """From the block's own name, so that blocks may be run in any order, anywhere."""
        return int.from_bytes(sha256(f"{SEED}/{self.key}".encode()).digest()[:7])


def answer(survey: Any, users: Pool, stream: Stream) -> Any:
    """One survey. Its script is run once instead of replayed at every step, which asks and answers the same.

    A baseline that is for simulation only has no script, and asks everybody at once.
    """
    if hasattr(survey, "simulate"):
        everybody = users.take(stream.integers(0, users.users, size=survey.users))
        return survey.simulate(everybody, seed=int(stream.integers(2**53)), repetition=0)
    script = survey.method.script(survey.settings) if isinstance(survey, ChosenMethod) else survey.script()
    asked = next(script)
    while True:
        try:
            asked = script.send(ask(asked, users, stream))
        except StopIteration as end:
            return end.value
