"""``sotto simulate vector``."""

from __future__ import annotations

import argparse
import math
from typing import TYPE_CHECKING, Any

from sottovoce.cli import estimate_vector
from sottovoce.cli.distributions import FORMS, distribution
from sottovoce.cli.experiment import JSON_KEYS, Experiment, Score, World
from sottovoce.cli.parser import whole
from sottovoce.cli.rehearsal import Settings
from sottovoce.cli.terminal import count

if TYPE_CHECKING:
    import numpy as np
    from numpy.typing import NDArray

    from sottovoce.messages import VectorEstimate

_EPILOG = f"""\
examples:
  sotto simulate vector --users 5000 --observations 100 --dimension 8 --ball l2 --radius 1 --epsilon 4
  sotto simulate vector --users 5000 --observations 100 --dimension 8 --low -1 --high 1 --epsilon 4 \\
      --distribution beta:2,5

{JSON_KEYS}"""


def _options(parser: argparse._ActionsContainer) -> None:
    parser.add_argument("--dimension", type=whole, required=True, metavar="D", help="coordinates of a vector")
    parser.add_argument(
        "--distribution",
        type=distribution,
        default=distribution("uniform"),
        metavar="D",
        help=f"of every coordinate: {FORMS}; on the declared range, or on the largest cube in an l2 ball "
        "(default: uniform)",
    )


def _world(options: argparse.Namespace, settings: Settings) -> World:
    import numpy as np

    from sottovoce.protocols import VectorMean

    n, observations, dimension = options.users, options.observations, options.dimension
    protocol = VectorMean(**settings, users=n, observations=observations, dimension=dimension)
    low, high = (np.array(ends) for ends in protocol.ranges)
    if protocol.ball == "l2":
        middle, half = (low + high) / 2, (high - low) / 2 / math.sqrt(dimension)
        low, high = middle - half, middle + half
    truth = low + (high - low) * options.distribution.mean

    def draw(stream: np.random.Generator) -> NDArray[Any]:
        unit = options.distribution.draw(stream, (n * observations, dimension))
        return np.asarray(low + (high - low) * unit).reshape(n, observations, dimension)

    def score(found: VectorEstimate) -> Score:
        ends = np.array(found.intervals)
        return Score(
            squared_error=float(((np.array(found.value) - truth) ** 2).sum()),
            covered=float(((ends[:, 0] <= truth) & (truth <= ends[:, 1])).mean()),
            figures={"halfwidth": float((ends[:, 1] - ends[:, 0]).mean() / 2)},
        )

    held = f"{count(n, 'made-up user')} with {count(observations, 'vector')} of {count(dimension, 'coordinate')} each"
    return World(
        words=f"{held}, every coordinate {options.distribution}, all users alike",
        truth=truth.tolist(),
        protocol=protocol,
        draw=draw,
        score=score,
        values=n * observations * dimension,
    )


EXPERIMENT = Experiment(
    of=estimate_vector.COMMAND,
    description="Repeat a survey of vectors with the exact simulator: error in length, and coverage of the intervals.",
    epilog=_EPILOG,
    options=_options,
    world=_world,
    error="Euclidean distance of the estimate from the truth",
    figures={"halfwidth": ("half-width", "{:.4g} on average")},
)
