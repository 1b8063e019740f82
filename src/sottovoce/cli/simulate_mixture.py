"""``sotto simulate mixture``."""

from __future__ import annotations

import argparse
from typing import TYPE_CHECKING, Any

from sottovoce.cli import estimate_mixture
from sottovoce.cli.experiment import JSON_KEYS, Experiment, Score, World
from sottovoce.cli.parser import numbers
from sottovoce.cli.rehearsal import Settings
from sottovoce.cli.terminal import count

if TYPE_CHECKING:
    import numpy as np
    from numpy.typing import NDArray

    from sottovoce.messages import MixtureEstimate

_EPILOG = f"""\
examples:
  sotto simulate mixture --users 3000 --observations 500 --components 2 --low 0 --high 1 --epsilon 4
  sotto simulate mixture --users 9000 --observations 500 --means 10,60,80 --shares 0.5,0.3,0.2 \\
      --components 3 --low 0 --high 100 --epsilon 6

{JSON_KEYS}"""


def _options(parser: argparse._ActionsContainer) -> None:
    parser.add_argument(
        "--means", type=numbers, metavar="X,Y,…", help="of the kinds of users (default: evenly over the range)"
    )
    parser.add_argument("--shares", type=numbers, metavar="P,Q,…", help="of the kinds, with sum 1 (default: equal)")


def _world(options: argparse.Namespace, settings: Settings) -> World:
    import numpy as np

    from sottovoce.messages import InvalidInput
    from sottovoce.protocols import MixtureMeans

    n, observations, kinds = options.users, options.observations, options.components
    protocol = MixtureMeans(**settings, users=n, observations=observations)
    low, width = options.low, options.high - options.low
    means = options.means or tuple(low + width * (2 * kind + 1) / (2 * kinds) for kind in range(kinds))
    shares = options.shares or (1 / kinds,) * kinds
    if len(means) != kinds or len(shares) != kinds:
        raise InvalidInput(f"--means has {len(means)} entries, --shares {len(shares)}; --components says {kinds}")
    if not all(low <= mean <= options.high for mean in means):
        raise InvalidInput("--means must lie between --low and --high")
    if not all(share >= 0 for share in shares) or abs(sum(shares) - 1) > 1e-6:
        raise InvalidInput(f"--shares must not be negative and must add up to 1; they add up to {sum(shares):g}")
    order = sorted(range(kinds), key=lambda kind: means[kind])
    truth, weights = np.array([means[kind] for kind in order]), np.array([shares[kind] for kind in order])

    def draw(stream: np.random.Generator) -> NDArray[Any]:
        own = stream.choice(truth, size=n, p=weights / weights.sum())
        return np.asarray(low + width * (stream.random((n, observations)) < ((own - low) / width)[:, None]))

    def score(found: MixtureEstimate) -> Score:
        ends = np.array(found.intervals)
        return Score(
            squared_error=float(((np.array(found.means) - truth) ** 2).sum()),
            covered=float(((ends[:, 0] <= truth) & (truth <= ends[:, 1])).mean()),
            figures={"share_error": float(np.abs(np.array(found.shares) - weights).mean())},
        )

    held = f"{count(n, 'made-up user')} with {count(observations, 'observation')} at the ends of the range each"
    parts = ", ".join(f"{mean:g} ({share:.0%})" for mean, share in zip(truth, weights, strict=True))
    return World(
        words=f"{held}; kinds with means {parts}",
        truth={"means": truth.tolist(), "shares": weights.tolist()},
        protocol=protocol,
        draw=draw,
        score=score,
        values=n * observations,
    )


EXPERIMENT = Experiment(
    of=estimate_mixture.COMMAND,
    description="Repeat a survey of a mixture with the exact simulator. A user's observations are the two ends of the\n"
    "range, with the mean of the user's kind.",
    epilog=_EPILOG,
    options=_options,
    world=_world,
    error="Euclidean distance of the estimated means from the true ones",
    figures={"share_error": ("shares", "{:.3g} from the true ones, on average")},
)
