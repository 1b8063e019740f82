"""A wrong sparsity (L1092–1099): d = 100, s = 4, n = 1000, T = 200, assumed s = 1 … 8."""

from __future__ import annotations

from sottovoce.paper.experiments.misspecification import CHANCES, RULES, TRUE, bias
from sottovoce.paper.figure import (
    Claim,
    Judgement,
    Rows,
    Verdict,
    pick,
    verdict,
)


def _mse(rows: Rows, p: float, rule: str, alpha: float, assumed: int) -> float:
    return float(pick(rows, p=p, rule=rule, alpha=alpha, assumed=assumed)[0]["mse"])


def _equals_bias(rows: Rows) -> Judgement:
    def ratios(rule: str) -> list[float]:
        return [_mse(rows, p, rule, 4.0, a) / bias(p, a) for p in CHANCES for a in (1, 2, 3)]

    votes, cut = ratios(RULES[0]), ratios(RULES[1])
    holds = max(abs(ratio - 1) for ratio in votes) < 0.15
    return Judgement(
        verdict=Verdict.DEPENDS if holds and max(abs(ratio - 1) for ratio in cut) > 0.15 else verdict(holds),
        seen="error at α = 4 over (4 − s)·θ² for assumed s = 1, 2, 3 (p = 0.75, then 1): most votes "
        + ", ".join(f"{ratio:.2f}" for ratio in votes)
        + "; half a vote "
        + ", ".join(f"{ratio:.2f}" for ratio in cut),
        why="with assumed s = 1 the truncation at η = 1 shrinks a true vote to 0.375, so the cut at one half selects "
        "nothing and the error is that of answering zero; only the ranking by votes gives the missed bias",
        choice="the rule of selection (ERRATA 11)",
    )


def _penalties(rows: Rows, p: float, alpha: float) -> tuple[float, float]:
    right = _mse(rows, p, RULES[0], alpha, TRUE)
    return _mse(rows, p, RULES[0], alpha, 2) - right, _mse(rows, p, RULES[0], alpha, 6) - right


def _over_is_cheap(rows: Rows) -> Judgement:
    pairs = {(p, alpha): _penalties(rows, p, alpha) for p in CHANCES for alpha in (2.0, 4.0)}
    text = "; ".join(f"p={p:g}, α={a:g}: {under:+.2g} and {over:+.2g}" for (p, a), (under, over) in pairs.items())
    return Judgement(
        verdict=verdict(all(under > over for under, over in pairs.values())),
        seen=f"change of the error with assumed s = 2 and s = 6: {text}",
        why="at a large α one more coordinate costs little variance",
    )


def _delicate(rows: Rows) -> Judgement:
    share = {}
    for p in CHANCES:
        for alpha in (0.5, 4.0):
            under, over = _penalties(rows, p, alpha)
            share[p, alpha] = (under, over)
    holds = all(share[p, 0.5][1] > share[p, 0.5][0] for p in CHANCES)
    return Judgement(
        verdict=verdict(holds),
        seen="change of the error at α = 0.5 with assumed s = 2 and s = 6: "
        + "; ".join(f"p={p:g}: {share[p, 0.5][0]:+.2g} and {share[p, 0.5][1]:+.2g}" for p in CHANCES),
        why="at a small α the selected coordinates are mostly wrong and every one adds its noise",
    )


CLAIMS = (
    Claim(
        name="too small: exactly the missed bias",
        text="Below four, for the larger α, the error equals the bias from the missed coordinates.",
        where="L1092",
        expected=Verdict.DEPENDS,
        check=_equals_bias,
    ),
    Claim(
        name="large α: better too many",
        text="For higher α over-estimating incurs a smaller penalty than under-estimating.",
        where="L1092",
        expected=Verdict.AGREES,
        check=_over_is_cheap,
    ),
    Claim(
        name="small α: the other way round",
        text="As α decreases the extra variance from over-estimating becomes greater relative to the bias.",
        where="L1092",
        expected=Verdict.AGREES,
        check=_delicate,
    ),
)
