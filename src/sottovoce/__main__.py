"""``python -m sottovoce`` is ``sotto``."""

from __future__ import annotations

import sys

from sottovoce.cli import main

sys.exit(main())
