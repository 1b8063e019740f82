"""The settings that are frozen: the problems of the paper, baselines, refusals; `surveys` holds the other problems."""

from __future__ import annotations

from typing import Any

from tests.frozen import surveys
from tests.frozen.cases import CASES, EPSILONS, RANGES, add, crowd, mixed, on_a_range
from tests.frozen.refusals import REFUSALS

CENTRES = [[round(-1 + 0.25 * step, 2), round(0.5 - 0.125 * step, 3)] for step in range(9)]

__all__ = ["CASES"]


def means() -> None:
    sizes: dict[str, list[Any]] = {
        "users": [500, 40, 3000, 7, 200, 20_000, 2, 1200, 1, 90, 5000],
        "observations": [20, 100, 1, 1000, 7, 100_000, 50, 3, 10_000, 300, 25, 2, 4000],
        "epsilon": EPSILONS,
        "range": RANGES,
        "confidence": [None, None, 0.8, None, None, 0.99],
    }
    kinds = ["numbers", "wide", "numbers"]
    deltas = [None, 0.1, None, None, 0.013, None, 0.5, None, 0.0002, 2.0]
    on_a_range("mean", kinds, mixed(36, method=["one-round"], **sizes))
    on_a_range("mean", kinds, mixed(44, method=["paper"], delta=deltas, three_bin_votes=[None, None, True], **sizes))
    votes = [None, None, True, False, None]
    constants = [8.0, None, 100.0, 1.0, None, 30.0, 0.5]
    on_a_range(
        "mean",
        kinds,
        mixed(48, method=["theory"], delta=deltas, three_bin_votes=votes, proof_constant=constants, **sizes),
    )
    on_a_range("mean", kinds, mixed(28, method=["auto"], **sizes))
    large = {"users": [200_000, 100_000], "observations": [2, 1], "epsilon": [1.0, 0.05, 4.5], "range": RANGES}
    for method in ("one-round", "paper", "theory"):
        on_a_range("mean", ["numbers"], mixed(2, method=[method], **large))
    on_a_range(
        "mean",
        ["numbers"],
        [{"method": "paper", "users": 200_000, "observations": 500, "epsilon": 0.5, "range": (1.0, 5.0)}],
    )


def vectors() -> None:
    for method, count in (("one-round", 24), ("paper", 28), ("theory", 32), ("auto", 20)):
        rows = mixed(
            count,
            method=[method],
            ball=["linf", "l2", "linf"],
            users=[2000, 300, 600, 150, 9000],
            observations=[50, 1, 400, 2000, 10, 100_000, 150],
            dimension=[3, 7, 1, 5, 12, 2, 9, 16],
            epsilon=[*EPSILONS, 40.0 if method == "theory" else 6.0],
            radius=[None, 2.5, None, 0.4],
            public_seed=[None, 5, 77],
            confidence=[None, 0.9, None, None],
            delta=[None, None, None, None, 0.07] if method in ("paper", "theory") else [None],
            proof_constant=[8.0, 0.5, None] if method == "theory" else [None],
            ball_constant=[None, None, 1.0, None, 2.0] if method == "theory" else [None],
        )
        for row, settings in enumerate(rows):
            _range_of_vector(settings, row)
            where = {"low": -1.0, "high": 1.0} if row % 4 else {"low": -0.2, "high": 0.5}
            people = crowd("vectors", settings, row, dimension=settings["dimension"], **where)
            add("vector", settings, people)


def _range_of_vector(settings: dict[str, Any], row: int) -> None:
    """By turns: one range, a range for each coordinate, a centre, or what is there by default."""
    places = range(settings["dimension"])
    if settings["ball"] == "linf" and row % 6 == 0:
        settings |= {"low": -2.0, "high": 1.5}
    elif settings["ball"] == "linf" and row % 6 in (2, 3):
        settings |= {"low": [-1.0 - 0.25 * place for place in places], "high": [1.0 + place for place in places]}
    elif row % 6 in (1, 5):
        settings["centre"] = [round(0.3 - 0.1 * place, 1) for place in places]
    if row % 7 == 4:
        settings["names"] = [f"item {place}" for place in places]


def sparse() -> None:
    for method, count in (("paper", 36), ("theory", 32), ("auto", 18)):
        rows = mixed(
            count,
            method=[method],
            procedure=["selection", "threshold", "selection", "threshold", None],
            rank=[None, "first", "votes", "first", None, "votes", "first"],
            cut=[None, True, False],
            users=[2000, 600, 240, 8000],
            observations=[100, 1, 1000, 20, 100_000, 400, 60],
            dimension=[24, 60, 8],
            sparsity=[2, 4, 1, 3, 2],
            epsilon=EPSILONS,
            low=[None, None, None, -0.5],
            eta_constant=[None, None, None, None, None, 2.0],
            threshold_constant=[None, None, None, None, 0.7, None, None, 1.3],
            shrink_constant=[None, 1.0, 0.2, None, 0.5],
            switch_constant=[None, 0.01],
            public_seed=[None, 3, 12],
            proof_constant=[None, 2.0, 0.2] if method == "theory" else [None],
            delta=[None, None, None, None, None, None, 0.15] if method != "auto" else [None],
        )
        for row, settings in enumerate(rows):
            if settings.get("procedure") == "threshold" and row % 10 != 1:
                settings.pop("cut", None)  # of selection only: every tenth is refused
            if method == "auto" and row % 6:
                for name in ("procedure", "rank", "cut", "eta_constant"):
                    settings.pop(name, None)  # of the paper's methods only
            shape = {"dimension": settings["dimension"], "nonzero": settings["sparsity"] if row % 9 else 0}
            add("sparse", settings, crowd("sparse", settings, row, **shape))


def densities() -> None:
    for method, count in (("one-round", 14), ("paper", 16), ("theory", 18), ("auto", 16)):
        rows = mixed(
            count,
            method=[method],
            users=[2000, 150, 30, 10_000, 2, 700],
            observations=[30, 1, 500, 8, 100_000],
            epsilon=EPSILONS,
            range=RANGES,
            coefficients=[None, None, 2, None, None, 5, None, None, None, None, None, 11],
            smoothness=[None, 1.0, 3.0, None, 0.6],
            c_beta=[None, None, 0.2],
            radius=[None, 2.0] if method == "auto" else [None],
            delta=[None, None, None, None, 0.2] if method in ("paper", "theory") else [None],
            proof_constant=[None, 1.0] if method == "theory" else [None],
        )
        on_a_range("density", ["peaks", "wide", "numbers"], rows)


def mixtures() -> None:
    for method, count in (("paper", 28), ("theory", 24)):
        rows = mixed(
            count,
            method=[method],
            membership=["nearest", "bin", None],
            components=[2, 1, 3, 4, 2],
            users=[3000, 600, 9000, 60],
            observations=[3000, 600, 100_000, 1000, 20_000, 4000, 900],
            epsilon=EPSILONS,
            range=RANGES,
            public_seed=[None, 8],
            delta=[None, None, None, None, 0.04] if method == "paper" else [0.08, None, 0.03, None, None],
            smallest_share=[None, None, None, 0.1],
            proof_constant=[None] if method == "paper" else [0.5, 2.0, 0.02],
        )
        for row, settings in enumerate(rows):
            low, high = settings.pop("range")
            settings |= {"low": low, "high": high}
            more = {"low": low, "high": high, "components": settings["components"]}
            add("mixture", settings, crowd("mixture", settings, row, **more))


def covers() -> None:
    shared: dict[str, list[Any]] = {
        "method": ["unary", "subset", "auto"],
        "epsilon": EPSILONS,
        "users": [400, 3000, 25, 1],
        "confidence": [None, None, 0.9],
    }
    given: dict[str, list[Any]] = {"radius": [None, 0.2, 0.3], "diameter": [None, None, None, 3.0], **shared}
    for row, settings in enumerate(mixed(14, metric=["l2", "linf", "linf"], **given)):
        centres = [[place[0]] for place in CENTRES] if row % 3 == 0 else CENTRES
        people = crowd("vectors", settings, row, dimension=len(centres[0]), low=-1.0, high=1.0)
        add("cover", settings | {"centres": centres}, people)
    for row, settings in enumerate(mixed(10, size=[12, 2, 100, 5, 700], **given)):
        people = {"kind": "labels", "users": settings["users"], "held": 1, "labels": settings["size"]}
        add("cover", settings, people | {"missing": row % 4 == 1})
    for row, settings in enumerate(mixed(3, metric=["linf"], box=[{"dimension": 2, "delta": 0.2}], **shared)):
        add("cover-of-box", settings, crowd("vectors", settings, row, dimension=2))
    for row, settings in enumerate(mixed(3, ball=[{"dimension": 3, "delta": 0.6}], **shared)):
        add("cover-of-ball", settings, crowd("vectors", settings, row, dimension=3))


def baselines() -> None:
    sizes: dict[str, list[Any]] = {
        "users": [500, 40, 3000, 1, 210],
        "epsilon": EPSILONS,
        "range": RANGES,
        "confidence": [None, None, 0.9],
    }
    for problem in ("full-item", "semi-user", "split-user"):
        on_a_range(problem, ["numbers", "wide"], mixed(9, observations=[5, 1, 30, 12, 100, 1000], **sizes))
    on_a_range("one-item", ["numbers", "wide"], mixed(10, **sizes))
    for row, settings in enumerate(mixed(9, categories=[2, 5, 40, 3], **sizes)):
        del settings["range"]
        people = crowd("labels", settings, row, labels=settings["categories"])
        names = {"names": [f"kind {label}" for label in range(settings["categories"])]} if row % 3 == 0 else {}
        add("one-category", settings | names, people)
    for problem in ("one-kary", "one-oue"):
        for row, settings in enumerate(mixed(4, categories=[2, 9], users=[300, 40], epsilon=EPSILONS)):
            add(problem, settings, crowd("labels", settings, row, labels=settings["categories"]) | {"infinite": False})
    for problem in ("flat", "tree"):
        levels = [None, [0.1, 0.5, 0.9]]
        on_a_range(problem, ["numbers", "wide"], mixed(5, q=levels, **sizes | {"users": [900, 400, 3000]}))
    for settings in mixed(2, users=[30, 7], rounds=[1, 3]):
        add("dummy", settings, crowd("numbers", settings, 0))


def simulated() -> None:
    shared: dict[str, list[Any]] = {"level": ["item", "user"], "law": ["exact", "exact", "normal"], "epsilon": EPSILONS}
    sizes = {"users": 200, "observations": 10}
    finite = {"infinite": False}  # no device stands between these and the data
    for row, settings in enumerate(
        mixed(8, dimension=[3, 1, 8], ball=["l2", "l2", "linf"], radius=[None, 2.0], **shared)
    ):
        if row % 4 == 2:
            settings["centre"] = [0.1] * settings["dimension"]
        add("duchi", settings, crowd("vectors", sizes, row, dimension=settings["dimension"]) | finite)
    for row, settings in enumerate(
        mixed(8, dimension=[20, 6], rule=["soft", "hard", None], constant=[None, 0.3], **shared)
    ):
        add("item-sparse", settings, crowd("sparse", sizes, row, dimension=settings["dimension"], nonzero=2) | finite)
    rows = [row | sizes for row in mixed(8, functions=[2, 7, 4], range=RANGES, **shared)]
    for row, settings in enumerate(rows):
        (low, high), _, _ = settings.pop("range"), settings.pop("users"), settings.pop("observations")
        people = crowd("peaks", sizes, row, low=low, high=high) | finite
        add("item-density", settings | {"low": low, "high": high}, people)


def first_hour() -> None:
    """A range that nobody declared, and estimates among users who have something."""
    for row, of in enumerate(("averages", "observations", "averages")):
        settings: dict[str, Any] = {"users": (2000, 3000, 60)[row], "epsilon": (1.0, 2.0, 0.5)[row], "of": of}
        add("range", settings, crowd("numbers", settings | {"observations": 8}, row))
    for row, own in enumerate(({}, {"of": "quantiles", "q": [0.25, 0.5]}, {"levels": 4})):
        sizes = {"users": (900, 2000, 40)[row], "epsilon": (1.0, 4.0, 2.0)[row], "observations": 6}
        add("groups", sizes | {"low": 0.0, "high": 1.0} | own, crowd("numbers", sizes, row))


def refused() -> None:
    for problem, settings, people, silent in REFUSALS:
        add(problem, settings, people, **({} if silent is None else {"silent": silent}))


def methods_of_today() -> None:
    """Adaptive and homogeneous, of every problem that has them, and what only they take."""
    sizes: dict[str, list[Any]] = {
        "users": [600, 90, 2500, 200, 1200],
        "observations": [20, 100, 2, 1000, 7, 400],
        "epsilon": EPSILONS,
        "range": RANGES,
        "confidence": [None, None, 0.8, None, 0.99],
    }
    kinds = ["numbers", "wide", "numbers"]
    own: dict[str, list[Any]] = {
        "rounds": [None, 2, None, 3],
        "caution": [None, "high", None, None, "low"],
        "shrink": [None, None, True],
        "spread": [None, None, None, None, 0.1],
    }
    on_a_range("mean", kinds, mixed(24, method=["adaptive"], **own, **sizes))
    on_a_range("mean", kinds, mixed(16, method=["homogeneous"], rounds=[None, 1, 3, 5], **sizes))
    on_a_range("mean", kinds, mixed(6, method=["paper", "theory"], refine=["table"], **sizes))
    for row, settings in enumerate(
        mixed(
            14,
            method=["adaptive", "adaptive", "auto"],
            ball=["linf", "l2", "linf"],
            users=[800, 4000, 300],
            observations=[50, 2, 400, 10],
            dimension=[3, 4, 1, 8, 2],
            epsilon=EPSILONS,
            spread=[None, None, None, 0.2],
            empty_at_most=[None, None, 0.05],
        )
    ):
        add("vector", settings, crowd("vectors", settings, row, dimension=settings["dimension"]))
    for row, settings in enumerate(
        mixed(
            14,
            method=["adaptive", "adaptive", "auto"],
            users=[2000, 600, 240],
            observations=[100, 2, 400, 20],
            dimension=[8, 24, 60],
            sparsity=[2, None, 1, 3],
            epsilon=EPSILONS,
            empty_at_most=[None, None, None, 0.1],
        )
    ):
        shape = {"dimension": settings["dimension"], "nonzero": settings.get("sparsity", 2)}
        add("sparse", settings, crowd("sparse", settings, row, **shape))
    on_a_range(
        "density",
        ["peaks", "wide", "numbers"],
        mixed(
            12,
            method=["adaptive", "one-round"],
            smoothness=[None, 2.0, None],
            coefficients=[None, 5, None, 2],
            **sizes | {"users": [600, 2500, 90]},
        ),
    )
    rows = mixed(
        14,
        method=["adaptive", "adaptive", "auto"],
        components=[2, 3, None, 1],
        users=[3000, 600, 1500],
        observations=[400, 3000, 50],
        epsilon=[4.0, 2.0, 1.0, 8.0],
        range=RANGES,
    )
    for row, settings in enumerate(rows):
        low, high = settings.pop("range")
        settings |= {"low": low, "high": high}
        more = {"low": low, "high": high, "components": settings.get("components", 2)}
        add("mixture", settings, crowd("mixture", settings, row, **more))


def users_without_data() -> None:
    """What stands for nothing, and intervals that allow for it."""
    shared: dict[str, list[Any]] = {
        "users": [600, 90, 2500],
        "observations": [6, 40],
        "epsilon": [1.0, 4.0, 2.0, 0.3],
        "empty": [None, "random"],
        "empty_at_most": [0.05, 0.3, None],
    }
    for row, settings in enumerate(mixed(12, method=["one-round", "adaptive", "auto"], **shared)):
        people = crowd("numbers", settings, row, low=0.0, high=1.0) | {"ragged": True}
        add("mean", settings | {"low": 0.0, "high": 1.0}, people)


PARTS = (
    means,
    vectors,
    sparse,
    densities,
    mixtures,
    covers,
    baselines,
    simulated,
    refused,
    first_hour,
    methods_of_today,
    users_without_data,
    *surveys.PARTS,
)
for part in PARTS:
    part()
