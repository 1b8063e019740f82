"""Made-up users of several kinds."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Annotated, Any, ClassVar

import numpy as np
from numpy.typing import NDArray

from sottovoce.answers import MixtureEstimate
from sottovoce.messages import InvalidInput
from sottovoce.problems.fields import Help
from sottovoce.problems.mixture.predicted import places
from sottovoce.problems.mixture.settings import MixtureMeans
from sottovoce.problems.worlds import Score, counted


@dataclass(frozen=True, kw_only=True)
class MixtureWorld:
    """A user's observations are the two ends of the range, with the mean of the user's kind."""

    error: ClassVar[str] = "Euclidean distance of the estimated means from the true ones"
    figures: ClassVar[dict[str, tuple[str, str]]] = {
        "share_error": ("shares", "{:.3g} from the true ones, on average"),
    }

    settings: MixtureMeans
    means: Annotated[
        tuple[float, ...] | None, Help(text="of the kinds of users", metavar="X,Y,…", default="evenly over the range")
    ] = None
    shares: Annotated[
        tuple[float, ...] | None, Help(text="of the kinds, with sum 1", metavar="P,Q,…", default="equal")
    ] = None

    def __post_init__(self) -> None:
        own, kinds = self.settings, self.settings.components
        means, shares = self._given
        if len(means) != kinds or len(shares) != kinds:
            raise InvalidInput(f"means has {len(means)} entries, shares {len(shares)}; components says {kinds}")
        if not all(own.low <= mean <= own.high for mean in means):
            raise InvalidInput("means must lie between low and high")
        if not all(share >= 0 for share in shares) or abs(sum(shares) - 1) > 1e-6:
            raise InvalidInput(f"shares must not be negative and must add up to 1; they add up to {sum(shares):g}")

    @property
    def _given(self) -> tuple[tuple[float, ...], tuple[float, ...]]:
        kinds = self.settings.components or len(self.means or (0.0,))
        return self.means or tuple(places(self.settings)), self.shares or (1 / kinds,) * kinds

    @property
    def truth(self) -> dict[str, list[float]]:
        kinds = sorted(zip(*self._given, strict=True), key=lambda kind: kind[0])
        return {"means": [float(mean) for mean, _ in kinds], "shares": [float(share) for _, share in kinds]}

    @property
    def words(self) -> str:
        own, truth = self.settings, self.truth
        each = f"{counted(own.observations, 'observation')} at the ends of the range each"
        parts = ", ".join(
            f"{mean:g} ({share:.0%})" for mean, share in zip(truth["means"], truth["shares"], strict=True)
        )
        return f"{counted(own.users, 'made-up user')} with {each}; kinds with means {parts}"

    @property
    def values(self) -> int:
        return self.settings.users * self.settings.observations

    def draw(self, stream: np.random.Generator) -> NDArray[Any]:
        own, truth = self.settings, self.truth
        means, shares = np.array(truth["means"]), np.array(truth["shares"])
        held, width = stream.choice(means, size=own.users, p=shares / shares.sum()), own.high - own.low
        ones = stream.random((own.users, own.observations)) < ((held - own.low) / width)[:, None]
        return np.asarray(own.low + width * ones)

    @staticmethod
    def score(answer: MixtureEstimate, truth: dict[str, list[float]]) -> Score:
        ends, means = np.array(answer.intervals), np.array(truth["means"])
        return Score(
            squared_error=float(((np.array(answer.means) - means) ** 2).sum()),
            covered=float(((ends[:, 0] <= means) & (means <= ends[:, 1])).mean()),
            figures={"share_error": float(np.abs(np.array(answer.shares) - truth["shares"]).mean())},
        )

    @staticmethod
    def observed(means: NDArray[np.float64]) -> None:
        """Nobody knows of which kind a given user is."""
        return
