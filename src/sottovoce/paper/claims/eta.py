"""The truncation η = √(Cs) of the hashed votes (L1083): the share of the support found. n = 500, T = 100."""

from __future__ import annotations

from sottovoce.paper.constants import ALPHAS
from sottovoce.paper.experiments.eta import DIMENSIONS, RULES, line_of
from sottovoce.paper.figure import Claim, Judgement, Rows, Verdict, verdict


def _smaller_is_better(rows: Rows) -> Judgement:
    gains = {
        (d, alpha): line_of(rows, d, "most votes", alpha)[1.0] - line_of(rows, d, "most votes", alpha)[30.0]
        for d in DIMENSIONS
        for alpha in ALPHAS
    }
    text = "; ".join(
        f"α={alpha:g}: {line_of(rows, 100, 'most votes', alpha)[30.0]:.2f} → "
        f"{line_of(rows, 100, 'most votes', alpha)[1.0]:.2f}"
        for alpha in ALPHAS
    )
    return Judgement(
        verdict=verdict(min(gains.values()) > -0.02 and gains[100, 4.0] > 0.2),
        seen=f"share of the support found at d = 100 from C = 30 to C = 1, by most votes: {text}",
        why="the noise of a vote has scale 2η/α; the hash itself is only of size √s",
    )


def _limit_at_one(rows: Rows) -> Judgement:
    votes = line_of(rows, 100, "most votes", 4.0)
    cut = line_of(rows, 100, "half a vote", 4.0)
    printed = max(line_of(rows, 100, RULES[2], 4.0).values())
    best = max(cut, key=lambda c: cut[c])
    return Judgement(
        verdict=Verdict.DEPENDS if cut[0.25] < 0.5 * cut[best] and votes[0.25] > 0.9 * votes[1.0] else Verdict.DOES_NOT,
        seen=f"d = 100, α = 4, C = 0.25, 0.5, 1, 2: by most votes {votes[0.25]:.2f}, {votes[0.5]:.2f}, "
        f"{votes[1.0]:.2f}, {votes[2.0]:.2f}; with the cut at half a vote {cut[0.25]:.2f}, {cut[0.5]:.2f}, "
        f"{cut[1.0]:.2f}, {cut[2.0]:.2f}. With √2 in ε, as printed, at most {printed:.2f} at any C",
        why="truncation shrinks a true vote (to 0.75 at C = 1), and below C ≈ 1/2 it falls under the cut: the limit is "
        "made by the cut. Ranked by votes, C may be smaller still. With the cut, α = 0.5 seems to find half the "
        "support: noise lifts any coordinate over the cut, and the first four by index are the support (ERRATA 10)",
        choice="the rule of selection and the constant in ε: the printed √2 puts ε at 0.6, above the signal of 0.5 "
        "(ERRATA 10, 11)",
    )


CLAIMS = (
    Claim(
        name="smaller C finds more",
        text="Across all privacy levels the support is found more often as C is decreased.",
        where="L1083",
        expected=Verdict.AGREES,
        check=_smaller_is_better,
    ),
    Claim(
        name="up to a limit near C = 1",
        text="The increase ends as C takes a value of approximately one.",
        where="L1083",
        expected=Verdict.DEPENDS,
        check=_limit_at_one,
    ),
)
