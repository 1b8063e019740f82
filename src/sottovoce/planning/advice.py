"""A plan in words: what limits the accuracy, what would help, what would not."""

from __future__ import annotations

import math
from dataclasses import asdict, dataclass, replace
from typing import Any

from sottovoce.answers import part, percent, two_sided
from sottovoce.messages import InvalidInput, counted, few
from sottovoce.planning.outline import Outline
from sottovoce.planning.solve import Solution, Unknown, changed, solve
from sottovoce.problems import choose
from sottovoce.risk import CAUSES
from sottovoce.theory import REGIME_WORDS

HELPS, HARDLY = 0.80, 0.97
"""A doubling that leaves less than this of the half-width helps; one that leaves more than that hardly does."""
_FACTORS: tuple[tuple[Unknown, float], ...] = (
    ("users", 0.5),
    ("users", 2.0),
    ("observations", 0.5),
    ("observations", 2.0),
    ("epsilon", 0.5),
    ("epsilon", 2.0),
)


@dataclass(frozen=True, kw_only=True)
class Change:
    """One quantity changed, and the half-width that follows."""

    quantity: Unknown
    factor: float
    value: float
    halfwidth: float
    ratio: float
    method: str

    @property
    def words(self) -> str:
        """``twice the users``."""
        much = {0.5: "half", 2.0: "twice"}.get(self.factor, f"{self.factor:g} times")
        return f"{much} the {'ε' if self.quantity == 'epsilon' else self.quantity}"

    def to_dict(self) -> dict[str, Any]:
        return asdict(self)


def sensitivity(plan: Outline) -> tuple[Change, ...]:
    """The half-width with half and twice of everything, each method chosen anew."""
    template, crowd = plan.template, plan.crowd
    base = plan.halfwidth
    found = []
    for quantity, factor in _FACTORS:
        if quantity not in plan.problem.unknowns:
            continue
        value = getattr(template, quantity) * factor
        value = max(1, round(value)) if quantity != "epsilon" else value
        if value == getattr(template, quantity):
            continue
        try:
            chosen = choose(changed(template, quantity, value), crowd)
            prediction = chosen.predict(crowd)
        except InvalidInput:  # too few users for the folds, too large an epsilon: nothing to compare with
            continue
        found.append(
            Change(
                quantity=quantity,
                factor=factor,
                value=value,
                halfwidth=prediction.halfwidth(plan.confidence),
                ratio=prediction.halfwidth(plan.confidence) / base if base > 0 else 1.0,
                method=chosen.method.name,
            )
        )
    return tuple(found)


def ways(plan: Outline) -> tuple[Solution, ...]:
    """For a protocol that is to reach a target: what each quantity alone would have to be."""
    if plan.origin is None or plan.target is None:
        return ()
    wanted = (plan.target / two_sided(plan.confidence)) ** 2
    others: tuple[Unknown, ...] = ("observations", "epsilon")
    return tuple(
        solve(plan.origin, unknown, wanted, plan.crowd) for unknown in others if unknown in plan.problem.unknowns
    )


def in_words(plan: Outline, changes: tuple[Change, ...]) -> tuple[str, ...]:
    """Sentences, the most important first."""
    ratios = {change.quantity: change.ratio for change in changes if change.factor == 2.0}
    said = []
    if useless(plan):
        said.append("this survey would learn nothing: its interval is as wide as the declared range")
    observations, users = ratios.get("observations", 1.0), ratios.get("users", 1.0)
    if "observations" not in plan.problem.unknowns:
        said.append(f"twice the users would leave {users:.0%} of the half-width")
    elif observations > HARDLY:
        help_ = "you need more users" if users <= HARDLY else "nor would twice the users"
        larger = ", or a larger epsilon" if ratios.get("epsilon", 1.0) < HARDLY else ""
        said.append(f"more observations will not help; {help_}{larger}")
    elif observations < HELPS and abs(observations - users) < 0.05:
        said.append("twice the observations help about as much as twice the users")
    else:
        said.append(
            f"twice the observations would leave {observations:.0%} of the half-width, twice the users {users:.0%}"
        )
    share = plan.prediction.share("localisation")
    if share > 0.25 and len(plan.users_per_round) > 1:
        said.append(f"{share:.0%} of the error comes from choosing the wrong place: more users settle that first")
    if plan.problem.differing is not None and not plan.crowd.spread:
        if plan.chosen.method.guaranteed:
            said.append(_at_worst(plan))
        elif not any(users.spread for users in plan.assumed):
            said.append("this relies on users being alike; state spread= if they may differ, or take a guaranteed way")
    return tuple(said)


def _at_worst(plan: Outline) -> str:
    """One round assumes nothing: half of the users at each end of the range is the worst there can be."""
    crowd = replace(plan.crowd, spread=plan.problem.full_scale(plan.protocol), around=None, law=None)
    found = plan.chosen.method.expect(plan.protocol, crowd).halfwidth(plan.confidence)
    return f"this relies on nothing: if users differed as much as they can, the half-width would be {few(found, 3)}"


def lines(
    plan: Outline,
    sentences: tuple[str, ...],
    ways: tuple[Solution, ...],
    methods: list[tuple[str, str]],
    efficiency: float | None,
) -> list[tuple[str, str]]:
    """The labelled lines of the summary."""
    prediction, given = plan.prediction, _given(plan)
    parts = [f"{text} (solved for)" if name == plan.solved else text for name, text in given.items()]
    width = f"{few(plan.halfwidth, 4)} at {percent(plan.confidence)}, of {plan.problem.measures}"
    if plan.target is not None:
        width += f"; asked for {few(plan.target, 4)}"
    causes = ", ".join(
        f"{cause} {few(math.sqrt(getattr(prediction, cause)), 3)}" for cause in CAUSES if getattr(prediction, cause) > 0
    )
    beside = []
    if efficiency is not None:
        beside.append(("limit", f"uses {100 * efficiency:.2g}% of what ε allows if users are alike"))
    if plan.regime is not None:
        beside.append(("regime", f"{plan.regime}, by rates without constants: {REGIME_WORDS[plan.regime]}"))
    return [
        ("plan", f"{plan.problem.name} with {', '.join(parts)}"),
        ("half-width", width),
        *guarded(plan),
        *_emptied(plan),
        ("error", f"{few(prediction.rmse, 3)}: {causes} (added up in squares); {prediction.dominant} dominates"),
        ("assumed", plan.problem.crowd_words(plan.assumed)),
        ("method", _method(plan)),
        *methods,
        *beside,
        *(("advice", sentence) for sentence in sentences),
        ("colluders", _colluders(plan)),
        *(("or", _way(way, plan)) for way in ways),
    ]


def sentence(plan: Outline) -> str:
    """What the survey would be worth, in plain words."""
    asked = ", ".join(_given(plan).values())
    if useless(plan):
        return f"{asked}: such a survey would learn nothing, its interval would be as wide as the declared range."
    of, _, wide = plan.problem.measures.partition("; ")
    half = plan.guarded
    if plan.prediction.wider:  # the estimate may lie near an end of its interval, toward what they count as
        width, empty = few(2 * (half or plan.halfwidth)), part(plan.protocol.empty_at_most)
        allows = f"it allows for up to {empty} of the users without data{f'; {wide}' if wide else ''}"
        return f"{asked}: expect an interval {'at least' if wide else 'about'} {width} wide ({of}); {allows}."
    told = f"{asked}: expect to be off by at most {few(plan.halfwidth)} in {percent(plan.confidence)} of such surveys"
    sure = (
        ""
        if half is None or half < 1.05 * plan.halfwidth
        else f" The interval that holds whatever the users are would be ± {few(half)}."
    )
    return f"{told} ({of}), if users are as assumed.{sure}"


def useless(plan: Outline) -> bool:
    """Whether the interval would be as wide as the declared range."""
    return plan.halfwidth >= plan.problem.full_scale(plan.protocol) and plan.prediction.dominant != "omission"


def _given(plan: Outline) -> dict[str, str]:
    """Users, observations and budget, by name."""
    given = {"users": counted(plan.protocol.users, "user")}
    if "observations" in plan.problem.unknowns:
        given["observations"] = f"{counted(plan.protocol.observations, 'observation')} each"
    return given | {"epsilon": f"ε = {plan.protocol.epsilon:.4g}"}


def guarded(plan: Outline) -> list[tuple[str, str]]:
    """Where the headline interval of an answer is not that of the expected error."""
    half = plan.guarded
    return [] if half is None else [("guarded", f"{few(half, 3)}: of the interval that holds whatever the users are")]


def _emptied(plan: Outline) -> list[tuple[str, str]]:
    """Where intervals allow for users without data: what that adds."""
    if not plan.prediction.wider:
        return []
    share, plain = part(plan.protocol.empty_at_most), replace(plan.prediction, wider=()).halfwidth(plan.confidence)
    told = f"these half-widths allow for up to {share} of the users without data; if none were allowed for"
    return [("empty", f"{told}, {few(plain, 3)}")]


def _method(plan: Outline) -> str:
    rounds = plan.users_per_round
    folds = " + ".join(f"{users:,}" for users in rounds)
    shape = "everybody at once" if len(rounds) == 1 else f"{len(rounds)} rounds of {folds} users"
    return f"{plan.method}, {shape}, {plan.chosen.method.words(plan.protocol)}"


def _colluders(plan: Outline) -> str:
    bound = plan.poisoning
    said = []
    if bound.reach > 0:
        said.append(f"each 1% of the users can move the answer by up to {few(0.01 * bound.reach, 3)}")
    if bound.capture is not None:
        said.append(f"{bound.capture:.1%} decide the votes and with them everything")
    return "; ".join(said)


def _way(way: Solution, plan: Outline) -> str:
    if way.value is None:
        reached = way.best.halfwidth(plan.confidence)
        return f"{way.unknown} alone cannot: {few(reached, 3)} at best"
    value = f"{way.value:.4g}" if way.unknown == "epsilon" else f"{round(way.value):,}"
    return f"{way.unknown} = {value}, all else as given"
