"""Every word of the vocabulary has a sentence, and these are some."""

from typing import get_args

import pytest

from sottovoce.messages import (
    Channel,
    Placement,
    Statistic,
    Vector,
)
from sottovoce.words import catalogue


@pytest.mark.parametrize(
    "kind", [*get_args(Statistic), *get_args(Placement), *get_args(Vector)], ids=lambda kind: kind.__name__
)
def test_every_word_of_the_vocabulary_has_a_fact(kind):
    """Or its own sentence, by its kind."""
    assert "fact" in vars(kind) or {f"computes-{kind.kind}", f"vector-{kind.kind}"} & set(catalogue().written)


@pytest.mark.parametrize("channel", get_args(Channel), ids=lambda kind: kind.__name__)
def test_every_channel_has_a_fact(channel):
    assert "fact" in vars(channel)
