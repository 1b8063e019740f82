"""What a clone of the repository has beside the package: the folder ``laboratory/``, which no wheel holds."""

from __future__ import annotations

import sys
from pathlib import Path


def laboratory() -> Path | None:
    """The folder of the clone that this package runs from, importable from then on; None for an installed package."""
    sources = Path(__file__).parents[1]
    folder = sources.with_name("laboratory")
    if sources.name != "src" or not (folder / "__init__.py").is_file():
        return None
    if str(folder.parent) not in sys.path:
        sys.path.append(str(folder.parent))
    return folder
