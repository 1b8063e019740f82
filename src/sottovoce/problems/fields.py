"""Settings that describe themselves: a help text beside each field, read by commands, calls and docs."""

from __future__ import annotations

import dataclasses
import types
from collections.abc import Callable
from dataclasses import dataclass
from functools import cache
from typing import Annotated, Any, Literal, Union, get_args, get_origin, get_type_hints

from sottovoce.messages import InvalidInput
from sottovoce.methods import check_choice, check_observations, check_positive
from sottovoce.theory import PROOF_CONSTANT

Group = Literal["declared", "constants", "data", "hidden"]


@dataclass(frozen=True, kw_only=True)
class Help:
    """What a person should know about a setting.

    `group`: ``"declared"`` is for everybody, ``"constants"`` for those who reproduce the paper, ``"data"`` follows from
    the data in a rehearsal (how many users, how many columns), ``"hidden"`` is no option of a command.
    """

    text: str
    metavar: str = ""
    group: Group = "declared"
    default: str = ""
    """The default in words, where None or a bare figure would say little: ``by the method``."""
    free: bool = False
    """Whether a list has as many entries as it likes, rather than one for each coordinate of the data."""
    choices: Callable[[], tuple[str, ...]] | None = None
    """What may be given, where it is known when all problems are."""
    late: bool = False
    """Whether it came after manifests had been written: at its default it is left out of them, so those stay valid."""
    check: Callable[[Any], None] | None = None
    """What refuses a value that nobody could use."""


@dataclass(frozen=True, kw_only=True)
class Described:
    """One field of a settings class."""

    name: str
    kind: type
    """float, int, bool or str: of the value, or of each entry."""
    several: bool
    """Whether a tuple is taken: of one entry for each coordinate, or of any number."""
    scalar: bool
    """Whether one value is taken."""
    table: bool
    """Whether the entries are tuples themselves: rows of a table."""
    optional: bool
    """Whether None is taken."""
    choices: tuple[str, ...]
    default: Any
    """`dataclasses.MISSING` where a value must be given."""
    help: Help

    def plain(self, value: Any) -> Any:
        """The form in which a setting is kept: floats where numbers are meant, tuples for lists."""
        if isinstance(value, (list, tuple)):
            return tuple(map(self.plain, value))
        whole = isinstance(value, int) and not isinstance(value, bool)
        return float(value) if self.kind is float and whole else value

    def left_out(self, value: Any) -> bool:
        """Whether a manifest or a plan file says nothing of it."""
        return self.help.late and bool(value == self.default)

    def check(self, value: Any) -> None:
        """Refuse what is not among the choices, or what its help refuses."""
        if self.choices and value is not None:
            check_choice(self.name, value, self.choices)
        if self.help.check is not None:
            self.help.check(value)

    @property
    def required(self) -> bool:
        return self.default is dataclasses.MISSING

    @property
    def option(self) -> str:
        return f"--{self.name.replace('_', '-')}"


def described(settings: type[Any]) -> tuple[Described, ...]:
    """Every field of a dataclass that carries a `Help`, in the order of its definition."""
    anything: Any = settings  # mypy takes a class with a hash of its own for unhashable
    return _described(anything)


@cache
def _described(settings: Any) -> tuple[Described, ...]:
    hints = get_type_hints(settings, include_extras=True)
    settings_described = []
    for field in dataclasses.fields(settings):
        hint, help_ = hints[field.name], None
        if get_origin(hint) is Annotated:
            hint, *extras = get_args(hint)
            help_ = next(iter([extra for extra in extras if isinstance(extra, Help)]), None)
        if help_ is not None:
            settings_described.append(_described_field(field, hint, help_))
    return tuple(settings_described)


def _described_field(field: dataclasses.Field[Any], hint: Any, help_: Help) -> Described:
    members = get_args(hint) if get_origin(hint) in (Union, types.UnionType) else (hint,)
    optional = types.NoneType in members
    members = tuple([member for member in members if member is not types.NoneType])
    tuples = [member for member in members if get_origin(member) is tuple]
    scalars = [member for member in members if get_origin(member) is not tuple]
    choices: tuple[str, ...] = ()
    first = scalars[0] if scalars else get_args(tuples[0])[0]
    table = get_origin(first) is tuple
    if table:
        first = get_args(first)[0]
    if get_origin(first) is Literal:
        choices, first = get_args(first), str
    kind = first if first in (float, int, bool, str) else str
    return Described(
        name=field.name,
        kind=kind,
        several=bool(tuples),
        scalar=bool(scalars),
        table=table,
        optional=optional,
        choices=choices if help_.choices is None else help_.choices(),
        default=field.default,
        help=help_,
    )


LOWEST = Help(text="lowest declared value, in units of the observations", metavar="L")
Low = Annotated[float, LOWEST]
High = Annotated[float, Help(text="highest declared value; averages beyond are clamped", metavar="H")]
Observations = Annotated[
    int,
    Help(text="observations per user, as the survey declares it", metavar="T", group="data", check=check_observations),
]
Vectors = Annotated[
    int, Help(text="vectors per user, as the survey declares it", metavar="T", group="data", check=check_observations)
]
Empty = Annotated[
    Literal["middle", "random", "symbol"],
    Help(
        text="what a user without observations counts as: the middle of what is asked about, or a random place there; "
        "symbol counts them apart",
        late=True,
    ),
]
EmptyAtMost = Annotated[
    float,
    Help(
        text="the largest share of the users that may hold no observation, 0 to 1: the intervals allow for them",
        metavar="W",
        default="0: every user is taken to hold one",
        late=True,
    ),
]
Names = Annotated[tuple[str, ...], Help(text="what to call the columns", metavar="NAME,…", group="data")]


def column_names(names: tuple[str, ...], count: int) -> tuple[str, ...]:
    """What columns are called in an answer: as said, or x1, x2, …."""
    return names or tuple(f"x{number}" for number in range(1, count + 1))


Other = Annotated[
    str | None,
    Help(text="the declared category that takes what is in none of them", metavar="LABEL", default="none"),
]
Spread = Annotated[
    float | None,
    Help(
        text="how much users' own means differ (standard deviation), for auto to choose by",
        metavar="S",
        default="not known: alike, or by a tenth of the range",
    ),
]


def check_spread_in_range(spread: float | None, width: float) -> None:
    """Refuse a `Spread` that no users on a range of this width have."""
    if spread is not None and not 0 <= spread <= width / 2:
        raise InvalidInput(
            rule=f"spread is a standard deviation, from 0 to half of the range ({width / 2:g})", got=spread
        )


QUANTILES = Help(text="levels of the quantiles, between 0 and 1", metavar="Q,…", default="0.5, the median", free=True)
Delta = Annotated[
    float | None,
    Help(
        text="Δ, half the width of a bin of the vote, in half-ranges",
        metavar="D",
        group="constants",
        default="by the method",
        check=lambda delta: check_positive("delta", delta),
    ),
]
ProofConstant = Annotated[
    float,
    Help(
        text="K, a constant of the proofs, for method theory",
        metavar="K",
        group="constants",
        default=f"{PROOF_CONSTANT:g}, as in the proofs",
    ),
]
