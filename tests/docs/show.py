"""Write again what the pages of problems show: ``python -m tests.docs.show``, then read the difference."""

from __future__ import annotations

import contextlib
import io
import os
import tempfile

import sottovoce as sv
from tests.docs.page import DOCS, Page, typed
from tests.docs.test_pages import PAGES


def main() -> None:
    """Run each page as a reader would, and put what is printed in place of what was shown."""
    for name in PAGES:
        page, text = Page(f"{name}.md"), Page(f"{name}.md").text
        with tempfile.TemporaryDirectory() as folder, contextlib.chdir(folder):
            page.run(page.blocks("python")[0], {"sv": sv})
            for command, shown in zip(page.commands, page.blocks("text"), strict=True):
                with contextlib.redirect_stdout(io.StringIO()) as printed:
                    assert typed(command) == 0, command
                text = text.replace(f"```text\n{shown}```", f"```text\n{printed.getvalue()}```")
        (DOCS / page.name).write_text(text, encoding="utf-8")


if __name__ == "__main__":
    os.environ.pop("COLUMNS", None)
    main()
