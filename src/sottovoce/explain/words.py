"""A question in plain words, for the person whose device is asked."""

from __future__ import annotations

import math

from sottovoce.messages import Category, Direction, Each, Encoder, Grid, Joint, Nearest, Question, counted


def steps(question: Question) -> list[tuple[str, str]]:
    """What a device does, in order: a name and a sentence for each step."""
    encoder, size = question.encoder, question.uses * question.channel.payload_bytes
    return [
        ("compute", f"on your device: {encoder.words}" if encoder.within else f"{encoder.words}, on your device"),
        ("place", f"{_placed(encoder)}; {encoder.nothing}"),
        ("randomise", question.channel.words()),
        ("send", f"{_parts(question)}{counted(size, 'byte')} in all, the same size for everybody, whatever they hold"),
    ]


def _placed(encoder: Encoder) -> str:
    placement = encoder.placement
    numbered = isinstance(encoder.statistic, (Nearest, Category, Joint, Direction))
    if numbered and isinstance(placement, Grid) and (*placement.low, *placement.high) == (0.0, placement.count):
        return f"as one of {placement.count:,} numbers"
    return placement.words


def _parts(question: Question) -> str:
    if question.uses == 1:
        return ""
    what = (
        "observation" if isinstance(question.encoder.statistic, Each) else f"of {question.groups:,} groups you are in"
    )
    return f"{question.uses:,} parts, one for each {what}; "


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
