"""One description of a picture, and every renderer on every kind of answer."""

from __future__ import annotations

import re
import sys
from dataclasses import replace
from xml.etree import ElementTree

import numpy as np
import pytest

from sottovoce.answers import Answer, Estimate, Rehearsal
from sottovoce.messages import InvalidInput, MissingExtra
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
from sottovoce.problems.sparse import SparseEstimate
from tests.support.answers import EXAMPLES, KINDS

kinds = pytest.mark.parametrize("cls", KINDS, ids=lambda cls: cls.kind)
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
