"""One shape for every problem: settings, methods, the one chooser between them, and `decide` by replay.

A problem's folder binds its settings to its methods: ``Problem(name="mean", settings=Mean, methods=(…), …)``. From then
on a settings value is a survey: it decides, whatever method it names.
"""

from __future__ import annotations

import math
from collections.abc import Callable, Sequence
from dataclasses import dataclass, field, replace
from functools import cached_property, lru_cache, partial
from typing import Annotated, Any, ClassVar, Generic, Self, TypeVar

import numpy as np

from sottovoce.answers import Answer, AtEnd, Chosen, ChosenBy, Compared, Note
from sottovoce.messages import MAX_CHANNEL_EPSILON, Fact, Flags, Floats, InvalidInput, Question, Tally, check_epsilon
from sottovoce.methods import (
    RoundMaker,
    Script,
    check_choice,
    check_confidence,
    check_users,
    record_rounds,
    replay,
    shares_at_ends,
)
from sottovoce.problems.empty_users import check_empty, range_of_empty_users
from sottovoce.problems.fields import Help, described
from sottovoce.problems.group_support import GroupSupport
from sottovoce.problems.method import Example, Method
from sottovoce.problems.worlds import World
from sottovoce.risk import Crowd, Prediction, crowd_fact
from sottovoce.theory import Panel

AUTO = "auto"
EXAMPLE_USERS = 240
UNKNOWNS = ("users", "observations", "epsilon")
CROWD = {
    "spread": "standard deviation of the users' own means (default: 0)",
    "within": "standard deviation of one user's observations (default: as large as the range allows)",
    "around": "where the users' means lie (default: the worst)",
}


@dataclass(frozen=True, kw_only=True)
class Settings:
    """What every survey declares. A problem's own settings add theirs; none of them imports a method."""

    problem: ClassVar[Problem[Any]]

    epsilon: Annotated[
        float,
        Help(
            text="privacy budget of one report for the user's whole collection, 1e-6 to 16; lower is more private",
            metavar="E",
        ),
    ]
    users: Annotated[int, Help(text="how many users", metavar="N", group="data")]
    method: Annotated[str, Help(text="how to ask", metavar="M")] = AUTO
    confidence: Annotated[float, Help(text="level of the interval, 0 to 1", metavar="C")] = 0.95
    survey: Annotated[str, Help(text="the survey's name", metavar="NAME", group="hidden")] = "rehearsal"

    edition: ClassVar[int | None] = None
    """Of the method, where a manifest names an earlier one: no setting, and no part of what settings are equal by."""

    def __post_init__(self) -> None:
        for setting in described(type(self)):  # one form for one number: surveys that are equal have equal bytes
            if isinstance(value := getattr(self, setting.name), (int, list, tuple)):
                object.__setattr__(self, setting.name, setting.plain(value))
        self.check()
        check_choice("method", self.method, self.problem.method_names)
        names = self.problem.automatic if self.method == AUTO else (self.method,)
        refused: list[Fact] = []
        for name in names:
            if not isinstance(resolved := self.problem.method(name).resolve(self), Fact):
                return
            refused.append(resolved)
        raise InvalidInput(rule="; ".join(dict.fromkeys(map(str, refused))), code="cannot-run")

    def with_method(self, method: str, edition: int | None = None) -> Self:
        """The same survey by a method that is known to run with it: nothing is checked again."""
        made = object.__new__(type(self))
        vars(made).update(vars(self), method=method, edition=edition)
        return made

    def check(self) -> None:
        """Refuse what no method could run with."""
        check_epsilon(self.epsilon, maximum=self.largest_epsilon)
        check_users(self.users)
        check_confidence(self.confidence)
        if not isinstance(self.survey, str):
            raise InvalidInput(rule=f"survey must be a name, not a {type(self.survey).__name__}")
        check_empty(self.problem.name, getattr(self, "empty", "middle"), getattr(self, "empty_at_most", 0.0))
        for setting in described(type(self)):
            if setting.choices or setting.help.check is not None:
                setting.check(getattr(self, setting.name))

    def round_maker(self) -> RoundMaker:
        """Who makes the questions of a survey whose rounds are decided on the way: anew for every run of a script."""
        seed = getattr(self, "public_seed", 0)
        return RoundMaker(survey=self.survey, epsilon=self.epsilon, users=self.users, seed=seed)

    def confidences(self, count: int) -> tuple[float, float]:
        """The confidence of each of `count` intervals, and of each where all are to hold at once (Bonferroni)."""
        return self.confidence, 1 - (1 - self.confidence) / count

    @property
    def largest_epsilon(self) -> float:
        """What a report may spend: one channel's most, unless several of them share it."""
        return MAX_CHANNEL_EPSILON

    @property
    def declared(self) -> tuple[Any, Any] | None:
        """The lowest and the highest declared value, of all columns or of each; None where no range is declared."""
        low, high = getattr(self, "low", None), getattr(self, "high", None)
        return None if low is None or high is None else (low, high)

    def points_outside(self, points: Floats) -> tuple[Flags, Flags] | None:
        """Which of some points ``(n, d)`` lie below what is declared, and which above, in some coordinate."""
        if self.declared is None:
            return None
        low, high = (np.asarray(end, dtype=np.float64) for end in self.declared)
        return np.asarray((points < low).any(axis=1)), np.asarray((points > high).any(axis=1))

    def decide(self, tallies: tuple[Tally, ...]) -> Question | Answer:
        """The next question, or the answer; see `methods.script`."""
        return replay(self.story(), tallies)

    def story(self) -> Script[Answer]:
        """All rounds by the method that is chosen, and what every answer says besides."""
        chosen = choose(self)
        seen: list[tuple[Question, Tally]] = []
        answer: Answer = yield from record_rounds(chosen.method.script_as_asked(chosen.settings), seen)
        if self.problem.complete_answer is not None:
            answer = self.problem.complete_answer(chosen.settings, answer)
        if at_most := getattr(self, "empty_at_most", 0.0):
            answer = answer.allowing_for_empty(partial(range_of_empty_users, [asked for asked, _ in seen]), at_most)
        answer = replace(answer, notes=(*answer.notes, *answer.inconsistencies(), *self._range_notes(answer, seen)))
        if self.method == AUTO and chosen.why is not None:
            return replace(answer, chosen=chosen.why)
        if self.method == AUTO and answer.chosen.by == ChosenBy.CALLER:
            return replace(answer, chosen=replace(answer.chosen, by=ChosenBy.AUTO, method=chosen.method.name))
        return answer

    def _range_notes(self, answer: Answer, seen: Sequence[tuple[Question, Tally]]) -> list[Note]:
        """Where the declared range may miss users, from tallies alone: whoever replays a survey is told the same."""
        if self.declared is None:
            return []
        low, high = self.declared

        def looks(reach: float) -> list[tuple[AtEnd | None, AtEnd | None]]:
            return [shares_at_ends(asked, tally, low=low, high=high, reach=reach) for asked, tally in seen]

        return answer.range_notes((low, high), looks)


S = TypeVar("S", bound=Settings)


@dataclass(frozen=True, kw_only=True)
class CommandHelp:
    """What the help of commands says of a problem."""

    estimate: tuple[str, ...] = ()
    """Examples: what follows ``sotto estimate NAME``, as `simulate` and `plan` follow theirs."""
    simulate: tuple[str, ...] = ()
    plan: tuple[str, ...] = ()
    ranges: tuple[tuple[str, ...], ...] = ()
    """Where there are several ways to say where observations lie: settings of which a command wants one way."""
    hints: tuple[str, ...] = ()
    """Sentences that the help of ``sotto estimate NAME`` should say besides."""


@dataclass(frozen=True, kw_only=True)
class PlanFacts(Generic[S]):
    """What a plan measures, and what it may assume about the users."""

    measures: Fact
    """Of what number a predicted error is."""
    more: Fact | None = None
    """What else is to be known of that number."""
    users: Callable[[S, Crowd], World] | None = None
    """Made-up users as a plan assumes them."""
    diagram: tuple[Panel, Callable[[S], int]] | None = None
    """The panel of the paper's regime diagram, and the dimension to read it at."""
    crowd: dict[str, str] = field(default_factory=lambda: CROWD)
    """What a plan may assume about the users, and what each means here."""
    crowd_fact: Callable[[Sequence[Crowd]], Fact] = crowd_fact
    """What is assumed, as a plan says it."""
    differing: float | None = None
    """How much users' own means may differ when nobody says, as a part of the range; None: it is not looked at."""
    least: Callable[[S, Crowd], float | None] | None = None
    """The least mean squared error that ε allows for such users, where it is known."""


@dataclass(frozen=True, kw_only=True)
class CallFacts(Generic[S]):
    """How a call on data at hand differs from its settings."""

    options: dict[str, tuple[str, str]] = field(default_factory=dict)
    """What a call takes that the settings do not hold: name to type and default as written, and help."""
    prepare: Callable[[Any, dict[str, Any]], tuple[Any, dict[str, Any]]] | None = None
    """People and given settings to those that are asked with, where data alone do not say."""
    truth: Callable[[S, Any], Any] | None = None
    """The truth about given users (settings, and their collections), where it does not follow from their means."""


@dataclass(frozen=True, kw_only=True, eq=False)
class Problem(Generic[S]):
    """Everything about one problem; nothing outside its folder lists it again."""

    name: str
    """On the command line and in plan files."""
    function: str
    """Of the library: ``sv.mean``."""
    settings: type[S]
    answer: type[Answer]
    methods: tuple[Method[S], ...]
    automatic: tuple[str, ...]
    """What ``"auto"`` chooses from, the simplest first."""
    estimates: Fact
    """What is estimated, in half a sentence."""
    example: str
    """How a call looks, as a doctest."""
    full_scale: Callable[[S], float]
    """Half the declared range: a wider half-width says nothing."""
    world: type[Any]
    """Made-up users, and how an answer is held against the truth: a class that keeps `World`."""
    examples: tuple[Example, ...]
    plan: PlanFacts[S]
    commands: CommandHelp = CommandHelp()
    call: CallFacts[S] = CallFacts()
    earlier: tuple[Method[S], ...] = ()
    """Editions of methods that no survey is announced with any more, and that are still replayed."""
    pays: float = 1.0
    """``"auto"`` leaves the simplest method for one whose mean squared error is below this part of its own."""
    by_interval: bool = False
    """Whether ``"auto"`` goes by each method's `loss` instead: by the interval first, over many kinds of users."""
    complete_answer: Callable[[S, Answer], Answer] | None = None
    """What every answer says besides, whatever the method."""
    unknowns: tuple[str, ...] = UNKNOWNS
    """What a plan can solve for."""
    in_group: GroupSupport | None = None
    """How it is asked for in each group of a column, where it may be: see problem ``groups``."""
    finds_range: str = ""
    """Where its range may be found first: what that has to hold, ``"averages"`` or ``"observations"``."""
    title: str = ""
    """What an answer is at the head of its page, before the columns that it is of; the name where it is not said."""

    def __post_init__(self) -> None:
        self.settings.problem = self

    @property
    def by_group(self) -> bool:
        """Whether it may be asked for in each group of a column."""
        return self.in_group is not None

    @property
    def takes_vectors(self) -> bool:
        """Whether an observation may have several columns."""
        return self.call.prepare is not None or any(setting.name == "dimension" for setting in described(self.settings))

    @property
    def heading(self) -> str:
        """What stands at the head of a page."""
        return self.title or self.name.capitalize()

    @cached_property
    def method_names(self) -> tuple[str, ...]:
        return (AUTO, *(method.name for method in self.methods))

    def example_survey(self, example: Example, *, epsilon: float) -> S:
        """An example as a survey."""
        given: dict[str, Any] = {"epsilon": epsilon, "users": EXAMPLE_USERS, "method": example.method}
        return self.settings(**given | example.more)

    def method_words(self, *, auto: str = "auto") -> str:
        """All methods, in half a sentence each; `auto` is what the choice among them is called."""
        lowest = ", whichever has the lowest predicted error" if len(self.automatic) > 1 else ""
        if self.by_interval:
            lowest = ", whichever promises the narrower interval, with a look at the error"
        elif lowest and self.pays < 1:
            lowest = f", the first unless another's predicted squared error is below {self.pays:g} times its own"
        methods = "; ".join(f"{method.name} {method.help}" for method in self.methods)
        return f"{auto} takes {' or '.join(self.automatic)}{lowest}; {methods}"

    def method(self, name: str, edition: int | None = None) -> Method[S]:
        """The method of this name: as it is now, or an earlier edition that surveys were announced with."""
        earlier = [method for method in self.earlier if (method.name, method.edition) == (name, edition)]
        return earlier[0] if earlier else self.methods[self.method_names.index(name) - 1]  # the first name is auto


@dataclass(frozen=True, kw_only=True)
class ChosenMethod(Generic[S]):
    """What runs: a method, settings in which every choice is settled, and why it was chosen.

    `why` is None where the caller asked for it, or where there was nothing to choose.
    """

    method: Method[S]
    settings: S
    reason: Callable[[], Chosen] | None = None
    """What makes `why`: most choices are only looked at for their prediction."""
    prediction: Prediction | None = None
    """The error to expect, where it decided the choice."""
    others: tuple[tuple[str, Prediction], ...] = ()
    """What else was looked at: the best of each other method."""

    @cached_property
    def why(self) -> Chosen | None:
        """What was compared, and what decided."""
        return None if self.reason is None else self.reason()

    def predict(self, crowd: Crowd) -> Prediction:
        """The error to expect."""
        return self.method.expected_error(self.settings, crowd) if self.prediction is None else self.prediction


NOTHING_STATED = Crowd()


def choose(settings: S, crowd: Crowd = NOTHING_STATED) -> ChosenMethod[S]:
    """The method that runs: the one asked for, or for ``"auto"`` the simplest, unless another pays.

    The only place where this is decided: surveys, calls, plans and explanations all come here.
    """
    if settings.method != AUTO:
        method = settings.problem.method(settings.method, settings.edition)
        return ChosenMethod(method=method.method_that_runs(settings), settings=settings)
    return _chosen(settings, crowd)


Ranked = list[tuple[Prediction, Method[Any], Any]]


@lru_cache(maxsize=512)
def _chosen(settings: Any, crowd: Crowd) -> ChosenMethod[Any]:
    problem = settings.problem
    for method in map(problem.method, problem.automatic):
        if method.surely_best(settings, crowd):
            sure = settings.with_method(method.name)
            return ChosenMethod(method=method, settings=sure, reason=partial(_reason_afterwards, method, sure, crowd))
    ranked, refused = _ranked(settings, crowd)
    if len(ranked) == 1 and ranked[0][0] is NOT_COMPARED:
        return ChosenMethod(method=ranked[0][1], settings=ranked[0][2])
    losses = [
        one.loss(variant, crowd) if problem.by_interval else math.log(prediction.mse)
        for prediction, one, variant in ranked
    ]
    lowest = losses.index(min(losses))
    best, method, variant = ranked[lowest if losses[lowest] < losses[0] + math.log(problem.pays) else 0]
    others = tuple((other.name, prediction) for prediction, other, _ in ranked if other is not method)
    reason = partial(_reason, method, variant, crowd, ranked, refused)
    return ChosenMethod(method=method, settings=variant, reason=reason, prediction=best, others=others)


NOT_COMPARED = Prediction(sampling=math.inf, privacy=0.0)
"""Of a method that is the only one, of which nothing needs to be predicted."""


def _ranked(settings: Any, crowd: Crowd) -> tuple[Ranked, list[Fact]]:
    """The best of each method that ``"auto"`` may take, and why others cannot run."""
    problem = settings.problem
    refused: list[Fact] = []
    ranked: Ranked = []
    candidates = [method for method in map(problem.method, problem.automatic) if method.considered_by_auto(settings)]
    for method in candidates:
        if isinstance(resolved := method.resolve(settings), Fact):
            refused.append(Fact("auto-refused", method=method.name, why=resolved))
            continue
        variants = method.variants(settings, crowd)
        if not variants:
            continue
        only = NOT_COMPARED, method.method_that_runs(variants[0]), variants[0]
        if len(problem.automatic) == len(variants) == 1:
            return [only], []
        try:
            runs = [(method.method_that_runs(variant), variant) for variant in variants]
            predictions = [(one.expected_error(variant, crowd), one, variant) for one, variant in runs]
        except InvalidInput:  # no formula says how good it is: no matter, where there is nothing to choose
            if len(variants) > 1 or len(refused) < len(candidates) - 1:
                raise
            return [only], []
        ranked.append(min(predictions, key=lambda row: row[0].mse))
    return ranked, refused


def _reason_afterwards(method: Method[Any], settings: Any, crowd: Crowd) -> Chosen:
    """What a comparison would have said, where a method was taken without one."""
    return _reason(method, settings, crowd, *_ranked(settings.with_method(AUTO), crowd))


def _reason(
    method: Method[Any],
    settings: Any,
    crowd: Crowd,
    ranked: Sequence[tuple[Prediction, Method[Any], Any]],
    refused: Sequence[Fact],
) -> Chosen:
    """Why a method was chosen among those that are ranked by what they predict."""
    problem = settings.problem
    by_users: dict[str, Any] = {}
    if problem.plan.differing is not None:
        crowds = method.assumed_users(settings, crowd)
        given = crowds[0].law is not None
        spreads = None if given else tuple(users.spread or 0.0 for users in crowds)
        by_users = {"spreads": spreads, "width": 2 * problem.full_scale(settings), "pays": problem.pays}
    listed = sorted(ranked, key=lambda row: row[1] is not method)  # the one taken first, the others as they stand
    compared = tuple(
        Compared(method=other.name, error=prediction.rmse, guaranteed=other.guaranteed, halfwidth=prediction.guaranteed)
        for prediction, other, _ in listed
    )
    details = (method.words(settings), *refused)
    return Chosen(by=ChosenBy.AUTO, method=method.name, compared=compared, details=details, **by_users)
