"""Made-up users whose averages lie around one point."""

from __future__ import annotations

from dataclasses import dataclass
from functools import cached_property
from typing import Annotated, Any, ClassVar

import numpy as np
from numpy.typing import NDArray

from sottovoce.messages import Fact, InvalidInput
from sottovoce.methods import check_length
from sottovoce.problems.cover.answer import CoverEstimate
from sottovoce.problems.cover.settings import CoverSelect
from sottovoce.problems.cover.votes import centre_points, nearest_centres, worst_place
from sottovoce.problems.fields import Help
from sottovoce.problems.worlds import Figure, Score, World, check_spread

_SHOWN = 6


@dataclass(frozen=True, kw_only=True)
class CoverWorld(World):
    """Users whose averages lie around a point, alike in every coordinate; the truth is the centre nearest to it."""

    error: ClassVar[Fact] = Fact("trial-error-cover")
    figures: ClassVar[dict[str, Figure]] = {
        "right": Figure("label-figure-right", "figure-share", "figure-nearest-centre"),
        "lead": Figure("label-figure-lead", "figure-short", "figure-lead"),
    }

    settings: CoverSelect
    around: Annotated[
        float | tuple[float, ...] | None,
        Help(
            text="the point, a number or one for each coordinate: X,Y,…", metavar="X", default="nearly the worst place"
        ),
    ] = None
    spread: Annotated[
        float, Help(text="standard deviation of the users' averages around the point, by coordinate", metavar="S")
    ] = 0.0

    def __post_init__(self) -> None:
        check_spread(self.spread)
        if not np.isfinite(self.point).all():
            raise InvalidInput(rule="around must be finite")

    @cached_property
    def point(self) -> NDArray[np.float64]:
        """Where the users' averages lie."""
        dimension = centre_points(self.settings).shape[1]
        if self.around is None:
            return worst_place(self.settings)
        if isinstance(self.around, (int, float)):
            return np.full(dimension, float(self.around))
        check_length("around", self.around, dimension)
        return np.array(self.around, dtype=np.float64)

    @cached_property
    def truth(self) -> dict[str, Any]:
        return {"index": int(nearest_centres(self.settings, self.point[None, :])[0]), "point": self.point.tolist()}

    @property
    def words(self) -> Fact:
        return Fact(
            "made-up-of-cover",
            users=self.settings.users,
            point=tuple(Fact("made-up-coordinate", value=value) for value in self.point[:_SHOWN].tolist()),
            more=len(self.point) > _SHOWN,
            spread=self.spread,
            centre=self.truth["index"],
        )

    @property
    def numbers_per_draw(self) -> int:
        return self.settings.users * len(self.point)

    def draw(self, stream: np.random.Generator) -> NDArray[Any]:
        bell = stream.standard_normal((self.settings.users, 1, len(self.point)))
        return np.asarray(self.point + self.spread * bell)

    @staticmethod
    def score(answer: CoverEstimate, truth: dict[str, Any]) -> Score:
        assert answer.centre is not None
        return Score(
            squared_error=float(((np.array(answer.centre) - np.array(truth["point"])) ** 2).sum()),
            covered=float(truth["index"] in answer.contenders or answer.contender_count > len(answer.contenders)),
            figures={"right": float(answer.index == truth["index"]), "lead": answer.gap},
        )
