"""All mutants, with what is wrong and which layer has to see it."""

from __future__ import annotations

from laboratory.mutants.groups import GROUPS
from laboratory.mutants.javascript import JAVASCRIPT
from laboratory.mutants.known import KNOWN
from laboratory.mutants.mutant import Mutant
from laboratory.mutants.planted import PLANTED

MUTANTS: tuple[Mutant, ...] = (*KNOWN, *PLANTED, *GROUPS, *JAVASCRIPT)
