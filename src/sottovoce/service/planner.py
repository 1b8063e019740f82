"""What an administrator asks for, checked: the manifest of a survey, or what it will be worth.

Strict: a misspelt setting would announce another survey.
"""

from __future__ import annotations

import ctypes
import json
import threading
import time
from collections.abc import Callable, Collection
from functools import lru_cache
from typing import Any, TypeVar

from sottovoce.answers import Line, line, told
from sottovoce.messages import Fact, InvalidInput, Manifest
from sottovoce.planning import LIMITS, plan
from sottovoce.problems import Announced, Described, announce, described, named, problems
from sottovoce.service.documents import Lines, NewPlan, NewSurvey, Planned, PlanSeen, Problem, Problems, Setting
from sottovoce.service.errors import Refused
from sottovoce.version import SOFTWARE

_LEFT_OUT = "survey"


def manifest_of(asked: NewSurvey, *, now: float) -> Manifest:
    """Announced as asked, every choice settled. May take seconds: tables are designed here."""
    try:
        values = values_of(asked.problem, asked.settings)
        try:
            settings = named(asked.problem).settings(**values)
        except TypeError:
            raise InvalidInput(f"settings of a {asked.problem}: one of a wrong type") from None
        return announce(
            settings,
            purpose=asked.purpose,
            collector=asked.collector,
            software=SOFTWARE,
            opens=int(now) if asked.opens is None else asked.opens,
            closes=asked.closes,
            columns=asked.columns,
            enrolment=asked.enrolment,
            access=asked.access,
            minimum=asked.minimum,
            round_seconds=asked.round_seconds,
            quota=asked.quota,
            retention_days=asked.retention_days,
        )
    except OverflowError:
        raise InvalidInput(f"settings of a {asked.problem}: a number is too large") from None


def values_of(problem: str, given: dict[str, Any], *, left_out: Collection[str] = ()) -> dict[str, Any]:
    """The settings of a problem from plain data: each of its type, none missing but what may be `left_out`."""
    fields = {field.name: field for field in described(named(problem).settings) if field.name != _LEFT_OUT}
    strange = sorted(given.keys() - fields.keys())
    if strange:
        known = ", ".join(fields)
        wrong = f"a {problem} has no setting {', '.join(name[:40] for name in strange[:3])}; it has {known}"
        raise InvalidInput(wrong, code="unknown-setting", fields={"setting": strange[0]})
    missing = [name for name, field in fields.items() if field.required and name not in {*given, *left_out}]
    if missing:
        raise InvalidInput(rule=f"a {problem} needs the setting {', '.join(missing)}")
    return {name: _value(fields[name], value) for name, value in given.items()}


def _value(own: Described, value: Any) -> Any:
    if value is None and own.optional:
        return None
    depth = 2 if own.table else 1 if own.several else 0
    if not _fits(own.kind, value, depth):
        kind = own.kind.__name__
        raise InvalidInput(f"{own.name}: {f'a list of {kind}' if depth else kind} was expected")
    return own.plain(value)


def _fits(kind: type, value: Any, depth: int) -> bool:
    if isinstance(value, list):
        return depth > 0 and all(_fits(kind, item, depth - 1) for item in value)
    if kind is float:
        return type(value) in (int, float)
    return type(value) is kind


# A computation that is given up after so many seconds, in the thread that it runs in.

Result = TypeVar("Result")


class _OutOfTime(BaseException):
    """Not an `Exception`: nothing on the way mistakes it for one of its own."""


def bounded(call: Callable[[], Result], *, seconds: float, what: str) -> Result:
    """Its result, in this thread; or a refusal that says that `what` takes too long."""
    lock, thread = threading.Lock(), threading.get_ident()
    ended = told = False

    def end() -> None:
        nonlocal told
        with lock:
            if not ended:
                told = True
                ctypes.pythonapi.PyThreadState_SetAsyncExc(ctypes.c_ulong(thread), ctypes.py_object(_OutOfTime))

    timer = threading.Timer(seconds, end)
    timer.daemon = True
    try:
        try:
            timer.start()
            return call()
        except _OutOfTime:
            told = False  # it has arrived
            raise
        finally:
            with lock:
                ended = True
            while told:  # it arrives here at the latest, never in what this thread does next
                time.sleep(0)
    except _OutOfTime:
        raise Refused(
            status=503,
            code="busy",
            message=f"{what} takes longer than {seconds:g} seconds, and was given up",
            do="ask for something simpler: fewer observations, users, bins or coordinates",
            retry_after=seconds,
        ) from None
    finally:
        timer.cancel()


_HELD = 64
"""Plans that are held, so that to ask again costs nothing."""


def problem_list() -> Problems:
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


def plan_of(asked: NewPlan, *, seconds: float) -> Planned:
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


def plan_of_manifest(manifest: bytes, *, seconds: float) -> PlanSeen:
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
