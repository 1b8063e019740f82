"""``sotto simulate sparse``."""

from __future__ import annotations

import argparse
from typing import TYPE_CHECKING, Any

from sottovoce.cli import estimate_sparse
from sottovoce.cli.experiment import JSON_KEYS, Experiment, Score, World
from sottovoce.cli.parser import number, whole
from sottovoce.cli.rehearsal import Settings
from sottovoce.cli.terminal import count

if TYPE_CHECKING:
    import numpy as np
    from numpy.typing import NDArray

    from sottovoce.messages import SparseEstimate

_EPILOG = f"""\
examples:
  sotto simulate sparse --users 4000 --observations 200 --dimension 64 --sparsity 4 --epsilon 4
  sotto simulate sparse --users 4000 --observations 200 --dimension 64 --true-sparsity 4 --sparsity 8 --epsilon 4

found, in figures, is the share of the columns with a mean other than zero that were selected.
{JSON_KEYS}"""


def _options(parser: argparse._ActionsContainer) -> None:
    parser.add_argument("--dimension", type=whole, required=True, metavar="D", help="columns in all")
    parser.add_argument(
        "--true-sparsity", type=whole, metavar="S", help="columns whose mean is not zero (default: --sparsity)"
    )
    parser.add_argument(
        "--strength",
        type=number,
        default=0.5,
        metavar="M",
        help="their mean, as a part of --high, above 0 and at most 1 (default: 0.5)",
    )


def _world(options: argparse.Namespace, settings: Settings) -> World:
    import numpy as np

    from sottovoce.messages import InvalidInput
    from sottovoce.protocols import SparseMean

    n, observations, dimension = options.users, options.observations, options.dimension
    own = {name: value for name, value in settings.items() if name != "public_seed"}
    protocol = SparseMean(**own, seed=options.public_seed, users=n, observations=observations, dimension=dimension)
    active = options.sparsity if options.true_sparsity is None else options.true_sparsity
    if not 0 <= active <= dimension:
        raise InvalidInput(f"--true-sparsity must lie between 0 and --dimension {dimension}; got {active}")
    if not 0 < options.strength <= 1:
        raise InvalidInput(f"--strength must lie above 0 and be at most 1; got {options.strength:g}")
    truth = np.zeros(dimension)
    truth[np.arange(active) * dimension // max(active, 1)] = options.strength * options.high
    chance = (truth - options.low) / (options.high - options.low)  # of the high end; the low end otherwise

    def draw(stream: np.random.Generator) -> NDArray[Any]:
        up = stream.random((n, observations, dimension), dtype=np.float32) < chance
        return np.where(up, np.float32(options.high), np.float32(options.low))

    def score(found: SparseEstimate) -> Score:
        chosen = list(found.support)
        ends = np.array(found.intervals)[chosen].reshape(-1, 2)
        held = (ends[:, 0] <= truth[chosen]) & (truth[chosen] <= ends[:, 1])
        return Score(
            squared_error=float(((np.array(found.value) - truth) ** 2).sum()),
            covered=float(held.mean()) if chosen else None,
            figures={"found": float((truth[chosen] != 0).sum()) / active} if active else {},
        )

    held = f"{count(n, 'made-up user')} with {count(observations, 'vector')} of {count(dimension, 'column')} each"
    return World(
        words=f"{held}, of which {active} have the mean {options.strength * options.high:g}; all users alike",
        truth=truth.tolist(),
        protocol=protocol,
        draw=draw,
        score=score,
        values=n * observations * dimension,
    )


EXPERIMENT = Experiment(
    of=estimate_sparse.COMMAND,
    description="Repeat a survey of a sparse mean with the exact simulator. Every cell is one of the two ends of the\n"
    "declared range; a few columns, spread evenly, have a mean that is not zero.",
    epilog=_EPILOG,
    options=_options,
    world=_world,
    error="Euclidean distance of the estimate from the truth",
    figures={"found": ("found", "{:.1%} of the columns with a mean other than zero, on average")},
)
