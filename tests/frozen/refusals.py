"""Settings that are refused: by the constructor, by the engine, or when a round was answered by nobody."""

from __future__ import annotations

from typing import Any

Refusal = tuple[str, dict[str, Any], dict[str, Any], int | None]
NUMBERS = {"kind": "numbers", "users": 60, "held": 5, "low": 0.0, "high": 1.0}
VECTORS = {"kind": "vectors", "users": 60, "held": 5, "dimension": 3}
PEOPLE = {"vector": VECTORS, "sparse": VECTORS, "cover": VECTORS, "duchi": VECTORS, "item-sparse": VECTORS}

UNIT = {"low": 0.0, "high": 1.0}
SMALL = {"epsilon": 1.0, "users": 60, "observations": 5}
MEAN = SMALL | UNIT
SPACE = SMALL | {"dimension": 3}
SPARSE = SPACE | {"sparsity": 1}
COVER = {"epsilon": 1.0, "users": 60}
PAIR = [[0.0, 0.0, 0.0], [1.0, 1.0, 1.0]]
MIXTURE = MEAN | {"observations": 5000, "components": 2}

BINS = SMALL | UNIT | {"bins": 4}
GROUPS = MEAN | {"groups": ["a", "b"]}
RANGED = {"problem": "mean", "share": 0.2} | SMALL
PARTS = {"a": MEAN | {"problem": "mean"}, "b": MEAN | {"problem": "quantiles"}}
SEVERAL = {"epsilon": 1.0, "users": 60, "parts": PARTS}

BAD: dict[str, list[dict[str, Any]]] = {
    "mean": [
        MEAN | {"epsilon": 0.0},
        MEAN | {"epsilon": 17},
        MEAN | {"epsilon": "1"},
        MEAN | {"low": 2.0},
        MEAN | {"high": 1e200},
        MEAN | {"users": 0},
        MEAN | {"users": 2.5},
        MEAN | {"observations": 0},
        MEAN | {"confidence": 1.0},
        MEAN | {"method": "best"},
        MEAN | {"method": "paper", "delta": 0.0},
        MEAN | {"method": "theory", "proof_constant": -1.0},
        MEAN | {"method": "paper", "users": 61},
    ],
    "histogram": [
        BINS | {"bins": 1},
        BINS | {"bins": 2.5},
        BINS | {"edges": [0.0, 1.0, 2.0]},
        SMALL | {"edges": [0.0, 1.0]},
        SMALL | {"edges": [0.0, 2.0, 1.0]},
        SMALL | {"categories": ["a", "a"]},
        SMALL | {"categories": ["a", "b"], "other": "c"},
        SMALL | {"categories": ["a", ""]},
        SMALL | {"low": 0.0, "high": 1.0},
        dict(SMALL),
        BINS | {"other": "a"},
        BINS | {"method": "paper"},
        BINS | {"spread": 2.0},
        BINS | {"empty": "nobody"},
        BINS | {"empty_at_most": 1.5},
        BINS | {"method": "adaptive", "users": 3},
    ],
    "quantiles": [
        MEAN | {"q": [0.5, 0.1]},
        MEAN | {"q": [50.0, 90.0]},
        MEAN | {"q": 0.0},
        MEAN | {"q": [(place + 1) / 40 for place in range(33)]},
        MEAN | {"step": 0.3},
        MEAN | {"step": -1.0},
        MEAN | {"spread": 3.0},
        MEAN | {"method": "paper"},
        MEAN | {"public_seed": -1},
    ],
    "cdf": [
        MEAN | {"points": [0.5, 0.1]},
        MEAN | {"points": [2.0]},
        MEAN | {"points": [0.5], "count": 3},
        MEAN | {"count": 0},
        MEAN | {"count": 65},
    ],
    "range": [
        {"epsilon": 1.0, "users": 60, "of": "means"},
        {"epsilon": 1.0, "users": 60, "smallest": 0.0},
        {"epsilon": 1.0, "users": 60, "smallest": 10.0, "largest": 1.0},
    ],
    "groups": [
        GROUPS | {"of": "density"},
        GROUPS | {"memberships": 3},
        GROUPS | {"levels": 1},
        GROUPS | {"bins": 4},
        GROUPS | {"groups": ["a", "a"]},
        GROUPS | {"of": "quantiles", "step": 0.5, "bins": 3},
        GROUPS | {"of": "quantiles", "bins": 1},
        GROUPS | {"method": "joint", "memberships": 2},
        MEAN | {"method": "joint"},
        SMALL | {"groups": ["a", "b"]},
    ],
    "ranged": [
        RANGED | {"low": 0.0},
        RANGED | {"share": 1.0},
        RANGED | {"problem": "vector", "dimension": 2},
        RANGED | {"users": 1},
        RANGED | {"problem": "quantiles", "step": 1.0},
        RANGED | {"problem": "histogram"},
        RANGED | {"epsilon": 20.0},
        RANGED | {"users": 40},
    ],
    "several": [
        SEVERAL | {"parts": {}},
        SEVERAL | {"split": "both"},
        SEVERAL | {"split": "budget"},
        SEVERAL | {"split": "budget", "parts": {"a": MEAN | {"problem": "mean", "method": "paper"}}},
        SEVERAL | {"users": 1},
        SEVERAL | {"columns": [0]},
        SEVERAL | {"parts": {"": MEAN | {"problem": "mean"}}},
    ],
    "vector": [
        SPACE | {"dimension": 0},
        SPACE | {"ball": "l1"},
        SPACE | {"method": "best"},
        SPACE | {"radius": 0.0},
        SPACE | {"ball": "l2", **UNIT},
        SPACE | {"low": 0.0},
        SPACE | {"low": [0.0, 0.0], "high": [1.0, 1.0]},
        SPACE | {"centre": [0.0] * 3, **UNIT},
        SPACE | {"centre": [0.0] * 2},
        SPACE | {"names": ["one"]},
        SPACE | {"method": "paper", "epsilon": 17.0},
        SPACE | {"method": "theory", "ball_constant": 0.0},
        SPACE | {"method": "paper", "users": 5, "observations": 1000},
        SPACE | {"method": "one-round", "users": 2},
        SPACE | {"method": "paper", "users": 90},
    ],
    "sparse": [
        SPARSE | {"sparsity": 4},
        SPARSE | {"dimension": 0},
        SPARSE | {"low": 0.5},
        SPARSE | {"rank": "best"},
        SPARSE | {"procedure": "both"},
        SPARSE | {"method": "one-round"},
        SPARSE | {"method": "paper", "eta_constant": 0.0},
        SPARSE | {"method": "paper", "shrink_constant": 0.0},
        SPARSE | {"method": "paper", "procedure": "selection", "sparsity": 2, "users": 7},
        SPARSE | {"method": "paper", "procedure": "threshold", "users": 5},
        SPARSE | {"names": ["one"]},
    ],
    "density": [
        MEAN | {"users": 1},
        MEAN | {"smoothness": 0.0},
        MEAN | {"coefficients": 1},
        MEAN | {"coefficients": 40},
        MEAN | {"method": "best"},
        MEAN | {"method": "paper", "delta": -1.0},
        MEAN | {"c_beta": 0.0},
    ],
    "mixture": [
        MIXTURE | {"components": 0},
        MIXTURE | {"users": 2},
        MIXTURE | {"membership": "far"},
        MIXTURE | {"method": "one-round"},
        MIXTURE | {"smallest_share": 0.6},
        MIXTURE | {"observations": 5},
        MIXTURE | {"method": "theory"},
        MIXTURE | {"method": "paper", "delta": 1e-6},
    ],
    "cover": [
        dict(COVER),
        COVER | {"size": 1},
        COVER | {"size": 4, "centres": PAIR},
        COVER | {"centres": PAIR, "metric": "l1"},
        COVER | {"centres": PAIR, "radius": -1.0},
        COVER | {"centres": [[0.0], [1.0, 2.0]]},
        COVER | {"size": 70_000},
    ],
    "full-item": [MEAN | {"observations": 20_000}, MEAN | {"low": 1.0}],
    "split-user": [MEAN | {"epsilon": 1e-6, "observations": 100}],
    "semi-user": [MEAN | {"users": 0}],
    "one-item": [{"epsilon": 1.0, "users": 60, "low": 1.0, "high": 0.0}],
    "one-category": [COVER | {"categories": 1}, COVER | {"categories": 3, "names": ["one"]}],
    "duchi": [{"epsilon": 1.0, "dimension": 4}, {"epsilon": 1.0, "dimension": 3, "ball": "l1"}],
    "item-sparse": [{"epsilon": 1.0, "dimension": 3, "rule": "firm"}],
    "item-density": [{"epsilon": 1.0, "functions": 1}],
}

SILENT: list[tuple[str, dict[str, Any], int]] = [
    ("mean", MEAN | {"method": "one-round"}, 0),
    ("mean", MEAN | {"method": "paper", "observations": 1000}, 0),
    ("mean", MEAN | {"method": "paper", "observations": 1000}, 1),
    ("mean", MEAN | {"method": "theory", "observations": 1000, "proof_constant": 1.0}, 1),
    ("mean", MEAN | {"method": "adaptive", "users": 60}, 1),
    ("histogram", BINS | {"method": "one-round"}, 0),
    ("histogram", BINS | {"method": "adaptive"}, 1),
    ("quantiles", MEAN | {"method": "one-round"}, 0),
    ("cdf", MEAN | {"method": "adaptive"}, 1),
    ("groups", GROUPS | {"method": "dealt"}, 0),
    ("range", {"epsilon": 1.0, "users": 60}, 0),
    ("ranged", RANGED | {"users": 60}, 0),
    ("several", SEVERAL | {"split": "users"}, 1),
    ("vector", SPACE | {"method": "one-round"}, 0),
    ("vector", SPACE | {"method": "paper", "observations": 1000}, 1),
    ("vector", SPACE | {"method": "theory", "ball": "l2", "observations": 1000, "proof_constant": 0.1}, 0),
    ("sparse", SPARSE | {"method": "paper", "procedure": "selection"}, 0),
    ("sparse", SPARSE | {"method": "paper", "procedure": "selection", "observations": 1000}, 2),
    ("sparse", SPARSE | {"method": "paper", "procedure": "threshold", "observations": 1000}, 1),
    ("density", MEAN | {"method": "paper", "observations": 1000}, 0),
    ("density", MEAN | {"method": "one-round"}, 0),
    ("mixture", MIXTURE | {"method": "paper"}, 0),
    ("mixture", MIXTURE | {"method": "paper"}, 1),
    ("mixture", MIXTURE | {"method": "paper"}, 2),
    ("cover", COVER | {"centres": PAIR}, 0),
    ("one-item", {"epsilon": 1.0, "users": 60, **UNIT}, 0),
    ("one-category", COVER | {"categories": 3}, 0),
    ("semi-user", dict(MEAN), 0),
]
"""The round of that number gets no report."""

REFUSALS: list[Refusal] = [
    *((problem, settings, PEOPLE.get(problem, NUMBERS), None) for problem, rows in BAD.items() for settings in rows),
    *((problem, settings, PEOPLE.get(problem, NUMBERS), silent) for problem, settings, silent in SILENT),
]
