"""The collector: a survey over HTTP that loses nothing, asks everybody the same, and can be checked by anyone.

It sees questions, reports and tallies, never an observation: nothing here reaches the device. Names are loaded when
they are asked for, so that a command which needs the store alone does not load a web server.
"""

from __future__ import annotations

from importlib import import_module
from typing import TYPE_CHECKING, Any

if TYPE_CHECKING:
    from sottovoce.service.access import new_administrator
    from sottovoce.service.collector import Collector
    from sottovoce.service.documents import MAX_INVITATIONS
    from sottovoce.service.errors import Refused
    from sottovoce.service.exports import export
    from sottovoce.service.limits import Limits
    from sottovoce.service.routes import ROUTES
    from sottovoce.service.server import Running, Serving, running, serve
    from sottovoce.service.store import Store, open_store, restore, store_file
    from sottovoce.service.survey import Survey

_WHERE = {
    "MAX_INVITATIONS": "documents",
    "ROUTES": "routes",
    "Collector": "collector",
    "Limits": "limits",
    "Refused": "errors",
    "Running": "server",
    "Serving": "server",
    "Store": "store",
    "Survey": "survey",
    "export": "exports",
    "new_administrator": "access",
    "open_store": "store",
    "restore": "store",
    "running": "server",
    "serve": "server",
    "store_file": "store",
}

__all__ = [
    "MAX_INVITATIONS",
    "ROUTES",
    "Collector",
    "Limits",
    "Refused",
    "Running",
    "Serving",
    "Store",
    "Survey",
    "export",
    "new_administrator",
    "open_store",
    "restore",
    "running",
    "serve",
    "store_file",
]

_PACKAGES = ("anyio", "httptools", "msgspec", "starlette", "uvicorn", "uvloop")


def __getattr__(name: str) -> Any:
    if name not in _WHERE:
        raise AttributeError(f"module {__name__!r} has no attribute {name!r}")
    try:
        return getattr(import_module(f"{__name__}.{_WHERE[name]}"), name)
    except ModuleNotFoundError as error:
        if (error.name or "").partition(".")[0] not in _PACKAGES:
            raise
        from sottovoce.messages import MissingExtra

        raise MissingExtra(f"a collector needs {error.name}", extra="service") from error
