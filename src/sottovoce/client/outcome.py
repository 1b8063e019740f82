"""What came of trying to answer a survey."""

from __future__ import annotations

from dataclasses import dataclass

from sottovoce.messages import Fact

STATES = (
    "answered",  # the collector has the report
    "waiting",  # not yet: come back later, with the same invitation
    "declined",  # the device does not answer; nothing was sent this time
    "missed",  # the round that asked this device is over
    "full",  # every slot of the survey is taken
    "over",  # the survey has ended
    "refused",  # the collector does not take it
)


@dataclass(frozen=True, kw_only=True)
class Outcome:
    """What came of it. `state` is one of `STATES`, `code` a short word for why, `why` the same as a fact.

    It is for the device's owner: a decline is silence to the collector.
    """

    state: str
    code: str
    why: Fact
    survey: str
    epsilon: float | None = None
    """What the report cost, proven, whatever became of it; None where none was made."""
    again_at: float | None = None
    """When it is worth coming back, in seconds since 1970; None where that is no use."""
    latest_at: float | None = None
    """Where another round is open: when it will have closed at the latest, as the collector says; else None."""
    slot: int | None = None
    """The slot of the report, or of the seat where none was made yet."""
    before: bool = False
    """The collector said, when this device first took its seat, that the invitation had been used before."""

    def __post_init__(self) -> None:
        if self.state not in STATES:
            raise ValueError(f"state: one of {', '.join(STATES)}")
