"""Spark and a Java for the tests, from PyPI, without root: ``python -m tests.support.get_spark``.

pyspark is an sdist of 455 MB, pinned and hashed as the rest. Nothing is built in isolation: nothing unpinned comes in.
"""

from __future__ import annotations

import subprocess
import sys
from pathlib import Path

REQUIREMENTS = Path(__file__).parents[2] / "requirements"
SECONDS = 1800
SOURCE = ("--no-binary", "pyspark", "--no-build-isolation", "--use-pep517")


def install(name: str, *more: str) -> None:
    command = [sys.executable, "-m", "pip", "install", "-q", "--require-hashes", "--only-binary", ":all:"]
    subprocess.run([*command, *more, "-r", str(REQUIREMENTS / name)], timeout=SECONDS, check=True)


def main() -> int:
    print("Installing requirements/spark.txt: 455 MB, once")
    try:
        install("spark-build.txt")
        install("spark.txt", *SOURCE)
    except (subprocess.CalledProcessError, subprocess.TimeoutExpired) as error:
        print(f"Spark was not installed: {error}", file=sys.stderr)
        return 1
    return 0


if __name__ == "__main__":
    sys.exit(main())
