"""What a choice from a cover declares."""

from __future__ import annotations

import math
from dataclasses import dataclass
from functools import cached_property
from typing import Annotated, Literal

from sottovoce.messages import MAX_ITEMS, Fact, InvalidInput
from sottovoce.methods import is_whole
from sottovoce.problems.base import Settings
from sottovoce.problems.cover.covers import box_diameter
from sottovoce.problems.fields import Help
from sottovoce.theory import cover_risk, strength

Metric = Literal["l2", "linf"]
Centres = tuple[tuple[float, ...], ...]
_WIDTHS = ("theorem", "nothing", "question", "observations")
WHY = {f"cover-width-by-{held}": {"delta", "users", "epsilon", "observations"} for held in _WIDTHS}
WHY["cover-of-densities"] = {"last", "width"}
"""Facts that say why a cover is as it is, by code, and the numbers of each."""


@dataclass(frozen=True, kw_only=True)
class CoverSelect(Settings):
    """The centre that most users are nearest to: CoverSelect (L222), for any finite cover of any metric space.

    `centres` are vectors, and a device takes the one nearest to its average in `metric`, ties to the lower index (the
    paper's first ball that holds the point, where balls overlap, is another such rule with the same radius). A
    coordinate that was never observed counts as zero. For any other space leave `centres` out and give `size`: the
    collection is then a single index 0 … size − 1, found on the device by the participant's own function
    (`Collections.indexed`); one that is missing counts as the middle.

    `method`: ``"subset"`` sends a few of the centres, which is what ``"auto"`` takes: as accurate as bits, and a
    shorter report for ε above 3; ``"unary"`` as printed, ω_{α/2} for every bit. `radius` is the Δ of the cover; with it
    the answer carries the theorem's bound Δ² + diam² N e^(−n·min(α, α²)/20) (L186), where it says something and the
    votes allow that all users see the same point, which it assumes; `diameter` is diam, by default at most that of the
    centres plus 2Δ. `because` says in the answer why the cover is as fine as it is; `coefficients`, where indices stand
    for densities, what the chosen one is.

    Privacy
    -------
    One question; the report is `epsilon`-LDP (α in the paper) for the whole collection. Unary: the hot bits of two
    centres differ in two places, each of which costs ε/2.

    Accuracy
    --------
    Users who all see the same point choose its centre but for a probability N e^(−n·min(ε, ε²)/20). Users who differ
    spread their votes: the winner is then the mode over the cells of the cover, and `share` says how many it speaks
    for.
    """

    centres: Annotated[
        Centres | None,
        Help(text="the places to choose from, a row each; or a space to cover, such as l2-ball", metavar="FILE.csv"),
    ] = None
    size: Annotated[int | None, Help(text="how many indices there are", metavar="N", group="hidden")] = None
    metric: Annotated[
        Metric,
        Help(
            text="how far a user's average is from a centre: l2, or linf, the largest difference",
            metavar="l2|linf",
            default="l2; a space brings its own",
        ),
    ] = "l2"
    radius: Annotated[
        float | None,
        Help(text="within how far every point has a centre: with it answers may carry the paper's bound", metavar="R"),
    ] = None
    diameter: Annotated[
        float | None,
        Help(text="the largest distance between two points, for the bound", metavar="D", default="from the centres"),
    ] = None

    because: Annotated[str | Fact, Help(text="why the cover is as fine as it is", group="hidden", late=True)] = ""
    coefficients: Annotated[
        Centres | None,
        Help(text="of the density that each index stands for, for the answer", group="hidden", late=True),
    ] = None

    def check(self) -> None:
        super().check()
        if (self.centres is None) == (self.size is None):
            raise InvalidInput(fix="give either centres (vectors) or size (how many indices there are)")
        for name, value in (("radius", self.radius), ("diameter", self.diameter)):
            if value is not None and not 0 <= value < math.inf:
                raise InvalidInput(rule=f"{name} must be finite and not negative", got=value)
        if self.size is not None and not is_whole(self.size):
            raise InvalidInput(rule="size must be a whole number", got=self.size)
        if not (self.because.isprintable() if isinstance(self.because, str) else _says_why(self.because)):
            raise InvalidInput(rule="because must be printable text")
        if not 2 <= self.count <= MAX_ITEMS:
            raise InvalidInput(rule=f"a cover has 2 to {MAX_ITEMS:,} centres", wrong=f"got {self.count:,}")
        if self.centres is not None:
            _check_centres(self.centres)
        if self.coefficients is not None:
            if self.size != len(self.coefficients):
                raise InvalidInput(rule=f"coefficients must have a row for each of size={self.size} indices")
            _check_centres(self.coefficients)

    @property
    def coordinates_of_centres(self) -> Centres | None:
        """What an answer says of its centre: coordinates, or the coefficients of a density."""
        return self.coefficients if self.centres is None else self.centres

    @property
    def count(self) -> int:
        """How many centres there are: N(Δ) in the paper."""
        return len(self.centres) if self.centres is not None else self.size or 0

    @property
    def strength_for_theorem(self) -> float:
        """n·min(α, α²) from which the theorem says something (L186)."""
        return 20 * math.log(self.count)

    @cached_property
    def error_bound(self) -> float | None:
        """Φ(Δ) + Φ(diam)·N·e^(−n·min(α, α²)/20) for Φ(x) = x² (L186), if all users see the same point.

        None without a radius, and where it says nothing: n·min(α, α²) at most 20·log N, or a bound of Φ(diam) or more.
        Whether users may see the same point is for the votes to say.
        """
        diameter = self.diameter
        if self.radius is None or (diameter is None and self.centres is None):
            return None
        if diameter is None:
            assert self.centres is not None
            diameter = box_diameter(self.centres, self.metric) + 2 * self.radius
        if diameter <= 0 or strength(self.users, self.epsilon) <= self.strength_for_theorem:
            return None
        bound = cover_risk(
            delta=self.radius, diameter=diameter, centres=self.count, users=self.users, epsilon=self.epsilon
        )
        return bound if bound < diameter**2 else None


def _says_why(because: object) -> bool:
    """Whether it is a fact of a cover, and whole: a manifest may hold anything."""
    if not isinstance(because, Fact) or because.data.keys() != WHY.get(because.code):
        return False
    return all(one is None or isinstance(one, (int, float)) or _says_why(one) for one in because.data.values())


def _check_centres(centres: Centres) -> None:
    if not all(isinstance(one, tuple) for one in (centres, *centres)):
        raise InvalidInput(rule="centres must be a tuple of tuples, a number for each coordinate")
    widths = sorted({len(centre) for centre in centres})
    if len(widths) > 1 or widths[0] < 1:
        raise InvalidInput(
            rule="all centres must have the same number of coordinates, at least 1", wrong=f"got {widths[:5]}"
        )
    if not all(math.isfinite(value) for centre in centres for value in centre):
        raise InvalidInput(rule="centres must be finite")
