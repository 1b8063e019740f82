"""What the claims of the two real-data figures share."""

from __future__ import annotations

import math
from dataclasses import replace
from typing import Any

from sottovoce.paper.constants import ALPHAS
from sottovoce.paper.experiments.study import LINES, PLAIN
from sottovoce.paper.figure import (
    Claim,
    Estimate,
    Judgement,
    Row,
    Rows,
    Verdict,
    ahead,
    along,
    depends,
    log_ratio,
    trend,
    verdict,
    within,
)

SLOPES = {"full item": (-1.15, -0.8), "user level": (-1.15, -0.5), "semi user": (-0.1, 0.1), "one item": (-0.1, 0.1)}
"""What counts as improving as 1/T, as log(nTα²)/T with users that differ, and as constant."""
MAPPED = {"user level": "user level", "semi user": "semi user"}
SIDES = {"2x − 1": MAPPED, "0/1": {"user level": PLAIN[0], "semi user": PLAIN[1]}}
CHOICE = (
    "the mapping of {0, 1} into [−1, 1], and with it the width of the Laplace noise: 2x − 1, or 0 and 1 as they are"
)


def _last(rows: Rows, panel: str, alpha: float, scheme: str) -> Row:
    return along(rows, "T", panel=panel, alpha=alpha, scheme=scheme)[-1]


def _improves(rows: Rows) -> Judgement:
    falls = {
        (scheme, alpha): trend(along(rows, "T", panel="one", scheme=scheme, alpha=alpha), "T")
        for scheme in LINES
        for alpha in ALPHAS
    }
    return Judgement(
        verdict=verdict(all(within(found, *SLOPES[scheme]) for (scheme, _), found in falls.items())),
        seen="slope of the error in T on log axes for α = .5, 1, 2, 4: "
        + "; ".join(f"{scheme} " + ", ".join(str(falls[scheme, alpha]) for alpha in ALPHAS) for scheme in LINES),
        why="what a slope of zero leaves is noise that does not depend on T, and users that differ",
    )


def _against(rows: Rows, panel: str, levels: tuple[float, ...], names: dict[str, str]) -> dict[float, list[Estimate]]:
    """α → log ratios of semi user and of one item to user level, at the largest T."""
    others = (names["semi user"] if panel == "one" else "semi user", "one item")
    return {
        alpha: [
            log_ratio(_last(rows, panel, alpha, other), _last(rows, panel, alpha, names["user level"]))
            for other in others
        ]
        for alpha in levels
    }


def _outperforms(found: dict[float, list[Estimate]]) -> bool:
    """Each of the two others on its own, over all α."""
    return all(ahead(list(logs)) for logs in zip(*found.values(), strict=True))


def _say(found: dict[str, dict[float, list[Estimate]]]) -> str:
    return "; ".join(
        f"{side}: "
        + ", ".join(f"{math.exp(min(log.value for log in logs)):.2f} (α={alpha:g})" for alpha, logs in logs_of.items())
        for side, logs_of in found.items()
    )


def _wins(why: str, panel: str, alphas: tuple[float, ...]) -> Any:
    def check(rows: Rows) -> Judgement:
        found = {side: _against(rows, panel, alphas, names) for side, names in SIDES.items()}
        return Judgement(
            verdict=depends(*(_outperforms(logs_of) for logs_of in found.values())),
            seen="error of the better of semi user and one item over that of user level, largest T. " + _say(found),
            why=why,
            choice=f"{CHOICE} (ERRATA 17)",
        )

    return check


def _full_best(rows: Rows) -> Judgement:
    panels = {
        panel: [
            log_ratio(_last(rows, panel, alpha, other), _last(rows, panel, alpha, "full item"))
            for alpha in ALPHAS
            for other in list(LINES)[1:]
        ]
        for panel in ("one", "four")
    }
    return Judgement(
        verdict=verdict(all(ahead(logs) for logs in panels.values())),
        seen="error of the best other scheme over that of full item, at its least: "
        + ", ".join(f"{math.exp(min(log.value for log in logs)):.2f} ({panel})" for panel, logs in panels.items()),
        why="it protects single observations only",
    )


def on_other_data(claims: tuple[Claim, ...]) -> tuple[Claim, ...]:
    """The same sentences of data that the paper does not speak of: they say so, and count apart."""
    return tuple(
        replace(one, text=f"On these data: {one.text[0].lower()}{one.text[1:]}", borrowed=True) for one in claims
    )


def claims(*, improve: Verdict, best: Verdict, four: Verdict, why: str) -> tuple[Claim, ...]:
    """The claims of the study, with the verdicts found on these data."""
    return (
        Claim(
            name="two improve with T, two do not",
            text="As T grows full item and user level improve, one item and semi user remain constant.",
            where="L944",
            expected=improve,
            tolerance="slopes on log axes, at every α: full item −1.15 to −0.8 (its noise gives −1), user level −1.15 "
            "to −0.5 (log(nTα²)/T, and users that differ), the others −0.1 to 0.1; four standard errors each",
            check=_improves,
        ),
        Claim(
            name="user level wins from α = 1",
            text="For α ≥ 1 the user-level method exhibits superior performance, excepting full item.",
            where="L944, ERRATA 17",
            expected=best,
            tolerance="against each of the two others: at no α worse by four standard errors, over all these α "
            "together better by four; the paper states no size",
            check=_wins(why, "one", (1.0, 2.0, 4.0)),
        ),
        Claim(
            name="four shares from α = 2",
            text="For the shares of the groups, user level outperforms one item and semi user for α ≥ 2.",
            where="L954",
            expected=four,
            tolerance="against each of the two others: at no α worse by four standard errors, over all these α "
            "together better by four; the paper states no size",
            check=_wins(why, "four", (2.0, 4.0)),
        ),
        Claim(
            name="full item is best",
            text="Full item level performs best, in both problems.",
            where="L944, L954",
            expected=Verdict.AGREES,
            tolerance="no other scheme better at any α by four standard errors, together worse by four",
            check=_full_best,
        ),
    )
