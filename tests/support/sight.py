"""Colours as colour-blind readers see them (Machado, Oliveira, Fernandes 2009, full severity), and their distance."""

from __future__ import annotations

import numpy as np
from matplotlib.colors import to_rgb

_SEEN = {
    "full": "1 0 0; 0 1 0; 0 0 1",
    "protanopia": "0.152286 1.052583 -0.204868; 0.114503 0.786281 0.099216; -0.003882 -0.048116 1.051998",
    "deuteranopia": "0.367322 0.860646 -0.227968; 0.280085 0.672501 0.047413; -0.011820 0.042940 0.968881",
    "tritanopia": "1.255528 -0.076749 -0.178779; -0.078411 0.930809 0.147602; 0.004733 0.691367 0.303900",
}
KINDS = {name: np.array([[float(x) for x in row.split()] for row in text.split(";")]) for name, text in _SEEN.items()}
_TO_XYZ = np.array(
    [[0.4124564, 0.3575761, 0.1804375], [0.2126729, 0.7151522, 0.0721750], [0.0193339, 0.1191920, 0.9503041]]
)
_WHITE = np.array([0.95047, 1.0, 1.08883])


def linear(colour: object) -> np.ndarray:
    """Linear RGB of a colour."""
    shown = np.array(to_rgb(colour))
    return np.where(shown <= 0.04045, shown / 12.92, ((shown + 0.055) / 1.055) ** 2.4)


def distance(first: object, second: object, kind: str) -> float:
    """ΔE (CIE 1976) of two colours with this kind of sight; about 2 can just be told apart side by side."""
    return float(np.linalg.norm(_lab(KINDS[kind] @ linear(first)) - _lab(KINDS[kind] @ linear(second))))


def contrast(first: object, second: object) -> float:
    """Contrast of two colours as WCAG 2 has it, 1 to 21."""
    light, dark = sorted((float(_TO_XYZ[1] @ linear(colour)) for colour in (first, second)), reverse=True)
    return (light + 0.05) / (dark + 0.05)


def _lab(rgb: np.ndarray) -> np.ndarray:
    ratio = _TO_XYZ @ np.clip(rgb, 0, 1) / _WHITE
    f = np.where(ratio > 0.008856, np.cbrt(ratio), 7.787 * ratio + 16 / 116)
    return np.array([116 * f[1] - 16, 500 * (f[0] - f[1]), 200 * (f[1] - f[2])])
