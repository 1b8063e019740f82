"""What an administrator asks for, checked: the manifest of a survey, or what it will be worth.

Strict: a misspelt setting would announce another survey.
"""

from __future__ import annotations

import ctypes
import json
import threading
import time
from collections.abc import Callable, Collection
from functools import cache, lru_cache
from typing import Any, TypeVar

from sottovoce.answers import Line, line, lines_in_words
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
    return {name: _checked_value(fields[name], value) for name, value in given.items()}


def _checked_value(field: Described, value: Any) -> Any:
    if value is None and field.optional:
        return None
    depth = 2 if field.table else 1 if field.several else 0
    if not _fits(field.kind, value, depth):
        kind = field.kind.__name__
        raise InvalidInput(f"{field.name}: {f'a list of {kind}' if depth else kind} was expected")
    return field.plain(value)


def _fits(kind: type, value: Any, depth: int) -> bool:
    if isinstance(value, list):
        return depth > 0 and all(_fits(kind, item, depth - 1) for item in value)
    if kind is float:
        return type(value) in (int, float)
    return type(value) is kind


Result = TypeVar("Result")


class _OutOfTime(BaseException):
    """Not an `Exception`: nothing on the way mistakes it for one of its field."""


def run_bounded(call: Callable[[], Result], *, seconds: float, what: str) -> Result:
    """The result of a call, in this thread; or a refusal that says that `what` takes too long.

    Nobody can end a thread from outside. Python can be told to raise an exception there, at its next step; what
    computes plans takes many steps, and holds nothing that an exception would leave broken.
    """
    lock, thread = threading.Lock(), threading.get_ident()
    ended = thrown = False

    def end() -> None:
        nonlocal thrown
        with lock:
            if not ended:
                thrown = True
                ctypes.pythonapi.PyThreadState_SetAsyncExc(ctypes.c_ulong(thread), ctypes.py_object(_OutOfTime))

    timer = threading.Timer(seconds, end)
    timer.daemon = True
    try:
        try:
            timer.start()
            return call()
        except _OutOfTime:
            thrown = False  # it has arrived
            raise
        finally:
            with lock:
                ended = True
            while thrown:  # it arrives here at the latest, never in what this thread does next
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


_PLANS = 64
"""Plans that are held, so that to ask again costs nothing."""


@cache
def problem_list() -> Problems:
    """Every problem and its settings, as forms need them; what no person sets is left out."""
    return Problems(
        problems=[
            Problem(
                name=problem.name,
                estimates=str(problem.estimates),
                unknowns=list(problem.unknowns),
                settings=[
                    Setting(
                        name=field.name,
                        kind=field.kind.__name__,  # type: ignore[arg-type]  # one of the four
                        required=field.required,
                        several=field.several,
                        scalar=field.scalar,
                        table=field.table,
                        default=None if field.required else field.default,
                        default_words=field.help.default,
                        help=field.help.text,
                        group=field.help.group,
                        choices=list(problem.method_names if field.name == "method" else field.choices) or None,
                    )
                    for field in described(problem.settings)
                    if field.help.group != "hidden"
                ],
            )
            for problem in problems()
        ]
    )


def plan_of(asked: NewPlan, *, seconds: float) -> Planned:
    """What a survey with these settings will be worth; refused where that takes longer.

    With a half-width to reach, one of the problem's unknowns is left out, and solved for.
    """
    given = {name: value for name, value in asked.settings.items() if value is not None}
    text = json.dumps([asked.problem, given, asked.halfwidth], sort_keys=True)
    return run_bounded(lambda: _planned(text), seconds=seconds, what="the plan")


@lru_cache(maxsize=_PLANS)
def _planned(text: str) -> Planned:
    problem, settings, halfwidth = json.loads(text)
    asked = named(problem)
    values = values_of(problem, settings, left_out=asked.unknowns if halfwidth is not None else ())
    for name, (_, most) in LIMITS.items():
        if name != "epsilon" and values.get(name, 0) > most:
            raise InvalidInput(f"{name}: a plan looks at {most:,} at most")
    try:
        planned = plan(problem=problem, halfwidth=halfwidth, **values)
        return Planned(
            problem=problem,
            method=planned.method,
            reason="" if planned.chosen.why is None else str(planned.chosen.why.method_fact("")),
            solved=planned.solved,
            users=planned.protocol.users,
            observations=getattr(planned.protocol, "observations", None),
            epsilon=planned.protocol.epsilon,
            confidence=planned.confidence,
            halfwidth=planned.halfwidth,
            guarded_halfwidth=planned.guarded,
            full_scale=float(asked.full_scale(planned.protocol)),
            users_per_round=list(planned.users_per_round),
            lines=_line_pairs(planned.lines()),
            warnings=[str(fact) for fact in planned.warnings],
        )
    except (OverflowError, MemoryError):
        raise InvalidInput(f"settings of a {problem}: a number is too large") from None
    except TypeError:
        raise InvalidInput(f"settings of a {problem}: one of a wrong type") from None


def plan_of_manifest(manifest: bytes, *, seconds: float) -> PlanSeen:
    """What was to be expected of a survey that was announced, from its manifest alone, if that takes no longer."""

    def expected() -> PlanSeen:
        planned = plan(Announced(Manifest.from_bytes(manifest)).settings)
        return PlanSeen(
            halfwidth=planned.halfwidth, lines=_line_pairs(planned.lines()), guarded_halfwidth=planned.guarded
        )

    try:
        return run_bounded(expected, seconds=seconds, what="the plan")
    except (InvalidInput, Refused, OverflowError, MemoryError) as error:
        return PlanSeen(halfwidth=None, lines=_line_pairs([line("plan", Fact("plan-none", why=str(error)))]))


def _line_pairs(lines: list[Line]) -> Lines:
    return [list(shown) for shown in lines_in_words(lines)]
