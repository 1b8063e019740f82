"""The ways to estimate a mean, by name: those of the library and the baselines they are compared with."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

if TYPE_CHECKING:
    from sottovoce.messages import Estimate
    from sottovoce.protocols import Protocol

MEAN_METHODS = ("auto", "one-round", "paper", "theory")
BASELINES = ("full-item", "semi-user", "split-user", "one-item")
EVERY_METHOD = MEAN_METHODS + BASELINES

METHOD_HELP = (
    "auto (default) takes one-round or paper, whichever has the lower predicted error; one-round asks everybody once "
    "on the full range; paper and theory vote for a place first, with the constants of the paper's experiments or "
    "proofs"
)
BASELINE_HELP = "the baselines are full-item (protects single observations only), semi-user, split-user and one-item"


def protocol(
    method: str, *, epsilon: float, low: float, high: float, users: int, observations: int, confidence: float = 0.95
) -> Protocol[Estimate]:
    """A mean by the name of its method, not yet run."""
    from sottovoce import baselines
    from sottovoce.protocols import Mean

    common: dict[str, Any] = {
        "epsilon": epsilon,
        "low": low,
        "high": high,
        "users": users,
        "observations": observations,
        "confidence": confidence,
    }
    match method:
        case "full-item":
            return baselines.FullItem(**common)
        case "semi-user":
            return baselines.SemiUser(**common)
        case "split-user":
            return baselines.SplitUser(**common)
        case "one-item":
            del common["observations"]
            return baselines.OneItem(**common)
        case _:
            return Mean(**common, method=method)  # type: ignore[arg-type]  # Mean names the methods it knows
