"""Whether a round closed when it may have, for the reason that it gives."""

from __future__ import annotations

from sottovoce.messages import ClosedRound, Fact, Manifest, Question


def untimely(
    manifest: Manifest, question: Question, closed: ClosedRound, *, since: int, silent: Fact | None
) -> Fact | None:
    """Why it cannot have closed so; None where it can.

    `since` is when the round before closed, or when the survey opened; `silent` says why the round cannot be decided
    upon, where it cannot. When a quota was reached, or who closed by hand, cannot be told, nor how long after it opened
    a survey came to a collector. Who closes a round whose time is over, for whatever reason, says so: by its deadline.
    """
    if closed.closed < since:
        return Fact("untimely-early", closed=closed.closed, since=since)
    if closed.because == "quota" and closed.answered < (enough := manifest.enough(question.slots.count)):
        return Fact("untimely-quota", enough=enough, answered=closed.answered)
    lasts = manifest.round_seconds
    due = manifest.closes if lasts is None else min(manifest.closes, since + lasts)
    if closed.because == "deadline" and closed.closed < due:
        return Fact("untimely-deadline", closed=closed.closed, due=due)
    latest = manifest.closes if question.round == 0 else due
    if closed.because != "deadline" and closed.closed > latest:
        return Fact("untimely-late", because=closed.because, closed=closed.closed, latest=latest)
    if silent is not None and closed.because != "deadline":
        return Fact("untimely-silent", why=silent)
    return None
