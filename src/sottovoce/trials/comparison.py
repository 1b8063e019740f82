"""Methods side by side: each on the same repetitions, with the same seeds, at one budget or at several."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass, field
from typing import Any

from sottovoce.answers import Severity
from sottovoce.baselines import Baseline, baselines
from sottovoce.device import Collections
from sottovoce.engines import run, simulate
from sottovoce.messages import InvalidInput, Malformed, Question
from sottovoce.methods import check_at_least, check_choice
from sottovoce.problems import Problem, Score
from sottovoce.trials.result import Comparison, Row, performance
from sottovoce.trials.users_and_truth import Population


def every_method(problem: Problem[Any]) -> tuple[str, ...]:
    """The methods of a problem, and the baselines they are compared with."""
    return (*problem.method_names, *(one.name for one in baselines() if one.problem == problem.name))


def check_method(problem: Problem[Any], method: str) -> None:
    """Refuse a name that is neither, and say which there are."""
    check_choice("method", method, every_method(problem))


def survey(problem: Problem[Any], method: str, settings: dict[str, Any]) -> Any:
    """A survey by the name of its method, or of a baseline made of what it has in common with the settings."""
    if method in problem.method_names:
        return problem.settings(**settings, method=method)
    return _baseline(problem, method).like(problem.settings(**settings))


def as_the_problem_answers(problem: Problem[Any], method: str, settings: dict[str, Any], answer: Any) -> Any:
    """The answer of a method as it is, that of a baseline as an answer of the problem."""
    read = None if method in problem.method_names else _baseline(problem, method).as_problem_answer
    return answer if read is None else read(answer, problem.settings(**settings))


def _baseline(problem: Problem[Any], method: str) -> Baseline:
    check_method(problem, method)
    return next(one for one in baselines() if one.name == method and one.problem == problem.name)


@dataclass(frozen=True, kw_only=True)
class _Trial:
    """A method at one budget, made ready, and how it has done so far."""

    method: str
    settings: dict[str, Any]
    survey: Any
    spent: float | None
    scores: list[Score] = field(default_factory=list)
    answers: list[Any] = field(default_factory=list)
    """The last one only."""


def compare(
    problem: Problem[Any],
    methods: Sequence[str],
    settings: dict[str, Any],
    population: Population,
    *,
    epsilons: Sequence[float],
    repetitions: int,
    seed: int,
    done: Callable[[], object],
) -> Comparison:
    """Run every method at every budget on the same users with the same seeds; the first method is the reference.

    One that cannot run says why instead; where none can, its error is raised. `done` is called after a repetition.
    """
    check_at_least("repetitions", repetitions, 1)
    check_at_least("seed", seed, 0)
    methods = (methods,) if isinstance(methods, str) else methods
    methods, epsilons = tuple(dict.fromkeys(methods)), tuple(dict.fromkeys(map(float, epsilons)))
    if not methods or not epsilons:
        raise InvalidInput(rule="a comparison needs a method and an epsilon at least")
    for method in methods:
        check_method(problem, method)
    trials = [
        trial for epsilon in epsilons for trial in _trials_at_budget(problem, methods, settings | {"epsilon": epsilon})
    ]
    for repetition in range(repetitions):
        people = population.draw(seed=seed, repetition=repetition)
        for trial in trials:
            if isinstance(trial, _Trial):
                answer = _answer_of(trial.survey, people, seed=seed, repetition=repetition)
                trial.answers[:] = [as_the_problem_answers(problem, trial.method, trial.settings, answer)]
                trial.scores.append(problem.world.score(trial.answers[0], population.truth))
        done()
    rows = tuple(_row(trial) if isinstance(trial, _Trial) else trial for trial in trials)
    return Comparison(
        problem=problem,
        users=population.words,
        truth=population.truth,
        notes=population.notes,
        settings={name: value for name, value in settings.items() if name != "epsilon"},
        epsilons=epsilons,
        methods=methods,
        repetitions=repetitions,
        seed=seed,
        rows=rows,
    )


def _trials_at_budget(problem: Problem[Any], methods: Sequence[str], settings: dict[str, Any]) -> list[_Trial | Row]:
    trials: list[_Trial | Row] = []
    refused: list[InvalidInput | Malformed] = []
    for method in methods:
        try:
            made = survey(problem, method, settings)
            trials.append(_Trial(method=method, settings=settings, survey=made, spent=_epsilon_of_report(made)))
        except (InvalidInput, Malformed) as error:
            refused.append(error)
            trials.append(Row(method=method, epsilon=settings["epsilon"], impossible=str(error)))
    if len(refused) == len(methods):
        raise refused[0]
    return trials


def _row(trial: _Trial) -> Row:
    (last,) = trial.answers
    return Row(
        method=trial.method,
        epsilon=trial.settings["epsilon"],
        ran=last.method,
        chosen=last.chosen,
        protects=last.privacy.protects,
        warnings=last.noted(Severity.WARNING),
        collection_epsilon=trial.spent,
        performance=performance(trial.scores),
        squared_errors=tuple(score.squared_error for score in trial.scores),
    )


def _epsilon_of_report(made: Any) -> float | None:
    if not hasattr(made, "decide"):
        return None
    first = made.decide(())
    assert isinstance(first, Question)
    return first.epsilon


def _answer_of(made: Any, people: Collections, *, seed: int, repetition: int) -> Any:
    if not hasattr(made, "decide"):
        return made.simulate(people, seed=seed, repetition=repetition)
    return run(made, simulate(people, seed=seed, repetition=repetition))
