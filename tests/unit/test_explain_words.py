"""Every word of the vocabulary has a sentence, and these are some."""

from typing import get_args

import pytest

from sottovoce.baselines import FullItem
from sottovoce.explain import explained, promise, steps
from sottovoce.messages import (
    Average,
    Bins,
    Categories,
    Channel,
    Each,
    Grid,
    Hashed,
    Norm,
    Placement,
    Statistic,
    Vector,
)
from sottovoce.words import catalogue
from tests.unit.test_explain import pointing

UNIT = {"low": 0.0, "high": 1.0}


@pytest.mark.parametrize(
    "kind", [*get_args(Statistic), *get_args(Placement), *get_args(Vector)], ids=lambda kind: kind.__name__
)
def test_every_word_of_the_vocabulary_has_a_fact(kind):
    """Or its own sentence, by its kind."""
    assert "fact" in vars(kind) or {f"computes-{kind.kind}", f"vector-{kind.kind}"} & set(catalogue().written)


@pytest.mark.parametrize("channel", get_args(Channel), ids=lambda kind: kind.__name__)
def test_every_channel_has_a_fact(channel):
    assert "fact" in vars(channel)


def test_sentences():
    assert str(Average().fact) == "the average of all your observations"
    assert str(Average(first=1).fact) == "your first observation"
    assert str(Average(first=1200).fact) == "the average of your first 1,200 observations"
    assert str(Bins(edges=(1.0, 2.0)).fact) == "in which of 3 bins it falls"
    assert Average(columns=(0, 4, 2)).dimension == 5
    assert (Each(column=2).dimension, Hashed(seed=1, columns=9, threshold=0.1).dimension) == (3, 9)
    shares = Categories(places=Grid(low=(0.0,), high=(5.0,), count=5))
    assert str(Norm(vector=shares, centre=(0.2,) * 5).fact) == (
        "how far the shares of your observations in 5 categories lie from a public point"
    )
    assert str(dict(steps(pointing((0.0, 0.0), radius=1.0)))["place"]) == (
        "as one of 8 numbers; what was not observed counts as that point"
    )
    weak = explained(FullItem(**UNIT, epsilon=1.0, users=9, observations=40)).question
    assert "That is weak" in str(promise(weak))
    assert "40 parts, one for each observation; 320 bytes" in str(dict(steps(weak))["send"])
