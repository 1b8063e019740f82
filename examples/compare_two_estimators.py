"""A researcher's comparison: a method that is shipped, and one of one's own, on the same users with the same seeds.

The hunch: users' averages lie in the middle half of the declared range, so ask about that half alone; noise then is
half as large. Where the hunch is right the squared error falls by a quarter; one round, which finds by itself where
users are, is not far off. Where it is wrong the estimate is
drawn to the edge of the half, and its interval, which does not know, misses the truth. A comparison that looks at one
population only would not have shown it.

    python examples/compare_two_estimators.py
    python examples/compare_two_estimators.py --repetitions 400
"""

from __future__ import annotations

import argparse
from dataclasses import dataclass, replace

import sottovoce as sv
from sottovoce.answers import WHOLE_COLLECTION, Chosen, ChosenBy, Estimate, Privacy
from sottovoce.calls import made_up
from sottovoce.messages import Fact, Rules
from sottovoce.methods import FullRange, Script, all_slots, decode_with_interval
from sottovoce.problems import Method, named, rule_builders
from sottovoce.risk import Crowd, Poisoning, Prediction, worst
from sottovoce.trials import compare

DISTRIBUTIONS = {"the hunch is right": "beta:6,6", "the hunch is wrong": "beta:1,8"}


@dataclass(frozen=True, kw_only=True)
class Mean(sv.Mean):
    """The settings of the mean, for a problem of our own: the one that is shipped stays as it is."""


class MiddleHalf(Method[Mean]):
    """Everybody once, about the middle half of the range."""

    name = "middle-half"
    help = "asks everybody once, about the middle half of the range"

    def scheme(self, settings: Mean) -> FullRange:
        """A position on a range, rounded at random to a table that is ε-private: the library designs the table."""
        quarter = (settings.high - settings.low) / 4
        return FullRange(
            survey=settings.survey,
            slots=all_slots(settings.users),
            low=(settings.low + quarter,),
            high=(settings.high - quarter,),
            epsilon=settings.epsilon,
        )

    def script(self, settings: Mean) -> Script[Estimate]:
        """Ask, look, answer: a second round would be a second ``yield``."""
        asked = self.scheme(settings).question()
        tally = yield asked
        value, interval, kind, error = decode_with_interval(asked, tally, settings.confidence)
        return Estimate(
            value=value,
            interval=interval,
            confidence=settings.confidence,
            interval_kind=kind,
            standard_error=error,
            users_per_round=tuple(tally.reports),
            privacy=Privacy(epsilon=settings.epsilon, protects=WHOLE_COLLECTION, users=settings.users, rounds=1),
            method=self.name,
            chosen=Chosen(by=ChosenBy.CALLER),
            low=settings.low,
            high=settings.high,
        )

    def predict(self, settings: Mean, crowd: Crowd) -> Prediction:
        """What `sv.plan` would say of it."""
        laws = crowd.laws(settings.low, settings.high, observations=settings.observations, step=0.0)
        return worst(self.scheme(settings).risk(law) for law in laws)

    def rules(self, settings: Mean) -> Rules:
        """What a survey by this method announces."""
        return rule_builders.rules_of_question(self.scheme(settings).question())

    def poisoning(self, settings: Mean, crowd: Crowd) -> Poisoning:
        """What one liar can do."""
        return self.scheme(settings).poisoning(())

    def words(self, settings: Mean) -> Fact:
        """How it asks, as a code with numbers; sentences are made from these."""
        return self.scheme(settings).words()


shipped = named("mean")
OURS = replace(shipped, settings=Mean, methods=(*shipped.methods, MiddleHalf()))


def compared(distribution: str, *, repetitions: int) -> sv.Comparison:
    """Both methods on the same 2,000 made-up users at ε = 1; the first is the reference of the ratios."""
    settings = {"low": 0.0, "high": 1.0, "users": 2000, "observations": 20, "epsilon": 1.0}
    users, asked = made_up(OURS, settings, {"distribution": distribution})
    return compare(
        OURS,
        ["one-round", MiddleHalf.name],
        asked,
        users,
        epsilons=[1.0],
        repetitions=repetitions,
        seed=1,
        done=lambda: None,
    )


def main() -> None:
    """Print both comparisons."""
    parser = argparse.ArgumentParser(description=(__doc__ or "").partition("\n")[0])
    parser.add_argument("--repetitions", type=int, default=100)
    repetitions = parser.parse_args().repetitions
    for case, distribution in DISTRIBUTIONS.items():
        print(f"== {case}: averages around that of {distribution}\n")
        print(compared(distribution, repetitions=repetitions), end="\n\n")


if __name__ == "__main__":
    main()
