"""The traffic-stop loader: the paper's filters, as a stream."""

from __future__ import annotations

import csv
import gzip

import numpy as np
import pytest

from sottovoce.messages import InvalidInput
from sottovoce.paper.figures.police import load
from tests.support.stops import HEADER, stop_rows


def write(path, rows, header=HEADER):
    opener = gzip.open if path.suffix == ".gz" else open
    with opener(path, "wt", newline="") as file:
        writer = csv.writer(file)
        writer.writerow(header)
        writer.writerows(rows)
    return path


def row(**changed):
    values = dict.fromkeys(HEADER, "NA") | {
        "date": "2015-06-01", "officer_id_hash": "o1", "district": "A", "subject_race": "white",
        "search_conducted": "FALSE",
    }  # fmt: skip
    return [(values | changed)[name] for name in HEADER]


@pytest.fixture
def eight():
    return [
        row(officer_id_hash=f"o{k}", search_conducted="TRUE" if i < k else "FALSE") for k in range(8) for i in range(10)
    ]


@pytest.mark.parametrize("name", ["stops.csv", "stops.csv.gz"])
def test_stops_are_kept_in_order_of_officers_and_permuted_within(tmp_path, eight, name):
    held = load(write(tmp_path / name, eight), stops=10)
    assert held.searched.shape == (8, 10)
    assert held.searched.sum(axis=1).tolist() == list(range(8))
    assert (held.read, held.kept) == (80, 80)
    assert "officers" in repr(held)


OTHERS = {"date": ("2014-12-31", "2017-01-01", "NA"), "district": ("B", "NA"), "subject_race": ("NA",)}
OTHERS |= {"search_conducted": ("NA", ""), "officer_id_hash": ("NA", "")}


@pytest.mark.parametrize("name, value", [(name, value) for name in OTHERS for value in OTHERS[name]])
def test_what_the_paper_filters_out_does_not_count(tmp_path, eight, name, value):
    held = load(write(tmp_path / "stops.csv", [*eight, *[row(**{name: value})] * 20]), stops=10)
    assert (held.read, held.kept, len(held.searched)) == (100, 80, 8)


def test_officers_with_too_few_stops_are_left_out_and_others_cut(tmp_path, eight):
    more = [*eight, *[row(officer_id_hash="few")] * 9, *[row(officer_id_hash="many", search_conducted="TRUE")] * 30]
    held = load(write(tmp_path / "stops.csv", more), stops=10)
    assert held.searched.shape == (9, 10)
    assert held.searched.sum() == sum(range(8)) + 10


def test_three_races_are_one_group(tmp_path):
    races = ["white", "black", "hispanic", "asian/pacific islander", "other", "unknown"]
    rows = [row(officer_id_hash=f"o{k}", subject_race=race) for k in range(8) for race in races]
    held = load(write(tmp_path / "stops.csv", rows), stops=6)
    assert np.bincount(held.group.ravel()).tolist() == [8, 8, 8, 24]


def test_a_file_of_another_kind_is_refused_without_its_contents(tmp_path, eight):
    with pytest.raises(InvalidInput, match="officer_id_hash"):
        load(write(tmp_path / "a.csv", [["7654"]], header=["secret"]))
    with pytest.raises(InvalidInput, match="at least 8"):
        load(write(tmp_path / "b.csv", eight[:20]), stops=10)


@pytest.mark.soak
def test_the_study_runs_on_a_generated_file(tmp_path, capsys):
    from sottovoce.cli import main

    path = write(tmp_path / "tx.csv", stop_rows(60 * 420, officers=60, seed=3))
    out = tmp_path / "o"
    assert main(["paper", "police", "--file", str(path), "--quick", "--workers", "1", "--out", str(out)]) == 0
    assert (out / "police.png").stat().st_size > 10_000 and "user level" in capsys.readouterr().out
    lines = (out / "police.csv").read_text().splitlines()
    assert len(lines) == 1 + 9 * (16 + 8 + 4) + 16 + 4 + 4  # and without the mapping, and ours
