"""Names for the kinds of numpy arrays that messages are read from and made of."""

from __future__ import annotations

from typing import Any

import numpy as np
from numpy.typing import NDArray

Array = NDArray[Any]
Floats = NDArray[np.float64]
Integers = NDArray[np.int64]
Words = NDArray[np.uint64]
Bytes = NDArray[np.uint8]
Signs = NDArray[np.int8]
Flags = NDArray[np.bool_]
Interval = tuple[float, float]
"""A lower and an upper end."""
