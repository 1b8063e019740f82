"""The closed vocabulary of channels. A new one is a new proof in device/PRIVACY.md first, then code.

Every channel says how large its input may be (`span`; an index counts in steps of `unit`), what a symbol looks
like (`width` integers, `payload_bytes` on the wire), what it costs (`epsilon_bound`, proven from the integers)
and how its reports add up (`cells`, `accumulate`). It also tells its own law to whoever compares, explains or
predicts: `marginals` are the chances of its events at an input, one of which happens in every report (`exclusive`)
or each on its own, and `observed` counts them; `log_likelihoods` compares other inputs with the own one;
`expected_cells` is the tally of given inputs without chance; `fact` is for the owner of a device. Inputs may be
categories (`categorical`), places between two ends (`positional`), or either.
"""

from __future__ import annotations

from sottovoce.messages.channels.laplace import Laplace
from sottovoce.messages.channels.subset import Subset
from sottovoce.messages.channels.table import Table
from sottovoce.messages.channels.unary import Unary

Channel = Table | Subset | Unary | Laplace

__all__ = ["Channel", "Laplace", "Subset", "Table", "Unary"]
