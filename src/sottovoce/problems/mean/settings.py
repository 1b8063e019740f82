"""What a survey of a mean declares."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Annotated, Literal

from sottovoce.messages import InvalidInput, check_range
from sottovoce.problems.base import Settings
from sottovoce.problems.fields import Delta, Help, High, Low, Observations, ProofConstant
from sottovoce.schemes import check_choice, check_observations, check_positive, is_whole
from sottovoce.theory import PROOF_CONSTANT


@dataclass(frozen=True, kw_only=True)
class Mean(Settings):
    """The mean on [low, high] from `users` users with about `observations` observations each.

    `method`: ``"one-round"`` asks everybody once on the full range; ``"paper"`` is PrivateUniMean (L439) with the
    constants of the paper's experiments (L1077, T for T*); ``"theory"`` is GeneralPrivateUniMean (L1740) with the
    constants of its proofs, `proof_constant` being K. ``"homogeneous"`` is for callers who assert the paper's model:
    all observations come from one distribution: a few users localise, about √n learn the spread, the rest say in which
    of a few bins at the centre they are, in up to five `rounds`, each centred anew. ``"auto"`` takes one-round or
    paper, with bins of several sizes, whichever has the lowest predicted error for users alike, and says why.

    Readings taken (ERRATA): folds use their own size (1); three-bin votes cost ω_{α/6} (P2); logarithms are at
    least 1 (P6); with one bin, or one user, nothing is voted on and everybody refines on the full range (6). The
    widened interval sticks out of the range as printed for ``"paper"`` and is clipped to it for ``"theory"`` (7).
    `delta` overrides Δ, in half-ranges; `three_bin_votes` the choice between the two kinds of vote.

    Privacy
    -------
    Every user answers one question; the report is `epsilon`-LDP (α in the paper) for the whole collection, its
    length included.

    Accuracy
    --------
    One round: an interval that assumes nothing about the users (exact for the one-bit table, that is for ε below
    about 1; a normal approximation for larger tables), error of order (high − low)/(ε√n) whatever T is. Paper, theory:
    error of order (high − low)/(ε√(nT)) when users are alike and the votes find the right bin (L1740, Theorem L370).
    Homogeneous: close to what ε-local privacy allows for a bell of unknown place, (π/2)·coth²(ε/2)·s²/n for ε up to 2,
    s being the spread of the users' averages; its interval relies on users alike, and it warns when reports contradict.
    """

    low: Low
    high: High
    observations: Observations
    spread: Annotated[
        float | None,
        Help(
            text="how much users' own means differ (standard deviation), for auto to choose by",
            metavar="S",
            default="not known: alike, or by a tenth of the range",
        ),
    ] = None
    caution: Annotated[
        Literal["high", "medium", "low"],
        Help(text="how wary adaptive is of a group of users far from the rest, at the price of accuracy"),
    ] = "medium"
    rounds: Annotated[
        int | None,
        Help(
            text="at most so many rounds: 2 or 3 for adaptive, 1 to 5 for homogeneous",
            metavar="R",
            default="3 and 5",
        ),
    ] = None
    shrink: Annotated[
        bool, Help(text="with few users, pull the estimate toward the middle: lower error on average, biased")
    ] = False
    refine: Annotated[
        Literal["laplace", "table"],
        Help(text="how users report in the winning bin, for methods paper and theory", group="constants"),
    ] = "laplace"
    proof_constant: ProofConstant = PROOF_CONSTANT
    delta: Delta = None
    three_bin_votes: Annotated[
        bool | None, Help(text="vote for three bins instead of one", group="constants", default="by the method")
    ] = None

    def check(self) -> None:
        super().check()
        check_range(self.low, self.high)
        check_observations(self.observations)
        check_positive("delta", self.delta)
        if self.rounds is not None and not (is_whole(self.rounds) and 1 <= self.rounds <= 5):
            raise InvalidInput(f"rounds must be a whole number from 1 to 5; got {self.rounds!r}")
        if self.spread is not None and not 0 <= self.spread <= (self.high - self.low) / 2:
            raise InvalidInput(
                f"spread is a standard deviation, from 0 to half of the range ({(self.high - self.low) / 2:g}); "
                f"got {self.spread!r}"
            )
        for name, allowed in (("caution", ("high", "medium", "low")), ("refine", ("laplace", "table"))):
            check_choice(name, getattr(self, name), allowed)
        check_positive("proof_constant", self.proof_constant, finite=False)
