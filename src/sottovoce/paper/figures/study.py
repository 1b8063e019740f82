"""What the two real-data figures share: rows, claims and panels."""

from __future__ import annotations

from typing import Any

import numpy as np

from sottovoce.paper.constants import ALPHAS
from sottovoce.paper.drawing import ALPHA_STYLE, PALETTE, panels, ribbon
from sottovoce.paper.fast import real
from sottovoce.paper.fast.univariate import summary
from sottovoce.paper.figure import Cell, Claim, Judgement, Rows, Verdict, column, pick, slope, values_of, verdict

LINES = {"full item": "-.", "user level": "-", "semi user": "--", "one item": ":"}


def rows(cell: Cell, stream: np.random.Generator, ones: np.ndarray, groups: np.ndarray) -> Rows:
    """Mean squared errors of one cell, the truth being the share over all observations of all users."""
    T, count = cell["T"], cell["repetitions"]
    if cell["panel"] == "one":
        errors = real.one_share(stream, ones[:, :T], float(ones.mean()), count)
    else:
        truth = np.bincount(groups.ravel(), minlength=4) / groups.size
        errors = real.four_shares(stream, groups[:, :T], truth, count)
    return [
        {"panel": cell["panel"], "T": T, "alpha": alpha, "scheme": scheme} | summary(error)
        for (scheme, alpha), error in errors.items()
    ]


def _mse(rows: Rows, panel: str, alpha: float, scheme: str) -> float:
    chosen = pick(rows, panel=panel, alpha=alpha, scheme=scheme)
    return float(max(chosen, key=lambda row: row["T"])["mse"])


def _fall(rows: Rows, scheme: str, alpha: float) -> float:
    chosen = sorted(pick(rows, panel="one", scheme=scheme, alpha=alpha), key=lambda row: row["T"])
    return slope(column(chosen, "T"), column(chosen, "mse"))


def _improves(rows: Rows) -> Judgement:
    falls = {scheme: [_fall(rows, scheme, alpha) for alpha in ALPHAS] for scheme in LINES}
    text = "; ".join(f"{name} " + ", ".join(f"{value:+.2f}" for value in values) for name, values in falls.items())
    flat = max(abs(value) for value in falls["semi user"][:3] + falls["one item"][:3])
    return Judgement(
        verdict=verdict(max(falls["full item"]) < -0.25 and min(falls["user level"]) < -0.25 and flat < 0.25),
        seen=f"slope of the error in T on log axes for α = .5, 1, 2, 4: {text}",
        why="what a slope of zero leaves is noise that does not depend on T, and users that differ",
    )


def _best(why: str) -> Any:
    def check(rows: Rows) -> Judgement:
        ratios = {
            alpha: min(_mse(rows, "one", alpha, other) for other in ("semi user", "one item"))
            / _mse(rows, "one", alpha, "user level")
            for alpha in (1.0, 2.0, 4.0)
        }
        holds = min(ratios.values()) > 1
        return Judgement(
            verdict=Verdict.DEPENDS if holds else Verdict.DOES_NOT,
            seen="error of the better of semi user and one item over that of user level, largest T: "
            + ", ".join(f"{ratio:.2f} (α={alpha:g})" for alpha, ratio in ratios.items()),
            why=why,
            choice="the mapping of {0, 1} to [−1, 1] and the width of the Laplace noise: with 2x − 1 (ERRATA 17)",
        )

    return check


def _four(why: str) -> Any:
    def check(rows: Rows) -> Judgement:
        ratios = {
            alpha: min(_mse(rows, "four", alpha, other) for other in ("semi user", "one item"))
            / _mse(rows, "four", alpha, "user level")
            for alpha in (2.0, 4.0)
        }
        full = all(
            _mse(rows, "four", alpha, "full item") < _mse(rows, "four", alpha, other)
            for alpha in ALPHAS
            for other in ("semi user", "one item", "user level")
        )
        return Judgement(
            verdict=verdict(min(ratios.values()) > 1 and full),
            seen="error of the better of semi user and one item over that of user level: "
            + ", ".join(f"{ratio:.2f} (α={alpha:g})" for alpha, ratio in ratios.items())
            + f"; full item is {'always' if full else 'not always'} best",
            why=why,
        )

    return check


def claims(*, improve: Verdict, best: Verdict, four: Verdict, why: str) -> tuple[Claim, ...]:
    """The three claims of the study, with the verdicts found on these data."""
    return (
        Claim(
            name="two improve with T, two do not",
            text="As T grows full item and user level improve, one item and semi user remain constant.",
            where="L946",
            expected=improve,
            check=_improves,
        ),
        Claim(
            name="user level wins from α = 1",
            text="For α ≥ 1 the user-level method is best but for full item.",
            where="L946, ERRATA 17",
            expected=best,
            check=_best(why),
        ),
        Claim(
            name="four shares from α = 2",
            text="For the shares of the groups, user level outperforms one item and semi user for α ≥ 2, and full item "
            "performs best.",
            where="L953",
            expected=four,
            check=_four(why),
        ),
    )


def draw(rows: Rows, picture: Any, *, one: str, four: str) -> None:
    """One share against T, scaled by α²; four shares against α."""
    left, right = panels(picture, 1, 2)[0]
    left.set_yscale("log")
    left.set_title(f"{one}: error × α²")
    left.set_xlabel("T, observations per user")
    for alpha, (colour, marker) in ALPHA_STYLE.items():
        for scheme, line in LINES.items():
            chosen = sorted(pick(rows, panel="one", alpha=alpha, scheme=scheme), key=lambda row: row["T"])
            ribbon(left, column(chosen, "T"), alpha**2 * column(chosen, "mse"), alpha**2 * column(chosen, "se"),
                   colour=colour, line=line, marker=marker if scheme == "user level" else "")  # fmt: skip
    right.set_yscale("log")
    right.set_xscale("log", base=2)
    right.set_xticks(ALPHAS, [f"{alpha:g}" for alpha in ALPHAS])
    right.set_xlabel("α")
    right.set_title(four)
    for i, (scheme, line) in enumerate(LINES.items()):
        chosen = [pick(rows, panel="four", alpha=alpha, scheme=scheme)[0] for alpha in values_of(rows, "alpha")]
        right.errorbar(ALPHAS, column(chosen, "mse"), 2 * column(chosen, "se"), color=PALETTE[4 + i], linestyle=line,
                       marker="os^D"[i], capsize=3, label=scheme)  # fmt: skip
    right.legend(loc="lower left")
    for alpha, (colour, marker) in ALPHA_STYLE.items():
        left.plot([], [], color=colour, marker=marker, label=f"α = {alpha:g}")
    for scheme, line in LINES.items():
        left.plot([], [], color="0.3", linestyle=line, label=scheme)
    handles, labels = left.get_legend_handles_labels()
    picture.legend(handles, labels, loc="outside lower center", ncols=8)
