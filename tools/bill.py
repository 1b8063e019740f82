"""The bill of materials: CycloneDX JSON over all that ``pip install "sottovoce[all]"`` brings, as it is locked.

The same bytes from the same commit: the time is the commit's, the serial number a digest of what is listed. No address
of an index stands in it; a package is named by its package URL, its files by their SHA-256.
"""

from __future__ import annotations

import hashlib
import tomllib
from datetime import UTC, datetime
from pathlib import Path
from uuid import UUID

from cyclonedx.model import ExternalReference, ExternalReferenceType, HashAlgorithm, HashType, XsUri
from cyclonedx.model.bom import Bom
from cyclonedx.model.component import Component, ComponentType
from cyclonedx.model.license import DisjunctiveLicense
from cyclonedx.output import make_outputter
from cyclonedx.schema import OutputFormat, SchemaVersion
from packageurl import PackageURL

from tools.lock import OURSELVES, Locked, direct, running

SCHEMA = SchemaVersion.V1_6


def bill(root: Path, *, epoch: int) -> str:
    """The whole document."""
    project = tomllib.loads((root / "pyproject.toml").read_text(encoding="utf-8"))["project"]
    packages = running(root)
    ours = Component(
        name=OURSELVES,
        version=project["version"],
        type=ComponentType.LIBRARY,
        description=project["description"],
        licenses=[DisjunctiveLicense(id=project["license"])],
        purl=(purl := PackageURL("pypi", None, OURSELVES, project["version"])),
        bom_ref=str(purl),
    )
    theirs = {name: _component(one) for name, one in packages.items()}
    written = Bom(components=theirs.values(), serial_number=_serial(project["version"], packages))
    written.metadata.component = ours
    written.metadata.timestamp = datetime.fromtimestamp(epoch, UTC)
    written.register_dependency(ours, [theirs[name] for name in sorted(direct(root))])
    for name, component in theirs.items():
        written.register_dependency(component, [theirs[one] for one, it in packages.items() if name in it.wanted_by])
    return make_outputter(written, OutputFormat.JSON, SCHEMA).output_as_string(indent=2) + "\n"


def _component(one: Locked) -> Component:
    purl = PackageURL("pypi", None, one.name, one.version)
    files = [HashType(alg=HashAlgorithm.SHA_256, content=content) for content in one.hashes]
    where = ExternalReference(type=ExternalReferenceType.DISTRIBUTION, url=XsUri(str(purl)), hashes=files)
    return Component(
        name=one.name,
        version=one.version,
        type=ComponentType.LIBRARY,
        purl=purl,
        bom_ref=str(purl),
        external_references=[where],
    )


def _serial(version: str, packages: dict[str, Locked]) -> UUID:
    listed = "\n".join([f"{OURSELVES}=={version}", *(one.line for one in packages.values())])
    return UUID(bytes=hashlib.sha256(listed.encode()).digest()[:16], version=4)
