"""What an interval relies on, and why a method was taken: members of closed sets, and numbers."""

from __future__ import annotations

from dataclasses import dataclass
from enum import StrEnum

from sottovoce.messages import Fact


class Assumes(StrEnum):
    """What must hold for an interval to cover."""

    NOTHING = "nothing"
    """It holds whatever the users are."""
    NOTHING_ABOUT_USERS = "nothing-about-users"
    """It holds whatever the users are; what it says about a point of interest is another thing."""
    AS_WRITTEN = "as-written"
    """As a sentence of format 1 says."""
    FEW_WITHOUT_DATA = "few-without-data"
    """At most the share `empty_at_most` of the users hold no observation."""
    ONE_DISTRIBUTION = "one-distribution"
    """The caller asserts that the observations of all users come from one distribution."""
    ONE_GROUP_OF_AVERAGES = "one-group-of-averages"
    COVERED_BY_LAST_ROUND = "covered-by-last-round"
    AVERAGES_NEAR = "averages-near"
    """The caller asserts that users' averages lie near one another."""
    AVERAGES_NEAR_CONTRADICTED = "averages-near-contradicted"
    """The same, and the votes contradict it."""
    ONE_BELL = "one-bell"
    """Users form one group, roughly bell-shaped."""
    ONE_BELL_EACH = "one-bell-each"
    """The same in every coordinate."""
    ONE_CLOUD = "one-cloud"
    """Users form one cloud, or a few large camps."""
    ONE_GROUP_AROUND_AVERAGE = "one-group-around-average"
    WAVES_FALL_OFF = "waves-fall-off"
    """Waves that are left out are no larger than `rest`, and fall off like a power `decay` beyond the last asked."""
    NO_HIDDEN_GROUP = "no-hidden-group"
    """No group of users hides far from the others, below the detection limit."""
    NO_GROUP_OUTSIDE_RADIUS = "no-group-outside-radius"
    """No group of users too small to be seen lies outside the radius that the last round asked about."""
    MODEL_OF_COMPONENTS = "model-of-components"
    """Users of a component form one bell, components are apart, and all of them were found."""
    ONE_GROUP_EACH = "one-group-each"
    """Nobody has something in more than one group."""


class ChosenBy(StrEnum):
    """Who took the method."""

    CALLER = "caller"
    CALLER_BY_BINS = "caller-by-bins"
    """With the paper's bin rule for who belongs to which component."""
    AUTO = "auto"
    METHOD = "method"
    """Whoever took it, the method says how it came to ask so: `Chosen.details`."""
    BASELINE = "baseline"
    SIMULATION = "simulation"
    TEST = "test"
    AS_WRITTEN = "as-written"
    """As a sentence of format 1 says."""


@dataclass(frozen=True, kw_only=True)
class Compared:
    """A method that could run, and the error that was expected of it."""

    method: str
    error: float
    """Root mean squared."""
    guaranteed: bool = False
    """Whether its interval holds whatever the users are, as narrow as predicted."""
    halfwidth: float | None = None
    """Of its interval, where the choice went by that."""


@dataclass(frozen=True, kw_only=True)
class Chosen:
    """Why this method: who took it, what it was compared with, what was assumed about the users for that.

    `compared` begins with the method that was taken. `spreads` are the standard deviations of users' own means that
    were assumed, each counting alike; empty where the choice did not go by them, None where users are as given. A
    method is left for another whose expected squared error is below `pays` times its own. `details` say how it asks,
    and what could not run.
    """

    by: ChosenBy
    method: str = ""
    """What auto took; empty where nothing was chosen."""
    compared: tuple[Compared, ...] = ()
    spreads: tuple[float, ...] | None = ()
    width: float = 0.0
    """Of the declared range."""
    pays: float = 1.0
    details: tuple[Fact, ...] = ()

    def method_fact(self, method: str) -> Fact:
        """How it was asked, and why, in one fact; `method` is what the answer calls it."""
        says_so = self.by == ChosenBy.AUTO and self.method == method and (self.spreads != () or not self.compared)
        return Fact("chosen", method="" if says_so else method, parts=(*self.why(), *self.details))

    def why(self) -> tuple[Fact, ...]:
        """Who took it, by what comparison."""
        if self.by in (ChosenBy.METHOD, ChosenBy.AS_WRITTEN):
            return ()
        if self.by != ChosenBy.AUTO:
            return (Fact(f"chosen-by-{self.by}"),)
        if not self.compared:
            return (Fact("auto-takes", method=self.method),)
        taken, *others = self.compared
        if self.spreads == ():
            return (Fact("auto-by-error", error=taken.error, others=tuple(map(_error, others))),)
        users = Fact(
            "auto-by-users",
            method=taken.method,
            users=self._users(),
            error=taken.error,
            several=len(self.spreads or ()) > 1,
            guaranteed=taken.guaranteed,
            halfwidth=taken.halfwidth,
        )
        return users, *(self._other(one, taken) for one in others)

    def _other(self, one: Compared, taken: Compared) -> Fact:
        """What another method would have given; where it is better, below what error it would have been taken."""
        below = self.pays**0.5 * taken.error if one.error < taken.error and one.halfwidth is None else None
        return Fact(
            "auto-other",
            method=one.method,
            error=one.error,
            guaranteed=one.guaranteed,
            below=below,
            halfwidth=one.halfwidth,
        )

    def _users(self) -> Fact:
        """What was assumed about the users."""
        if self.spreads is None:
            return Fact("users-as-given")
        alike = any(not spread for spread in self.spreads)
        apart = tuple(
            Fact(
                "means-differ-by" if alike else "own-means-differ-by", spread=spread, part=spread / (self.width or 1.0)
            )
            for spread in self.spreads
            if spread
        )
        return Fact("users-assumed", users=(*([Fact("users-alike")] if alike else []), *apart))


def _error(one: Compared) -> Fact:
    return Fact("auto-other-error", method=one.method, error=one.error)
