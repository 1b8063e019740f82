"""Vote for bins, vote for the nearest winner, send residuals: what the paper's two variants share."""

from __future__ import annotations

from dataclasses import replace

import numpy as np

from sottovoce.answers import WHOLE_COLLECTION, Chosen, ChosenBy, Privacy
from sottovoce.design import laplace, unary
from sottovoce.messages import (
    MAX_ITEMS,
    Average,
    Bins,
    Channel,
    Encoder,
    Fact,
    Free,
    Laplace,
    Position,
    Question,
    Residual,
    Rules,
    Slots,
    Tally,
    Unary,
    Way,
    exact,
    reach_of,
)
from sottovoce.methods import Layout, Script, bins_way, split
from sottovoce.problems.method import Method
from sottovoce.problems.mixture import decode, membership, predicted
from sottovoce.problems.mixture.estimate import MixtureEstimate
from sottovoce.problems.mixture.settings import MixtureMeans
from sottovoce.problems.ruling import in_turn
from sottovoce.risk import Crowd, Poisoning, Prediction

KIND = Fact("model-components-alike")


class ThreeFolds(Method[MixtureMeans]):
    """PrivateMixtureMean (L1186), with constants to be given."""

    more_bins: tuple[Fact, ...] = ()
    """What else would make for finer bins."""

    def delta_at(self, settings: MixtureMeans, observations: int) -> float:
        """Δ for so many observations per user."""
        raise NotImplementedError("each variant has its constants")

    def cut(self, settings: MixtureMeans) -> float:
        """The share from which on a component's residuals are used."""
        if settings.smallest_share is not None:
            return settings.smallest_share / 2
        return self.own_cut(settings)

    def own_cut(self, settings: MixtureMeans) -> float:
        """The same, where no smallest share is given."""
        raise NotImplementedError("each variant has its constants")

    def layout(self, settings: MixtureMeans) -> Layout:
        """The bins of the vote."""
        delta = self.delta_at(settings, settings.observations) if settings.delta is None else settings.delta
        return Layout(low=settings.low, high=settings.high, delta=delta)

    def unavailable(self, settings: MixtureMeans) -> Fact | None:
        if settings.components is None:
            return Fact("components-needed", method=self.name)
        layout, m = self.layout(settings), settings.components
        made = {"delta": layout.delta, "bins": layout.bins}
        if layout.bins > MAX_ITEMS:
            return Fact("too-many-bins", **made, most=MAX_ITEMS, least=1 / MAX_ITEMS)
        needed = 3 * m - 2  # each winner takes its neighbours out of the running (ERRATA 13)
        if layout.bins >= needed:
            return None
        helps = [Fact("help-by-components", components=(layout.bins + 2) // 3)]
        if settings.delta is None:
            tried = (digit * 10**power for power in range(13) for digit in range(1, 10))
            enough = [count for count in tried if self.delta_at(settings, count) < 1 / (needed - 1)]
            helps += [Fact("help-by-observations", observations=enough[0])] if enough else []
            helps += self.more_bins
        helps.append(Fact("help-by-delta", below=1 / (needed - 1)))
        return Fact("too-few-bins", **made, components=m, needed=needed, helps=helps)

    def script(self, settings: MixtureMeans) -> Script[MixtureEstimate]:
        """Where, how many, how far from there: each fold of users answers one question."""
        layout, epsilon, folds = self.layout(settings), exact(settings.epsilon), enumerate(self.folds(settings))
        tallies: list[Tally] = []
        votes, winners, shares = None, np.zeros(1, dtype=np.int64), decode.certain()
        if layout.bins > 1:
            grid = Encoder(statistic=Average(), placement=layout.grid())
            vote = _question(settings, "vote", next(folds), grid, layout.vote_channel(epsilon))
            tallies.append((yield vote))
            votes = (vote, tallies[-1])
            winners = self.winners(settings, tallies[-1].counts()[0])
        if settings.kinds > 1:
            bins, channel = self.nearest(settings, winners)
            share = _question(settings, "share", next(folds), Encoder(statistic=Average(), placement=bins), channel)
            tallies.append((yield share))
            shares = decode.shares(share, tallies[-1], membership.places(settings.membership, winners))
        centres = tuple(map(float, layout.centre(winners)))
        sent = self.signed(settings, centres), self.residual_channel(settings)
        residual = _question(settings, "residual", next(folds), *sent)
        tallies.append((yield residual))
        found = decode.components(
            residual, tallies[-1], shares, self.cut(settings), settings.confidence, layout, winners, votes
        )
        return self._answer(settings, found, shares, centres, tuple(sum(tally.reports) for tally in tallies))

    def winners(self, settings: MixtureMeans, votes: decode.Integers) -> decode.Integers:
        """The bins that the votes choose, in increasing order."""
        return decode.winners(votes, settings.kinds)

    def nearest(self, settings: MixtureMeans, winners: decode.Integers) -> tuple[Bins, Unary]:
        """Where the votes on shares are cast, and how."""
        bins = Bins(edges=membership.edges(settings.membership, self.layout(settings), winners))
        return bins, unary(exact(settings.epsilon), bins.count)

    def moved(self, settings: MixtureMeans, sums: decode.Floats, shares: decode.Floats) -> decode.Floats:
        """How far the components lie from their centres, given average signed residuals and shares."""
        return decode.moved(sums, shares, self.cut(settings))

    def signed(self, settings: MixtureMeans, centres: tuple[float, ...]) -> Encoder:
        """How far users lie from the nearest of these centres."""
        layout = self.layout(settings)
        reach = 3 * layout.delta * layout.half
        return Encoder(
            statistic=Residual(seed=settings.public_seed, centres=centres),
            placement=Position(low=(-reach,), high=(reach,)),
        )

    def residual_channel(self, settings: MixtureMeans) -> Laplace:
        """How residuals are sent."""
        return laplace(exact(settings.epsilon))

    def _answer(
        self,
        settings: MixtureMeans,
        found: decode.Components,
        shares: decode.Shares,
        centres: tuple[float, ...],
        answered: tuple[int, ...],
    ) -> MixtureEstimate:
        return MixtureEstimate(
            means=found.means,
            intervals=found.intervals,
            standard_errors=found.errors,
            shares=tuple(map(float, shares.value)),
            share_errors=tuple(map(float, np.sqrt(shares.sampling + shares.privacy))),
            centres=centres,
            low=settings.low,
            high=settings.high,
            confidence=settings.confidence,
            interval_kind=KIND,
            users_per_round=answered,
            privacy=Privacy(
                epsilon=settings.epsilon, protects=WHOLE_COLLECTION, users=settings.users, rounds=len(answered)
            ),
            method=self.name,
            chosen=Chosen(by=ChosenBy.CALLER_BY_BINS if settings.membership == "bin" else ChosenBy.CALLER),
            notes=decode.notes(
                shares, self.cut(settings), found, users=settings.users, voters=answered[0], epsilon=settings.epsilon
            ),
        )

    def folds(self, settings: MixtureMeans) -> tuple[Slots, ...]:
        """Who answers each question: even folds, one for each that is asked."""
        rounds = 1 + (self.layout(settings).bins > 1) + (settings.kinds > 1)
        return tuple(part for part in split(settings.users, rounds) if part is not None)

    def users_per_round(self, settings: MixtureMeans) -> tuple[int, ...]:
        return tuple(fold.count for fold in self.folds(settings))

    def rules(self, settings: MixtureMeans) -> Rules:
        """Those of the questions that are asked, in order; centres of the later ones lie where the vote can be won."""
        layout = self.layout(settings)
        low, high = reach_of(layout.grid())
        first = Way.of(next(self.script(settings)), opening=True)
        share = bins_way("share", statistic=Average(), low=low, high=high)
        centres = Free(field="statistic.centres", low=low, high=high, most=settings.kinds)
        residual = Way.by(self.signed(settings, (low,)), centres, role="residual", channel="laplace")
        ways = [first] if layout.bins > 1 else []
        ways += [replace(share, channel="unary")] if settings.kinds > 1 else []
        ways += [residual] if ways else [first]
        turns = [(users, (way.role,)) for users, way in zip(self.users_per_round(settings), ways, strict=True)]
        return Rules(waves=in_turn(turns, epsilon=settings.epsilon), ways=tuple(ways))

    def predict(self, settings: MixtureMeans, crowd: Crowd) -> Prediction:
        return predicted.error(settings, crowd, self.layout(settings), self.users_per_round(settings))

    def poisoning(self, settings: MixtureMeans, crowd: Crowd) -> Poisoning:
        return predicted.poisoning(settings, crowd, self.layout(settings))

    def words(self, settings: MixtureMeans) -> Fact:
        return Fact("components-and-bins", components=settings.kinds, bins=self.layout(settings).words())


def _question(
    settings: MixtureMeans, role: str, fold: tuple[int, Slots], encoder: Encoder, channel: Channel
) -> Question:
    number, slots = fold
    return Question(
        survey=settings.survey,
        round=number,
        role=role,
        slots=slots,
        encoder=encoder,
        channel=channel,
        epsilon=settings.epsilon,
    )
