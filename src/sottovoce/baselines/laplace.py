"""The paper's comparison schemes (L860): Laplace noise without localising. Same interface, weaker deals."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any, ClassVar

import numpy as np

from sottovoce.answers import (
    WHOLE_COLLECTION,
    Chosen,
    ChosenBy,
    Estimate,
    Privacy,
    StandardError,
    two_sided,
    within,
)
from sottovoce.baselines.simulation import NORMAL
from sottovoce.design import MIN_LAPLACE_EPSILON, laplace, one_bit
from sottovoce.messages import (
    MAX_USES,
    Average,
    Channel,
    Each,
    Encoder,
    Fact,
    InvalidInput,
    Item,
    Position,
    Question,
    Statistic,
    check_epsilon,
    check_range,
    exact,
)
from sottovoce.methods import (
    Script,
    Scripted,
    all_slots,
    check_confidence,
    check_observations,
    check_users,
    decode_refined,
    decode_with_interval,
)

# One item, randomised response (L942): each user sends one random observation through one bit.


@dataclass(frozen=True, kw_only=True)
class _OneMean(Scripted):
    """What all of them are told: a budget, a range, the users and how sure the interval is to be."""

    name: ClassVar[str]

    epsilon: float
    low: float
    high: float
    users: int
    confidence: float = 0.95
    survey: str = "rehearsal"

    def __post_init__(self) -> None:
        check_epsilon(self.epsilon)
        check_range(self.low, self.high)
        check_users(self.users)
        check_confidence(self.confidence)

    @property
    def _protects(self) -> Fact:
        return WHOLE_COLLECTION

    def _question(self, statistic: Statistic, channel: Channel, *, epsilon: float, uses: int = 1) -> Question:
        """Everybody is asked for a statistic on the full range."""
        return Question(
            survey=self.survey,
            round=0,
            role=self.name,
            slots=all_slots(self.users),
            encoder=Encoder(statistic=statistic, placement=Position(low=(self.low,), high=(self.high,))),
            channel=channel,
            epsilon=epsilon,
            uses=uses,
        )

    def _estimate(self, **facts: Any) -> Estimate:
        """The answer: value, interval and errors as they were decoded, and what is the same for all of them."""
        return Estimate(
            confidence=self.confidence,
            privacy=Privacy(epsilon=self.epsilon, protects=self._protects, users=self.users, rounds=1),
            method=self.name,
            chosen=Chosen(by=ChosenBy.BASELINE),
            low=self.low,
            high=self.high,
            **facts,
        )


@dataclass(frozen=True, kw_only=True)
class OneItem(_OneMean):
    """One random own observation, rounded to an end of the range at random, through randomised response.

    Privacy: ε for the whole collection, since nothing but this one item is looked at. Accuracy: no better with more
    observations. The value is unbiased, so it may leave the range; a warning says when it leaves its interval.
    """

    name: ClassVar[str] = "one-item"

    def script(self) -> Script[Estimate]:
        """Ask once; decode the share of ones."""
        question = self._question(Item(), one_bit(self.epsilon), epsilon=self.epsilon)
        tally = yield question
        value, interval, kind, error = decode_with_interval(question, tally, self.confidence)
        return self._estimate(
            value=value,
            interval=interval,
            interval_kind=kind,
            standard_error=error,
            users_per_round=tuple(tally.reports),
        )


@dataclass(frozen=True, kw_only=True)
class _LaplaceMean(_OneMean):
    """One question: a statistic on the full range through Laplace noise, then the plain average."""

    observations: int

    def __post_init__(self) -> None:
        super().__post_init__()
        check_observations(self.observations)
        if self._spent / self._uses < float(MIN_LAPLACE_EPSILON):
            raise InvalidInput(f"epsilon={self.epsilon:g} shared out over {self._uses} observations leaves too little")
        if self._uses > MAX_USES:
            raise InvalidInput(rule=f"a device sends at most {MAX_USES} noisy observations", wrong=f"got {self._uses}")

    @property
    def _uses(self) -> int:
        return 1

    @property
    def _spent(self) -> float:
        """What the report costs the whole collection."""
        return self.epsilon

    @property
    def _statistic(self) -> Statistic:
        return Average()

    def question(self) -> Question:
        """What everybody is asked."""
        channel = laplace(exact(self._spent) / self._uses)
        return self._question(self._statistic, channel, epsilon=self._spent, uses=self._uses)

    def script(self) -> Script[Estimate]:
        """Ask once; the estimate is the plain average of the reports."""
        question = self.question()
        means = decode_refined(question, (yield question))
        error = StandardError(sampling=float(np.sqrt(means.sampling[0])), privacy=float(np.sqrt(means.privacy[0])))
        value = float(means.value[0])
        reach = two_sided(self.confidence) * error.total
        return self._estimate(
            value=value,
            interval=within((value - reach, value + reach), self.low, self.high),
            interval_kind=NORMAL,
            standard_error=error,
            users_per_round=means.answered,
        )


@dataclass(frozen=True, kw_only=True)
class SemiUser(_LaplaceMean):
    """Semi user level (L869): the user's average on the full range, Laplace noise.

    Privacy: ε for the whole collection. Accuracy: no better with more observations.
    """

    name: ClassVar[str] = "semi-user"


@dataclass(frozen=True, kw_only=True)
class FullItem(_LaplaceMean):
    """Full item level (L865): every observation with noise of its own.

    Privacy: ε for a *single observation* only; the whole collection is protected at T·ε, which is what the question
    declares and a ledger is charged. Accuracy: what the paper measures everything else against.
    """

    name: ClassVar[str] = "full-item"

    @property
    def _uses(self) -> int:
        return self.observations

    @property
    def _spent(self) -> float:
        return self.epsilon * self.observations

    @property
    def _statistic(self) -> Statistic:
        return Each()

    @property
    def _protects(self) -> Fact:
        return Fact("single-observation-of-many", observations=self.observations, spent=self._spent)


@dataclass(frozen=True, kw_only=True)
class SplitUser(_LaplaceMean):
    """Split user (L876): every observation with noise of its own, the budget shared out over them.

    Privacy: ε for the whole collection. Accuracy: worse with more observations.
    """

    name: ClassVar[str] = "split-user"

    @property
    def _uses(self) -> int:
        return self.observations

    @property
    def _statistic(self) -> Statistic:
        return Each()
