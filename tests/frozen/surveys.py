"""Further settings: histograms, distributions, groups, a range that is found first, several questions, and calls."""

from __future__ import annotations

from typing import Any

from tests.frozen.cases import EPSILONS, RANGES, add, crowd, mixed, on_a_range

WAYS = ["bus", "train", "bicycle", "car", "feet"]
FACULTIES = ["arts", "law", "science"]
ALLOWANCES: dict[str, list[Any]] = {
    "empty": [None, None, None, "random"],
    "empty_at_most": [None, None, 0.05, None, 0.2],
}


def histograms() -> None:
    """Labels, edges and equal bins by turns."""
    for method, count in (("one-round", 14), ("adaptive", 14), ("auto", 12)):
        rows = mixed(
            count,
            method=[method],
            users=[600, 2500, 90, 4000],
            observations=[60, 5, 400],
            epsilon=EPSILONS,
            confidence=[None, None, None, 0.8],
            spread=[None, None, None, None, 0.1] if method == "auto" else [None],
            public_seed=[None, 4],
            **ALLOWANCES,
        )
        for row, settings in enumerate(rows):
            settings |= _bins(row)
            if "categories" in settings:
                people = crowd("labels", settings, row, labels=len(settings["categories"]))
            else:
                people = crowd("peaks", settings, row, low=0.0, high=60.0)
            add("histogram", settings, people | ({"ragged": True} if "empty_at_most" in settings else {}))


def _bins(row: int) -> dict[str, Any]:
    ways: list[dict[str, Any]] = [
        {"categories": WAYS},
        {"edges": [0.0, 5.0, 10.0, 30.0, 60.0]},
        {"low": 0.0, "high": 60.0, "bins": 12},
        {"categories": [*WAYS, "other"], "other": "other"},
        {"low": 0.0, "high": 60.0, "bins": 2},
        {"categories": [f"kind {label}" for label in range(40)]},
    ]
    return ways[row % len(ways)]


def distributions() -> None:
    """Quantiles and values of the distribution function, of any numbers and of whole steps."""
    shared: dict[str, list[Any]] = {
        "users": [600, 2500, 300, 4000],
        "observations": [60, 5, 400, 20],
        "epsilon": EPSILONS,
        "range": RANGES,
        "confidence": [None, None, None, 0.9],
        **ALLOWANCES,
    }
    levels = [None, [0.1, 0.5, 0.9], [0.25], [0.05, 0.2, 0.35, 0.5, 0.65, 0.8, 0.95]]
    kinds = ["numbers", "peaks", "wide"]
    for method in ("one-round", "adaptive", "auto"):
        spread = [None, None, 0.1] if method == "auto" else [None]
        on_a_range("quantiles", kinds, mixed(9, method=[method], q=levels, spread=spread, **shared))
        on_a_range("cdf", kinds, mixed(8, method=[method], count=[None, 5, 1], spread=spread, **shared))
        steps = {"method": method, "step": 1.0, "observations": 20, "range": (1.0, 5.0)}
        on_a_range("quantiles", ["peaks"], [steps | {"users": 900, "epsilon": 1.0, "q": [0.1, 0.5, 0.9]}])
        on_a_range("cdf", ["peaks"], [steps | {"users": 900, "epsilon": 2.0}])
        on_a_range("cdf", ["peaks"], [steps | {"users": 400, "epsilon": 4.0, "points": [2.0, 3.0]}])


def groups() -> None:
    """Each of the three that can be asked by group, dealt and jointly, and among those who have something."""
    own: list[dict[str, Any]] = [
        {"of": "mean", "low": 1.0, "high": 5.0},
        {"of": "quantiles", "low": 1.0, "high": 5.0, "step": 1.0, "q": [0.25, 0.5, 0.75]},
        {"of": "histogram", "categories": ["no", "perhaps", "yes"]},
        {"of": "quantiles", "low": 1.0, "high": 5.0},
        {"of": "histogram", "edges": [1.0, 2.0, 3.5, 5.0]},
        {"of": "mean", "low": 1.0, "high": 5.0, "levels": 5},
        {"of": "histogram", "low": 1.0, "high": 5.0, "bins": 4},
    ]
    rows = mixed(
        36,
        method=["dealt", "auto", "joint"],
        users=[900, 6000, 60, 2500],
        observations=[6, 2, 30],
        epsilon=EPSILONS,
        groups=[FACULTIES, None, FACULTIES, FACULTIES, [f"shop {number}" for number in range(9)]],
        confidence=[None, None, None, None, 0.8],
    )
    for row, settings in enumerate(rows):
        settings |= own[row % len(own)]
        named = settings.get("groups", [])
        held_in = 1 if settings["method"] == "joint" or row % 2 else 2
        if named and (settings["method"] == "joint" or row % 3):
            settings["memberships"] = held_in
        if "categories" in settings:
            people = crowd("labels", settings, row, labels=3)
        else:
            people = crowd("wide", settings, row, low=1.0, high=5.0)
        more = {"groups": len(named), "memberships": held_in} if named else {}
        add("groups", settings, people | more | {"infinite": False})


def ranges() -> None:
    """A range alone, and one that is found before the rest is asked."""
    rows = mixed(
        8,
        of=["averages", "observations"],
        method=[None, None, "one-round"],
        users=[2000, 300, 6000, 40],
        epsilon=EPSILONS,
        smallest=[None, 0.01, None],
        largest=[None, 1000.0, None],
        confidence=[None, None, 0.8],
    )
    for row, settings in enumerate(rows):
        low, high = [(0.0, 100.0), (-3.7, 120.3), (0.001, 0.4)][row % 3]
        add("range", settings, crowd("wide", settings, row, low=low, high=high))
    own: list[tuple[str, dict[str, Any]]] = [
        ("mean", {}),
        ("histogram", {"bins": 6}),
        ("quantiles", {"q": [0.1, 0.5, 0.9]}),
        ("cdf", {"count": 5}),
        ("density", {}),
        ("groups", {"groups": FACULTIES, "memberships": 1}),
        ("mean", {"method": "adaptive"}),
        ("mean", {"method": "paper"}),
        ("groups", {"of": "quantiles", "groups": FACULTIES}),
        ("quantiles", {"method": "one-round", "empty_at_most": 0.1}),
        ("groups", {}),
    ]
    for row, settings in enumerate(
        mixed(22, users=[6000, 3000, 900, 12_000], epsilon=[2.0, 1.0, 4.0], share=[0.1, 0.25, 0.5])
    ):
        problem, more = own[row % len(own)]
        settings |= {"problem": problem, "observations": 8, **more}
        low, high = [(0.0, 100.0), (-3.7, 120.3), (1.0, 5.0)][row % 3]
        people = crowd("numbers", settings, row, low=low, high=high) | {"infinite": False}
        add("ranged", settings, people | ({"groups": 3} if "groups" in more else {}))


def several() -> None:
    """Users split and the budget split, of one column and of three."""
    mean = {"problem": "mean", "low": -1.0, "high": 1.0, "observations": 10}
    parts: list[dict[str, Any]] = [
        {"delay": mean, "cost": mean | {"method": "one-round"}},
        {"delay": mean, "how long": mean | {"problem": "quantiles", "q": [0.25, 0.5]}},
        {"a": mean | {"method": "one-round"}, "b": mean | {"method": "one-round"}, "c": mean | {"method": "one-round"}},
        {"delay": mean | {"problem": "histogram", "bins": 4}, "curve": mean | {"problem": "cdf", "count": 3}},
        {"shape": mean | {"problem": "density", "coefficients": 4}, "delay": mean | {"method": "paper"}},
        {"only": mean | {"method": "adaptive", "empty_at_most": 0.1}},
        {
            "types": mean | {"problem": "mixture", "components": 2, "observations": 1000},
            "where": {"problem": "range"},
            "who": {"problem": "cover", "centres": [[-0.5], [0.0], [0.5]]},
        },
        {"each": mean | {"problem": "groups"}, "delay": mean},
    ]
    for row, settings in enumerate(
        mixed(16, split=["auto", "users"], users=[3000, 900], epsilon=[2.0, 4.0, 1.0, 0.5, 8.0])
    ):
        own = parts[row % len(parts)]
        columns = list(range(len(own))) if row % 2 else []
        people = crowd("vectors" if columns else "numbers", settings | {"observations": 8}, row, dimension=len(own))
        people |= {} if columns else {"dimension": 1}
        add("several", settings | {"parts": own, "columns": columns}, people)
    for row in (0, 2):
        settings = {"split": "budget", "users": 2000, "epsilon": 4.0}
        people = crowd("numbers", settings | {"observations": 8}, row)
        add("several", settings | {"parts": parts[row], "columns": []}, people)


def calls() -> None:
    """Calls on data at hand, which know the truth and say it."""
    unit = {"low": 0.0, "high": 1.0}
    numbers: dict[str, Any] = {"kind": "numbers", "users": 800, "held": 12, "low": 0.0, "high": 1.0}
    wide = numbers | {"kind": "wide"}
    labels = {"kind": "labels", "users": 900, "held": 8, "labels": 5}
    vectors = {"kind": "vectors", "users": 900, "held": 8, "dimension": 3}
    grouped = {"kind": "wide", "users": 2500, "held": 6, "low": 1.0, "high": 5.0, "groups": 3, "memberships": 2}
    one_each = grouped | {"memberships": 1}
    stars = {"low": 1.0, "high": 5.0, "groups": ["0", "1", "2"], "epsilon": 2.0}
    rows: list[tuple[str, dict[str, Any], dict[str, Any]]] = [
        *(("mean", unit | {"epsilon": 1.0, "method": one}, numbers) for one in ("auto", "one-round", "adaptive")),
        *(("mean", unit | {"epsilon": 2.0, "method": one}, wide) for one in ("homogeneous", "paper", "theory")),
        ("mean", unit | {"epsilon": 1.0}, numbers | {"ragged": True}),
        ("mean", unit | {"epsilon": 1.0, "empty": "random"}, wide | {"ragged": True}),
        ("mean", unit | {"epsilon": 1.0, "empty": "symbol"}, wide | {"ragged": True}),
        ("mean", unit | {"epsilon": 1.0, "empty_at_most": 0.1}, wide | {"ragged": True}),
        ("mean", {"epsilon": 2.0, "find_range": 0.2}, wide | {"users": 4000}),
        ("mean", stars | {"by": True}, grouped),
        ("mean", stars | {"by": True, "groups": None}, one_each),
        ("histogram", {"epsilon": 1.0, "edges": [0.0, 0.5, 0.7, 1.0]}, wide),
        ("histogram", unit | {"epsilon": 4.0, "bins": 8, "method": "adaptive"}, numbers),
        ("histogram", unit | {"epsilon": 2.0, "bins": 4, "empty": "symbol"}, numbers | {"ragged": True}),
        ("histogram", {"epsilon": 2.0, "edges": [1.0, 2.0, 5.0], "by": True, "groups": ["0", "1", "2"]}, one_each),
        ("histogram", {"epsilon": 2.0, "find_range": 0.2, "bins": 5}, wide | {"users": 4000}),
        ("quantiles", unit | {"epsilon": 2.0, "q": [0.1, 0.5, 0.9]}, wide),
        ("quantiles", unit | {"epsilon": 4.0, "method": "adaptive"}, numbers),
        ("quantiles", unit | {"epsilon": 2.0, "empty": "symbol"}, numbers | {"ragged": True}),
        ("quantiles", stars | {"by": True, "q": [0.5], "step": 1.0}, grouped | {"whole": True}),
        ("quantiles", {"epsilon": 2.0, "find_range": 0.2}, wide | {"users": 4000}),
        ("cdf", unit | {"epsilon": 2.0, "count": 6}, wide),
        ("cdf", unit | {"epsilon": 4.0, "points": [0.25, 0.5, 0.75], "method": "adaptive"}, numbers),
        ("cdf", {"epsilon": 2.0, "find_range": 0.2, "count": 4}, wide | {"users": 4000}),
        ("vector_mean", {"epsilon": 4.0, "ball": "l2"}, vectors),
        ("vector_mean", {"epsilon": 2.0, "low": -1.0, "high": [1.0, 2.0, 3.0], "method": "one-round"}, vectors),
        ("vector_mean", {"epsilon": 4.0, "ball": "linf", "radius": 1.0, "method": "paper"}, vectors),
        ("sparse_mean", {"epsilon": 4.0, "sparsity": 2}, vectors | {"kind": "sparse", "dimension": 12, "nonzero": 2}),
        ("sparse_mean", {"epsilon": 4.0, "sparsity": 1, "method": "paper"}, vectors),
        ("density", unit | {"epsilon": 2.0}, numbers | {"kind": "peaks"}),
        ("density", unit | {"epsilon": 2.0, "method": "paper", "smoothness": 2.0}, wide),
        ("density", {"epsilon": 2.0, "find_range": 0.2}, wide | {"users": 4000}),
        ("mixture_means", unit | {"epsilon": 4.0, "components": 2}, numbers | {"kind": "mixture", "components": 2}),
        ("mixture_means", unit | {"epsilon": 4.0}, numbers | {"kind": "mixture", "components": 3}),
        ("cover_select", {"epsilon": 2.0, "centres": [[-0.5, 0, 0], [0.2, 0.1, 0], [0.5, 0.5, 0.5]]}, vectors),
        ("find_range", {"epsilon": 1.0}, wide | {"users": 3000}),
        ("find_range", {"epsilon": 2.0, "of": "observations"}, numbers | {"users": 3000}),
        ("by_group", stars | {"by": True, "of": "mean"}, grouped),
        ("by_group", stars | {"by": True, "of": "quantiles", "memberships": 1}, one_each),
        ("by_group", {"of": "mean", "epsilon": 2.0, "low": 1.0, "high": 5.0}, wide | {"low": 1.0, "high": 5.0}),
        ("by_group", {"of": "mean", "epsilon": 2.0, "by": True, "find_range": 0.2}, one_each | {"users": 6000}),
        ("several", {"epsilon": 4.0, "asks": {"a": ["mean", unit], "b": ["quantiles", unit]}}, numbers),
        ("several", {"epsilon": 4.0, "asks": {"a": ["mean", unit], "b": ["mean", unit]}, "split": "budget"}, numbers),
        ("histogram", {"epsilon": 1.0, "categories": [0, 1, 2, 3, 4]}, labels),
    ]
    for function, settings, people in rows:
        add("call", settings | {"function": function}, people)


PARTS = (histograms, distributions, groups, ranges, several, calls)
