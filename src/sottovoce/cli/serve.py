"""``sotto serve``: the collector over HTTP."""

from __future__ import annotations

import argparse
import gc
from typing import TYPE_CHECKING

from sottovoce.cli.parser import at_least, port
from sottovoce.cli.survey import store_option, store_url

if TYPE_CHECKING:
    from sottovoce.cli.options import Commands

_EPILOG = """\
examples:
  sotto serve
  sotto serve --host 0.0.0.0 --port 443 --tls-cert cert.pem --tls-key key.pem
  sotto serve --store postgresql://collector@/surveys --workers 4 --behind-proxy

Reports travel over TLS, or not beyond this machine: without a certificate the server listens on
loopback only, unless --behind-proxy says that a proxy in front speaks TLS. Surveys are made by
sotto survey create, or over HTTP with the token of sotto survey administrator. Logs are JSON lines
on standard error, without addresses, agents or tokens. Ctrl-C or SIGTERM stops after what was
accepted is stored.
Needs the extra "service": pip install "sottovoce[service]"."""


def register(commands: Commands, *, wanted: str | None) -> None:
    """Add the command."""
    parser = commands.add_parser(
        "serve",
        help="run the collector over HTTP",
        description="Run the collector: surveys of a store over HTTP, for devices and for people.",
        epilog=_EPILOG,
    )
    store_option(parser)
    parser.add_argument("--host", default="127.0.0.1", metavar="HOST", help="where to listen (default: 127.0.0.1)")
    parser.add_argument("--port", type=port, default=8000, metavar="PORT", help="0 takes a free one (default: 8000)")
    parser.add_argument(
        "--workers",
        type=at_least(1),
        default=1,
        metavar="N",
        help="processes; more than one needs PostgreSQL (default: 1)",
    )
    parser.add_argument("--tls-cert", metavar="FILE", help="certificate chain, PEM")
    parser.add_argument("--tls-key", metavar="FILE", help="its key, PEM")
    parser.add_argument("--behind-proxy", action="store_true", help="a proxy in front of this server speaks TLS")
    parser.add_argument(
        "--base",
        metavar="URL",
        help="what devices call this collector, for invitations made over HTTP (default: as it listens)",
    )
    parser.add_argument("--unlisted", action="store_true", help="do not show on the front page what is running")
    parser.set_defaults(run=run)


def run(options: argparse.Namespace) -> None:
    """Serve until it is stopped."""
    gc.disable()  # nothing that is loaded is garbage, and to look for it takes a tenth of the start
    from sottovoce.service import Serving, serve

    gc.freeze()  # nor is it looked at later on
    gc.enable()
    serve(
        Serving(
            store=store_url(options),
            host=options.host,
            port=options.port,
            workers=options.workers,
            tls_cert=options.tls_cert,
            tls_key=options.tls_key,
            behind_proxy=options.behind_proxy,
            base=options.base or "",
            listed=not options.unlisted,
        )
    )
