"""The regime diagram (L666–746): where user level is easier, equal, harder, or hopeless, by T and nα²/d."""

from __future__ import annotations

from sottovoce.paper.figure import Claim, Judgement, Rows, Verdict, pick, verdict


def _shares(rows: Rows, panel: str) -> dict[str, float]:
    mine = pick(rows, panel=panel)
    return {
        region: len(pick(mine, region=region)) / len(mine)
        for region in ("both impossible", "user-level easier", "user-level harder", "equivalent")
    }


def _never_easier(rows: Rows) -> Judgement:
    shares = _shares(rows, "l2")
    return Judgement(
        verdict=verdict(shares["user-level easier"] == 0 and shares["equivalent"] > 0),
        seen="share of the ℓ2 panel: " + ", ".join(f"{name} {share:.0%}" for name, share in shares.items()),
    )


def _sometimes_easier(rows: Rows) -> Judgement:
    from sottovoce.theory import comparisons

    shares = _shares(rows, "sparse")
    n, d = 100, 10_000
    user = comparisons.selected_sparse(T=50, s=1)
    item = comparisons.item_sparse(n=n, T=50, alpha=1, d=d, s=1)
    return Judgement(
        verdict=verdict(shares["user-level easier"] > 0 and user < item),
        seen="share of the sparse panel: "
        + ", ".join(f"{name} {share:.0%}" for name, share in shares.items())
        + f"; at n = {n}, d = {d:,}, T = 50, α = 1 the rates are {user:.2g} (user) and {item:.2g} (item)",
        why="constants and logarithms are left out of the diagram: its curves are places to look at",
    )


CLAIMS = (
    Claim(
        name="ℓ2: never better",
        text="On the ℓ2 ball user level is never better than item level, and equivalent while T is small.",
        where="L664",
        expected=Verdict.AGREES,
        check=_never_easier,
    ),
    Claim(
        name="sparse: better in a regime",
        text="For sparse means user level outperforms item level in certain regimes.",
        where="L664",
        expected=Verdict.AGREES,
        check=_sometimes_easier,
    ),
)
