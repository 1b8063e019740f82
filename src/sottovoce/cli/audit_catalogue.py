"""Everything shipped, for the audit: an entry for each protocol, method and baseline. A new one is one line more.

Baselines for simulation only (`DuchiMean`, `ItemSparse`, `ItemDensity`) send no reports and promise nothing.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator
from dataclasses import dataclass
from typing import Any

import numpy as np

from sottovoce import design
from sottovoce.audit import Source, Subject, Target, Timed, small_instances
from sottovoce.baselines import FullItem, OneCategory, OneItem, SemiUser, SplitUser
from sottovoce.device import Collections
from sottovoce.engines import run, simulate
from sottovoce.messages import Question, Tally
from sottovoce.protocols import CoverSelect, Density, Dummy, Mean, MixtureMeans, SparseMean, VectorMean

EPSILONS = (0.1, 0.5, 1.0, 2.0, 4.0, 8.0)
USERS, OBSERVATIONS, ITEMS = 240, 400, 4
"""Enough observations for every method to localise; few where each is sent on its own."""


@dataclass(frozen=True, kw_only=True)
class Entry:
    """A mechanism by name; `promise` is what the whole collection is promised, in multiples of ε."""

    name: str
    protocol: Callable[[float], Any]
    promise: float = 1.0
    columns: int = 1
    note: str = ""


def _on_unit(kind: Any, **settings: Any) -> Callable[[float], Any]:
    return lambda epsilon: kind(epsilon=epsilon, low=0.0, high=1.0, users=USERS, **settings)


def _vectors(kind: Any, **settings: Any) -> Callable[[float], Any]:
    return lambda epsilon: kind(epsilon=epsilon, users=USERS, observations=OBSERVATIONS, **settings)


def _mean(method: str, **more: Any) -> Callable[[float], Any]:
    return _on_unit(Mean, observations=OBSERVATIONS, method=method, **more)


def _cover(vote: str) -> Callable[[float], Any]:
    centres = ((0.1, 0.1), (0.1, 0.9), (0.5, 0.5), (0.9, 0.1), (0.9, 0.9))
    return lambda epsilon: CoverSelect(epsilon=epsilon, users=USERS, centres=centres, vote=vote)  # type: ignore[arg-type]


_SPARSE: dict[str, Any] = {"dimension": 6, "sparsity": 2}
_COEFFICIENTS = 5

CATALOGUE = (
    Entry(name="mean-auto", protocol=_mean("auto")),
    Entry(name="mean-one-round", protocol=_mean("one-round")),
    Entry(name="mean-paper", protocol=_mean("paper")),
    Entry(name="mean-paper-three-bins", protocol=_mean("paper", three_bin_votes=True)),
    Entry(name="mean-theory", protocol=_mean("theory", proof_constant=1.0)),
    Entry(name="vector-linf-one-round", protocol=_vectors(VectorMean, dimension=4, method="one-round"), columns=4),
    Entry(name="vector-linf-paper", protocol=_vectors(VectorMean, dimension=4, method="paper"), columns=4),
    Entry(name="vector-linf-theory", columns=4,
          protocol=_vectors(VectorMean, dimension=4, method="theory", proof_constant=1.0)),
    Entry(name="vector-l2-one-round", columns=3,
          protocol=_vectors(VectorMean, dimension=3, ball="l2", method="one-round")),
    Entry(name="vector-l2-paper", protocol=_vectors(VectorMean, dimension=3, ball="l2", method="paper"), columns=3),
    Entry(name="vector-l2-theory", columns=3,
          protocol=_vectors(VectorMean, dimension=3, ball="l2", method="theory", delta=0.2)),
    Entry(name="sparse-selection-paper", columns=6,
          protocol=_vectors(SparseMean, **_SPARSE, procedure="selection", method="paper")),
    Entry(name="sparse-selection-theory", columns=6, protocol=_vectors(
        SparseMean, **_SPARSE, procedure="selection", method="theory", proof_constant=1.0, cut=False)),
    Entry(name="sparse-threshold-paper", columns=6,
          protocol=_vectors(SparseMean, **_SPARSE, procedure="threshold", method="paper")),
    Entry(name="sparse-threshold-theory", columns=6,
          protocol=_vectors(SparseMean, **_SPARSE, procedure="threshold", method="theory", proof_constant=1.0)),
    Entry(name="density-one-round",
          protocol=_on_unit(Density, observations=OBSERVATIONS, method="one-round", coefficients=_COEFFICIENTS)),
    Entry(name="density-paper",
          protocol=_on_unit(Density, observations=OBSERVATIONS, method="paper", coefficients=_COEFFICIENTS)),
    Entry(name="density-theory", protocol=_on_unit(
        Density, observations=OBSERVATIONS, method="theory", coefficients=_COEFFICIENTS, proof_constant=1.0)),
    Entry(name="mixture-paper", protocol=_on_unit(MixtureMeans, observations=OBSERVATIONS, components=2)),
    Entry(name="mixture-bin",
          protocol=_on_unit(MixtureMeans, observations=OBSERVATIONS, components=2, membership="bin")),
    Entry(name="mixture-theory", protocol=_on_unit(
        MixtureMeans, observations=OBSERVATIONS, components=2, method="theory", delta=0.2)),
    Entry(name="cover-unary", protocol=_cover("unary"), columns=2),
    Entry(name="cover-subset", protocol=_cover("subset"), columns=2),
    Entry(name="full-item", protocol=_on_unit(FullItem, observations=ITEMS), promise=float(ITEMS),
          note=f"item level: ε for one observation, {ITEMS}·ε for a collection of {ITEMS}"),
    Entry(name="semi-user", protocol=_on_unit(SemiUser, observations=ITEMS)),
    Entry(name="split-user", protocol=_on_unit(SplitUser, observations=ITEMS)),
    Entry(name="one-item", protocol=_on_unit(OneItem)),
    Entry(name="one-category", protocol=lambda epsilon: OneCategory(epsilon=epsilon, users=USERS, categories=6)),
    Entry(name="dummy", protocol=lambda epsilon: Dummy(users=USERS, rounds=2, epsilon=epsilon)),
)  # fmt: skip

SMALL, TIMING, ENTROPY = "small-instances", "timing", "entropy"
NAMES = (*(entry.name for entry in CATALOGUE), SMALL, TIMING, ENTROPY)
"""Everything shipped."""
CHANNELS = {question.role.replace(", ", "-").replace(" ", "-"): question.role for question in small_instances(1.0)}
"""Small instances by name, for those who want to see one kind of channel."""


@dataclass(frozen=True, kw_only=True)
class Planned:
    """A target, the mechanism it belongs to, and its ε (None where there is none)."""

    mechanism: str
    epsilon: float | None
    target: Target
    note: str = ""


def planned(name: str, epsilons: tuple[float, ...]) -> Iterator[Planned]:
    """What is audited under one name."""
    if name == ENTROPY:
        yield Planned(mechanism=name, epsilon=None, target=Source(name=name))
        return
    if name == TIMING:
        for channel in (design.one_bit(1.0), design.subset(1.0, 20), design.unary(1.0, 12), design.laplace(1.0)):
            yield Planned(mechanism=name, epsilon=None, target=Timed(name=name, channel=channel))
        return
    for epsilon in epsilons:
        label = f"{name}, ε = {epsilon:g}"
        if name == SMALL or name in CHANNELS:
            wanted = CHANNELS.values() if name == SMALL else (CHANNELS[name],)
            questions = tuple(question for question in small_instances(epsilon) if question.role in wanted)
            promised = max(question.epsilon for question in questions)
            yield Planned(
                mechanism=name,
                epsilon=epsilon,
                target=Subject(name=label, epsilon=promised, questions=questions, sampled=name != SMALL),
                note="every kind of channel, enumerated in full" if name == SMALL else "a small instance",
            )
            continue
        entry = next(one for one in CATALOGUE if one.name == name)
        yield Planned(mechanism=name, epsilon=epsilon, target=subject(entry, epsilon, label), note=entry.note)


def subject(entry: Entry, epsilon: float, label: str) -> Subject:
    """Run the protocol on made-up users with the simulator and keep every question that it asks."""
    protocol = entry.protocol(epsilon)
    shape = (protocol.users, OBSERVATIONS, entry.columns)
    values = np.random.default_rng(1).random(shape)
    people = Collections(values.reshape(-1, entry.columns), np.arange(protocol.users + 1) * OBSERVATIONS)
    engine, asked = simulate(people, seed=1), list[Question]()

    def ask(question: Question) -> Tally:
        asked.append(question)
        return engine(question)

    run(protocol, ask)
    return Subject(name=label, epsilon=entry.promise * epsilon, questions=tuple(asked))
