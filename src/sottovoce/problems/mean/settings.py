"""What a survey of a mean declares."""

from __future__ import annotations

from dataclasses import dataclass, replace
from typing import Annotated, Literal

from sottovoce.design import designed_table
from sottovoce.messages import InvalidInput, Table, exact
from sottovoce.methods import check_declared, check_positive, check_size
from sottovoce.problems.base import Settings
from sottovoce.problems.fields import (
    Delta,
    Empty,
    EmptyAtMost,
    Help,
    High,
    Low,
    Observations,
    ProofConstant,
    Spread,
    check_spread_in_range,
)
from sottovoce.risk import Averages, Crowd
from sottovoce.theory import PROOF_CONSTANT


@dataclass(frozen=True, kw_only=True)
class Mean(Settings):
    """The mean on [low, high] from `users` users with about `observations` observations each.

    `method`: ``"one-round"`` asks everybody once on the full range; ``"paper"`` is PrivateUniMean (L439) with the
    constants of the paper's experiments (L1077, T for T*); ``"theory"`` is GeneralPrivateUniMean (L1740) with the
    constants of its proofs, `proof_constant` being K. ``"homogeneous"`` is for callers who assert the paper's model:
    all observations come from one distribution: a few users localise, about √n learn the spread, the rest say in which
    of a few bins at the centre they are, in up to five `rounds`, each centred anew.
    ``"auto"`` takes one-round, unless a method that
    relies on no model promises less than half its mean squared error, on average over users alike and users whose own
    means differ by a tenth of the range (or for the `spread` stated), and says why in the answer.

    Readings taken (ERRATA): folds use their own size (1); three-bin votes cost ω_{α/6} (P2); logarithms are at
    least 1 (P6); with one bin, or one user, nothing is voted on and everybody refines on the full range (6). The
    widened interval sticks out of the range as printed for ``"paper"`` and is clipped to it for ``"theory"`` (7).
    `delta` overrides Δ, in half-ranges; `three_bin_votes` the choice between the two kinds of vote; with `refine`
    ``"table"`` users report in the winning bin through a table, which is quieter, instead of Laplace noise.

    Privacy
    -------
    Every user answers one question; the report is `epsilon`-LDP (α in the paper) for the whole collection, its
    length included.

    Accuracy
    --------
    One round: an interval that assumes nothing about the users, error of order (high − low)/(ε√n) whatever T is. Paper,
    theory: error of order (high − low)/(ε√(nT)) when users are alike and the votes find the right bin (L1740, Theorem
    L370). Their interval takes users to be alike; where places far from the winner get more votes than chance explains
    (false alarms: 1 %), the answer says so and the interval is widened by what may lie there. `shrink` lowers the error
    of one round while n·ε² is below about 250, at the price of a bias.
    Homogeneous: close to what ε-local privacy allows for a bell of unknown place, (π/2)·coth²(ε/2)·s²/n for ε up to 2,
    s being the spread of the users' averages; its interval relies on users alike, and it warns when reports contradict.
    """

    low: Low
    high: High
    observations: Observations
    spread: Spread = None
    caution: Annotated[
        Literal["high", "medium", "low"],
        Help(
            text="how little a group of users far from the rest must stand out before adaptive counts it in the value; "
            "intervals hold either way"
        ),
    ] = "medium"
    aim: Annotated[
        Literal["interval", "error"],
        Help(
            text="what auto and adaptive keep small: the interval with a look at the error, or the error alone",
            late=True,
        ),
    ] = "interval"
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
    empty: Empty = "middle"
    empty_at_most: EmptyAtMost = 0.0
    table: Annotated[
        Table | None,
        Help(
            text="the table on a range, but of one round; a survey that carries it is replayed without a solver",
            group="hidden",
            default="designed when first asked",
        ),
    ] = None

    @property
    def width(self) -> float:
        """From one end of the declared range to the other."""
        return self.high - self.low

    def laws(self, crowd: Crowd, *, observations_used: int | None = None, step: float = 0.0) -> list[Averages]:
        """The users' averages of all observations, or of so many, at each place that the crowd leaves open."""
        return crowd.laws(self.low, self.high, observations=observations_used or self.observations, step=step)

    def position_table(self) -> Table:
        """The table of every question on a range: the one that the survey carries, or the best one for its ε."""
        return designed_table(exact(self.epsilon)) if self.table is None else self.table

    def with_table(self) -> Mean:
        """The same survey with its table written out: machines that replay it agree to the bit.

        That of one round is a closed form, which all machines agree on.
        """
        return self if self.method == "one-round" else replace(self, table=self.position_table())

    def check(self) -> None:
        super().check()
        check_declared(self.low, self.high)
        if self.rounds is not None:
            check_size("rounds", self.rounds, 5)
        check_spread_in_range(self.spread, self.width)
        check_positive("proof_constant", self.proof_constant, finite=False)
        if self.table is not None:
            if not isinstance(self.table, Table):
                raise InvalidInput(rule=f"table must be a table, not a {type(self.table).__name__}")
            if not self.table.whole:
                raise InvalidInput(rule="table must decode its symbols")
            if self.table.epsilon_bound() > exact(self.epsilon):
                raise InvalidInput(f"table has an ε above {self.epsilon:g}")
