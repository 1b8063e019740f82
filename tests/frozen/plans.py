"""Plans and comparisons whose texts are frozen."""

from __future__ import annotations

from typing import Any

import sottovoce as sv
from sottovoce.problems import problems
from tests.frozen.cases import mixed

CENTRES = ((0.1, 0.1), (0.1, 0.9), (0.5, 0.5), (0.9, 0.1))
OWN: dict[str, dict[str, Any]] = {
    "mean": {"low": 1.0, "high": 5.0},
    "histogram": {"categories": ("bus", "train", "car", "bicycle")},
    "quantiles": {"low": 0.0, "high": 120.0, "q": (0.25, 0.5)},
    "cdf": {"low": 0.0, "high": 120.0, "points": (15.0, 60.0)},
    "vector": {"dimension": 3, "radius": 1.0},
    "sparse": {"dimension": 24, "sparsity": 2},
    "density": {"low": 0.0, "high": 24.0},
    "mixture": {"components": 2, "low": 0.0, "high": 1.0},
    "cover": {"centres": CENTRES},
    "range": {},
    "groups": {"groups": ("arts", "law"), "low": 1.0, "high": 5.0, "memberships": 1},
}
SIZES = {"users": 4000, "observations": 200, "epsilon": 2.0}
WIDTHS = {"mean": 0.1, "histogram": 0.03, "quantiles": 6.0, "cdf": 0.05, "vector": 0.1, "range": 0.1, "groups": 0.3}
REACHED = ("mean", "histogram", "range")
"""Those for which also observations and ε are solved for, where there are such."""


def _plans() -> dict[str, dict[str, Any]]:
    found: dict[str, dict[str, Any]] = {}
    for problem in problems():
        known = {name: value for name, value in SIZES.items() if name in problem.unknowns}
        own = OWN[problem.name] | {"problem": problem.name}
        for method in problem.method_names:
            more = {"delta": 0.2} if (problem.name, method) == ("mixture", "theory") else {}
            found[f"{problem.name} {method}"] = known | own | more | {"method": method}
        for name in known if problem.name in REACHED else ("users",):
            if problem.name in WIDTHS:
                rest = {key: value for key, value in known.items() if key != name}
                found[f"{problem.name} for {name}"] = rest | own | {"halfwidth": WIDTHS[problem.name]}
    mean = SIZES | OWN["mean"]
    for row, crowd in enumerate(mixed(8, spread=[0.3, None, 1.0], within=[None, 0.5], around=[None, None, None, 2.0])):
        found[f"mean of stated users {row}"] = mean | crowd
    found["mean beyond any device"] = mean | {"epsilon": 20.0}
    found["mean with users without data"] = mean | {"empty_at_most": 0.05}
    found["mean of few"] = mean | {"users": 30, "epsilon": 0.3}
    found["mean at 80%"] = mean | {"confidence": 0.8, "method": "adaptive"}
    found["mean that cannot be reached"] = {"users": 100, "epsilon": 1.0, **OWN["mean"], "halfwidth": 0.001}
    return found


PLANS = _plans()
PARTS: dict[str, dict[str, Any]] = {
    "two means": {"a": sv.Mean, "b": sv.Mean},
    "a mean and quantiles": {"a": sv.Mean, "b": sv.Quantiles},
    "one": {"a": sv.Quantiles},
}
COMPARED: dict[str, dict[str, Any]] = {
    "mean": SIZES | {"users": 200, "observations": 20, "epsilon": (1.0, 4.0), "methods": ("one-round", "full-item")},
    "mean with what cannot run": {"users": 3, "observations": 17_000, "methods": ("one-round", "full-item")},
    "histogram": {"users": 200, "observations": 10, "methods": ("one-round", "one-kary")},
    "quantiles": {"users": 200, "observations": 10, "methods": ("one-round", "flat")},
    "vector": {"users": 200, "observations": 5, "methods": ("one-round", "duchi")},
    "cover": {"users": 200},
    "mixture": {"users": 600, "observations": 500, "epsilon": 4.0},
}


def plan_texts(name: str) -> dict[str, str]:
    """What a plan says."""
    try:
        plan = sv.plan(**PLANS[name])
    except sv.SottovoceError as refusal:
        return {"error": f"{type(refusal).__name__}: {refusal}"}
    return {
        "repr": repr(plan),
        "summary": plan.summary(),
        "picture": plan.picture(),
        "html": plan._repr_html_(),
        "advice": "\n".join(map(str, plan.advice)),
        "warnings": "\n".join(map(str, plan.warnings)),
    }


def several_texts(name: str) -> dict[str, str]:
    """What a plan of several things says."""
    shared = {"users": 5000, "epsilon": 2.0, "low": 0.0, "high": 60.0, "observations": 20}
    parts = tuple((part, make(**shared)) for part, make in PARTS[name].items())
    plan = sv.plan_several(sv.Several(epsilon=2.0, users=5000, parts=parts))
    return {"summary": plan.summary()}


def comparison_texts(name: str) -> dict[str, str]:
    """What a comparison says."""
    problem = name.partition(" ")[0]
    found = sv.compare(problem=problem, **OWN[problem] | COMPARED[name], repetitions=3, seed=5)
    return {"str": str(found), "repr": repr(found), "html": found._repr_html_()}
