"""Devices that do not hold a question against what was announced, or not against all of it."""

from __future__ import annotations

from typing import Any

from sottovoce.device import respond
from sottovoce.messages import Manifest, Question


def unchecked(question: bytes, *arguments: Any, manifest: Manifest | None = None, **more: Any) -> bytes:
    """The manifest was read to the participant, and that was all."""
    return respond(question, *arguments, **more)


def only_epsilon(question: bytes, *arguments: Any, manifest: Manifest | None = None, **more: Any) -> bytes:
    """Whatever costs no more than was announced is answered."""
    if manifest is not None and Question.from_bytes(question).epsilon <= manifest.epsilon:
        manifest = None
    return respond(question, *arguments, manifest=manifest, **more)
