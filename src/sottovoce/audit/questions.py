"""Questions to audit the device itself with, whatever protocols ask: all channels, small and large, all statistics."""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from dataclasses import replace
from fractions import Fraction
from typing import Any

from sottovoce.design import best_position_table, k_ary, laplace, one_bit, piecewise, subset, unary
from sottovoce.messages import (
    Average,
    Averages,
    Basis,
    Below,
    Bins,
    Categories,
    Category,
    Channel,
    Coefficient,
    Cosines,
    Decodings,
    Direction,
    Each,
    Encoder,
    Entry,
    Grid,
    Hashed,
    Inside,
    Item,
    Joint,
    Knots,
    Laplace,
    Large,
    Nearest,
    Norm,
    Placement,
    Position,
    Question,
    Residual,
    Rotated,
    Share,
    Slots,
    Statistic,
    Table,
    Vector,
    Within,
    canonical,
    exact,
)

ITEMS = (65, 129, 1000)
"""Large samplers: one more than a word or two words of bits, and many."""
USERS = 40
"""Users whom each question asks."""
UNIT = Position(low=(0.0,), high=(1.0,))
UNEVEN = Knots(low=0.0, high=1.0, inner=(0.1, 0.4), nothing=0.25)
Row = tuple[str, Statistic, Placement, Channel, dict[str, Any]]


def single_question(
    channel: Channel,
    placement: Placement,
    *,
    statistic: Statistic | None = None,
    survey: str = "audit",
    role: str = "ask",
    round: int = 0,
    first: int = 0,
    users: int = 1,
    epsilon: float = 1.0,
    empty: str = "middle",
    within: Within | None = None,
    **more: int,
) -> Question:
    """A question of one round to some users of a survey, about their average unless another statistic is named."""
    return Question(
        survey=survey,
        round=round,
        role=role,
        slots=Slots(first=first, count=users),
        encoder=Encoder(statistic=statistic or Average(), placement=placement, empty=empty, within=within),
        channel=channel,
        epsilon=epsilon,
        **more,
    )


def _questions(survey: str, rows: Iterable[Row], *, epsilon: float) -> tuple[Question, ...]:
    """Each row asks users of its own; `epsilon` is declared unless the row says otherwise."""
    return tuple(
        single_question(
            channel,
            placement,
            statistic=statistic,
            survey=survey,
            role=name,
            round=place,
            first=place * USERS,
            users=USERS,
            **{"epsilon": epsilon, **more},
        )
        for place, (name, statistic, placement, channel, more) in enumerate(rows)
    )


def _bins(items: int) -> Grid:
    return Grid(low=(0.0,), high=(1.0,), count=items)


def small_instances(epsilon: float) -> tuple[Question, ...]:
    """Every kind of channel, small enough to be enumerated in full, under every kind of placement."""
    half, plain = exact(epsilon) / 2, Average()
    # two digits on a grid of one step: its bound is loose, so its ε is what the bound says
    tiny = Laplace(steps=1, bound=1, digits=laplace(max(epsilon, 1.0), steps=1).digits[:2])
    edges = Bins(edges=(0.1, 0.25, 0.5, 0.8))
    rows: list[Row] = [
        ("one bit", plain, UNIT, one_bit(epsilon), {}),
        ("piecewise", plain, UNIT, piecewise(epsilon, nodes=3, window=2), {}),
        ("k-ary", plain, _bins(3), k_ary(epsilon, 3), {}),
        ("subset", plain, _bins(3), subset(epsilon, 3, size=2), {}),
        ("subset, redrawn", plain, _bins(5), subset(epsilon, 5, size=2), {}),
        ("unary", plain, _bins(4), unary(epsilon, 4), {}),
        ("unary, three bins", plain, edges, unary(epsilon, 5, reach=1), {}),
        ("laplace", plain, UNIT, tiny, {"epsilon": float(tiny.epsilon_bound() + Fraction(1, 10**12))}),
        ("two uses", plain, UNIT, one_bit(half), {"groups": 2, "uses": 2}),
        ("knots, several decodings", plain, UNEVEN, _decoded(epsilon), {}),
        ("groups asked the same", plain, UNEVEN, _decoded(epsilon), {"groups": 3}),
    ]
    return _questions("small", rows, epsilon=epsilon)


def _decoded(epsilon: float) -> Table:
    """A table on the knots of `UNEVEN`, with several decodings."""
    table = piecewise(epsilon, nodes=4, window=2)
    several = Decodings(core=table.decode, lower=table.decode, upper=table.decode, whole=table.decode)
    return replace(table, decode=(), decodings=several)


def large_instances(epsilon: float) -> tuple[Question, ...]:
    """Samplers too large to be enumerated: as many bits, items, digits, nodes and uses as the device may meet."""
    plain, half = Average(), exact(epsilon) / 2
    fine = epsilon / 1000
    rows: list[Row] = [
        *(
            (f"{kind.__name__} {items}", plain, _bins(items), kind(epsilon, items), {})
            for items in ITEMS
            for kind in (unary, subset)
        ),
        ("unary 129, three bins", plain, _bins(129), unary(epsilon, 129, reach=1), {}),
        ("unary 65, two uses", plain, _bins(65), unary(half, 65), {"groups": 3, "uses": 2}),
        ("table", plain, UNIT, best_position_table(exact(epsilon)), {}),
        ("table of 60 categories", plain, _bins(60), k_ary(epsilon, 60), {}),
        ("table of 64 knots", plain, _many_knots(), k_ary(epsilon, 64), {}),
        ("table of 33 nodes", plain, UNIT, piecewise(epsilon, nodes=33, window=20), {}),
        ("table, three uses", plain, UNIT, piecewise(epsilon / 3, nodes=3, window=2), {"groups": 4, "uses": 3}),
        ("laplace, all digits", plain, UNIT, laplace(epsilon), {}),
        (f"laplace at {fine:g}", plain, UNIT, laplace(fine), {"epsilon": fine}),
    ]
    return _questions("large", rows, epsilon=epsilon)


def _many_knots() -> Knots:
    """As many as there can be, nearer and nearer to each other."""
    return Knots(low=0.0, high=1.0, inner=tuple(2.0 ** (-place / 4) for place in range(62, 0, -1)), nothing=1.0)


def instances(epsilon: float) -> tuple[Question, ...]:
    """The small ones and the large ones, each asking users of its own."""
    small = small_instances(epsilon)
    beyond = small[-1].slots.first + small[-1].slots.count
    large = (
        replace(one, round=len(small) + one.round, slots=Slots(first=beyond + one.slots.first, count=USERS))
        for one in large_instances(epsilon)
    )
    return (*small, *large)


def every_statistic(epsilon: float) -> tuple[Question, ...]:
    """Each statistic of the vocabulary in a question of its own."""
    bit, noise = one_bit(epsilon), laplace(epsilon)
    wide, three = Position(low=(-1.5,), high=(1.5,)), one_bit(exact(epsilon) / 2)
    centres = ((0.1, 0.1), (0.1, 0.9), (0.5, 0.5), (0.9, 0.1), (0.9, 0.9))
    rows: list[Row] = [
        ("average", Average(columns=(0, 2, 1)), UNIT, three, {"groups": 3, "uses": 2}),
        ("average of the first", Average(first=7), UNIT, bit, {}),
        ("item", Item(), UNIT, bit, {}),
        ("each", Each(), UNIT, three, {"uses": 2}),
        ("share", Share(below=(0.25, 0.5, 0.75)), UNIT, bit, {"groups": 3}),
        ("rotated", Rotated(seed=5, size=4, centre=(0.5, 0.5, 0.5), radius=1.0), wide, bit, {"groups": 4}),
        ("basis", Basis(low=0.0, high=1.0, functions=(1, 2, 3, 200, 201)), wide, bit, {"groups": 5}),
        ("hashed", Hashed(seed=6, columns=6, threshold=0.3), Position(low=(-6.0,), high=(6.0,)), noise, {}),
        ("residual", Residual(seed=7, centres=(0.2, 0.8)), Position(low=(-0.3,), high=(0.3,)), noise, {}),
        ("nearest", Nearest(centres=centres), _symbols(5), subset(epsilon, 5), {}),
        ("joint", Joint(centres=(0.2, 0.5, 0.9), reach=0.1, levels=3), _symbols(9), subset(epsilon, 9), {}),
    ]
    for name, vector in vectors_by_name().items():
        rows += _of_vector(name, vector, epsilon)
    return _questions("statistics", [*rows, *_with_nothing(epsilon)], epsilon=epsilon)


def _with_nothing(epsilon: float) -> Iterator[Row]:
    """Wherever nothing may fall, and within groups of a column that are dealt or drawn."""
    average, level = Average(), Joint(centres=(0.5,), reach=0.5, levels=3)
    half, cell = one_bit(exact(epsilon) / 2), Category(vector=Categories(places=_bins(5)))
    dealt, drawn = Within(column=1, count=3), Within(column=1, count=4, stride=3)
    named = Within(column=2, count=2, stride=5, labels=canonical.digest(b"two names"))
    yield "nothing at random", average, UNIT, piecewise(epsilon, nodes=3, window=2), {"empty": "random"}
    yield "nothing at random, item", Item(), _bins(5), subset(epsilon, 5), {"empty": "random"}
    yield "nothing at random, steps", average, UNIT, laplace(epsilon), {"empty": "random"}
    yield "nothing between knots", average, UNEVEN, _decoded(epsilon), {}
    yield "nothing at random, knots", Item(), UNEVEN, _decoded(epsilon), {"empty": "random"}
    yield "group dealt, knots", average, UNEVEN, _decoded(epsilon), {"within": dealt, "groups": 3}
    yield "nothing last", average, _bins(3), k_ary(epsilon, 3), {"empty": "last"}
    yield "group dealt", average, UNIT, one_bit(epsilon), {"within": dealt, "groups": 3}
    last, random = {"within": dealt, "empty": "last", "groups": 3}, {"within": dealt, "empty": "random", "groups": 3}
    yield "group dealt, nothing last", average, _bins(3), k_ary(epsilon, 3), last
    yield "groups dealt, two uses", average, UNIT, half, random | {"uses": 2}
    yield "group drawn", level, _symbols(13), subset(epsilon, 13), {"within": drawn, "empty": "last"}
    yield "group drawn, category", cell, _symbols(11), unary(epsilon, 11), {"within": named, "empty": "random"}


def vectors_by_name() -> dict[str, Vector]:
    """Each vector of the vocabulary; categories in equal bins, between edges, with names, and many."""
    return {
        "averages": Averages(size=3),
        "averages in a box": Inside(size=3, middle=(0.5, 0.0, 0.2), half=(0.5, 1.0, 0.1), ball="linf"),
        "averages in a ball": Inside(size=4, middle=(0.3,), half=(0.8,), ball="l2"),
        "large columns": Large(size=6, threshold=0.3),
        "categories": Categories(places=_bins(5)),
        "categories between edges": Categories(places=Bins(edges=(0.1, 0.25, 0.5)), column=1),
        "named categories": Categories(places=_symbols(6), labels=canonical.digest(b"six names")),
        "300 categories": Categories(places=_bins(300)),
        "shares below": Below(thresholds=(0.25, 0.5, 0.75)),
        "cosines": Cosines(low=0.0, high=1.0, size=4),
    }


def _of_vector(name: str, vector: Vector, epsilon: float) -> Iterator[Row]:
    """Everything that can be asked of a vector."""
    bit, size = one_bit(epsilon), vector.size
    wide, far = Position(low=(-1.5,), high=(1.5,)), Position(low=(0.0,), high=(2.0,))
    centre, rows = tuple(0.5 / (place + 1) for place in range(size)), 1 + size % 4 if size < 64 else 16
    direction = Direction(vector=vector, centre=centre, radius=0.6, seed=8 + size, rows=rows)
    yield f"entry of {name}", Entry(vector=vector), wide, bit, {"groups": size}
    coefficient = Coefficient(vector=vector)
    yield f"coefficient of {name}", coefficient, wide, bit, {"groups": coefficient.parts}
    yield f"length of {name}", Norm(vector=vector, centre=centre), far, bit, {}
    yield f"direction of {name}", direction, _symbols(2 * rows), subset(epsilon, 2 * rows, size=1), {}
    if isinstance(vector, Categories):
        yield f"one of {name}", Category(vector=vector), _symbols(size), subset(epsilon, size), {}


def _symbols(count: int) -> Grid:
    """The numbers from 0 on, a bin for each."""
    return Grid(low=(0.0,), high=(float(count),), count=count)
