"""The planner over HTTP: what a survey will be worth, before one is made, and later beside what came of it."""

from __future__ import annotations

import json
from functools import lru_cache
from typing import Any

from sottovoce.answers import Line, line, told
from sottovoce.messages import Fact, InvalidInput, Manifest
from sottovoce.planning import LIMITS, plan
from sottovoce.problems import Announced, described, named, problems
from sottovoce.service.bounded import bounded
from sottovoce.service.creating import values_of
from sottovoce.service.errors import Refused
from sottovoce.service.views import Lines, NewPlan, Planned, PlanSeen, Problem, Problems, Setting

_HELD = 64
"""Plans that are held, so that to ask again costs nothing."""


def listed() -> Problems:
    """Every problem and its settings, as forms need them; what no person sets is left out."""
    return Problems(
        problems=[
            Problem(
                name=one.name,
                estimates=str(one.estimates),
                unknowns=list(one.unknowns),
                settings=[_setting(one, own) for own in described(one.settings) if own.help.group != "hidden"],
            )
            for one in problems()
        ]
    )


def _setting(problem: Any, own: Any) -> Setting:
    choices = list(problem.method_names) if own.name == "method" else list(own.choices)
    return Setting(
        name=own.name,
        kind=own.kind.__name__,
        required=own.required,
        several=own.several,
        scalar=own.scalar,
        table=own.table,
        default=None if own.required else own.default,
        default_words=own.help.default,
        help=own.help.text,
        group=own.help.group,
        choices=choices or None,
    )


def planned(asked: NewPlan, *, seconds: float) -> Planned:
    """What a survey with these settings will be worth; refused where that takes longer.

    With a half-width to reach, one of the problem's unknowns is left out, and solved for.
    """
    given = {name: value for name, value in asked.settings.items() if value is not None}
    text = json.dumps([asked.problem, given, asked.halfwidth], sort_keys=True)
    return bounded(lambda: _planned(text), seconds=seconds, what="the plan")


@lru_cache(maxsize=_HELD)
def _planned(text: str) -> Planned:
    problem, given, halfwidth = json.loads(text)
    kind = named(problem)
    values = values_of(problem, given, left_out=kind.unknowns if halfwidth is not None else ())
    for name, (_, most) in LIMITS.items():
        if name != "epsilon" and values.get(name, 0) > most:
            raise InvalidInput(f"{name}: a plan looks at {most:,} at most")
    try:
        found = plan(problem=problem, halfwidth=halfwidth, **values)
        return Planned(
            problem=problem,
            method=found.method,
            reason="" if found.chosen.why is None else str(found.chosen.why.told("")),
            solved=found.solved,
            users=found.protocol.users,
            observations=getattr(found.protocol, "observations", None),
            epsilon=found.protocol.epsilon,
            confidence=found.confidence,
            halfwidth=found.halfwidth,
            guarded_halfwidth=found.guarded,
            full_scale=float(kind.full_scale(found.protocol)),
            users_per_round=list(found.users_per_round),
            lines=_told(found.lines()),
            warnings=[str(fact) for fact in found.warnings],
        )
    except (OverflowError, MemoryError):
        raise InvalidInput(f"settings of a {problem}: a number is too large") from None
    except TypeError:
        raise InvalidInput(f"settings of a {problem}: one of a wrong type") from None


def foreseen(manifest: bytes, *, seconds: float) -> PlanSeen:
    """What was to be expected of a survey that was announced, from its manifest alone, if that takes no longer."""

    def found() -> PlanSeen:
        made = plan(Announced(Manifest.from_bytes(manifest)).settings)
        return PlanSeen(halfwidth=made.halfwidth, lines=_told(made.lines()), guarded_halfwidth=made.guarded)

    try:
        return bounded(found, seconds=seconds, what="the plan")
    except (InvalidInput, Refused, OverflowError, MemoryError) as error:
        return PlanSeen(halfwidth=None, lines=_told([line("plan", Fact("plan-none", why=str(error)))]))


def _told(lines: list[Line]) -> Lines:
    return [list(one) for one in told(lines)]
