"""A budget above what a device answers: the plan is for the most that it does, and says what more could give.

Nobody can be asked with it, so nothing here is a survey: numbers are those of the theory, on real numbers.
"""

from __future__ import annotations

from dataclasses import asdict, dataclass, replace
from typing import Any

from sottovoce.answers import to_plain
from sottovoce.messages import MAX_CHANNEL_EPSILON, Fact
from sottovoce.methods import experiment_delta
from sottovoce.planning.outline import Outline
from sottovoce.problems.mean import Mean
from sottovoce.problems.vector import VectorMean
from sottovoce.risk import Prediction
from sottovoce.theory import Rademacher, exact_risk, limit, simulated_risk

_EXACT = 1000
"""Users up to whom the law of the votes is computed; above them it is simulated."""
_REPETITIONS = 20_000
_SHIFT = (-0.3, 0.3)


@dataclass(frozen=True, kw_only=True)
class Beyond:
    """What was asked for, and half-widths at it: the least of all ε-local protocols, and the paper's on real numbers.

    Either is None where the theory does not say: `least` is known for a mean of users alike, `paper` computed for the
    users of the paper's experiments (±1 around a shift, L1034), whose sampling error is as large as the range allows.
    """

    epsilon: float
    least: float | None
    paper: float | None
    words: tuple[Fact, ...]

    def to_dict(self) -> dict[str, Any]:
        """Plain data."""
        return asdict(self) | {"words": to_plain(self.words)}


def beyond(plan: Outline) -> Beyond | None:
    """What the budget that was asked for could give; None where it is one that a device answers."""
    asked = plan.asked_epsilon
    if asked is None:
        return None
    most = float(MAX_CHANNEL_EPSILON)
    words = [Fact("plan-epsilon-too-large", most=most, planned=plan.protocol.epsilon, asked=asked)]
    least, paper = _least(plan, asked), _paper(plan, asked)
    if least is not None:
        words.append(Fact("plan-epsilon-least", asked=asked, halfwidth=least))
    if paper is not None:
        words.append(Fact("plan-epsilon-paper", asked=asked, halfwidth=paper))
    if isinstance(plan.template, VectorMean) and plan.template.method != "theory":
        words.append(Fact("plan-epsilon-several-coordinates", most=most * plan.template.groups))
    return Beyond(epsilon=asked, least=least, paper=paper, words=tuple(words))


def _least(plan: Outline, epsilon: float) -> float | None:
    """The limit of `theory.limit` for the same users."""
    if plan.problem.least is None or plan.crowd.law is not None or all(users.spread for users in plan.assumed):
        return None
    found = plan.problem.least(plan.protocol, replace(plan.crowd, spread=0.0))
    if found is None:
        return None
    scaled = found * limit(epsilon) / limit(plan.protocol.epsilon)
    return Prediction(sampling=scaled, privacy=0.0).halfwidth(plan.confidence)


def _paper(plan: Outline, epsilon: float) -> float | None:
    """UserLevelMean with the constants of the experiments, real-valued Laplace noise and votes kept with ω_{α/2}."""
    own = plan.protocol
    if not isinstance(own, Mean):
        return None
    delta = experiment_delta(own.users, own.observations, epsilon)
    given: dict[str, Any] = {"users": own.users, "observations": own.observations, "epsilon": epsilon}
    given |= {"delta": delta, "law": Rademacher(), "shift": _SHIFT}
    if own.users <= _EXACT:
        mse = exact_risk(**given, resolution=1.0).mse
    else:
        mse = simulated_risk(**given, repetitions=_REPETITIONS, seed=0).mse
    half = (own.high - own.low) / 2
    return Prediction(sampling=mse * half**2, privacy=0.0).halfwidth(plan.confidence)
