"""A plan in one call, or from its file.

Reading is strict: an unknown key is an error, since a misspelt setting that is silently ignored would run another
survey than the one planned.
"""

from __future__ import annotations

import tomllib
from dataclasses import replace
from pathlib import Path
from typing import Any, get_type_hints

from sottovoce.messages import MAX_CHANNEL_EPSILON, MAX_EPSILON, InvalidInput, check_epsilon
from sottovoce.methods import check_positive
from sottovoce.planning.plans import ASSUMED, PREDICTED, VERSION, Plan, setting_names
from sottovoce.planning.solve import GOALS, LIMITS, Goal, Unknown, changed, solve, unreachable
from sottovoce.problems import UNKNOWNS, Problem, Settings, choose, described, named, problems
from sottovoce.risk import Crowd

_PLACEHOLDERS = {"users": 2**20, "observations": 10_000, "epsilon": 1.0}
"""What stands for the unknown until it is solved for: values that no problem refuses."""


def plan(
    protocol: Any = None,
    *,
    problem: str = "mean",
    users: int | None = None,
    observations: int | None = None,
    epsilon: float | None = None,
    halfwidth: float | None = None,
    error: float | None = None,
    confidence: float = 0.95,
    method: str = "auto",
    spread: float | None = None,
    within: float | None = None,
    around: float | None = None,
    **settings: Any,
) -> Plan:
    """Say what a survey will be worth, or what it takes to reach a half-width.

    Of `users`, `observations` (per user), `epsilon` and `halfwidth` (or `error`) leave out one: it is solved for.
    `halfwidth` is that of the interval which the answer will give, `error` the root mean squared error behind it. The
    method, its rounds and bins are chosen with it, unless `method` names one. `settings` are those of the problem's
    protocol (`low` and `high` for a mean). Instead of all this a `protocol` may be given, alone (what will it be
    worth?) or with a `halfwidth` or an `error` (how many users does it take, and would more observations or a larger ε
    do instead? see `Plan.ways`).

    By default the plan is for observations as spread as the range allows, and for users alike; one-round and auto of a
    mean look at users alike and users whose own means differ by a tenth of the range, on average. `within` states the
    standard deviation of one user's observations, `spread` that of the users' own means, `around` where those lie.
    With `empty_at_most` half-widths are those of intervals that allow for so many users without data.

    No device answers above ε = 16 in one question. A plan with a larger `epsilon` is for 16, says so in `warnings`, and
    tells in `beyond` what theory says of the budget that was asked for.

    Privacy
    -------
    No data are looked at. Do not take `spread` or `within` from data that you promised to protect.

    Accuracy
    --------
    ``benchmarks/plan_accuracy.py`` measures predictions against simulated errors.

    Examples
    --------
    >>> import sottovoce as sv
    >>> plan = sv.plan(low=1, high=5, epsilon=1.0, observations=100, halfwidth=0.05)
    >>> print(f"{plan.halfwidth:.3f} with {plan.protocol.method}")
    0.050 with adaptive
    """
    crowd = Crowd(spread=spread, within=within, around=around)
    if protocol is not None and not isinstance(protocol, Settings):
        names = ", ".join(problem.name for problem in problems())
        raise InvalidInput(f"no plan for a {type(protocol).__name__}; there are plans for {names}")
    target = _target(halfwidth, error)
    goal: Goal = "halfwidth" if error is None else "error"
    empty = settings.get("empty_at_most") if protocol is None else getattr(protocol, "empty_at_most", 0.0)
    if error is not None and empty:
        raise InvalidInput("error says nothing of users without data (empty_at_most):", fix="ask for a halfwidth")
    given: dict[str, float | int | None] = {"users": users, "observations": observations, "epsilon": epsilon}
    if protocol is not None:
        extra = [name for name, value in given.items() if value is not None] + sorted(settings)
        if extra:
            raise InvalidInput(
                f"the protocol already says {', '.join(extra)}; change the protocol, or plan without naming one"
            )
        if target is None:
            return predicted_plan(protocol, crowd)
        return plan_reaching(protocol, "users", crowd, target=target, goal=goal, origin=protocol)
    kind = named(problem)
    assumed = {"spread": spread, "within": within, "around": around}
    known = (*kind.unknowns, *kind.plan.crowd)
    idle = [name for name, value in (given | assumed).items() if name not in known and value is not None]
    if idle:
        raise InvalidInput(f"a plan of a {problem} has no {', '.join(idle)}")
    given = {name: value for name, value in given.items() if name in kind.unknowns}
    unknown = _unknown_quantity(given, target)
    numbers = {name: _PLACEHOLDERS[name] if value is None else value for name, value in given.items()}
    values = numbers | {"confidence": confidence, "method": method} | settings
    template, asked = (
        _template_and_asked_epsilon(kind, values) if epsilon is not None else (_template(kind, values), None)
    )
    if target is None:
        result = predicted_plan(template, crowd)
    else:
        result = plan_reaching(template, unknown, crowd, target=target, goal=goal)
    return result if asked is None else replace(result, asked_epsilon=asked)


def _target(halfwidth: float | None, error: float | None) -> float | None:
    """What is to be reached."""
    if halfwidth is not None and error is not None:
        raise InvalidInput("halfwidth and error are two goals", fix="give one of them")
    for name, value in (("halfwidth", halfwidth), ("error", error)):
        check_positive(name, value)
    return error if halfwidth is None else halfwidth


def _unknown_quantity(given: dict[str, float | int | None], target: float | None) -> Unknown:
    missing = [name for name, value in given.items() if value is None]
    if target is None and missing:
        raise InvalidInput(
            f"{', '.join(missing)} and halfwidth are left out",
            fix="state all but one of them: only one can be solved for",
        )
    if target is not None and len(missing) != 1:
        what = " and ".join(missing) + " are left out" if missing else "none is left out"
        raise InvalidInput(
            rule=f"of {', '.join(given)} and halfwidth (or error) leave out exactly one, to be solved for", wrong=what
        )
    return next((name for name in LIMITS if name in missing), "users")


def _template_and_asked_epsilon(problem: Problem[Any], values: dict[str, Any]) -> tuple[Any, float | None]:
    """The survey; one whose budget no device answers, with the most that one does, and what was asked for."""
    epsilon = check_epsilon(values["epsilon"], maximum=MAX_EPSILON)
    if epsilon > MAX_CHANNEL_EPSILON:
        most = _template(problem, values | {"epsilon": MAX_CHANNEL_EPSILON}).largest_epsilon
        if epsilon > most:  # which is of several questions' worth
            return _template(problem, values | {"epsilon": most}), epsilon
    return _template(problem, values), None


def _template(problem: Problem[Any], values: dict[str, Any]) -> Any:
    known = setting_names(problem)
    strange = sorted(set(values) - set(known))
    if strange:
        others = ", ".join(name for name in known if name not in (*UNKNOWNS, "survey", "confidence", "method"))
        raise InvalidInput(
            f"a plan of a {problem.name} has no {', '.join(strange)}; its settings are {others}",
            code="unknown-setting",
            fields={"setting": strange[0]},
        )
    *most, last = [
        "",
        *(field.name for field in described(problem.settings) if field.required and field.name not in values),
    ]
    if last:
        names = f"{', '.join(most[1:])}{',' if len(most) > 2 else ''} and {last}" if most[1:] else last
        raise InvalidInput(rule=f"a plan of a {problem.name} needs {names}")
    try:
        return problem.settings(**values)
    except TypeError as error:  # of a wrong type
        raise InvalidInput(rule=f"a plan of a {problem.name} needs {str(error).replace(chr(39), '')}") from None


def predicted_plan(
    template: Any,
    crowd: Crowd,
    *,
    solved: str = "halfwidth",
    target: float | None = None,
    goal: Goal = "halfwidth",
    origin: Any = None,
) -> Plan:
    """The plan for a protocol whose numbers are all given."""
    chosen = choose(template, crowd)
    return Plan(
        template=template,
        chosen=chosen,
        crowd=crowd,
        prediction=chosen.predict(crowd),
        solved=solved,
        target=target,
        goal=goal,
        origin=origin,
    )


def plan_reaching(
    template: Any, unknown: Unknown, crowd: Crowd, *, target: float, goal: Goal = "halfwidth", origin: Any = None
) -> Plan:
    """The plan with the smallest `unknown` that brings the half-width, or the error, down to `target`."""
    scale = template.problem.full_scale(template)
    if not target < scale:
        raise InvalidInput(f"{GOALS[goal]} {target:g} says nothing: the declared range has a half-width of {scale:g}")
    solution = solve(template, unknown, target, crowd, goal=goal)
    if solution.value is None:
        raise unreachable(solution, target=target, goal=goal, confidence=float(template.confidence))
    return predicted_plan(
        changed(template, unknown, solution.value), crowd, solved=unknown, target=target, goal=goal, origin=origin
    )


MAX_BYTES = 2**20


def loads(text: str) -> Plan:
    """The plan in a file's text, with its prediction computed again."""
    try:
        settings = tomllib.loads(text)
    except tomllib.TOMLDecodeError as error:
        raise InvalidInput(f"not a plan file: {error}") from None
    version = settings.pop("plan", None)
    if version != VERSION or isinstance(version, bool):
        raise InvalidInput(f"a plan file starts with plan = {VERSION}, the version this software reads")
    name = settings.pop("problem", None)
    if not isinstance(name, str):
        raise InvalidInput('a plan file names its problem, such as problem = "mean"')
    problem = named(name)
    for figure in PREDICTED:
        settings.pop(figure, None)
    known = setting_names(problem)
    strange = sorted(set(settings) - set(known) - set(ASSUMED))
    if strange:
        raise InvalidInput(
            f"a plan of a {name} has no {', '.join(strange)}; it may have {', '.join((*known, *ASSUMED))}",
            code="unknown-setting",
            fields={"setting": strange[0]},
        )
    assumed = {name: _toml_number(key, settings.pop(key)) for key, name in ASSUMED.items() if key in settings}
    crowd = Crowd(**assumed)  # type: ignore[arg-type]  # only numbers, and `law` is not among the names
    hints = get_type_hints(problem.settings)
    try:
        template = problem.settings(**{key: _toml_typed(key, text, str(hints[key])) for key, text in settings.items()})
    except TypeError:
        raise InvalidInput(f"the plan file lacks a setting that a {name} needs, or has one of a wrong type") from None
    return predicted_plan(template, crowd)


def load(path: str | Path) -> Plan:
    """Read a plan from a file."""
    data = Path(path).expanduser().read_bytes()
    if len(data) > MAX_BYTES:
        raise InvalidInput(f"a plan file has at most {MAX_BYTES:,} bytes; this one has {len(data):,}")
    try:
        return loads(data.decode("utf-8"))
    except UnicodeDecodeError:
        raise InvalidInput("a plan file is UTF-8 text") from None


def _toml_number(name: str, value: Any) -> float:
    if isinstance(value, bool) or not isinstance(value, (int, float)):
        raise InvalidInput(rule=f"{name} must be a number in a plan file", wrong=f"got {type(value).__name__}")
    return float(value)


def _toml_typed(name: str, value: Any, hint: str) -> Any:
    """TOML writes 1 where a number like 1.0 is meant, and knows lists but no tuples."""
    if isinstance(value, list):
        return tuple(_toml_typed(name, item, hint) for item in value)
    if "float" in hint:
        return _toml_number(name, value)
    expected = {"str": str, "int": int, "bool": bool}.get(hint.removeprefix("<class '").removesuffix("'>"))
    if expected is not None and (not isinstance(value, expected) or (expected is int and isinstance(value, bool))):
        raise InvalidInput(
            rule=f"{name} must be of type {expected.__name__} in a plan file", wrong=f"got {type(value).__name__}"
        )
    return value
