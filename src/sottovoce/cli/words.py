"""A question in plain words, for the person whose device is asked."""

from __future__ import annotations

import math

from sottovoce.cli.terminal import count
from sottovoce.messages import (
    Average,
    Basis,
    Each,
    Grid,
    Hashed,
    Item,
    Laplace,
    Nearest,
    Position,
    Question,
    Residual,
    Rotated,
    Share,
    Subset,
    Table,
    Unary,
)


def steps(question: Question) -> list[tuple[str, str]]:
    """What a device does, in order: a name and a sentence for each step."""
    size = question.uses * question.channel.payload_bytes
    each = f"{question.uses:,} parts, one for each observation; " if question.uses > 1 else ""
    return [
        ("compute", f"{_statistic(question)}, on your device"),
        ("place", _placement(question)),
        ("randomise", _channel(question)),
        ("send", f"{each}{count(size, 'byte')} in all, the same size for everybody, whatever they hold"),
    ]


def promise(question: Question) -> str:
    """What the report may tell about a participant, to the participant."""
    epsilon = float(question.epsilon_bound())
    return (
        f"Your device sends one report, once, and nothing else. It is randomised on your device before it leaves. "
        f"Suppose you held an entirely different collection, longer or shorter, even empty: no report would become "
        f"more than {times(epsilon)} times as likely, or as unlikely. {_guess(epsilon)}"
    )


def _guess(epsilon: float) -> str:
    """The same as odds: what even odds between two collections can become."""
    right = 100 / (1 + math.exp(-epsilon))
    if right > 95:
        return "That is weak: whoever sees your report may become almost certain which of two collections is yours."
    return (
        f"So whoever sees your report, the people who ask included, learns little: who guesses right between two "
        f"collections in 50 of 100 cases is right in at most {math.ceil(right):.0f} of 100 after seeing it. Only many "
        f"reports together show anything."
    )


def times(epsilon: float) -> str:
    """``e^ε = 2.72``, or only its left side when the number would say nothing."""
    return f"e^{epsilon:.4g} = {math.exp(epsilon):.3g}" if epsilon <= 100 else f"e^{epsilon:.4g}"


def _statistic(question: Question) -> str:
    match question.encoder.statistic:
        case Average(first=None):
            return "the average of all your observations"
        case Average(first=first):
            return f"the average of your first {first:,} observations" if first != 1 else "your first observation"
        case Item():
            return "one of your observations, drawn at random"
        case Each():
            return "each of your observations in turn"
        case Share():
            return "the share of your observations up to a threshold"
        case Rotated():
            return "one coordinate of your average, after a public rotation"
        case Basis():
            return "the average of a public wave over your observations"
        case Hashed():
            return "the sum of public signs over the columns in which your average is large"
        case Residual():
            return "how far your average is from the nearest of the public centres, times a public sign"
        case Nearest():
            return "which of the public centres is nearest to your average"


def _placement(question: Question) -> str:
    placement = question.encoder.placement
    empty = "with nothing observed, the middle"
    if isinstance(placement, Position):
        return f"where that lies from {placement.low[0]:g} to {placement.high[0]:g}, the nearer end if outside; {empty}"
    if isinstance(placement, Grid):
        bins = f"{placement.count:,} equal bins from {placement.low[0]:g} to {placement.high[0]:g}"
        return f"in which of {bins} it falls, the nearest if outside; {empty}"
    return f"in which of {placement.count:,} bins it falls; {empty}"


def _channel(question: Question) -> str:
    channel = question.channel
    match channel:
        case Table() if channel.cells == 2:
            least, most = channel.probabilities[0, 1], channel.probabilities[-1, 1]
            return f"toss a coin that shows 1 with chance {least:.1%} at the low end, up to {most:.1%} at the high end"
        case Table():
            ratio = times(float(channel.epsilon_bound()))
            return (
                f"draw one of {channel.cells} symbols; those near your place are the likelier ones, "
                f"but no symbol is more than {ratio} times as likely from one place as from another"
            )
        case Unary():
            lit = "your bin" if channel.reach == 0 else f"your bin and {channel.reach} to each side"
            return f"write one bit for each bin, 1 for {lit}; then flip every bit with chance {1 - channel.keep:.1%}"
        case Subset():
            own = channel.inclusion[0]
            return f"draw {channel.size} of {channel.items} bins; yours is among them with chance {own:.1%}"
        case Laplace():
            deviation = math.sqrt(channel.noise_variance)
            return (
                f"count your place in {channel.steps:,} steps and add noise with a standard deviation of "
                f"{deviation:.3g} times the whole width"
            )
