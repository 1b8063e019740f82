"""Numbers in sentences."""

from __future__ import annotations

import pytest

from sottovoce.messages import short_number, without_powers


@pytest.mark.parametrize(
    ("number", "shown"),
    [
        (1234567.0, "1200000"),
        (9.5e11, "950000000000"),
        (2e12, "2e+12"),
        (0.0351, "0.035"),
        (-1440.0, "-1400"),
        (0, "0"),
    ],
)
def test_two_digits_say_something(number: float, shown: str) -> None:
    assert short_number(number) == shown


def test_only_powers_of_ten_are_written_out() -> None:
    assert without_powers("± 2.319e+04 on average, 1e-09, 3e+120") == "± 23190 on average, 1e-09, 3e+120"
