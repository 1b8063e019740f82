"""All mutants, with what is wrong and which layer has to see it."""

from __future__ import annotations

from sottovoce.audit.mutants.groups import GROUPS
from sottovoce.audit.mutants.javascript import JAVASCRIPT
from sottovoce.audit.mutants.known import KNOWN
from sottovoce.audit.mutants.mutant import Mutant
from sottovoce.audit.mutants.planted import PLANTED

MUTANTS: tuple[Mutant, ...] = (*KNOWN, *PLANTED, *GROUPS, *JAVASCRIPT)
