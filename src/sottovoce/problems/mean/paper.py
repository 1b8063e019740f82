"""PrivateUniMean (L439) with the constants of the paper's experiments."""

from __future__ import annotations

import math
from dataclasses import replace

from sottovoce.messages import exact
from sottovoce.problems.mean.localised import Localised
from sottovoce.problems.mean.settings import Mean
from sottovoce.risk import Crowd
from sottovoce.schemes import LOCALISING_PAYS_BELOW, Tuned, by_experiments

FINEST = 1 / 2**14
"""A vote for more bins would be a large report."""


class Paper(Localised):
    """As in the experiments: T for T*, C_α for √2 (L1077)."""

    name = "paper"
    help = "votes for a place first, with the constants of the paper's experiments"

    def tuned(self, settings: Mean) -> Tuned:
        return by_experiments(
            users=settings.users,
            observations=settings.observations,
            epsilon=settings.epsilon,
            low=settings.low,
            high=settings.high,
            delta=settings.delta,
            three_bins=bool(settings.three_bin_votes),
        )

    def variants(self, settings: Mean, crowd: Crowd) -> tuple[Mean, ...]:
        """Bins of several sizes, none where there are too few users to vote."""
        if settings.users < 4:
            return ()
        own = replace(settings, method=self.name)
        if settings.delta is not None:
            return (own,)
        return own, *(replace(own, delta=delta) for delta in self._deltas(own, crowd))

    def _deltas(self, settings: Mean, crowd: Crowd) -> list[float]:
        """Bin sizes worth a look besides that of the experiments, which is for observations as spread as can be.

        Bins go with the spread of the users' averages; concentrated users deserve finer ones.
        """
        default, half = self.tuned(settings).layout.delta, (settings.high - settings.low) / 2
        widest = max(math.sqrt(law.variance) for law in self.laws(settings, crowd))
        spread = widest / half * math.sqrt(settings.observations)
        factors = [0.5, 0.7, 1.4] if spread > 0.9 else [part * spread for part in (0.5, 0.7, 1.0, 1.4)]
        found = [default * factor for factor in factors if default * factor > FINEST]
        if not self._settled(settings, min([default, *found])):  # too few voters for so many bins: coarser ones, too
            wide = 2 * default
            while wide < LOCALISING_PAYS_BELOW:
                found.append(wide)
                wide *= 2
        return found

    def _settled(self, settings: Mean, delta: float) -> bool:
        """Whether a vote over bins of this size hardly ever fails: a rough count of standard errors between winners."""
        layout = self.tuned(replace(settings, delta=delta)).layout
        keep = layout.vote_channel(exact(settings.epsilon)).keep
        gap = settings.users / 2 * (0.7 * (2 * keep - 1)) ** 2 / (2 * keep * (1 - keep))
        return gap / 2 > math.log(layout.bins) + 15
