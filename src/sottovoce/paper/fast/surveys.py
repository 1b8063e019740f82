"""What schemes say, as arrays for a compiler: who votes, how loud reports are, where bins lie and winners lead to."""

from __future__ import annotations

from dataclasses import dataclass
from functools import cached_property

import numpy as np
from numpy.typing import NDArray

from sottovoce.messages import Laplace
from sottovoce.methods import VoteThenRefine

Floats = NDArray[np.float64]
Integers = NDArray[np.int64]


def halves(held: Floats, scheme: VoteThenRefine) -> tuple[Floats, Floats]:
    """The averages of those who vote and of those who refine, for a scheme of one group; nobody votes on one bin."""
    (voters,), (refiners,) = scheme.folds
    assert held.shape[1] == voters + refiners
    return held[:, :voters], held[:, voters:]


def scale_of(scheme: VoteThenRefine) -> float:
    """Of the Laplace noise of one report, in widths of where it reports."""
    channel = scheme.refine_channel
    assert isinstance(channel, Laplace)
    return channel.scale


@dataclass(frozen=True, eq=False)
class Surveys:
    """Schemes that differ in ε, a row each, and in Δ, a column each; and what they say, as arrays for a compiler."""

    schemes: tuple[tuple[VoteThenRefine, ...], ...]

    def __post_init__(self) -> None:
        every = [scheme for row in self.schemes for scheme in row]
        assert len({scheme.users_per_round for scheme in every}) == 1 and every[0].voters is not None

    @property
    def shape(self) -> tuple[int, int]:
        return len(self.schemes), len(self.schemes[0])

    @cached_property
    def keep(self) -> Floats:
        """The chance that a bit of a vote is sent as it is, for each ε: the same whatever the bins."""
        found = np.array([[scheme.keep for scheme in row] for row in self.schemes])
        assert (found == found[:, :1]).all()
        return found[:, 0]

    @cached_property
    def scale(self) -> Floats:
        """Of the noise, for each ε, in widths of where it is reported."""
        found = np.array([[scale_of(scheme) for scheme in row] for row in self.schemes])
        assert (found == found[:, :1]).all()
        return found[:, 0]

    @cached_property
    def bins(self) -> tuple[Floats, Floats, Integers]:
        """Where the bins of each scheme start, how wide each is, and how many they are."""
        grids = [[scheme.layout.grid() for scheme in row] for row in self.schemes]
        starts = np.array([[grid.low[0] for grid in row] for row in grids])
        counts = np.array([[grid.count for grid in row] for row in grids])
        return starts, (np.array([[grid.high[0] for grid in row] for row in grids]) - starts) / counts, counts

    @cached_property
    def ends(self) -> tuple[Integers, Floats, Floats]:
        """Between which ends is reported after each winner, one scheme after another, and where each scheme begins."""
        layouts = [scheme.layout for row in self.schemes for scheme in row]
        each = [layout.widened(np.arange(layout.bins)) for layout in layouts]
        first = np.cumsum([0, *(layout.bins for layout in layouts)])[:-1].reshape(self.shape)
        return first, np.concatenate([low for low, _ in each]), np.concatenate([high for _, high in each])
