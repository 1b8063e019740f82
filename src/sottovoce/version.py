"""Which software this is: what manifests, documents and ``sotto --version`` say."""

VERSION = "0.1.0"
SOFTWARE = f"sottovoce {VERSION}"
