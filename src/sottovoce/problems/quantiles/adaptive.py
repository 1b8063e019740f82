"""A quarter of the users about the whole range, the others about places close to what is wanted."""

from __future__ import annotations

from dataclasses import replace

import numpy as np

from sottovoce.answers import Assumes, Note, NoteCode
from sottovoce.design import one_bit
from sottovoce.messages import Fact, Rules
from sottovoce.methods import CHECKED, Asking, Script, best_table, users_for_lengths
from sottovoce.problems.method import Method, StandIn
from sottovoce.problems.quantiles.answer import all_at_once, alone, answered, curve
from sottovoce.problems.quantiles.cdf import CdfEstimate
from sottovoce.problems.quantiles.estimate import QuantilesEstimate
from sottovoce.problems.quantiles.guards import ends, guarded_band, guarded_interval, looks, model_interval, of
from sottovoce.problems.quantiles.one_round import OneRound
from sottovoce.problems.quantiles.predicted import PER_LEVEL, STAGE, adaptive_risk, assumed, laws, wider
from sottovoce.problems.quantiles.record import corrected, fit, locally
from sottovoce.problems.quantiles.seen import Fit
from sottovoce.problems.quantiles.settings import Cdf, Distributed, Quantiles
from sottovoce.problems.quantiles.stages import FIRST, Stages, first_places, run
from sottovoce.problems.quantiles.ways import ways_of
from sottovoce.problems.ruling import announced
from sottovoce.risk import Crowd, Poisoning, Prediction, Wider, average
from sottovoce.theory import LOCALISABLE, strength

FEWEST = 120


def enough(settings: Distributed) -> bool:
    """Whether there are users for several rounds."""
    if isinstance(settings, Cdf):
        places = len(settings.places)
    else:
        assert isinstance(settings, Quantiles)
        places = (PER_LEVEL + 1) * len(settings.levels)
    return strength(settings.users, settings.epsilon) >= LOCALISABLE and settings.users >= max(FEWEST, 6 * places)


class Adaptive(Method[Distributed]):
    """Look at the whole range, then at places close to what is wanted."""

    name = "adaptive"
    help = "asks a quarter of the users about the whole range, then the others close to what is wanted"
    not_empty = None

    def unavailable(self, settings: Distributed) -> Fact | None:
        return None if enough(settings) else OneRound().unavailable(settings)

    def replacement(self, settings: Distributed) -> Method[Distributed] | None:
        note = Note(NoteCode.ASKED_AT_ONCE, why="look-twice")
        return None if enough(settings) else StandIn(self, OneRound(), note)

    def variants(self, settings: Distributed, crowd: Crowd) -> tuple[Distributed, ...]:
        return super().variants(settings, crowd) if enough(settings) else ()

    def script(self, settings: Distributed) -> Script[QuantilesEstimate | CdfEstimate]:
        asking = Asking(
            survey=settings.survey, epsilon=settings.epsilon, users=settings.users, seed=settings.public_seed
        )
        found = yield from run(settings, asking)
        return self.answer(settings, asking, found)

    def answer(self, settings: Distributed, asking: Asking, found: Stages) -> QuantilesEstimate | CdfEstimate:
        """What all rounds say together."""
        axis, later = settings.axis, [*found.plain, *found.directed[-1:]]
        apart = settings.empty_at_most > 0  # each look counts users without data as something else
        if isinstance(settings, Cdf) and not found.directed and not apart:  # all looks are alike, at the same places
            return alone(settings, self.name, corrected(axis, found.first, found.plain), asking.rounds)
        line, kept = fit(axis, found.parts, found.groups)
        guards = looks(found.first, later, settings.confidence)
        shown = curve(settings, line, *guarded_band(guards, line.places), np.sqrt(kept.variance))
        hidden = None if found.checked is None else max(0.0, found.checked.mean) + 1.645 * found.checked.error
        if isinstance(settings, Cdf):
            errors = all_at_once(settings.confidence, len(kept.places))
            model = list(zip(*(side.tolist() for side in ends(kept, errors)), strict=True))
            return answered(
                settings,
                self.name,
                shown,
                asking.rounds,
                model=[(min(low, at), max(high, at)) for (low, high), at in zip(model, line.heights, strict=True)],
                model_assumes=Assumes.NO_GROUP_OUTSIDE_RADIUS,
                detection_limit=hidden,
            )
        assert isinstance(settings, Quantiles)
        intervals, models = [], []
        for q, group in zip(settings.levels, found.groups, strict=True):
            near = [guards[0], *(replace(look, seen=of(look.seen, look.seen.places)) for look in guards[1:])]
            near[-1] = replace(near[-1], seen=of(later[-1], group))
            intervals.append(guarded_interval(axis, near, q))
            models.append(model_interval(axis, near[-1].seen, q, settings.confidence, intervals[-1]))
        return answered(
            settings,
            self.name,
            shown,
            asking.rounds,
            value=[_value(line, found, number, q) for number, q in enumerate(settings.levels)],
            intervals=intervals,
            model=models,
            model_assumes=Assumes.NO_GROUP_OUTSIDE_RADIUS,
            detection_limit=hidden,
        )

    def predict(self, settings: Distributed, crowd: Crowd) -> Prediction:
        places = first_places(settings)
        return average([adaptive_risk(settings, places, FIRST, law) for law in laws(settings, crowd)])

    def wider(self, settings: Distributed, crowd: Crowd) -> tuple[Wider, ...]:
        return wider(settings, crowd)

    def assumed(self, settings: Distributed, crowd: Crowd) -> tuple[Crowd, ...]:
        return assumed(settings, crowd)

    def users_per_round(self, settings: Distributed) -> tuple[int, ...]:
        """If users are alike: the whole range, lengths, a stage, lengths, the check, and everybody else."""
        users = settings.users
        lengths = users_for_lengths(users, settings.epsilon)
        before = [round(part) for part in (FIRST * users, lengths, STAGE * users, lengths, CHECKED * users)]
        return (*before, users - sum(before))

    def rules(self, settings: Distributed) -> Rules:
        ways = ways_of(settings)
        tables = [one_bit(settings.epsilon), best_table(settings.epsilon)]
        return announced(next(self.script(settings)), ways, tables, users=settings.users)

    def poisoning(self, settings: Distributed, crowd: Crowd) -> Poisoning:
        return OneRound().poisoning(settings, crowd)

    def words(self, settings: Distributed) -> Fact:
        return Fact("places-first", places=len(first_places(settings)))


def _value(line: Fit, found: Stages, number: int, q: float) -> float:
    """Where F reaches q: on the straight line through the last places where there is one, else on the curve."""
    if line.axis.steps is None:
        spans = [found.groups[number]]
        if found.before:
            spans.insert(0, tuple(sorted({*found.before[number], *spans[0]})))
        for span in spans:
            at = locally(found.parts[1:], span, q)
            if at is not None:
                return at
    return line.quantile(q)
