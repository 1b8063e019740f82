"""What a search for a range declares: next to nothing, which is the point."""

from __future__ import annotations

import math
from dataclasses import dataclass
from functools import cached_property
from typing import Annotated, Literal

from sottovoce.messages import InvalidInput
from sottovoce.methods import check_positive
from sottovoce.problems.base import Settings
from sottovoce.problems.fields import Help

OF = ("averages", "observations")
SMALLEST, LARGEST = 1e-6, 1e9
_LEAST, _MOST = 2.0**-400, 2.0**400
"""Sizes that are told apart at all: their bins stay far inside of what a device accepts."""
MOST_SIZES = 200


@dataclass(frozen=True, kw_only=True)
class Range(Settings):
    """Where the users are, when nobody knows the unit: a range to declare as `low` and `high` of another survey.

    Every user says in which of some fixed bins their average lies, or with `of` ``"observations"`` one of their
    observations, drawn at random: ±[2^b, 2^(b+1)) for every size from `smallest` to `largest`, one bin around zero
    below that, and one beyond at either end. By subset selection, in one round.

    The answer reaches from the lowest to the highest bin that holds more users than chance explains. Looked at are
    single bins, then two and four neighbours, then the same of both signs together; all of these tests raise a false
    alarm in one survey of a thousand. From there it goes on outward as long as the next bin is a standard error above
    chance, and then by one bin more. Where nothing is above chance the answer has no ends, and says why.

    ``"averages"`` serve a mean: averages are what is clamped to a range. ``"observations"`` serve histograms, quantiles
    and densities, which clamp observations.

    Privacy
    -------
    Every user answers one question; the report is `epsilon`-LDP for the whole collection, its length included.

    Accuracy
    --------
    Users who are a share p of all, in one bin, are found once p is above about 9/(ε√n) for ε up to 1. Fewer than that
    may lie outside of the range: the answer says how many, and whoever uses the range counts them at its ends.
    """

    of: Annotated[
        Literal["averages", "observations"],
        Help(text="what the range is to hold: users' averages, or their observations"),
    ] = "averages"
    smallest: Annotated[
        float, Help(text="sizes below this count as zero; rounded down to a power of two", metavar="X")
    ] = SMALLEST
    largest: Annotated[
        float, Help(text="sizes up to this are told apart; rounded up to a power of two", metavar="X")
    ] = LARGEST

    def check(self) -> None:
        super().check()
        for name in ("smallest", "largest"):
            check_positive(name, getattr(self, name))
        if not _LEAST <= self.smallest < self.largest <= _MOST:
            raise InvalidInput(f"smallest lies below largest, both from {_LEAST:.3g} to {_MOST:.3g}")
        if len(self.sizes) > MOST_SIZES:
            raise InvalidInput(
                f"from smallest to largest there are {len(self.sizes) - 1:,} doublings; at most {MOST_SIZES - 1}"
            )

    @cached_property
    def sizes(self) -> tuple[float, ...]:
        """Powers of two from the smallest size to the largest."""
        fraction, low = math.frexp(self.smallest)
        first = low - 1
        fraction, high = math.frexp(self.largest)
        last = high - 1 if fraction == 0.5 else high
        return tuple(math.ldexp(1.0, power) for power in range(first, last + 1))

    @cached_property
    def edges(self) -> tuple[float, ...]:
        """The edges of all bins: the sizes with both signs."""
        return (*(-size for size in reversed(self.sizes)), *self.sizes)
