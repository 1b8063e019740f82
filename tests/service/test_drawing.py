"""Bars of closed rounds: they are the users' true shares, within their standard errors; and never more than that.

Chance: a simulated share further than 4.5 standard errors from the truth; about 70 bars, so a false alarm in 2,000
seeds. The seeds are fixed.
"""

from __future__ import annotations

from dataclasses import replace
from typing import Any

import numpy as np
import pytest
from numpy.typing import NDArray

from sottovoce.design import piecewise
from sottovoce.engines import simulate
from sottovoce.messages import Batch, Decodings, Knots, Manifest, Question, Tally
from sottovoce.problems import Announced, Settings, announce, problems
from sottovoce.problems.histogram import Histogram
from sottovoce.problems.mean import Mean
from sottovoce.problems.quantiles import Cdf, Quantiles
from sottovoce.service.survey_views import MOST, asked_range, round_bars
from tests.service.web import manifest_of, payload_of
from tests.support import rectangle

USERS, OFF = 6_000, 4.5
SHARES = np.array([0.55, 0.25, 0.15, 0.05])


def mean(method: str, **more: Any) -> Mean:
    return Mean(epsilon=2.0, low=0, high=4, users=USERS, observations=5, method=method, **more)


KINDS = np.repeat(np.arange(4), (SHARES * USERS).astype(int))
PEOPLE = np.repeat(0.5 + KINDS[:, None], 5, axis=1)
"""By their own averages in the middle of the quarters of the range; every observation of a user alike."""


def first_round(settings: Settings, people: NDArray[np.float64] = PEOPLE) -> tuple[Manifest, Question, Tally]:
    """Asked of users who are drawn from all of them."""
    manifest = manifest_of(settings)
    asked = Announced(manifest).decide(())
    assert isinstance(asked, Question)
    return manifest, asked, simulate(rectangle(people), seed=3)(asked)


def drawn(manifest: Manifest, asked: Question, tally: Tally) -> tuple[Manifest, Question, Any]:
    """With its bars, which there are."""
    found = round_bars(asked, tally, manifest)
    assert found is not None
    return manifest, asked, found


@pytest.mark.parametrize(
    "settings",
    [mean("adaptive"), mean("paper"), mean("homogeneous"), mean("paper", three_bin_votes=True)],
    ids=["bins", "votes", "place", "three bins"],
)
def test_bins_hold_the_shares_of_the_users(settings: Mean) -> None:
    _, asked, found = drawn(*first_round(settings))
    assert len(found.marks) == asked.channel.cells
    placed = asked.encoder.placement.index(PEOPLE.mean(axis=1))  # type: ignore[union-attr]  # these have bins
    reach, off = getattr(asked.channel, "reach", 0), []
    for place, bar in enumerate(found.marks):
        truth = float((np.abs(placed - place) <= reach).mean())
        off.append((bar.value - truth) / bar.error)
        assert abs(off[-1]) <= OFF, str(bar.name)
        assert bar.ends[0] is not None and bar.ends[1] is not None and bar.ends[0] <= bar.ends[1]
        assert 0 < bar.error < 0.2
    if len(off) > 10:
        assert 0.4 < np.sqrt(np.mean(np.square(off))) < 1.6, "the errors are as large as they say, and no larger"
    assert ("neighbours" in str(found.title)) == bool(reach)


@pytest.mark.parametrize("named", [True, False])
def test_categories_hold_the_shares_of_the_observations(named: bool) -> None:
    kinds: dict[str, Any] = (
        {"categories": ("bus", "bike", "feet", "car")} if named else {"low": 0, "high": 4, "bins": 4}
    )
    settings = Histogram(epsilon=2.0, users=USERS, observations=5, method="one-round", **kinds)
    manifest, asked, found = drawn(*first_round(settings, PEOPLE - 0.5 * named))  # names are numbered from 0
    for truth, bar in zip(SHARES, found.marks, strict=True):
        assert abs(bar.value - truth) <= OFF * bar.error
    labels = [str(bar.name) for bar in found.marks]
    assert labels == (["bus", "bike", "feet", "car"] if named else ["0 to 1", "1 to 2", "2 to 3", "3 to 4"])
    assert asked_range(asked, manifest) == ((None, None) if named else (0.0, 4.0))


def later(settings: Settings, people: NDArray[np.float64], role: str) -> tuple[Manifest, Question, Tally]:
    """The first round of this role."""
    manifest = manifest_of(settings)
    announced, ask, tallies = Announced(manifest), simulate(rectangle(people), seed=3), ()
    while isinstance(asked := announced.decide(tallies), Question):
        tallies = (*tallies, ask(asked))
        if asked.role == role:
            return manifest, asked, tallies[-1]
    raise AssertionError(f"{role} is not asked")


def test_sums_over_halves_of_the_categories_are_shares_again() -> None:
    settings = Histogram(epsilon=4.0, categories=("a", "b"), users=USERS, observations=5, method="adaptive")
    people = np.random.default_rng(1).choice(2, size=(USERS, 5), p=[0.6, 0.4]).astype(float)
    _, asked, found = drawn(*later(settings, people, "coefficient"))
    assert asked.encoder.statistic.kind == "coefficient"
    for truth, bar in zip(((people == 0).mean(), (people == 1).mean()), found.marks, strict=True):
        assert abs(bar.value - truth) <= OFF * bar.error and 0 < bar.error < 0.05


def test_shares_up_to_a_threshold_stand_at_it() -> None:
    settings = Quantiles(epsilon=0.2, low=0, high=4, users=20_000, observations=40, method="adaptive", q=(0.5,))
    _, asked, found = drawn(*first_round(settings, np.tile(PEOPLE, (4, 1))[:20_000]))
    assert asked.encoder.statistic.kind == "share" and len(found.marks) == asked.groups
    for bar in found.marks:
        assert bar.ends[0] == bar.ends[1] and bar.ends[0] is not None
        assert abs(bar.value - float((np.tile(PEOPLE, (4, 1))[:20_000] <= bar.ends[0]).mean())) <= OFF * bar.error


def test_symbols_lie_where_they_count_and_their_average_is_the_estimate() -> None:
    manifest, asked, found = drawn(*first_round(mean("one-round")))
    assert sum(bar.value for bar in found.marks) == pytest.approx(1)
    average = sum(bar.value * (bar.ends[0] or 0.0) for bar in found.marks)
    assert average == pytest.approx(PEOPLE.mean(), abs=0.2)
    assert "noise is not taken out" in str(found.title) and asked_range(asked, manifest) == (0.0, 4.0)


def test_symbols_between_knots_count_as_the_number_itself_and_a_silent_group_hides_nothing() -> None:
    manifest, plain, _ = first_round(mean("one-round"))
    table = piecewise(2.0, nodes=4, window=2)
    low = tuple(value - 1 for value in table.decode)
    several = replace(table, decode=(), decodings=Decodings(core=low, lower=low, upper=low, whole=table.decode))
    knots = Knots(low=0.0, high=4.0, inner=(0.5, 1.0), nothing=0.5)
    encoder = replace(plain.encoder, placement=knots)
    asked = replace(plain, encoder=encoder, channel=several, groups=3)
    tally = simulate(rectangle(PEOPLE), seed=3)(asked)
    reports, cells = [0, *tally.reports[1:]], [[0] * several.cells, *tally.cells[1:]]
    for one in (tally, Tally.build(asked, reports, cells)):
        found = round_bars(asked, one, manifest)
        assert found is not None and len(found.marks) == several.cells
        assert [bar.ends[0] for bar in found.marks] == pytest.approx(sorted(4 * value for value in table.decode))
    assert asked_range(asked, manifest) == (0.5, 1.0), "beyond, only how far anybody lies is told"
    assert round_bars(asked, Tally.empty(asked), manifest) is None


def test_a_bin_of_one_value_is_called_by_it() -> None:
    settings = Cdf(epsilon=2.0, low=0, high=4, users=USERS, observations=5, count=4, method="one-round")
    _, _, found = drawn(*first_round(settings))
    assert all("e-" not in str(bar.name) and len(str(bar.name)) < 20 for bar in found.marks)


@pytest.mark.parametrize("problem", problems(), ids=lambda problem: problem.name)
def test_every_round_of_every_problem_is_drawn_or_not_without_a_word(problem: Any) -> None:
    """Whatever is asked: bars that can be shown, or none."""
    example = problem.examples[0]
    survey = problem.example_survey(example, epsilon=2.0)
    told = {"purpose": "p", "collector": "c", "software": "s", "opens": 0, "closes": 10**6}
    manifest = announce(survey, **told)
    announced, tallies = Announced(manifest), ()
    while isinstance(asked := announced.decide(tallies), Question) and len(tallies) < 6:
        slots = np.arange(asked.slots.first, asked.slots.first + asked.slots.count)
        payloads = bytes.fromhex(payload_of(asked)) * len(slots)
        tally = Tally.of(Batch.packed(asked, slots, payloads))
        low, high = asked_range(asked, manifest)
        assert (low is None) == (high is None) and (low is None or high is None or low < high)
        first, last = manifest.settings.get("low"), manifest.settings.get("high")
        if low is not None and high is not None and isinstance(first, float) and isinstance(last, float):
            assert first <= low < high <= last, "in units of the observations, whatever is placed"
        found = round_bars(asked, tally, manifest)
        assert found is None or (found.title and 0 < len(found.marks) <= MOST)
        for bar in found.marks if found is not None else []:
            assert np.isfinite([bar.value, bar.error]).all() and bar.error >= 0 and str(bar.name)
        assert round_bars(asked, Tally.empty(asked), manifest) is None, "nobody answered in a group"
        tallies = (*tallies, tally)
