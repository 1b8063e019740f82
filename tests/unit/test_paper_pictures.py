"""Every picture of the paper, drawn from frozen rows: nothing lies on a curve, no series is told by colour alone."""

from __future__ import annotations

import itertools
import re
from functools import cache

import pytest

plt = pytest.importorskip("matplotlib.pyplot")

from sottovoce import paper  # noqa: E402  matplotlib may be missing
from sottovoce.paper import plots  # noqa: E402
from sottovoce.paper.figures import eta, misspecification, multivariate, sparse, study, univariate  # noqa: E402
from sottovoce.theory import plot_regimes  # noqa: E402
from tests.support.overlaps import overlaps  # noqa: E402
from tests.support.paper_rows import DRAWN, FEW, OURS, rows_of  # noqa: E402
from tests.support.paper_run import frozen_report  # noqa: E402
from tests.support.sight import KINDS, distance  # noqa: E402

LEAST_DISTANCE = 9.0
"""ΔE between any two colours of one panel, for every kind of sight: several times what can just be told apart. Series
also differ in marker or dashes, so colour is never alone."""


@cache
def pictured(name, *, narrow=False, ours=True):
    return plots.draw(paper.figure_of(name), rows_of(name, ours=ours), narrow=narrow)


@pytest.fixture(autouse=True, scope="module")
def _close():
    with plt.rc_context(plots.STYLE | {"figure.max_open_warning": 0}):
        yield
    plt.close("all")
    pictured.cache_clear()


def labels(picture):
    legends = [*picture.legends, *(axes.get_legend() for axes in picture.axes)]
    return {text.get_text() for legend in legends if legend for text in legend.get_texts()}


@pytest.mark.thin(2)
@pytest.mark.parametrize(
    ("name", "narrow"),
    [(name, narrow) for narrow in (False, True) for name in DRAWN if not (narrow and name == "tables")],
)
def test_words_lie_on_no_curve_and_on_no_other_words(name, narrow):
    """The tables are tables of the page, never a narrow picture."""
    assert overlaps(pictured(name, narrow=narrow)) == []


def test_the_regime_diagram_of_theory_is_free_of_overlaps():
    with plt.rc_context():
        plt.rcdefaults()
        assert overlaps(plot_regimes()) == []


def test_overlaps_are_found():
    picture = plt.figure(figsize=(4, 3))
    axes = picture.subplots()
    axes.plot([0, 1], [0, 1])
    assert overlaps(picture) == []
    axes.text(0.5, 0.5, "on the curve", ha="center", va="center")
    assert overlaps(picture) == ["'on the curve' lies on a curve"]
    axes.texts[0].set_position((0.3, 0.9))
    axes.text(0.3, 0.9, "on words", ha="center", va="center")
    assert overlaps(picture) == ["'on the curve' lies on 'on words'"]
    axes.texts[1].set_position((1.1, 0.1))
    assert overlaps(picture) == ["'on words' is cut off"]
    axes.texts[1].remove()
    axes.set_xticks([0.1, 0.12], ["one tick", "another"])
    assert overlaps(picture) == ["'one tick' lies on 'another'"]
    axes.set_xticks([0.1])
    axes.plot([], [], label="a legend on the curve")
    axes.legend(loc="center")
    assert overlaps(picture) == ["'legend' lies on a curve"]


@pytest.mark.parametrize("name", [name for name in DRAWN if name not in ("regimes", "tables")])
def test_no_series_is_told_by_colour_alone(name):
    picture = pictured(name)
    for axes in picture.axes:
        assert alike(axes) == []
        colours = sorted({str(line.get_color()).lower() for line in axes.lines if len(line.get_xdata())})
        for first, second in itertools.combinations(colours, 2):
            near = min(KINDS, key=lambda kind: distance(first, second, kind))
            assert distance(first, second, near) > LEAST_DISTANCE, (axes.get_title(), first, second, near)


def alike(axes):
    shown = [line for line in axes.lines if len(line.get_xdata()) > 1 and line.get_linestyle() != "None"]
    return [
        (first.get_label(), second.get_label())
        for first, second in itertools.combinations(shown, 2)
        if look(first) == look(second) and first.get_color() != second.get_color()
    ]


def look(line):
    return line.get_marker(), line.get_linestyle(), line.get_markerfacecolor() == plots.PAPER


def test_colour_alone_is_found():
    axes = plt.figure().subplots()
    axes.plot([0, 1], [0, 1], "o-", color="C0", label="a")
    axes.plot([0, 1], [1, 0], "o-", color="C1", label="b")
    assert alike(axes) == [("a", "b")]
    axes.lines[1].set_marker("s")
    assert alike(axes) == []
    assert distance("#ff0000", "#00a000", "full") > 100 > 40 > distance("#ff0000", "#a08000", "deuteranopia")


@pytest.mark.parametrize(
    ("name", "said"),
    [
        ("univariate", univariate.SCHEMES),
        ("multivariate", multivariate.SCHEMES),
        ("eta", eta.RULES),
        ("misspecification", (*misspecification.RULES, "missed (4 − s)·θ²")),
        ("sparse", ("item level", *(f"user level, {rule}" for rule in sparse.RULES[:3]))),
        ("ratings", tuple(study.LINES)),
        ("police", tuple(study.LINES)),
        ("mixture-1", tuple(f"component {k}" for k in (1, 2, 3, 4))),
        ("mixture-2", tuple(f"component {k}" for k in (1, 2, 3))),
        ("phase-transition", ("estimate at this Δ", "exact risk at this Δ")),
    ],
)
def test_every_series_a_verdict_speaks_of_is_drawn_and_named(name, said):
    assert set(said) <= labels(pictured(name))


@pytest.mark.parametrize("name", OURS)
def test_our_own_series_are_drawn_where_their_rows_are(name):
    assert not any("Sottovoce" in label or "limit of" in label for label in labels(pictured(name, ours=False)))
    picture = pictured(name)
    if name.startswith("mixture"):
        assert sum("Sottovoce" in axes.get_title() for axes in picture.axes) == len(picture.axes) / 2
    elif name == "phase-transition":
        assert "dash-dot: Sottovoce, default, marker of its α" in labels(picture)
    else:
        assert {plots.OURS[series][0] for series in OURS[name]} <= labels(picture)


@pytest.mark.parametrize(
    ("name", "more", "label"),
    [
        ("multivariate", lambda row: {"scheme": "user ℓ2, √C_α"} if row["scheme"] == "user ℓ2" else None, "√C"),
        ("ratings", lambda row: {"scheme": "user, {0, 1}"} if row["scheme"] == "user level" else None, "user, {0, 1}"),
        ("univariate", lambda row: {"exact": row["mse"], "exact_ratio": row["ratio"]}
         if row["scheme"] == "user level" else None, "user level, exact risk"),
        ("phase-transition", lambda row: {"finer": 0.5 * row["exact"]} if row["kind"] == "minimum" else None,
         "dashed: exact risk, Δ also below the grid"),
    ],
)  # fmt: skip
def test_the_other_side_of_a_choice_is_drawn_where_its_rows_are(name, more, label):
    """Rows made up: their numbers say nothing."""
    rows = []
    for row in rows_of(name):
        new = more(row) or {}
        rows += [row, row | new] if "scheme" in new else [row | new]
    picture = plots.draw(paper.figure_of(name), rows)
    assert any(label in said for said in labels(picture))
    assert all(alike(axes) == [] for axes in picture.axes)
    assert overlaps(picture) == []
    plt.close(picture)


@pytest.mark.parametrize(
    "name", [*FEW, *(pytest.param(name, marks=pytest.mark.soak) for name in DRAWN if name not in FEW)]
)
def test_text_in_a_drawing_is_text(name, tmp_path_factory):
    """As the report has it, beside the page and in it; the figure that needs a file, from rows of another."""
    folder = frozen_report(tmp_path_factory, FEW if name in FEW else DRAWN)
    svg = (folder / f"{name}.svg").read_text()
    wide = plots.themed_svg(svg, plots.THEME)
    assert name == "tables" or wide in (folder / "report.html").read_text()
    said = re.findall(r"<text[^>]*>([^<]+)</text>", svg)
    assert len(said) > 8
    assert 'role="img"' in svg
    assert f'aria-labelledby="{name}-title {name}-words"' in svg
    assert re.search(rf'<title id="{name}-title">[^<]+</title>\s*<desc id="{name}-words">[^<]{{20,}}</desc>', svg)
    assert not re.search(r"\\math|\^\{|\$", "".join(re.findall(r">([^<]+)<", svg)))
    ids = re.findall(r'\bid="([^"]+)"', svg)
    assert len(ids) == len(set(ids))
    assert "DejaVuSans-" not in svg  # a glyph drawn as a path
    assert "sans-serif" in svg
    assert plots.INK not in wide  # the page's own ink
    assert "var(--ink)" in wide
