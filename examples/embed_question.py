"""Make the question that ``embed_device.html`` answers: ``python examples/embed_question.py``.

Public, canonical bytes. Their digest is what an invitation would name; the survey has a name here and not a manifest's
digest, as nobody announces it.
"""

from __future__ import annotations

from pathlib import Path

import sottovoce as sv

FILE = Path(__file__).with_suffix(".json")


def question() -> bytes:
    """The first question to 1,000 users about ratings from 1 to 5, at ε = 1."""
    settings = sv.Mean(survey="lectures", epsilon=1.0, low=1, high=5, users=1000, observations=20, method="one-round")
    asked = settings.decide(())
    assert isinstance(asked, sv.Question)
    return asked.to_bytes()


if __name__ == "__main__":
    FILE.write_bytes(question())
    print(f"wrote {FILE.name}")
