"""What the two real-data figures share: rows, claims and panels."""

from __future__ import annotations

from typing import Any

from sottovoce.paper.constants import ALPHAS
from sottovoce.paper.experiments.study import LINES
from sottovoce.paper.figure import Claim, Judgement, Rows, Verdict, column, pick, slope, verdict


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
