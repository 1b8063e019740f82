"""Whether a round closed when it may have, for the reason that it gives."""

from __future__ import annotations

from sottovoce.messages import ClosedRound, Manifest, Question

_BY = {"quota": "its quota", "hand": "hand"}


def untimely(manifest: Manifest, question: Question, closed: ClosedRound, *, since: int, silent: str) -> str | None:
    """Why it cannot have closed so, in words; None where it can.

    `since` is when the round before closed, or when the survey opened; `silent` says why the round cannot be decided
    upon, where it cannot. When a quota was reached, or who closed by hand, cannot be told, nor how long after it opened
    a survey came to a collector. Who closes a round whose time is over, for whatever reason, says so: by its deadline.
    """
    if closed.closed < since:
        return f"it closed at {closed.closed}; it opened at {since} or later"
    if closed.because == "quota" and closed.answered < (enough := manifest.enough(question.slots.count)):
        return f"by its quota, which is {enough:,}; {closed.answered:,} answered"
    lasts = manifest.round_seconds
    due = manifest.closes if lasts is None else min(manifest.closes, since + lasts)
    if closed.because == "deadline" and closed.closed < due:
        return f"by its deadline, at {closed.closed}; it was to stay open until {due} at least"
    latest = manifest.closes if question.round == 0 else due
    if closed.because != "deadline" and closed.closed > latest:
        return f"by {_BY[closed.because]}, at {closed.closed}; its time was over at {latest}, whoever came"
    if silent and closed.because != "deadline":
        return f"before its deadline, although {silent}: it was to stay open until then"
    return None
