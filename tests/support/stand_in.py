"""A second method of a mean, whose predicted error is whatever a test says: what auto does with it is tested alone."""

from __future__ import annotations

from collections.abc import Iterator
from contextlib import contextmanager
from dataclasses import dataclass, replace
from typing import ClassVar

from sottovoce.messages import Fact
from sottovoce.problems import base
from sottovoce.problems.mean import MEAN, Mean
from sottovoce.problems.mean.one_round import OneRound
from sottovoce.risk import Crowd, Poisoning, Prediction


def as_written(text: str) -> Fact:
    """A fact that says no more than this."""
    return Fact("as-written", text=text)


@dataclass(frozen=True)
class StandIn(base.Method[Mean]):
    """Mean squared errors for users alike and for users who differ; None for a method that has nothing to offer."""

    name: ClassVar[str] = "stand-in"
    help: ClassVar[str] = "does as the test says"

    alike: float | None
    differing: float
    why_not: Fact | None = None

    def why_unavailable(self, settings: Mean) -> Fact | None:
        return self.why_not

    def variants(self, settings: Mean, crowd: Crowd) -> tuple[Mean, ...]:
        return () if self.alike is None else super().variants(settings, crowd)

    def assumed_users(self, settings: Mean, crowd: Crowd) -> tuple[Crowd, ...]:
        return OneRound().assumed_users(settings, crowd)

    def predict(self, settings: Mean, crowd: Crowd) -> Prediction:
        assert self.alike is not None
        return Prediction(sampling=0.0, privacy=self.differing if crowd.spread else self.alike)

    def poisoning(self, settings: Mean, crowd: Crowd) -> Poisoning:
        return Poisoning(reach=1.0)

    def words(self, settings: Mean) -> Fact:
        return as_written("as the test says")


@contextmanager
def beside_one_round(method: StandIn, *, pays: float = 0.5) -> Iterator[None]:
    """A mean with this method beside one-round, which is all that auto chooses from, by what pays in squared error."""
    base._chosen.cache_clear()
    methods, automatic = (MEAN.method("one-round"), method), ("one-round", method.name)
    replace(MEAN, methods=methods, automatic=automatic, by_interval=False, pays=pays)  # binds itself
    try:
        yield
    finally:
        Mean.problem = MEAN
        base._chosen.cache_clear()
