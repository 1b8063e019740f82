"""Made-up observations on a declared range, named on the command line: ``uniform``, ``beta:2,5`` and the like."""

from __future__ import annotations

import argparse
import math
from dataclasses import dataclass
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    import numpy as np
    from numpy.typing import NDArray

FORMS = "uniform, rademacher (the two ends, evenly), beta:A,B or bernoulli:P (the high end with chance P)"
_PARAMETERS = {"uniform": 0, "rademacher": 0, "beta": 2, "bernoulli": 1}


@dataclass(frozen=True, kw_only=True)
class Distribution:
    """A law on [0, 1], to be stretched over the declared range."""

    name: str
    parameters: tuple[float, ...] = ()

    @property
    def mean(self) -> float:
        """The mean on [0, 1]."""
        match self.name:
            case "beta":
                first, second = self.parameters
                return first / (first + second)
            case "bernoulli":
                return self.parameters[0]
            case _:
                return 0.5

    def draw(self, stream: np.random.Generator, shape: tuple[int, int]) -> NDArray[np.float64]:
        """Independent draws on [0, 1]."""
        match self.name:
            case "uniform":
                return stream.random(shape)
            case "beta":
                first, second = self.parameters
                return stream.beta(first, second, size=shape)
            case _:  # two ends
                return (stream.random(shape) < self.mean).astype(float)

    def __str__(self) -> str:
        return self.name + (":" + ",".join(f"{value:g}" for value in self.parameters) if self.parameters else "")


def distribution(text: str) -> Distribution:
    """Read ``beta:2,5``."""
    name, _, rest = text.strip().lower().partition(":")
    try:
        parameters = tuple(float(part) for part in rest.split(",")) if rest else ()
    except ValueError:
        parameters = (math.nan,)
    if _PARAMETERS.get(name) != len(parameters) or not _usable(name, parameters):
        raise argparse.ArgumentTypeError(f"wanted: {FORMS}; A and B above 0, P from 0 to 1")
    return Distribution(name=name, parameters=parameters)


def _usable(name: str, parameters: tuple[float, ...]) -> bool:
    if name == "bernoulli":
        return 0 <= parameters[0] <= 1
    return all(0 < value < 1e6 for value in parameters)
