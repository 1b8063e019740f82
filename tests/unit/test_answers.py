"""What answers say, whatever was estimated; one description of a picture, every renderer on every kind."""

from __future__ import annotations

import math
import re
import sys
from dataclasses import replace
from typing import Any
from xml.etree import ElementTree

import numpy as np
import pytest

from sottovoce.answers import (
    Answer,
    Assumes,
    Collection,
    Estimate,
    Rehearsal,
    StandardError,
    VectorEstimate,
    key,
    lines_in_words,
    two_sided,
    upper_tail,
    within,
)
from sottovoce.messages import InvalidInput, MissingExtra, decimals
from sottovoce.pictures import (
    Line,
    Lines,
    Mark,
    Marks,
    Ribbon,
    figure,
    in_characters,
    new_axes,
    new_figure,
    on_axes,
)
from sottovoce.problems.groups import GroupedEstimate
from sottovoce.problems.mixture import MixtureEstimate
from sottovoce.problems.range import RangeEstimate
from sottovoce.problems.sparse import SparseEstimate
from sottovoce.risk import Poisoning
from sottovoce.words import catalogue
from tests.support.answers import EXAMPLES, KINDS

kinds = pytest.mark.parametrize("cls", KINDS, ids=lambda cls: cls.kind)
OF_ONE_KIND = {Assumes.WAVES_FALL_OFF, Assumes.MODEL_OF_COMPONENTS}
"""Their sentences have numbers that only densities, and mixtures, know."""


def said(message: str, **data: Any) -> str:
    return type(catalogue())(catalogue().written | {"tried": message}).say("tried", **data)


def test_the_collection_is_told_when_it_is_not_complete() -> None:
    answer = EXAMPLES[Estimate]
    complete = Collection(asked=(500, 500), answered=(500, 500), set_aside=(("malformed", 0),))
    assert complete.complete and "collection" not in replace(answer, collection=complete).summary().split()
    fewer = Collection(asked=(500, 500), answered=(480, 470))
    assert "\ncollection  answered 950 of 1,000\n" in replace(answer, collection=fewer).summary()
    aside = replace(fewer, answered=(500, 500), set_aside=(("malformed", 1200), ("late", 0), ("twice, different", 3)))
    text = "collection  answered 1,000 of 1,000; set aside: 1,200 malformed, 3 twice, different\n"
    assert text in replace(answer, collection=aside).summary()
    by_role = Collection(asked=(219, 1000, 1753), answered=(110, 600, 700), roles=("bins", "mean", "mean"))
    assert str(by_role.statement) == "answered 1,410 of 2,972 (bins 110 of 219, mean 1,300 of 2,753)"
    assert replace(fewer, roles=("vote", "vote")).statement == fewer.statement


@pytest.mark.parametrize(
    "changes", [{"answered": (1,)}, {"answered": (6, 0)}, {"answered": (-1, 0)}, {"roles": ("vote",)}]
)
def test_a_collection_counts(changes: dict[str, Any]) -> None:
    with pytest.raises(InvalidInput):
        Collection(**{"asked": (5, 5), "answered": (5, 5)} | changes)


def test_a_number_as_a_line() -> None:
    answer = replace(EXAMPLES[Estimate], value=3.0, interval=(2.0, 4.0))
    assert answer.picture(width=9, truth=5.0) == "1 ··├─●─┤·· 5\n          ▲ truth 5.00"
    narrow = replace(answer, interval=(3.0, 3.0))
    assert narrow.picture(width=9) == "1 ····●···· 5"
    wide = replace(answer, interval=(-math.inf, 99.0))
    assert wide.picture(width=9) == "1 ├───●───┤ 5"


def test_a_vector_as_lines() -> None:
    answer = EXAMPLES[VectorEstimate]
    lines = answer.picture(rows=8, width=31).splitlines()
    assert lines[7] == "… 12 more" and len(lines) == 10 and lines[0].split() == ["-1", "2"]
    assert lines[1] == "x0  ·········├●┤···················"
    assert lines[-1].startswith("x19 ") and all(line.count("●") == 1 for line in (*lines[1:7], *lines[8:]))
    assert answer.picture(truth=(2.0,) * 20).count("▲") == 16
    with pytest.raises(InvalidInput, match="truth has 2 coordinates, the estimate 20"):
        answer.picture(truth=(0.0, 1.0))


def test_the_little_statistics() -> None:
    assert two_sided(0.95) == pytest.approx(1.959964, abs=1e-6)
    assert upper_tail(two_sided(0.95)) == pytest.approx(0.025)
    assert within((-1.0, 0.5), 0.0, 1.0) == (0.0, 0.75) and within((0.2, 0.4), 0.0, 1.0) == (0.2, 0.4)
    assert [decimals(halfwidth) for halfwidth in (0.05, 30.0, 0.0, math.inf)] == [3, 0, 4, 4]
    assert StandardError(sampling=3.0, privacy=4.0).total == 5.0


def test_digits_are_those_that_an_interval_warrants_and_none_that_say_nothing() -> None:
    def with_ends(function: str) -> Any:
        return lambda value, ends: said(f"{{ {function}($value, $ends) }}", value=value, ends=ends)

    rounded, share = with_ends("ROUNDED"), with_ends("SHARE_WITH_ENDS")

    def between(ends: tuple[float, float]) -> str:
        return said("{ BETWEEN($ends) }", ends=ends)

    assert rounded(3.1416, (2.82, 3.53)) == "3.14"
    assert between((2.82, 3.5312)) == "between 2.82 and 3.53"
    assert between((2.0, 3.0)) == "between 2 and 3", "steps"
    assert between((0.5, 1.0)) == "between 0.5 and 1.0"
    assert (rounded(3.0, (3.0, 3.0)), between((3.0, 3.0))) == ("3", "at 3"), "a step that no other fits beside"
    assert (rounded(0.1, (0.1, 0.1)), rounded(1 / 3, (1 / 3, 1 / 3))) == ("0.1", "0.3333")
    assert share(1.0, (1.0, 1.0)) == "exactly 100%"
    assert share(0.5, (0.46, 0.5412)) == "50.0% (between 46.0% and 54.1%)"
    point = replace(EXAMPLES[Estimate], value=3.0, interval=(3.0, 3.0), low=1.0, high=5.0, model_interval=None)
    assert "is 3; the truth lies at 3, " in str(point.words())
    assert dict(lines_in_words(point.headline()))["interval"].startswith("3 … 3  (")


def test_what_a_survey_cannot_tell_is_not_told_as_a_number() -> None:
    known = EXAMPLES[MixtureEstimate]
    assert "around" in str(known.words())
    whole = replace(known, intervals=((known.low, known.high),) * known.components)
    cannot = str(whole.words(of="load"))
    assert cannot.startswith("This survey cannot tell where kinds of users are in load. Ask more users")
    tiny = replace(known, means=(-1e-9, *known.means[1:]))
    assert not dict(lines_in_words(tiny.headline()))["component 1"].lstrip().startswith("-0.0")


def test_truths_are_counted_where_there_is_an_interval() -> None:
    sparse = EXAMPLES[SparseEstimate]
    known = replace(sparse, rehearsal=Rehearsal(users=9, observations=9, truth=(0.0,) * len(sparse.value)))
    (truth,) = (fact for label, fact in known.first_lines() if key(label) == "truth")
    assert truth["all"] == len(sparse.support)
    assert f" of {len(sparse.support)}; " in dict(lines_in_words(known.first_lines()))["truth"]
    nothing = replace(known, support=())
    assert "truth" not in map(key, dict(nothing.first_lines()))


@kinds
def test_every_kind_says_what_it_assumes(cls: type[Answer]) -> None:
    answer = replace(EXAMPLES[cls], written=(("assumes", "that it rains"),), empty_at_most=0.1)
    for assumes in set(Assumes) - OF_ONE_KIND:
        fact = answer.assumed(assumes, "assumes")
        assert fact is not None and len(str(fact).split()) >= 3 and "Fact(" not in str(fact)
    assert str(answer.assumed(Assumes.AS_WRITTEN, "assumes")) == "that it rains"
    assert answer.assumed(None, "assumes") is None
    assert {f"assumes-{assumes}" for assumes in set(Assumes) - {Assumes.AS_WRITTEN}} <= catalogue().written.keys()


def test_bins_of_a_range_are_named_in_digits() -> None:
    shown = replace(EXAMPLES[RangeEstimate], edges=(8192.0, 16384.0, 131072.0), shares=(0.1, 0.6, 0.3, 0.0))
    shown = replace(shown, low=8192.0, high=131072.0)
    assert "16384 … 131072" in shown.picture()


def test_share_that_moves_an_answer_lies_between_the_shifts_that_are_known() -> None:
    """Where shifts do not grow in proportion, the reach alone would not fit the figures printed beside it."""
    known = Poisoning(reach=10.0, known=((0.01, 0.02), (0.05, 0.3)))
    assert known.share_for(0.01) == pytest.approx(0.005)
    assert known.share_for(0.16) == pytest.approx(0.03)
    assert known.share_for(0.6) == pytest.approx(0.1)
    assert Poisoning(reach=10.0).share_for(0.2) == pytest.approx(0.02)
    assert replace(known, capture=0.02).share_for(0.16) == 0.02


EMPTY = replace(EXAMPLES[SparseEstimate], support=())
SCALE = (0.0, 10.0)


@kinds
def test_every_kind_in_characters(cls: type[Answer]) -> None:
    drawing = EXAMPLES[cls].drawing()
    assert isinstance(drawing, (Marks, Ribbon))
    text = in_characters(drawing)
    assert text == EXAMPLES[cls].picture() and text.strip()
    assert all(line == line.rstrip() or set(line) <= set(" ▁▂▃▄▅▆▇█") for line in text.splitlines())
    assert max(map(len, in_characters(drawing, width=20).splitlines())) < max(map(len, text.splitlines()))


@kinds
def test_every_kind_on_a_page(cls: type[Answer]) -> None:
    drawing = EXAMPLES[cls].drawing()
    page = ElementTree.fromstring(figure(drawing))
    assert page.tag == "figure" and (page.findtext("figcaption") or "").endswith(".")
    told = [part.get("aria-label", "") for part in page.iter() if part.get("role") == "img"]
    known = [mark for mark in drawing.marks if mark.value is not None] if isinstance(drawing, Marks) else [None]
    assert len(told) == len(known) and all(told)


@kinds
def test_every_kind_with_matplotlib_on_given_or_new_axes(cls: type[Answer]) -> None:
    answer = EXAMPLES[cls]
    assert answer.plot().get_title(loc="left").endswith("ε = 1.5")
    axes = new_figure((7, 3)).subplots()
    assert answer.plot(axes) is axes and axes.has_data()


@kinds
def test_no_kind_is_drawn_by_hand(cls: type[Answer]) -> None:
    assert "drawing" in vars(cls) and not {"picture", "plot"} & vars(cls).keys()


def test_no_matplotlib_says_how_to_install_it(monkeypatch: pytest.MonkeyPatch) -> None:
    for module in ("matplotlib.pyplot", "matplotlib.figure"):
        monkeypatch.setitem(sys.modules, module, None)
    for new in (new_axes, new_figure):
        with pytest.raises(MissingExtra, match=r'plots need matplotlib: pip install "sottovoce\[plot\]"'):
            new((7, 3))


def test_where_nothing_was_selected_a_page_says_so_in_characters() -> None:
    text = "none of 30 coordinates was selected: there is no interval to draw"
    assert EMPTY.picture() == text and EMPTY.plot().get_title(loc="left").startswith("0 of 30")
    assert figure(EMPTY.drawing()) == f'<pre class="drawn" tabindex="0">{text}</pre>'


def test_truths_are_explained_once() -> None:
    """Where the truth has a line of its own, that says what it is; elsewhere a legend does, where it is drawn."""
    number, groups = EXAMPLES[Estimate], EXAMPLES[GroupedEstimate]
    known = replace(number, rehearsal=Rehearsal(users=3, observations=9, truth=4.0)).drawing()
    assert in_characters(known, legend=True).count("truth") == in_characters(known).count("truth") == 1
    assert "truth" not in in_characters(groups.drawing(), legend=True)
    truths = (2.0,) * sum(len(group.intervals) for group in groups)  # type: ignore[attr-defined]
    assert in_characters(groups.drawing(truth=truths), legend=True).endswith("\n▲ truth")
    with pytest.raises(InvalidInput, match="truth has 1 numbers"):
        groups.picture(truth=(2.0,))


def test_bars_that_are_exact_have_no_dots() -> None:
    """Marks with neither an interval nor an error are never drawn as if they had one, and never vanish."""
    marks = tuple(Mark(name=name, value=value, told=f"± {value}") for name, value in (("a", 100.0), ("b", 0.1)))
    drawing = Marks(marks=marks, bars=True)
    assert in_characters(drawing, width=10).splitlines() == ["a ██████████", "b █"]
    page = figure(drawing, caption="as planned")
    assert 'class="at"' not in page and 'style="width:0.10%"' in page and "as planned" in page and "± 0.1" in page
    assert len(on_axes(drawing).patches) == 2


def test_a_page_leaves_out_what_is_too_much_and_says_how_much() -> None:
    many = tuple(Mark(name=f"x{at}", value=5.0, interval=(4.0, 6.0), ends=SCALE) for at in range(1043))
    page = figure(Marks(marks=many, upright=True))
    assert page.count('class="row"') == 40 and "1,003 more are not drawn." in page
    assert "all on one scale, from 0 to 10" in page


def test_names_are_escaped() -> None:
    marks = tuple(Mark(name=f'<b>"{at}"', value=5.0, interval=(4.0, 6.0), ends=SCALE) for at in range(2))
    page = figure(Marks(marks=marks))
    assert "<b>" not in page and not re.search(r'aria-label="[^"]*"\d', page)


def test_a_ribbon_without_a_known_height_is_drawn_without_what_is_below_zero() -> None:
    wave = Ribbon(
        low=0.0, high=1.0, value=lambda x: np.sin(7 * x), band=lambda x: (np.sin(7 * x) - 1, np.sin(7 * x) + 1)
    )
    rows = in_characters(wave, width=30, rows=3).splitlines()
    assert len(rows) == 4 and rows[-1].split() == ["0", "1"] and rows[0][20] == " " == rows[2][20]
    flat = replace(wave, projected=lambda: replace(wave, value=np.zeros_like))
    assert "at most 0 high" in figure(flat) and "at most 1 high" in figure(wave)


def test_lines_that_are_compared() -> None:
    line = Line(name="one", x=(1.0, 2.0), y=(3.0, 1.0))
    axes = on_axes(Lines(lines=(line,), point=(1.0, 2.0), target=1.5, across="ε", up="error", title="two"))
    assert len(axes.get_lines()) == 3 and axes.get_xscale() == axes.get_yscale() == "log"
    assert (axes.get_xlabel(), axes.get_ylabel(), axes.get_title(loc="left")) == ("ε", "error", "two")
    with_errors = on_axes(Lines(lines=(replace(line, errors=(0.1, 0.1)),), ticks=(1.0, 2.0)))
    assert [tick.get_text() for tick in with_errors.get_xticklabels()] == ["1", "2"]
