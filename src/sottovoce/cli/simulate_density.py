"""``sotto simulate density``."""

from __future__ import annotations

import argparse
import math
from typing import TYPE_CHECKING, Any

from sottovoce.cli import estimate_density
from sottovoce.cli.distributions import Distribution, distribution
from sottovoce.cli.experiment import JSON_KEYS, Experiment, Score, World
from sottovoce.cli.rehearsal import Settings
from sottovoce.cli.terminal import count

if TYPE_CHECKING:
    import numpy as np
    from numpy.typing import NDArray

    from sottovoce.messages import DensityEstimate

GRID = 512
_EPILOG = f"""\
examples:
  sotto simulate density --users 4000 --observations 50 --low 0 --high 1 --epsilon 2
  sotto simulate density --users 4000 --observations 50 --distribution beta:2,5 --low 0 --high 24 --epsilon 2

The squared error is the integrated one (its average is the MISE), after negative parts are taken
away, with the range scaled to [0, 1]. uniform_error, in figures, is the error of the uniform density,
which needs no data.
{JSON_KEYS}"""


def _options(parser: argparse._ActionsContainer) -> None:
    parser.add_argument(
        "--distribution",
        type=distribution,
        default=distribution("beta:4,4"),
        metavar="D",
        help="uniform or beta:A,B with A and B from 1 on, on [L, H] (default: beta:4,4)",
    )


def _heights(law: Distribution, unit: NDArray[np.float64]) -> NDArray[np.float64]:
    """The density on [0, 1]."""
    import numpy as np

    if law.name == "uniform":
        return np.ones_like(unit)
    first, second = law.parameters
    scale = math.lgamma(first + second) - math.lgamma(first) - math.lgamma(second)
    return np.asarray(np.exp(scale + (first - 1) * np.log(unit) + (second - 1) * np.log1p(-unit)))


def _world(options: argparse.Namespace, settings: Settings) -> World:
    import numpy as np

    from sottovoce.messages import InvalidInput
    from sottovoce.protocols import Density

    law, n, observations = options.distribution, options.users, options.observations
    if law.name not in ("uniform", "beta") or min(law.parameters, default=1.0) < 1:
        raise InvalidInput("--distribution must have a bounded density: uniform, or beta:A,B with A and B from 1 on")
    protocol = Density(**settings, users=n, observations=observations)
    width = options.high - options.low
    unit = (np.arange(GRID) + 0.5) / GRID
    points, truth = options.low + width * unit, _heights(law, unit)

    def draw(stream: np.random.Generator) -> NDArray[Any]:
        return np.asarray(options.low + width * law.draw(stream, (n, observations)))

    def score(found: DensityEstimate) -> Score:
        true = found.projected()
        low, high = (width * ends for ends in true.band(points))
        return Score(
            squared_error=float(((width * true(points) - truth) ** 2).mean()),
            covered=float(((low <= truth) & (truth <= high)).mean()),
            figures={"uniform_error": float(math.sqrt(((1 - truth) ** 2).mean()))},
        )

    held = f"{count(n, 'made-up user')} with {count(observations, 'observation')} each"
    return World(
        words=f"{held}, {law} on [{options.low:g}, {options.high:g}], all alike",
        truth=str(law),
        protocol=protocol,
        draw=draw,
        score=score,
        values=n * observations,
    )


EXPERIMENT = Experiment(
    of=estimate_density.COMMAND,
    description="Repeat a survey of a density with the exact simulator: integrated error, and how much of the truth\n"
    "lies in the pointwise band, which does not cover truncation.",
    epilog=_EPILOG,
    options=_options,
    world=_world,
    error="square root of the MISE, range scaled to [0, 1]",
    figures={"uniform_error": ("compare", "{:.4g} is the error of the uniform density, which needs no data")},
)
