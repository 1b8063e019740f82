"""What a survey of a sparse mean declares."""

from __future__ import annotations

import math
from dataclasses import dataclass
from typing import Annotated, Literal

from sottovoce.messages import MAX_ITEMS, InvalidInput
from sottovoce.methods import (
    check_declared,
    check_length,
    check_positive,
    check_public_seed,
    check_size,
)
from sottovoce.problems.base import Settings
from sottovoce.problems.fields import Delta, EmptyAtMost, Help, Names, ProofConstant, Vectors
from sottovoce.theory import PROOF_CONSTANT, SWITCH_CONSTANT

Procedure = Literal["auto", "selection", "threshold"]
Refine = Literal["localised", "one-round"]
Rank = Literal["votes", "first"]


@dataclass(frozen=True, kw_only=True)
class SparseMean(Settings):
    """The mean of vectors in [low, high]^dimension with few coordinates other than zero: at most `sparsity`, if given.

    ``method="adaptive"``: a third or half of the users say in which public direction their averages lie from zero, or
    the columns whose averages are far from it; those that stand out are selected, `sparsity` of them, or as many as
    chance does not explain: none of them where nothing differs from zero but for 5 % of surveys. The others refine the
    selected coordinates, one each: bins show where its users are, and the last of them report between ends that hold
    them. Nobody is assumed to be like anybody else. ``"auto"`` is adaptive, unless the paper's method promises less
    than half its squared error, or settings are given that only the paper's method has, and says why.

    ``"paper"`` and ``"theory"`` need `sparsity`. ``procedure="selection"`` is PrivateSparseSelection (L600): half of
    the users vote, by a public random sign a coordinate, for the coordinates whose average is at least ε from zero; the
    other half refines those selected, a coordinate a user: in two rounds more, a vote for a place and then numbers from
    there (``refine="localised"``), or in one on the full range (``refine="one-round"``). ``"threshold"`` is
    PrivateSparseThreshold (L624): every coordinate is estimated, small ones are set to zero. ``"auto"`` thresholds when
    nα² > C̃·d·log(dnTα²) (L595), `switch_constant` being C̃, unless `cut` or `false_alarm` ask for selection.
    ``"paper"`` has the constants of the experiments (η = √s, L1083; Δ with C_α, L1077; T for T*, L1005), ``"theory"``
    those of the proofs (η = √(30s); K is `proof_constant`).

    Readings taken (ERRATA): selected coordinates are the `sparsity` with the most votes; ``rank="first"`` takes the
    first by index among those with at least ½ a vote, as printed, for reproduction only: it favours a support that
    comes first (10). `cut` keeps the ½ cut, by default only where it is printed: with η = √s the mean true vote is
    0.75, and 0.375 when s is assumed four times too small, so that the cut would select nothing (11). `false_alarm` is
    ours: with q, a coordinate needs more than Φ⁻¹(1 − q/d) standard deviations of noise, about √(2·log(d/q)), so that
    pure noise selects any in at most that share of surveys. When nothing is
    selected the answer is zero and no further round is asked (10). ε = C·√(log(dnTα²)/T) half-ranges: the
    experiments do not say C. As printed, C = √2, and with ``rank="first"`` it agrees with our reference measurements;
    C = 1 selects more at small T, and is what ranking by votes takes (our choice); `threshold_constant` sets it. Above
    α = 1 the paper's method refines one coordinate a user at the whole budget. Thresholding: θ̃ throughout, the s
    largest, C' = 4 (`shrink_constant`; the proof's 56α sets everything to zero), C̃ = 50, log(nTα²) (9, 12). Votes use
    all T observations, not T*, which only sharpens them. `delta` overrides Δ, in half-ranges; `public_seed` makes the
    public signs; `names` are for the answer.

    Privacy
    -------
    Every user answers one question; the report is `epsilon`-LDP (α in the paper) for the whole collection, all
    coordinates included.

    Accuracy
    --------
    Adaptive: intervals of selected coordinates hold whatever the users are; zero is published for the others, whatever
    they are, and if users are alike the answer says how large one would have had to be to be seen.
    The paper's: squared Euclidean error of order s·log(dnTα²)/T by selection, s·d·log²/(nTα²) by thresholding (Theorem
    L551) for users alike. The item-level error with as many observations, sd/(nTα²), does not fall as d grows with nT.
    """

    observations: Vectors
    dimension: Annotated[int, Help(text="columns in all", metavar="D", group="data")]
    sparsity: Annotated[
        int | None,
        Help(
            text="at most so many means differ from zero; paper and theory need it",
            metavar="S",
            default="not known: those that stand out",
        ),
    ] = None
    low: Annotated[float, Help(text="lowest declared value of every column", metavar="L")] = -1.0
    high: Annotated[float, Help(text="highest; averages beyond are clamped", metavar="H")] = 1.0
    procedure: Annotated[
        Procedure,
        Help(
            text="of paper and theory: selection lets half of the users vote for columns first, threshold estimates "
            "every column and drops the small ones; auto takes threshold when users are very many",
            metavar="P",
            group="constants",
        ),
    ] = "auto"
    refine: Annotated[
        Refine,
        Help(
            text="of paper and theory: how selected columns are estimated: localised votes for a place first, "
            "one-round asks once on the full range; method auto looks at both",
            metavar="R",
            group="constants",
        ),
    ] = "localised"
    rank: Annotated[
        Rank,
        Help(
            text="which columns are selected: those with the most votes, or the first", metavar="R", group="constants"
        ),
    ] = "votes"
    cut: Annotated[
        bool | None,
        Help(
            text="of paper and theory: select only columns with half a vote or more",
            group="constants",
            default="by the method",
        ),
    ] = None
    false_alarm: Annotated[
        float | None,
        Help(
            text="of paper and theory: select only columns with more votes than noise alone gives to any, but for this "
            "share of surveys: nothing, mostly, where all means are zero",
            metavar="Q",
            group="constants",
            default="select whatever has the most votes",
            late=True,
        ),
    ] = None
    eta_constant: Annotated[
        float | None,
        Help(
            text="η²/s, where the sum of votes is clamped at η", metavar="C", group="constants", default="by the method"
        ),
    ] = None
    threshold_constant: Annotated[
        float | None,
        Help(
            text="C of the distance from zero that gets a vote", metavar="C", group="constants", default="by the method"
        ),
    ] = None
    shrink_constant: Annotated[
        float, Help(text="C' of the size below which thresholding sets to zero", metavar="C", group="constants")
    ] = 4.0
    switch_constant: Annotated[
        float, Help(text="C̃ of the choice between the two procedures", metavar="C", group="constants")
    ] = SWITCH_CONSTANT
    public_seed: Annotated[
        int,
        Help(
            text="makes the public signs of the votes; chosen without looking at data",
            metavar="S",
            check=check_public_seed,
        ),
    ] = 0
    proof_constant: ProofConstant = PROOF_CONSTANT
    delta: Delta = None
    empty_at_most: EmptyAtMost = 0.0
    names: Names = ()

    def check(self) -> None:
        super().check()
        check_declared(self.low, self.high)
        check_size("dimension", self.dimension, MAX_ITEMS)
        if self.sparsity is not None:
            check_size("sparsity", self.sparsity, self.dimension)
        if not self.low <= 0 <= self.high:
            raise InvalidInput(rule="a sparse mean is zero in most coordinates, so zero must lie between low and high")
        for name in ("eta_constant", "threshold_constant"):
            check_positive(name, getattr(self, name))
        for name in ("shrink_constant", "switch_constant", "proof_constant"):
            check_positive(name, getattr(self, name), finite=False)
        if self.false_alarm is not None and not 0 < self.false_alarm < 1:
            raise InvalidInput(rule="false_alarm must lie strictly between 0 and 1", got=self.false_alarm)
        if self.names:
            check_length("names", self.names, self.dimension)

    @property
    def cuts_given(self) -> tuple[str, ...]:
        """What is given of the two cuts, which thresholding does not have."""
        return tuple(name for name in ("cut", "false_alarm") if getattr(self, name) is not None)

    @property
    def at_most(self) -> int:
        """`sparsity`, for methods that cannot run without."""
        assert self.sparsity is not None  # they say that they are unavailable
        return self.sparsity

    @property
    def supposed_nonzero(self) -> int:
        """How many coordinates a prediction takes to differ from zero: as stated, else √dimension."""
        return round(math.sqrt(self.dimension)) if self.sparsity is None else self.sparsity

    @property
    def by_chance(self) -> float:
        """How far the largest of so many scores of zero stands out, in standard deviations."""
        return math.sqrt(2 * math.log(max(2, self.dimension)))

    @property
    def half(self) -> float:
        """Half the declared range."""
        return (self.high - self.low) / 2

    @property
    def farthest(self) -> float:
        """The largest size that a mean can have."""
        return max(self.high, -self.low)
