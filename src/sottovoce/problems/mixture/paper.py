"""PrivateMixtureMean (L1186), with the constants of the paper's experiments or those of its proofs.

Vote for bins, vote for the nearest winner, send residuals: each by a fold of the users.
"""

from __future__ import annotations

import math
from dataclasses import dataclass, replace
from itertools import pairwise

import numpy as np
from numpy.typing import NDArray

from sottovoce.answers import (
    Chosen,
    ChosenBy,
    Note,
    NoteCode,
    StandardError,
    two_sided,
    within,
)
from sottovoce.design import laplace, unary
from sottovoce.messages import (
    MAX_ITEMS,
    Average,
    Bins,
    Channel,
    Encoder,
    Fact,
    Free,
    InvalidInput,
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
    placement_range,
)
from sottovoce.methods import Floats, Layout, Script, bins_way, experiment_delta, rivals, split_into_folds
from sottovoce.problems.alternatives import notes_on_few_reports
from sottovoce.problems.method import Method
from sottovoce.problems.mixture.answer import MixtureEstimate
from sottovoce.problems.mixture.settings import (
    VISIBLE,
    Membership,
    MixtureMeans,
    component_laws,
    component_places,
    least_share,
)
from sottovoce.problems.rule_builders import waves_in_turn
from sottovoce.risk import (
    Averages,
    Crowd,
    Poisoning,
    Prediction,
    average,
    capture_share,
    laplace_reach,
    laplace_variance,
    winning_chances,
)
from sottovoce.theory import log1, t_star

Integers = NDArray[np.int64]


def fullest_bins(votes: Integers, components: int) -> Integers:
    """Greedy choice of bins, ties to the lower; a winner and its neighbours leave the running (L1203–L1207)."""
    open_ = np.ones(len(votes), dtype=np.bool_)
    chosen = []
    for _ in range(components):
        if not open_.any():  # the protocol asks for 3m − 2 bins, so that this cannot be
            raise InvalidInput(f"{len(votes)} bins have no room for {components} components")
        best = int(np.argmax(np.where(open_, votes, np.iinfo(np.int64).min)))
        chosen.append(best)
        open_[max(0, best - 1) : best + 2] = False
    return np.array(sorted(chosen), dtype=np.int64)


@dataclass(frozen=True, kw_only=True)
class ComponentShares:
    """Shares of the components and their variances, by cause."""

    value: Floats
    sampling: Floats
    privacy: Floats


ONLY = ComponentShares(value=np.ones(1), sampling=np.zeros(1), privacy=np.zeros(1))
"""Of the only component."""


def component_shares(question: Question, tally: Tally, places: Integers) -> ComponentShares:
    """π̂ (L1222) of the items at `places`."""
    channel, reports = question.channel, tally.reports[0]
    assert isinstance(channel, Unary)
    value = channel.shares(tally.counts()[0], reports)[places]
    inside = np.clip(value, 0.0, 1.0)
    sampling = inside * (1 - inside) / reports
    return ComponentShares(value=value, sampling=sampling, privacy=channel.share_variance(inside) / reports - sampling)


def distances_from_centres(sums: Floats, shares: Floats, cut: float) -> Floats:
    """S_k/π̂_k (L1230) where the share is at least `cut`, zero elsewhere: the middle of the bin stays."""
    return np.divide(sums, shares, out=np.zeros_like(sums), where=shares >= cut)


@dataclass(frozen=True, kw_only=True)
class Components:
    """What the residuals say of every component; `beyond` lists those whose mean left the reach of the residuals.

    `gap` says by how many standard errors the last winner won.
    """

    means: tuple[float, ...]
    intervals: tuple[tuple[float, float], ...]
    errors: tuple[StandardError, ...]
    beyond: tuple[int, ...]
    gap: float


def decoded_components(
    question: Question,
    tally: Tally,
    shares: ComponentShares,
    cut: float,
    confidence: float,
    layout: Layout,
    winners: Integers,
    votes: tuple[Question, Tally] | None,
) -> Components:
    """M_k + S_k/π̂_k (L1230), S_k the average of the signed reports.

    The errors of S_k and π̂_k are independent, being of different folds. The interval of the quotient is Fieller's
    (1954), which knows that a share may be close to zero; a clamped residual lies in ±3Δ whatever the data.
    """
    channel, placement = question.channel, question.encoder.placement
    assert isinstance(channel, Laplace) and isinstance(placement, Position)
    reports, reach = tally.reports[0], placement.high[0]
    unit = reach / channel.steps
    sums = unit * np.array(tally.cells[0][:-1], dtype=np.float64) / reports
    square = unit**2 * float(tally.cells[0][-1]) / reports
    noise = (2 * reach) ** 2 * channel.noise_variance
    off, gap = misplacement_and_lead(layout, winners, votes)
    away = distances_from_centres(sums, shares.value, cut)
    means, intervals, errors, beyond = [], [], [], []
    for k, centre in enumerate(layout.centre(winners)):
        share, total = float(shares.value[k]), float(sums[k])
        if share < cut:
            means.append(float(centre))
            intervals.append((layout.low, layout.high))
            errors.append(StandardError(sampling=0.0, privacy=0.0, localisation=layout.half))
            continue
        residual = float(away[k])
        if abs(residual) > reach:
            beyond.append(k)
        sampling = max(0.0, square - noise - total**2) / reports
        error = StandardError(
            sampling=math.sqrt(sampling + residual**2 * shares.sampling[k]) / share,
            privacy=math.sqrt(noise / reports + residual**2 * shares.privacy[k]) / share,
            localisation=float(off[k]),
        )
        z = two_sided(confidence)
        spread = float(shares.sampling[k] + shares.privacy[k])
        ends = _fieller(total, sampling + noise / reports, share, spread, z)
        low = min(residual, max(-reach, ends[0]))
        high = max(residual, min(reach, ends[1]))
        wider = z * error.localisation
        means.append(float(centre) + residual)
        intervals.append(
            within(
                (
                    float(centre) + residual - math.hypot(residual - low, wider),
                    float(centre) + residual + math.hypot(high - residual, wider),
                ),
                layout.low,
                layout.high,
            )
        )
        errors.append(error)
    return Components(
        means=tuple(means), intervals=tuple(intervals), errors=tuple(errors), beyond=tuple(beyond), gap=gap
    )


def _fieller(top: float, top_variance: float, bottom: float, bottom_variance: float, z: float) -> tuple[float, float]:
    """Ends of {q : (top − q·bottom)² ≤ z²(V_top + q²·V_bottom)}; everything when the bottom may be zero."""
    a = bottom**2 - z**2 * bottom_variance
    if a <= 0:
        return -math.inf, math.inf
    b, c = top * bottom, top**2 - z**2 * top_variance
    root = math.sqrt(max(0.0, b**2 - a * c))
    return (b - root) / a, (b + root) / a


def misplacement_and_lead(
    layout: Layout, winners: Integers, votes: tuple[Question, Tally] | None
) -> tuple[Floats, float]:
    """Root mean square distance by which each winner may be off, and the last winner's lead in standard errors.

    Bins that are neither a winner nor next to one count, each as `methods.rivals` judges it.
    """
    if votes is None:
        return np.zeros(len(winners)), math.inf
    rivals_found = rivals(layout, *votes, groups=np.zeros_like(winners), chosen=winners)
    lost = np.abs(np.arange(layout.bins)[None, :] - winners[:, None]).min(axis=0) > 1
    if not lost.any():
        return np.zeros(len(winners)), math.inf
    off = []
    for chances, distances in zip(
        rivals_found.chance[:, lost].tolist(), rivals_found.distance[:, lost].tolist(), strict=True
    ):
        total = sum(chance * distance**2 for chance, distance in zip(chances, distances, strict=True))
        off.append(min(math.sqrt(total), layout.high - layout.low))
    return np.array(off), float(rivals_found.gap[:, lost].min())


def _notes(
    settings: MixtureMeans, shares: ComponentShares, cut: float, decoded: Components, voted: tuple[int, ...]
) -> tuple[Note, ...]:
    """What the reader should know before trusting the components."""
    notes, gap = [], decoded.gap
    error = np.sqrt(shares.sampling + shares.privacy)
    for k, share in enumerate(shares.value):
        if share < cut:
            notes.append(Note(NoteCode.COMPONENT_BELOW_CUT, number=k + 1, share=share, cut=cut))
        elif share < VISIBLE * error[k]:
            notes.append(Note(NoteCode.COMPONENT_HARDLY_ABOVE_ZERO, number=k + 1, share=share, error=error[k]))
    notes += [Note(NoteCode.COMPONENT_BEYOND_RESIDUALS, number=k + 1) for k in decoded.beyond]
    if gap < 2:
        notes.append(Note(NoteCode.WRONG_PLACE, of="component", gap=gap))
    notes += notes_on_few_reports(settings.users, settings.epsilon, of="votes")
    voters = sum(voted)
    visible = least_share(settings, voters)
    if len(shares.value) > 1 and float(shares.value.min()) < visible:
        notes.append(may_be_missed(visible, voters, settings.epsilon, shares.value.min(), others_move=False))
    return tuple(notes)


def may_be_missed(visible: float, voters: int, epsilon: float, smallest: float, *, others_move: bool) -> Note:
    """Shares below `visible` cannot be told from noise; `others_move` where intervals may then belong to neighbours."""
    return Note(
        NoteCode.COMPONENTS_MAY_BE_MISSED,
        visible=min(1.0, visible),
        voters=voters,
        epsilon=epsilon,
        smallest=smallest,
        others_move=others_move,
    )


def share_edges(membership: Membership, layout: Layout, winners: Integers) -> tuple[float, ...]:
    """Inner edges of the share vote: midpoints, just above so that ties go down as residuals do; or bin ends."""
    if membership == "nearest":
        middles = [(left + right) / 2 for left, right in pairwise(map(float, layout.centre(winners)))]
        return tuple(math.nextafter(middle, math.inf) for middle in middles)
    centre, reach = layout.centre(winners), layout.delta * layout.half
    ends = np.stack((centre - reach, centre + reach), axis=1).ravel()
    # Votes from outside the range went to the outermost bins, so those have no outer end.
    inner = slice(1 if winners[0] == 0 else 0, -1 if winners[-1] == layout.bins - 1 else None)
    return tuple(map(float, ends[inner]))


def share_places(membership: Membership, winners: Integers) -> Integers:
    """Where in the share vote the winners' items are: all of them, or every other one between elsewheres."""
    if membership == "nearest":
        return np.arange(len(winners))
    return 2 * np.arange(len(winners)) + (0 if winners[0] == 0 else 1)


def _predict_component(
    settings: MixtureMeans, layout: Layout, folds: tuple[int, ...], law: Averages, k: int
) -> Prediction:
    share = 1 / settings.kinds
    keep = layout.vote_channel(exact(settings.epsilon)).keep if layout.bins > 1 else 1.0
    # The other components' bins count as empty ones: they have winners of their own, one for each.
    chances = winning_chances(share * law.shares(layout.edges), voters=folds[0], keep=keep)
    centres = layout.centre(np.arange(layout.bins))
    reach = 3 * layout.delta * layout.half
    residual = np.clip(law.points[:, None] - centres, -reach, reach)
    mean, square = law.weights @ residual, law.weights @ residual**2
    noise = laplace_variance(2 * reach, settings.epsilon)
    spread = float(chances @ square) / folds[-1] / share**2  # the other components' residuals are of the same size
    part = 0.0
    if settings.kinds > 1:
        rate = (1 - keep) + (2 * keep - 1) * share
        part = rate * (1 - rate) / (2 * keep - 1) ** 2 / folds[1] / share**2
    off = (centres + mean - law.mean) ** 2
    truth, apart = np.array(component_places(settings)), (settings.high - settings.low) / settings.kinds
    for index in np.flatnonzero(np.abs(centres - law.mean) > apart / 2):
        # Lost, and another bin in its place: components are told apart by their order alone.
        places = np.sort(np.concatenate((np.delete(truth, k), centres[index : index + 1])))
        off[index] = ((places - truth) ** 2).sum()
    return Prediction(
        sampling=spread,
        privacy=noise / folds[-1] / share**2 + float(chances @ (mean**2)) * part,
        localisation=float(chances @ off),
    )


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
        """The share from which on residuals are used, where no smallest share is given."""
        raise NotImplementedError("each variant has its constants")

    def layout(self, settings: MixtureMeans) -> Layout:
        """The bins of the vote."""
        delta = self.delta_at(settings, settings.observations) if settings.delta is None else settings.delta
        return Layout(low=settings.low, high=settings.high, delta=delta)

    def why_unavailable(self, settings: MixtureMeans) -> Fact | None:
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
        votes, winners, shares = None, np.zeros(1, dtype=np.int64), ONLY
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
            shares = component_shares(share, tallies[-1], share_places(settings.membership, winners))
        centres = tuple(map(float, layout.centre(winners)))
        sent = self.residual_encoder(settings, centres), self.residual_channel(settings)
        residual = _question(settings, "residual", next(folds), *sent)
        tallies.append((yield residual))
        components = decoded_components(
            residual, tallies[-1], shares, self.cut(settings), settings.confidence, layout, winners, votes
        )
        answer = MixtureEstimate(
            means=components.means,
            intervals=components.intervals,
            standard_errors=components.errors,
            shares=tuple(shares.value.tolist()),
            share_errors=tuple(np.sqrt(shares.sampling + shares.privacy).tolist()),
            centres=centres,
            low=settings.low,
            high=settings.high,
            interval_kind=Fact("model-components-alike"),
            notes=_notes(settings, shares, self.cut(settings), components, tallies[0].reports),
            **self.survey_facts(settings, tuple(sum(tally.reports) for tally in tallies)),
        )
        by_bins = settings.membership == "bin"
        return replace(answer, chosen=Chosen(by=ChosenBy.CALLER_BY_BINS)) if by_bins else answer

    def winners(self, settings: MixtureMeans, votes: Integers) -> Integers:
        """The bins that the votes choose, in increasing order."""
        return fullest_bins(votes, settings.kinds)

    def nearest(self, settings: MixtureMeans, winners: Integers) -> tuple[Bins, Unary]:
        """The bins in which votes on shares are cast, and the channel that they go through."""
        bins = Bins(edges=share_edges(settings.membership, self.layout(settings), winners))
        return bins, unary(exact(settings.epsilon), bins.count)

    def residuals_by_share(self, settings: MixtureMeans, sums: Floats, shares: Floats) -> Floats:
        """How far the components lie from their centres, given average signed residuals and shares."""
        return distances_from_centres(sums, shares, self.cut(settings))

    def residual_encoder(self, settings: MixtureMeans, centres: tuple[float, ...]) -> Encoder:
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

    def folds(self, settings: MixtureMeans) -> tuple[Slots, ...]:
        """Who answers each question: even folds, one for each that is asked."""
        rounds = 1 + (self.layout(settings).bins > 1) + (settings.kinds > 1)
        return tuple(part for part in split_into_folds(settings.users, rounds) if part is not None)

    def users_per_round(self, settings: MixtureMeans) -> tuple[int, ...]:
        return tuple(fold.count for fold in self.folds(settings))

    def rules(self, settings: MixtureMeans) -> Rules:
        """Those of the questions that are asked, in order; centres of the later ones lie where the vote can be won."""
        layout = self.layout(settings)
        low, high = placement_range(layout.grid())
        first = Way.of(next(self.script(settings)), opening=True)
        share = bins_way("share", statistic=Average(), low=low, high=high)
        centres = Free(field="statistic.centres", low=low, high=high, most=settings.kinds)
        residual = Way.by(self.residual_encoder(settings, (low,)), centres, role="residual", channel="laplace")
        ways = [first] if layout.bins > 1 else []
        ways += [replace(share, channel="unary")] if settings.kinds > 1 else []
        ways += [residual] if ways else [first]
        turns = [(users, (way.role,)) for users, way in zip(self.users_per_round(settings), ways, strict=True)]
        return Rules(waves=waves_in_turn(turns, epsilon=settings.epsilon), ways=tuple(ways))

    def predict(self, settings: MixtureMeans, crowd: Crowd) -> Prediction:
        """For components that lie evenly over the range with equal shares; `spread` and `within` are of each component.

        A component's mean is its centre plus S/π̂, S the signed average of residuals (L1230): its variance is that of S,
        noise and all other users' residuals included, plus the squared residual times that of π̂, over π².
        """
        layout, folds = self.layout(settings), self.users_per_round(settings)
        laws = component_laws(settings, crowd)
        return average([_predict_component(settings, layout, folds, law, k) for k, law in enumerate(laws)])

    def poisoning(self, settings: MixtureMeans, crowd: Crowd) -> Poisoning:
        """How colluders move a mean; a wrong bin wins once it is lit as often as that of the smallest component."""
        share, layout = 1 / settings.kinds, self.layout(settings)
        reach = laplace_reach(6 * layout.delta * layout.half, settings.epsilon) / share
        if layout.bins == 1:
            return Poisoning(reach=reach)
        keep = layout.vote_channel(exact(settings.epsilon)).keep
        fullest = min(float(law.shares(layout.edges).max()) for law in component_laws(settings, crowd))
        return Poisoning(reach=reach, capture=capture_share(keep, share * fullest))

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


class Theory(ThreeFolds):
    """As in the proofs: T* with m² in its exponent, K a parameter; half of π₀ = 1/(2m) for the cut."""

    name = "theory"
    help = "asks in three rounds, with the constants of the paper's proofs"
    more_bins = (Fact("help-by-proof-constant"), Fact("help-by-method", method="paper"))

    def delta_at(self, settings: MixtureMeans, observations: int) -> float:
        n, m, epsilon = settings.users, settings.kinds, settings.epsilon
        kept = t_star(users=n / m**2, observations=observations, epsilon=epsilon, constant=settings.proof_constant)
        return math.sqrt(4 * log1(n * kept * (epsilon * epsilon)) / kept)

    def own_cut(self, settings: MixtureMeans) -> float:
        return 1 / (4 * settings.kinds)


class Paper(ThreeFolds):
    """As in the experiments: T for T*, C_α for √4 (ERRATA 14), residuals for all but the smallest shares (L1123)."""

    name = "paper"
    help = "asks in three rounds, with the constants of the paper's experiments"

    def delta_at(self, settings: MixtureMeans, observations: int) -> float:
        return experiment_delta(settings.users, observations, settings.epsilon)

    def own_cut(self, settings: MixtureMeans) -> float:
        return 1 / (100 * settings.kinds)
