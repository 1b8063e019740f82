"""``sotto simulate --plan`` and ``sotto estimate --plan``: a survey as a plan file describes it."""

from __future__ import annotations

import argparse
import sys
from collections.abc import Sequence
from dataclasses import replace
from typing import TYPE_CHECKING

from sottovoce.cli import rehearsal, terminal
from sottovoce.cli.parser import json_option, repetition_options

if TYPE_CHECKING:
    from sottovoce.device import Collections
    from sottovoce.planning import Law

NAME = "planned"
_COMMANDS = ("estimate", "simulate")


def spelled_out(words: Sequence[str]) -> list[str]:
    """``estimate --plan FILE …`` says what to estimate in the file, so the word that names it may be left out."""
    found = list(words)
    given = any(word == "--plan" or word.startswith("--plan=") for word in found)
    if given and found[0] in _COMMANDS and (len(found) < 2 or found[1].startswith("-")):
        found.insert(1, NAME)
    return found


def register_estimate(quantities: argparse._SubParsersAction[argparse.ArgumentParser]) -> None:
    """Add ``sotto estimate planned``."""
    parser = quantities.add_parser(
        NAME,
        help="what a plan file says; the word may be left out before --plan",
        description="Rehearse on a file the survey that a plan describes.",
    )
    rehearsal.file_options(parser, several=True)
    parser.add_argument("--plan", required=True, metavar="PLAN", help="a file written by sotto plan --save")
    rehearsal.seed_option(parser)
    json_option(parser)
    parser.set_defaults(run=estimate)


def register_simulate(quantities: argparse._SubParsersAction[argparse.ArgumentParser]) -> None:
    """Add ``sotto simulate planned``."""
    parser = quantities.add_parser(
        NAME,
        help="what a plan file says; the word may be left out before --plan",
        description="Repeat the survey that a plan describes with users as the plan assumes them.",
        epilog="--json prints plan, users, repetitions, seed, predicted (halfwidth, rmse), rmse, rmse_se, bias, "
        "bias_se,\nhalfwidth, coverage, coverage_se, ratio (predicted over simulated error).",
    )
    parser.add_argument("--plan", required=True, metavar="PLAN", help="a file written by sotto plan --save")
    repetition_options(parser)
    json_option(parser)
    parser.set_defaults(run=simulate)


def estimate(options: argparse.Namespace) -> None:
    """Read, ask as planned, print."""
    from sottovoce.data import collections
    from sottovoce.data.files import matching
    from sottovoce.engines import run
    from sottovoce.functions.common import engine
    from sottovoce.messages import InvalidInput
    from sottovoce.planning import load

    plan = load(options.plan)
    options.value = matching(options.file, user=options.user, value=options.value)
    wanted = getattr(plan.protocol, "dimension", 1)
    if len(options.value) != wanted:
        raise InvalidInput(
            f"this plan is of a {plan.problem.name}: --value takes {terminal.count(wanted, 'column')}; "
            f"got {len(options.value)}"
        )
    people = collections(options.file, user=options.user, value=options.value if wanted > 1 else options.value[0])
    asked = replace(plan.protocol, users=people.users)
    if hasattr(asked, "names"):
        asked = replace(asked, names=tuple(options.value))
    found = run(asked, engine(people, options.seed))
    if options.json:
        held = getattr(plan.protocol, "observations", None)
        terminal.show_json(found.to_dict() | {"observations": held, "seed": options.seed})
        return
    note = f"{plan.halfwidth:.4g} for {plan.protocol.users:,} users"
    if people.users != plan.protocol.users:
        note += f"; the file has {people.users:,}"
    rehearsal.show(found, [("planned", f"half-width {note}")], seed=options.seed)


def simulate(options: argparse.Namespace) -> None:
    """Draw users as assumed, repeat, compare with the prediction."""
    from tqdm import tqdm

    from sottovoce.cli.repetitions import performance
    from sottovoce.engines import run
    from sottovoce.engines import simulate as engine
    from sottovoce.messages import InvalidInput
    from sottovoce.planning import load
    from sottovoce.planning.predict_mean import worst_law

    plan = load(options.plan)
    if plan.problem.name != "mean":
        raise InvalidInput(
            f"sotto simulate --plan makes up users for a mean only; take sotto simulate {plan.problem.name} instead, "
            f"with the plan's numbers"
        )
    law = worst_law(plan.protocol, plan.crowd)
    found = []
    silent = not sys.stderr.isatty()
    for repetition in tqdm(range(options.repetitions), desc="repetitions", leave=False, disable=silent):
        people = _made_up(law, plan.protocol.users, seed=options.seed, repetition=repetition)
        found.append(run(plan.protocol, engine(people, seed=options.seed, repetition=repetition)))
    seen = performance(found, truth=law.mean)
    ratio = plan.prediction.rmse / seen.rmse if seen.rmse > 0 else float("inf")
    if options.json:
        figures = {"halfwidth": plan.halfwidth, "rmse": plan.prediction.rmse}
        terminal.show_json(
            {"plan": options.plan, "users": plan.protocol.users, "repetitions": options.repetitions}
            | {"seed": options.seed, "predicted": figures, "ratio": ratio}
            | seen.to_dict()
        )
        return
    give = "" if seen.rmse_se is None else f" ± {seen.rmse_se:.2g}"
    survey = f"{plan.method}, ε = {plan.protocol.epsilon:g}, {terminal.count(options.repetitions, 'repetition')}"
    terminal.show(
        [
            terminal.labelled("users", f"{plan.protocol.users:,} made-up users, {plan.crowd.words()}"),
            terminal.labelled("survey", f"{survey}, seed {options.seed}"),
            terminal.labelled(
                "RMSE", f"{seen.rmse:.4g}{give}; predicted {plan.prediction.rmse:.4g}, {ratio:.2f} times"
            ),
            terminal.labelled("half-width", f"{seen.halfwidth:.4g} on average; predicted {plan.halfwidth:.4g}"),
            terminal.labelled(
                "coverage", f"{seen.coverage:.1%} ± {seen.coverage_se:.1%}; {plan.confidence:.0%} aimed at"
            ),
        ]
    )


def _made_up(law: Law, users: int, *, seed: int, repetition: int) -> Collections:
    """Users who hold one observation each, their average: a mean looks at nothing else."""
    import numpy as np

    from sottovoce.device import Collections

    key = np.random.SeedSequence(seed, spawn_key=(repetition, 2))  # 0 and 1 are the engine's
    stream = np.random.Generator(np.random.PCG64(key))
    return Collections(stream.choice(law.points, size=users, p=law.weights), np.arange(users + 1))
