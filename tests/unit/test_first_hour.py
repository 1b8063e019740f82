"""Committed figures of the first hour: the page shows them, they keep what is promised. Seeds are fixed."""

from __future__ import annotations

import pytest

from benchmarks.accuracy import first_hour


def test_the_page_is_that_of_the_table_and_the_truth_is_inside_a_range_in_95_of_100_surveys() -> None:
    assert first_hour.PAGE.read_text(encoding="utf-8") == first_hour.page(first_hour.read())
    rows = [row for row in first_hour.read() if row.section == "range"]
    assert {row.of for row in rows} == set(first_hour.SHAPES) and all(row.runs >= 400 for row in rows)
    assert min(row.told * row.coverage for row in rows if row.users >= 2000) >= 0.95
    assert max(row.wrong for row in rows) <= 0.01  # few users have no range rather than a made-up one


def test_every_group_of_insteval_is_covered_in_93_of_100_surveys() -> None:
    rows = [row for row in first_hour.read() if row.section == "groups"]
    means = [row for row in rows if row.of == "mean"]
    assert {row.column for row in means} == {"dept", "lectage"} and {row.epsilon for row in means} == {1.0, 2.0, 4.0}
    assert all(row.runs >= 400 for row in means)
    assert min(row.coverage for row in rows) >= 0.93


def test_a_small_version_runs() -> None:
    """Ten surveys: a range that is found nearly always holds the mean; false alarms below 1 in 10,000."""
    row = first_hour.searched("normal", 1000, 2.0, 10)
    assert row.told >= 0.9 and row.coverage == pytest.approx(1.0)
