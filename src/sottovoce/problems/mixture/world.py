"""Made-up users of several kinds."""

from __future__ import annotations

import math
from dataclasses import dataclass
from typing import Annotated, Any, ClassVar

import numpy as np
from numpy.typing import NDArray

from sottovoce.messages import Fact, InvalidInput
from sottovoce.problems.fields import Help
from sottovoce.problems.mixture.answer import MixtureEstimate
from sottovoce.problems.mixture.settings import MixtureMeans, component_places
from sottovoce.problems.worlds import Figure, Score, World, check_spread, made_up


@dataclass(frozen=True, kw_only=True)
class MixtureWorld(World):
    """A user's observations are the two ends of the range, with the mean of the user's kind.

    Users of one kind may differ: their own means then have the standard deviation `spread` around the kind's.
    """

    error: ClassVar[Fact] = Fact("trial-error-mixture")
    figures: ClassVar[dict[str, Figure]] = {
        "share_error": Figure("label-figure-shares", "figure-short", "figure-from-true-shares"),
        "share_coverage": Figure("label-figure-shares-hold", "figure-share", "figure-share-intervals-hold"),
        "right_number": Figure("label-figure-number", "figure-share", "figure-right-number"),
    }

    settings: MixtureMeans
    means: Annotated[
        tuple[float, ...] | None, Help(text="of the kinds of users", metavar="X,Y,…", default="evenly over the range")
    ] = None
    shares: Annotated[
        tuple[float, ...] | None, Help(text="of the kinds, with sum 1", metavar="P,Q,…", default="equal")
    ] = None
    spread: Annotated[
        float,
        Help(
            text="standard deviation of the own means of users of one kind, in units of the observations", metavar="S"
        ),
    ] = 0.0

    def __post_init__(self) -> None:
        check_spread(self.spread)
        settings, kinds = self.settings, self.settings.components
        means, shares = self._given
        if len(means) != len(shares) or kinds not in (None, len(means)):
            declared = "" if kinds is None else f"; components says {kinds}"
            raise InvalidInput(f"means has {len(means)} entries, shares {len(shares)}{declared}")
        if not all(settings.low <= mean <= settings.high for mean in means):
            raise InvalidInput(rule="means must lie between low and high")
        if not all(share >= 0 for share in shares) or abs(sum(shares) - 1) > 1e-6:
            raise InvalidInput(
                rule="shares must not be negative and must add up to 1", wrong=f"they add up to {sum(shares):g}"
            )

    @property
    def _given(self) -> tuple[tuple[float, ...], tuple[float, ...]]:
        means, kinds = (
            self.means or tuple(component_places(self.settings)),
            self.settings.components or len(self.means or (0, 0)),
        )
        return means, self.shares or (1 / kinds,) * kinds

    @property
    def truth(self) -> dict[str, list[float]]:
        kinds = sorted(zip(*self._given, strict=True), key=lambda kind: kind[0])
        return {"means": [float(mean) for mean, _ in kinds], "shares": [float(share) for _, share in kinds]}

    @property
    def words(self) -> Fact:
        pairs = zip(self.truth["means"], self.truth["shares"], strict=True)
        kinds = tuple(Fact("made-up-kind", mean=mean, share=share) for mean, share in pairs)
        return made_up("made-up-of-mixture", self.settings, kinds=kinds, spread=self.spread)

    def draw(self, stream: np.random.Generator) -> NDArray[Any]:
        settings, truth = self.settings, self.truth
        means, shares = np.array(truth["means"]), np.array(truth["shares"])
        own_means, width = (
            stream.choice(means, size=settings.users, p=shares / shares.sum()),
            settings.high - settings.low,
        )
        if self.spread:
            own_means = np.clip(
                own_means + self.spread * math.sqrt(3) * stream.uniform(-1, 1, settings.users),
                settings.low,
                settings.high,
            )
        ones = stream.random((settings.users, settings.observations)) < ((own_means - settings.low) / width)[:, None]
        return np.asarray(settings.low + width * ones)

    @staticmethod
    def score(answer: MixtureEstimate, truth: dict[str, list[float]]) -> Score:
        """In order; an answer with another number of components is held against the nearest of them."""
        estimated, ends, means = np.array(answer.means), np.array(answer.intervals), np.array(truth["means"])
        if len(estimated) != len(means):
            nearest = np.abs(means[:, None] - estimated[None, :]).argmin(axis=1)
            figures = {"right_number": 0.0}
        else:
            nearest = np.arange(len(means))
            shares = np.array(truth["shares"])
            figures = {"right_number": 1.0, "share_error": float(np.abs(np.array(answer.shares) - shares).mean())}
            if answer.share_intervals:
                share_ends = np.array(answer.share_intervals)
                figures["share_coverage"] = float(((share_ends[:, 0] <= shares) & (shares <= share_ends[:, 1])).mean())
        return Score(
            squared_error=float(((estimated[nearest] - means) ** 2).sum()),
            covered=float(((ends[nearest, 0] <= means) & (means <= ends[nearest, 1])).mean()),
            figures=figures,
        )
