"""Methods side by side: each on the same repetitions, with the same seeds."""

from __future__ import annotations

import dataclasses
from collections.abc import Callable, Sequence
from dataclasses import dataclass
from typing import Any

from sottovoce.baselines import Baseline, baselines
from sottovoce.device import Collections
from sottovoce.engines import run, simulate
from sottovoce.messages import InvalidInput, Malformed, Question
from sottovoce.problems import Problem, Score
from sottovoce.trials.populations import Population
from sottovoce.trials.repetitions import Performance, performance


@dataclass(frozen=True, kw_only=True)
class Row:
    """One method's performance, or why it cannot run."""

    method: str
    ran: str = ""
    reason: str = ""
    protects: str = ""
    warnings: tuple[str, ...] = ()
    collection_epsilon: float | None = None
    """What the whole collection is protected at; None where no report is sent."""
    performance: Performance | None = None
    impossible: str = ""

    def to_dict(self) -> dict[str, Any]:
        if self.performance is None:
            return {"method": self.method, "impossible": self.impossible}
        plain = {field.name: getattr(self, field.name) for field in dataclasses.fields(self)}
        del plain["performance"], plain["impossible"]
        return plain | {"warnings": list(self.warnings)} | self.performance.to_dict()


def every_method(problem: Problem[Any]) -> tuple[str, ...]:
    """The methods of a problem, and the baselines they are compared with."""
    return (*problem.method_names, *(one.name for one in baselines() if one.problem == problem.name))


def survey(problem: Problem[Any], method: str, settings: dict[str, Any]) -> Any:
    """A survey by the name of its method, or of a baseline made of what it has in common with the settings."""
    if method in problem.method_names:
        return problem.settings(**settings, method=method)
    return _baseline(problem, method).like(problem.settings(**settings))


def _baseline(problem: Problem[Any], method: str) -> Baseline:
    found = next((one for one in baselines() if one.name == method and one.problem == problem.name), None)
    if found is None:
        raise InvalidInput(f"method must be one of {', '.join(every_method(problem))}; got {method!r}")
    return found


def compare(
    problem: Problem[Any],
    methods: Sequence[str],
    settings: dict[str, Any],
    population: Population,
    *,
    repetitions: int,
    seed: int,
    strict: bool,
    done: Callable[[], object],
) -> list[Row]:
    """Run every method on the same users with the same seeds. Unless `strict`, one that cannot run says why instead."""
    surveys: dict[str, tuple[Any, float | None]] = {}
    rows: dict[str, Row] = {}
    for method in methods:
        try:
            made = survey(problem, method, settings)
            surveys[method] = made, _spent(made)
        except (InvalidInput, Malformed) as error:
            if strict:
                raise
            rows[method] = Row(method=method, impossible=str(error))
    scores: dict[str, list[Score]] = {method: [] for method in surveys}
    last: dict[str, Any] = {}
    for repetition in range(repetitions):
        people = population.draw(seed=seed, repetition=repetition)
        for method, (made, _) in surveys.items():
            found = _answered(made, people, seed=seed, repetition=repetition)
            last[method] = found if method in problem.method_names else _read(problem, method, settings, found)
            scores[method].append(problem.world.score(last[method], population.truth))
        done()
    for method, (_, spent) in surveys.items():
        rows[method] = Row(
            method=method,
            ran=last[method].method,
            reason=last[method].reason,
            protects=last[method].privacy.protects,
            warnings=tuple(last[method].warnings),
            collection_epsilon=spent,
            performance=performance(scores[method]),
        )
    return [rows[method] for method in methods]


def _spent(made: Any) -> float | None:
    if not hasattr(made, "decide"):
        return None
    first = made.decide(())
    assert isinstance(first, Question)
    return first.epsilon


def _read(problem: Problem[Any], method: str, settings: dict[str, Any], found: Any) -> Any:
    read = _baseline(problem, method).read
    return found if read is None else read(found, problem.settings(**settings))


def _answered(made: Any, people: Collections, *, seed: int, repetition: int) -> Any:
    if not hasattr(made, "decide"):
        return made.simulate(people, seed=seed, repetition=repetition)
    return run(made, simulate(people, seed=seed, repetition=repetition))
