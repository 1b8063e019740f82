"""The collector: a survey over HTTP that loses nothing, asks everybody the same, and can be checked by anyone.

It sees questions, reports and tallies, never an observation: nothing here reaches the device. Names are loaded when
they are asked for, so that a command which needs the store alone does not load a web server.
"""

from __future__ import annotations

from importlib import import_module
from typing import TYPE_CHECKING, Any

if TYPE_CHECKING:
    from sottovoce.service.store import Store, StoreError, Unavailable, open_store, restore
    from sottovoce.service.writer import Busy, Writer

_WHERE = {
    "Busy": "writer",
    "Store": "store",
    "StoreError": "store",
    "Unavailable": "store",
    "Writer": "writer",
    "open_store": "store",
    "restore": "store",
}

__all__ = ["Busy", "Store", "StoreError", "Unavailable", "Writer", "open_store", "restore"]


def __getattr__(name: str) -> Any:
    if name not in _WHERE:
        raise AttributeError(f"module {__name__!r} has no attribute {name!r}")
    return getattr(import_module(f"{__name__}.{_WHERE[name]}"), name)
