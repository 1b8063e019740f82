"""``sotto simulate``: a survey many times over, on made-up users, on those of a file, or as a plan assumes them."""

from __future__ import annotations

import argparse
from typing import TYPE_CHECKING, Any

from sottovoce.cli import terminal
from sottovoce.cli.compare import about_users, comparison_lines, method_lines, population_options, rmse_fact, run_trials
from sottovoce.cli.options import add_command, add_problem
from sottovoce.cli.parser import PLANNED, html_option, json_option, repetition_options
from sottovoce.cli.terminal import progress

if TYPE_CHECKING:
    from sottovoce.answers import Line
    from sottovoce.cli.options import Commands
    from sottovoce.planning import Plan
    from sottovoce.problems import Problem
    from sottovoce.trials import Comparison, Performance

_EPILOG = """\
--json prints problem, users (as facts), truth, settings, repetitions, seed, notes, and methods: a
list with method, epsilon, ran (what auto chose), reason, protects, warnings (of the last repetition),
collection_epsilon, mse, mse_se, rmse, rmse_se, coverage, coverage_se, figures ({figures}),
figures_se; or with method and impossible where a method cannot run."""


def register(commands: Commands, *, wanted: str | None) -> None:
    """Add the command; its parts only when they are wanted, since they load the library."""
    quantities = add_command(
        commands,
        "simulate",
        _register,
        wanted=wanted,
        help="repeat a survey to see how accurate it would be",
        description="Repeat a survey with the exact simulator, to see how accurate it would be.",
    )
    if quantities is not None:
        register_planned(quantities)


def _register(quantities: Commands, problem: Problem[Any]) -> None:
    from sottovoce.trials import every_method

    parser = add_problem(
        quantities,
        problem,
        description=(
            "Repeat a survey with the exact simulator: its error, and how often its intervals hold the truth. It "
            "estimates {}."
        ),
        epilog=_epilog(problem),
    )
    population_options(parser, problem, methods=(*every_method(problem), "all"))
    repetition_options(parser.add_argument_group("the trial"), repetitions=50)
    html_option(parser, "the result")
    json_option(parser)
    parser.set_defaults(run=lambda options: run(problem, options))


def _epilog(problem: Problem[Any]) -> str:
    examples = [terminal.wrap_command(f"sotto simulate {problem.name} {words}") for words in problem.commands.simulate]
    keys = terminal.wrap_help(_EPILOG.replace("\n", " ").format(figures=", ".join(problem.world.figures)))
    return "\n".join(["examples:", *examples, "", *about_users(problem), keys])


def run(problem: Problem[Any], options: argparse.Namespace) -> None:
    """Repeat, print."""
    from sottovoce.answers import lines_in_words, to_plain
    from sottovoce.messages import Fact
    from sottovoce.trials import every_method

    several = options.method == "all"
    methods = every_method(problem) if several else (options.method,)
    comparison, settings = run_trials(problem, options, methods, epsilons=(options.epsilon,))
    if options.html is not None:
        from sottovoce.cli.pages import comparison_page, save_page, trial_page

        title = Fact("trial-page-simulated", problem=problem.name)
        save_page(
            options.html,
            comparison_page(comparison, title=title)
            if several
            else trial_page(_single_method_lines(comparison), title=title),
        )
    if options.json:
        terminal.show_json(
            {
                "problem": problem.name,
                "users": to_plain(comparison.users),
                "truth": comparison.truth,
                "settings": settings,
            }
            | {"repetitions": options.repetitions, "seed": options.seed, "notes": to_plain(comparison.notes)}
            | {"methods": [row.to_dict() for row in comparison.rows]}
        )
    elif several:
        terminal.show(comparison_lines(comparison))
    else:
        terminal.show(terminal.labelled_lines(lines_in_words(_single_method_lines(comparison)), indent=0))


def _single_method_lines(comparison: Comparison) -> list[Line]:
    """One method, line by line."""
    from sottovoce.messages import Fact

    about, *first = (Fact(f"label-{name}") for name in ("note", "answer", "users", "survey", "truth"))
    lines = comparison.lines()
    return [
        *(line for line in lines if line[0] in first),
        *method_lines(comparison),
        *(line for line in lines if line[0] == about),
    ]


def register_planned(quantities: Commands) -> None:
    """Add ``sotto simulate planned``."""
    parser = quantities.add_parser(
        PLANNED,
        help="what a plan file says; the word may be left out before --plan",
        description="Repeat the survey that a plan describes with users as the plan assumes them.",
        epilog="--json prints plan, users, repetitions, seed, predicted (halfwidth, rmse), ratio (predicted over\n"
        "simulated error), mse, mse_se, rmse, rmse_se, coverage, coverage_se, figures, figures_se.",
    )
    parser.add_argument("--plan", required=True, metavar="PLAN", help="a file written by sotto plan --save")
    repetition_options(parser)
    html_option(parser, "the result")
    json_option(parser)
    parser.set_defaults(run=simulate_planned)


def simulate_planned(options: argparse.Namespace) -> None:
    """Draw users as assumed, repeat, compare with the prediction."""
    from sottovoce.answers import lines_in_words
    from sottovoce.engines import run
    from sottovoce.engines import simulate as engine
    from sottovoce.messages import Fact, InvalidInput
    from sottovoce.planning import load
    from sottovoce.trials import MadeUp, performance

    plan = load(options.plan)
    if plan.problem.plan.users is None:
        raise InvalidInput(
            f"sotto simulate --plan cannot make up the users of a {plan.problem.name} as a plan assumes them",
            fix=f"take sotto simulate {plan.problem.name} instead, with the plan's numbers",
        )
    worlds = [MadeUp(world=plan.problem.plan.users(plan.protocol, users)) for users in plan.assumed]  # in turn
    scores = []
    with progress(options.repetitions, "repetitions") as done:
        for repetition in range(options.repetitions):
            population = worlds[repetition % len(worlds)]
            people = population.draw(seed=options.seed, repetition=repetition)
            answer = run(plan.protocol, engine(people, seed=options.seed, repetition=repetition))
            scores.append(plan.problem.world.score(answer, population.truth))
            done()
    seen = performance(scores)
    ratio = plan.prediction.rmse / seen.rmse if seen.rmse > 0 else float("inf")
    lines = _beside_prediction(plan, seen, ratio, repetitions=options.repetitions, seed=options.seed)
    if options.html is not None:
        from sottovoce.cli.pages import save_page, trial_page

        save_page(options.html, trial_page(lines, title=Fact("trial-page-planned", problem=plan.problem.name)))
    if options.json:
        figures = {"halfwidth": plan.halfwidth, "rmse": plan.prediction.rmse}
        terminal.show_json(
            {"plan": options.plan, "users": plan.protocol.users, "repetitions": options.repetitions}
            | {"seed": options.seed, "predicted": figures, "ratio": ratio}
            | seen.to_dict()
        )
        return
    terminal.show(terminal.labelled_lines(lines_in_words(lines), indent=0))


def _beside_prediction(plan: Plan, seen: Performance, ratio: float, *, repetitions: int, seed: int) -> list[Line]:
    """What was seen beside what was predicted."""
    from sottovoce.answers import line
    from sottovoce.messages import Fact

    asked, predicted = plan.protocol, plan.prediction.rmse
    held = None if seen.coverage is None else 100 * seen.coverage
    survey = {"method": plan.method, "epsilon": asked.epsilon, "repetitions": repetitions, "seed": seed}
    users = Fact("made-up-as-assumed", users=asked.users, assumed=plan.problem.plan.crowd_fact(plan.assumed))
    lines = [
        line("answer", Fact("planned-answer", error=seen.rmse, predicted=predicted, held_percent=held)),
        line("users", users),
        line("survey", Fact("planned-survey", **survey)),
        line("rmse", Fact("planned-rmse", figure=rmse_fact(seen), predicted=predicted, ratio=ratio)),
        line("half-width", Fact("planned-halfwidth-predicted", halfwidth=plan.halfwidth)),
    ]
    if seen.coverage_fact is not None:
        lines.append(line("coverage", Fact("planned-coverage", held=seen.coverage_fact, confidence=plan.confidence)))
    return lines
