"""What ``sotto simulate vector``, ``sparse``, ``density`` and ``mixture`` share: made-up users, repeated, scored."""

from __future__ import annotations

import argparse
import math
import sys
from collections.abc import Callable, Sequence
from dataclasses import dataclass, field
from typing import TYPE_CHECKING, Any

from sottovoce.cli import terminal
from sottovoce.cli.parser import confidence_option, epsilon_option, json_option, repetition_options, whole
from sottovoce.cli.rehearsal import Rehearsal, Settings

if TYPE_CHECKING:
    import numpy as np
    from numpy.typing import NDArray

    from sottovoce.messages import Answer

JSON_KEYS = """\
--json prints quantity, users (in words), truth, settings, repetitions, seed, mse, mse_se, rmse, rmse_se,
coverage, coverage_se, figures, method, reason, protects, warnings (those of the last repetition)."""


@dataclass(frozen=True, kw_only=True)
class Score:
    """One answer against the truth: the squared error, and the share of its intervals that hold the truth."""

    squared_error: float
    covered: float | None
    figures: dict[str, float] = field(default_factory=dict)
    """Further figures, averaged over the repetitions."""


@dataclass(frozen=True, kw_only=True)
class World:
    """Users to make up, the survey that asks them, and how its answer is judged."""

    words: str
    truth: Any
    protocol: Any
    draw: Callable[[np.random.Generator], NDArray[Any]]
    """Observations of all users: ``(n, T)`` or ``(n, T, d)``."""
    score: Callable[[Any], Score]
    values: int
    """How many numbers a draw holds."""


@dataclass(frozen=True, kw_only=True)
class Experiment:
    """One quantity: a command that estimates, and a world to try it in."""

    of: Rehearsal
    description: str
    epilog: str
    options: Callable[[argparse._ActionsContainer], None]
    world: Callable[[argparse.Namespace, Settings], World]
    error: str
    """What the error is, after its figure."""
    figures: dict[str, tuple[str, str]]
    """How the further figures of a score are shown: a label, and a text with a place for the average."""


def register(quantities: argparse._SubParsersAction[argparse.ArgumentParser], experiment: Experiment) -> None:
    """Add ``sotto simulate NAME``."""
    command = experiment.of
    parser = quantities.add_parser(
        command.name, help=command.help, description=experiment.description, epilog=experiment.epilog
    )
    people = parser.add_argument_group("the made-up users")
    people.add_argument("--users", type=whole, required=True, metavar="N", help="how many")
    people.add_argument("--observations", type=whole, required=True, metavar="T", help="observations per user")
    experiment.options(people)
    survey = parser.add_argument_group("the survey")
    command.options(survey)
    epsilon_option(survey)
    survey.add_argument(
        "--method", choices=command.methods, default=command.methods[0], metavar="M", help=command.method_help
    )
    confidence_option(survey)
    repetition_options(survey, repetitions=50)
    json_option(parser)
    parser.set_defaults(run=lambda options: run(experiment, options))


def run(experiment: Experiment, options: argparse.Namespace) -> None:
    """Make users up, ask, judge; again and again; print."""
    import numpy as np
    from tqdm import tqdm

    from sottovoce.cli.populations import MAX_VALUES
    from sottovoce.data import collections
    from sottovoce.engines import run as ask
    from sottovoce.engines import simulate
    from sottovoce.messages import InvalidInput
    from sottovoce.protocols.base import check_observations, check_users

    check_users(options.users)
    check_observations(options.observations)
    settings = experiment.of.settings(options) | {
        "epsilon": options.epsilon,
        "method": options.method,
        "confidence": options.confidence,
    }
    world = experiment.world(options, settings)
    if world.values > MAX_VALUES:
        raise InvalidInput(f"{world.values:,} values are too many to make up; at most {MAX_VALUES:,}")
    scores: list[Score] = []
    last: Answer | None = None
    silent = not sys.stderr.isatty()
    for repetition in tqdm(range(options.repetitions), desc="repetitions", leave=False, disable=silent):
        key = np.random.SeedSequence(options.seed, spawn_key=(repetition, 2))  # 0 and 1 are the engine's
        people = collections(world.draw(np.random.Generator(np.random.PCG64(key))))
        last = ask(world.protocol, simulate(people, seed=options.seed, repetition=repetition))
        scores.append(world.score(last))
    assert last is not None
    _show(experiment, options, settings, world, summed_up(scores), last)


def summed_up(scores: Sequence[Score]) -> Settings:
    """Averages over the repetitions, with standard errors; None where there is nothing to average."""
    from sottovoce.cli.repetitions import mean, standard_error

    errors = [score.squared_error for score in scores]
    held = [score.covered for score in scores if score.covered is not None]
    mse, mse_se = mean(errors), standard_error(errors) if len(errors) > 1 else None
    rmse = math.sqrt(mse)
    spread = standard_error(held) if len(held) > 1 else 0.0
    if held and spread == 0:  # Agresti and Coull: all alike in few repetitions does not make a certainty
        likely = (sum(held) + 2) / (len(held) + 4)
        spread = math.sqrt(likely * (1 - likely) / (len(held) + 4))
    return {
        "mse": mse,
        "mse_se": mse_se,
        "rmse": rmse,
        "rmse_se": None if mse_se is None or rmse == 0 else mse_se / (2 * rmse),
        "coverage": mean(held) if held else None,
        "coverage_se": spread if held else None,
        "figures": {name: mean([score.figures[name] for score in scores]) for name in scores[0].figures},
    }


def _show(
    experiment: Experiment, options: argparse.Namespace, settings: Settings, world: World, seen: Settings, last: Answer
) -> None:
    if options.json:
        terminal.show_json(
            {"quantity": experiment.of.name, "users": world.words, "truth": world.truth, "settings": settings}
            | {"repetitions": options.repetitions, "seed": options.seed}
            | seen
            | {"method": last.method, "reason": last.reason, "protects": last.privacy.protects}
            | {"warnings": list(last.warnings)}
        )
        return
    give = "" if seen["rmse_se"] is None else f" ± {seen['rmse_se']:.2g}"
    lines = [
        ("users", world.words),
        (
            "survey",
            f"ε = {options.epsilon:g}, {terminal.count(options.repetitions, 'repetition')}, seed {options.seed}",
        ),
        ("RMSE", f"{seen['rmse']:.4g}{give}: {experiment.error}"),
    ]
    if seen["coverage"] is not None:
        held = f"{seen['coverage']:.1%} ± {seen['coverage_se']:.1%} of the intervals hold the truth"
        lines.append(("coverage", f"{held}; {100 * options.confidence:g}% is the aim"))
    for name, figure in seen["figures"].items():
        label, text = experiment.figures[name]
        lines.append((label, text.format(figure)))
    lines += [("method", f"{last.method}: {last.reason}"), ("protects", last.privacy.protects)]
    lines += [("warning", warning) for warning in last.warnings]
    terminal.show([terminal.labelled(label, text) for label, text in lines])
