"""Links that leave the folder of pages: to the page of the site that shows the file, else to nothing but its name.

Pages are read in two places. In the repository a link to ``../src/…`` opens the file; the site holds no sources, so
there the file has a page of its own (`PAGES`), or the link becomes plain text with the path behind it. A link to what
is not in the repository stays an error.
"""

from __future__ import annotations

from pathlib import Path
from typing import Any
from urllib.parse import unquote

from docutils import nodes
from sphinx import addnodes
from sphinx.application import Sphinx
from sphinx.transforms import SphinxTransform

REPOSITORY = Path(__file__).resolve().parents[2]
PAGES = {
    "CHANGELOG.md": "project/changelog",
    "CONTRIBUTING.md": "project/contributing",
    "SECURITY.md": "project/security",
    "src/sottovoce/device/PRIVACY.md": "project/privacy",
    "README.md": "index",
    "docs/decisions": "decisions/README",
}
"""Files and folders of the repository, and the pages that show them."""


class Outside(SphinxTransform):
    """Before Sphinx looks for targets: it would warn of a file that is no page, and copy one that is not to be read."""

    default_priority = 5

    def apply(self, **kwargs: Any) -> None:
        for link in list(self.document.findall(_is_link)):
            found, anchor = self._in_repository(link)
            if found is None:
                continue
            name = found.relative_to(REPOSITORY).as_posix()
            if name in PAGES:
                link.replace_self(self._to_page(link, PAGES[name], anchor))
            else:
                shown = nodes.inline("", "", *link.children, classes=["outside"])
                if name not in shown.astext():
                    shown += nodes.Text(f" ({name})")
                link.replace_self(shown)

    def _in_repository(self, link: nodes.Element) -> tuple[Path | None, str]:
        """The file or folder that is no page, and the anchor in it."""
        target, _, anchor = unquote(link["reftarget"]).partition("#")
        here = Path(self.env.doc2path(self.env.docname)).parent
        if link.get("refdomain") == "doc":
            target, anchor = f"{target}.md", link["reftargetid"] or ""
            here = Path(self.env.srcdir)
        found = (here / target).resolve()
        docname = self.env.path2doc(found)
        outside = target and found.exists() and found.is_relative_to(REPOSITORY) and docname not in self.env.found_docs
        return (found if outside else None), anchor

    def _to_page(self, link: nodes.Element, page: str, anchor: str) -> nodes.Element:
        return addnodes.pending_xref(
            "",
            *link.children,
            refdomain="doc",
            reftype="myst",
            reftarget=page,
            reftargetid=anchor or None,
            refdoc=self.env.docname,
            refexplicit=True,
        )


def _is_link(node: nodes.Node) -> bool:
    kinds = (addnodes.pending_xref, addnodes.download_reference)
    return isinstance(node, kinds) and (node.get("reftype") == "myst" or isinstance(node, addnodes.download_reference))


def setup(app: Sphinx) -> dict[str, Any]:
    """Entered by Sphinx."""
    app.add_transform(Outside)
    return {"parallel_read_safe": True, "parallel_write_safe": True}
