"""Predicted half-widths against simulated errors: ratio of the prediction to z × RMSE, over more than 100 settings.

The planner is told the spread of the users and where they lie, nothing else; the simulation draws users from a law of
its own (uniform, two ends, users who differ) and runs the protocol with the exact simulator. A user's collection is
drawn as its average, which is all that a mean looks at.

Rare wrong localisations dominate some errors and plain repetition misses them (or sees one by luck), so a survey of
two rounds is repeated in strata: many first rounds give the chances of each winner, then the second round is repeated
for every winner that occurred, and the strata are added up with their chances.

Exits with 1 unless the median ratio lies in 0.9 … 1.1 and 95 % of the ratios lie in 0.7 … 1.5.
"""

from __future__ import annotations

import math
import sys
import time
from collections.abc import Callable
from dataclasses import dataclass, replace
from typing import Any

import numpy as np

from sottovoce.device import Collections
from sottovoce.engines import run, simulate
from sottovoce.engines.simulate import draw_tally
from sottovoce.device import encode
from sottovoce.messages import Question, Tally
from sottovoce.planning.law import Crowd
from sottovoce.planning import predict_mean
from sottovoce.protocols import Mean

Stream = np.random.Generator
