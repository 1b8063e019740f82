"""The participate page's law, reading and words, through Node, beside what Python says of the same."""

from __future__ import annotations

import math
import random
import re
from collections.abc import Iterator
from dataclasses import replace
from functools import cache, reduce
from itertools import product
from pathlib import Path
from typing import Any

import numpy as np
import pytest

from sottovoce.audit.channel_derivations import law
from sottovoce.cli.collection import Given, _categories, _columns_of
from sottovoce.design import best_position_table, k_ary, laplace, one_bit, piecewise, subset, unary
from sottovoce.device import Collections
from sottovoce.explain import consent_fact, likelier_times, placement_fact, report_size, statistic_fact
from sottovoce.explain.question_explanation import inputs_of_channel
from sottovoce.messages import Category, Fact, Laplace, Subset, Table, Unary, exact
from sottovoce.messages.canonical import to_plain
from sottovoce.messages.rules import STATISTICS
from sottovoce.problems import announce, problems
from sottovoce.words import Catalogue, catalogue
from tests.support.asked import every_question
from tests.support.node import lines
from tests.vectors.device_groups import NAMES, surveys

SPEAKER = Path(__file__).with_name("participate.mjs")
TOLD: dict[str, Any] = {"opens": 0, "closes": 9, "purpose": "p", "collector": "c", "software": "test"}
ONE: dict[str, Any] = {"dimension": 1, "columns": [], "labels": [], "groups": [], "other": None}


def said(*asked: list[Any]) -> list[Any]:
    return lines(SPEAKER, asked)


# --- the law ---------------------------------------------------------------------------------------------------------


def _laplace(channel: Laplace, value: int) -> dict[Any, float]:
    """Digit by digit, as it is drawn, and clamped."""
    digits = [digit / 2**128 for digit in channel.digits]
    noise = reduce(lambda low, digit: np.concatenate([low * (1 - digit), low * digit]), digits, np.ones(1))
    low, high = -channel.bound, channel.steps + channel.bound
    found: dict[Any, float] = {}
    for k, chance in enumerate(np.convolve(noise, noise[::-1]), start=value - len(noise) + 1):
        found[min(max(k, low), high)] = found.get(min(max(k, low), high), 0.0) + float(chance)
    return found


@cache
def chances(channel: Any, value: int) -> dict[Any, float]:
    """Of every report."""
    if isinstance(channel, Laplace):
        return _laplace(channel, value)
    return {report: float(chance) for report, chance in law(channel, value)}


CHANNELS = [
    one_bit(1.0),
    one_bit(4.0),
    k_ary(2.0, 5),
    piecewise(1.5, nodes=9, window=3),
    best_position_table(exact(1.0)),
    subset(1.0, 7),
    subset(3.0, 6, size=1),
    subset(0.5, 8, size=4),
    unary(1.0, 6),
    unary(2.0, 9, reach=1),
    unary(2.0, 5, reach=2),
    laplace(1.0, steps=8),
    laplace(2.0, steps=9),
]


def shared(channel: Any, one: int, other: int) -> float:
    first, second = chances(channel, one), chances(channel, other)
    return sum(min(chance, second[report]) for report, chance in first.items())


def inputs_of(channel: Any) -> list[int]:
    places = list(range(0, channel.span + 1, channel.unit))
    between = [channel.unit // 3, channel.span - channel.unit // 5] if isinstance(channel, Table) else []
    return [*places, *between]


def test_what_two_inputs_share_is_what_their_laws_share() -> None:
    pairs = [(channel, list(product(inputs_of(channel), repeat=2))) for channel in CHANNELS]
    asked = [["alike", to_plain(channel), *pair] for channel, both in pairs for pair in both]
    asked += [["least", to_plain(channel), own] for channel in CHANNELS for own in (*inputs_of(channel), None)]
    found = iter(said(*asked))
    truths = [{pair: shared(channel, *pair) for pair in both} for channel, both in pairs]
    for truth in truths:
        assert [next(found) for _ in truth] == pytest.approx(list(truth.values()), abs=1e-9)
    for channel, truth in zip(CHANNELS, truths, strict=True):
        own = inputs_of(channel)
        assert [next(found) for _ in own] == pytest.approx(
            [min(truth[one, other] for other in own) for one in own], abs=1e-9
        )
        least = next(found)
        assert least == pytest.approx(min(truth.values()), abs=1e-9)
        assert least >= 2 / (1 + math.exp(float(channel.epsilon_bound()))) - 1e-12


def test_parts_of_a_report_share_at_least_what_is_said_of_all_of_them() -> None:
    channel = k_ary(0.5, 3)
    least, together, weak = said(
        ["least", to_plain(channel), 0],
        ["report", to_plain(channel), [0, 0], 1.0],
        ["report", to_plain(channel), [0] * 40, 0.1],
    )
    assert together == pytest.approx(least**2)
    own, other = chances(channel, 0), chances(channel, 2**32)
    pairs = [(first, second) for first in own for second in own]
    assert together <= sum(min(own[a] * own[b], other[a] * other[b]) for a, b in pairs)
    assert weak == pytest.approx(2 / (1 + math.exp(0.1)))


def test_chances_of_items_and_symbols_are_the_channels_own() -> None:
    known = [(channel, value) for channel in CHANNELS[:-2] for value in inputs_of(channel)]
    asked = [
        ["chances", to_plain(channel), value]
        if isinstance(channel, Table)
        else ["named", to_plain(channel), [[value, 1]]]
        for channel, value in known
    ]
    for (channel, value), found in zip(known, said(*asked), strict=True):
        assert found == pytest.approx(channel.marginals(value).tolist(), abs=1e-12)
    half = [0.5 * (a + b) for a, b in zip(CHANNELS[5].marginals(1), CHANNELS[5].marginals(4), strict=True)]
    assert said(["named", to_plain(CHANNELS[5]), [[1, 0.5], [4, 0.5]]])[0] == pytest.approx(half)


# --- reading ---------------------------------------------------------------------------------------------------------


def wanted(**more: Any) -> dict[str, Any]:
    return {**ONE, **more}


TABLES: list[tuple[str, dict[str, Any], list[Any], int, list[int]]] = [
    # text, what is wanted, values (None is missing), odd cells, their lines
    ("4\n5\n3\n", ONE, [4, 5, 3], 0, []),
    ("stars\n4\n5\n", ONE, [4, 5], 0, []),
    ("﻿stars\r\n4\r\n5", ONE, [4, 5], 0, []),
    ("film,stars\nx,4\ny,5\n", wanted(columns=["stars"]), [4, 5], 0, []),
    ("film, Stars \nx,4\ny,5\n", wanted(columns=["stars"]), [4, 5], 0, []),
    ("rating\n4\n", wanted(columns=["stars"]), [4], 0, []),
    ("stars,stars2\n4,1\n5,2\n", wanted(columns=["stars", "stars2"]), [4, 5, 1, 2], 0, []),
    ("film;stars\nx;4,5\ny;5\n", wanted(columns=["stars"]), [4.5, 5], 0, []),
    ("film\tstars\nx\t4\n", wanted(columns=["stars"]), [4], 0, []),
    ('film,stars\n"a, b\nc",4\n"d ""e""",5\n', wanted(columns=["stars"]), [4, 5], 0, []),
    ("stars\n4\n\nn/a\nNA\nfive\n1_000\ntrue\n", ONE, [4, None, None, None, None, 1], 2, [6, 7]),
    ("film,stars\nx\ny,5,\n", wanted(columns=["stars"]), [None, 5], 0, []),
    # more cells than columns: which is which, nobody knows
    ("film,stars\nx,4\nSmith, John,5\nz,5,6\n", wanted(columns=["stars"]), [4, None, None], 2, [3, 4]),
    ("a,b\n1,2\n3,4,5\n", wanted(dimension=2), [[1, 2], [None, None]], 2, [3]),
    # decimal commas in a table of one column; in quotes, they may as well be thousands
    ("stars\r\n3,5\r\n4,0\r\n5\r\n", wanted(columns=["stars"]), [3.5, 4, 5], 0, []),
    ('stars\n"1,234"\n', wanted(columns=["stars"]), [None], 1, [2]),
    ("1,5;2,5;3,5\n4,0;5;6\n", wanted(dimension=3), [[1.5, 2.5, 3.5], [4, 5, 6]], 0, []),
    # as spreadsheets begin
    ("\ufeffsep=;\r\nfilm;stars\r\nx;3,5\r\ny;five\r\n", wanted(columns=["stars"]), [3.5, None], 1, [4]),
    ("1 2 3\n4", ONE, [1, 2, 3, 4], 0, []),
    ("a,b\n1,2\n3,x\n", wanted(dimension=2), [[1, 2], [3, None]], 1, [3]),
    ("b,c,a\n1,2,3\n", wanted(dimension=2, columns=["a", "b"]), [[3, 1]], 0, []),
    ("1,2\n3,4\n", wanted(dimension=2, columns=["a", "b"]), [[1, 2], [3, 4]], 0, []),
    ("bus\ntrain\nplane\n\n", wanted(labels=["bus", "train"]), [0, 1, None], 1, [3]),
    ("way\nbus\n", wanted(labels=["bus", "train"]), [0], 0, []),
    ("inf\n-Infinity\n1e3\n.5\n", ONE, [math.inf, -math.inf, 1000, 0.5], 0, []),
    ("", ONE, [], 0, []),
]


def plainly(values: Any) -> Any:
    """JSON has neither NaN nor infinities: they all come as null."""
    if isinstance(values, list):
        return [plainly(value) for value in values]
    return None if values is None or not math.isfinite(values) else values


def test_tables_are_read() -> None:
    found = said(*(["table", text, want] for text, want, *_ in TABLES))
    for (text, _, values, odd, where), one in zip(TABLES, found, strict=True):
        observed = one["observed"]
        assert plainly(observed["values"]) == plainly(values), text
        assert (observed["odd"], observed["lines"]) == (odd, where), text


def test_a_choice_is_left_to_the_person_where_names_do_not_settle_it() -> None:
    found = said(
        ["table", "film,seen,stars\nx,1,4\n", wanted(columns=["rating"])],
        ["table", "film,seen,stars\nx,1,4\n", ONE],
        ["table", "1,2,3\n", ONE],
        ["table", "a,b,c\n1,2,3\n", wanted(dimension=2, columns=["a", "z"])],
        ["table", 'a\n"never closed\n', ONE],
        ["table", "stars,film,stars\n1,x,4\n", wanted(columns=["stars"])],
    )
    assert [one and one["places"] for one in found] == [[None], [None], [None], [0, None], None, [None]]
    assert found[0]["names"] == ["film", "seen", "stars"]


def test_what_is_typed_is_read_as_the_command_reads_it() -> None:
    found = said(
        ["typed", "4, 5;3 2\n1 x", ONE],
        ["typed", "bus, train\nfeet;boat", wanted(labels=["bus", "train", "feet"])],
        ["typed", "1,2;3,4\n5", wanted(dimension=2)],
        ["typed", "", ONE],
    )
    assert [one["values"] for one in found] == [
        [4, 5, 3, 2, 1, None],
        [0, 1, 2, None],
        [[1, 2], [3, 4], [None] * 2],
        [],
    ]
    assert [one["lines"] for one in found] == [[2], [2], [2], []]
    assert [one["missing"] for one in found] == [1, 1, 2, 0]


def labellings() -> Iterator[tuple[list[str], list[str], str | None]]:
    draw = random.Random(13)
    sets = [one.split() for one in ("bus train feet", "0 1 2", "no yes", "yes no", "true false", "2 1.5 x")]
    words_ = ["bus", "train", " feet", "yes", "No", "true", "FALSE", "", "na", "x", "nan"]
    words_ += ["0", "1", "2", "1.0", "7", "1.5"]
    for labels in [*sets, ["a", "b"], ["a", "b", "other"]]:
        for other in (None, labels[-1]):
            for _ in range(25):
                yield [draw.choice([*words_, *labels]) for _ in range(draw.randint(0, 5))], labels, other


def test_categories_are_those_of_the_command_line() -> None:
    cases = list(labellings())
    found = said(*(["categories", *case] for case in cases))
    for (cells, labels, other), seen in zip(cases, found, strict=True):
        assert seen == plainly(_categories([cell.strip() for cell in cells], labels, other)), (cells, labels, other)


GROUPED = (
    "value,group\n0.5,north\n1,south\n,east\n2,west\nx,north\n3,\n4,2\n",
    "group,value\nnorth,1\n south ,2\n",
    "note,value,group\nhello,0.5,east\n",
)
TYPED = ("0.5,north;1,south\n2, west\n3\n4,north,5", "", "north", "1, new  york")


def test_groups_are_read_by_their_names_as_by_the_other_device() -> None:
    """Numbers in the first column, the group's number in the last; what is in no group is missing there."""
    manifest = replace(surveys()[0][1], columns=("value", "group"))
    (wanted,) = said(["wanted", to_plain(manifest)])
    assert wanted["groups"] == list(NAMES) and wanted["dimension"] == 2
    given = [Given(text=text, table=_columns_of(text)) for text in GROUPED] + [Given(text=text) for text in TYPED]
    found = said(*(["table", text, wanted] for text in GROUPED), *(["typed", text, wanted] for text in TYPED))
    for own, told in zip(given, found, strict=True):
        values = told["observed"]["values"] if "observed" in told else told["values"]
        plain = [[math.nan if value is None else value for value in row] for row in values]
        np.testing.assert_array_equal(plain, own.seen_by(manifest).values)
    assert given[0].seen_by(manifest).values[0] == [0.5, 0.0] and given[1].seen_by(manifest).values[1] == [2.0, 1.0]
    assert math.isnan(given[0].seen_by(manifest).values[3][1]), "west is no group"
    categories = replace(manifest, labels=("bus", "train"))
    assert Given(text="train,south;bus,north").seen_by(categories).values == [[1.0, 1.0], [0.0, 0.0]]
    (wanted,) = said(["wanted", to_plain(categories)])
    assert said(["typed", "train,south;bus,north", wanted])[0]["values"] == [[1, 1], [0, 0]]


# --- words -----------------------------------------------------------------------------------------------------------


def alike(told: Any, truth: Any) -> bool:
    """The same codes and the same data, numbers up to rounding."""
    if isinstance(truth, dict):
        return told.keys() == truth.keys() and all(alike(told[name], value) for name, value in truth.items())
    if isinstance(truth, (list, tuple)):
        return len(told) == len(truth) and all(map(alike, told, truth))
    if isinstance(truth, float) and not isinstance(told, (bool, str)) and told is not None:
        return math.isclose(told, truth, rel_tol=1e-9)
    return type(told) is type(truth) and bool(told == truth)


def page() -> Catalogue:
    """The catalogue as a page has it: what it says in other words comes first."""
    written = catalogue().written
    own = {code.removeprefix("on-page-"): text for code, text in written.items() if code.startswith("on-page-")}
    return Catalogue(written | own)


def agree(found: list[Any], truths: list[Fact]) -> None:
    """Both sides choose the same facts; and of the same facts, both make the same sentence."""
    for told, truth in zip(found, truths, strict=True):
        assert alike(told, truth.to_plain()), (told, truth)
    catalogued = page()
    for sentence, truth in zip(said(*(["tell", truth.to_plain()] for truth in truths)), truths, strict=True):
        assert sentence == catalogued.tell(truth)


def test_facts_of_questions_are_those_of_the_package() -> None:
    asked = every_question()
    found = said(*(["question", question.to_bytes().decode()] for question in asked))
    truths = [
        [encoder.fact, encoder.nothing, placement_fact(encoder), question.channel.fact, report_size(question)]
        for question in asked
        for encoder in [question.encoder]
    ]
    agree([told for one in found for told in one], [truth for one in truths for truth in one])


def test_facts_of_manifests_are_those_of_the_package() -> None:
    names = sorted(STATISTICS)
    agree(said(*(["statistic", name] for name in names)), [statistic_fact(name) for name in names])
    made = [announce(problem.example_survey(problem.examples[0], epsilon=1.0), **TOLD) for problem in problems()]
    found = said(*(["manifest", to_plain(manifest), manifest.epsilon] for manifest in made))
    for manifest, told in zip(made, found, strict=True):
        people = Fact("consent-people", users=manifest.users, minimum=manifest.minimum)
        cost = Fact("consent-cost", **likelier_times(manifest.epsilon).data)
        agree(told, [consent_fact(manifest), people, Fact("consent-kept", days=manifest.retention_days), cost])


def test_a_page_knows_what_every_problem_estimates() -> None:
    known = [problem.name for problem in problems()]
    assert said(*(["estimates", name] for name in known)) == [str(problem.estimates) for problem in problems()]
    assert said(["estimates", "weather"]) == [False]


def test_every_question_has_words_and_draws_nothing_before_it_is_sent() -> None:
    asked = every_question()
    draw = random.Random(7)
    values = [[draw.uniform(0, 1) for _ in range(64)] for _ in range(9)]
    names = {"labels": ["bus", "train"], "columns": ["stars"]}
    found = said(*(["told", question.to_bytes().decode(), values, question.slots.first, names] for question in asked))
    held = Collections.of_one(values)
    for question, one in zip(asked, found, strict=True):
        own = inputs_of_channel(question, held)
        assert one["inputs"] == ([None] * question.uses if own is None else own.tolist())
        for told in one["words"]:
            assert told and not re.search(r"undefined|NaN|null|\[object", told), told
        statistic = question.encoder.statistic
        if isinstance(statistic, Category) and question.encoder.within is None:
            places = statistic.vector.places.index(np.array([row[statistic.vector.column] for row in values]))
            shares = {
                int(k) * question.channel.unit: n / 9
                for k, n in zip(*np.unique(places, return_counts=True), strict=True)
            }
            assert dict(one["shares"]) == pytest.approx(shares)


def test_whoever_has_nothing_is_told_what_goes_in_unless_lots_decide() -> None:
    asked = every_question()
    names = {"labels": ["bus", "train"], "columns": ["stars"]}
    found = said(*(["told", question.to_bytes().decode(), [], question.slots.first, names] for question in asked))
    for question, one in zip(asked, found, strict=True):
        own = inputs_of_channel(question, Collections.of_one([]))
        assert (own is None) == question.encoder.draws
        assert one["inputs"] == ([None] * question.uses if own is None else own.tolist())


def test_symbols_are_read_back_from_a_payload() -> None:
    draw = np.random.default_rng(3)
    asked, truth = [], []
    for channel in CHANNELS:
        if isinstance(channel, Subset):
            one = [np.sort(draw.choice(channel.items, channel.size, replace=False)) for _ in range(2)]
        elif isinstance(channel, Unary):
            one = [draw.integers(0, 2, channel.items) for _ in range(2)]
        else:
            one = [draw.integers(0, 2, 1) - 2 * isinstance(channel, Laplace) for _ in range(2)]
        symbols = np.array(one, dtype=np.int64)
        asked.append(["symbols", to_plain(channel), 2, channel.pack(symbols).tobytes().hex()])
        truth.append(symbols.tolist())
    assert said(*asked) == truth
