"""``sotto serve`` in a process of its own."""

from __future__ import annotations

import os
import re
import signal
import subprocess
import sys
import time
from pathlib import Path
from types import TracebackType

SECONDS = 300
ENVIRONMENT = {name: value for name, value in os.environ.items() if name != "PYTHONDONTWRITEBYTECODE"}
"""Each start would otherwise compile every source again, which takes as long as all the rest of it."""


class Served:
    """Runs until the end of the block, or until it is killed. `seconds` is how long it took to listen."""

    def __init__(self, store: str, *options: str, module: tuple[str, ...] = ("sottovoce", "serve", "--store")) -> None:
        started = time.monotonic()
        port = () if "--port" in options or module[0] != "sottovoce" else ("--port", "0")
        command = [sys.executable, "-m", *module, store, *port, *options]
        self.process = subprocess.Popen(
            command, stdout=subprocess.PIPE, stderr=subprocess.DEVNULL, text=True, env=ENVIRONMENT
        )
        assert self.process.stdout is not None
        line = next((line for line in self.process.stdout if line.startswith("listening on ")), None)
        if line is None:
            self.process.wait(SECONDS)
            raise RuntimeError(f"{' '.join(module)} did not start: exit code {self.process.returncode}")
        self.url, self.seconds = line.split()[-1], time.monotonic() - started
        self.port = int(self.url.rpartition(":")[2])

    @property
    def peak_bytes(self) -> int:
        """The most memory that it has held so far."""
        status = Path(f"/proc/{self.process.pid}/status").read_text(encoding="ascii")
        found = re.search(r"VmHWM:\s+(\d+) kB", status)
        assert found is not None
        return 1024 * int(found.group(1))

    def kill(self) -> None:
        """As if its machine lost it."""
        self._end(signal.SIGKILL)

    def stop(self) -> int:
        """As an operator would; returns the exit code."""
        return self._end(signal.SIGTERM)

    def _end(self, number: int) -> int:
        self.process.send_signal(number)
        code = self.process.wait(SECONDS)
        assert self.process.stdout is not None
        self.process.stdout.close()
        return code

    def __enter__(self) -> Served:
        return self

    def __exit__(
        self, kind: type[BaseException] | None, error: BaseException | None, trace: TracebackType | None
    ) -> None:
        if self.process.poll() is None:
            self.stop()
