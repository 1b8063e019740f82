"""How ``make docs`` builds the site: strict, offline, from the pages here and the docstrings of the package."""

from __future__ import annotations

import sys
from pathlib import Path

HERE = Path(__file__).parent
sys.path.insert(0, str(HERE / "_ext"))
sys.path.insert(0, str(HERE.parent / "src"))

from sottovoce import __version__ as release  # noqa: E402 - after the path to it

project = "Sottovoce"
copyright = "the Sottovoce authors, Apache-2.0"
extensions = [
    "myst_parser",
    "sphinx.ext.autodoc",
    "sphinx.ext.napoleon",
    "sphinx_copybutton",
    "sphinx_design",
    "outside",
    "face",
]
source_suffix = {".md": "markdown"}
exclude_patterns = ["_ext", "pictures"]
nitpicky = True
nitpick_ignore_regex = [("py:.*", ".*")]  # types in signatures, of rooms and packages that have no page here
highlight_language = "text"  # a block without a language is for a terminal
default_role = "literal"  # a docstring's `name` is code
autodoc_typehints_format = "short"
autodoc_member_order = "bysource"
napoleon_google_docstring = False
napoleon_use_rtype = False
napoleon_custom_sections = ["Privacy", "Accuracy"]
python_use_unqualified_type_names = True
maximum_signature_line_length = 80
toc_object_entries_show_parents = "hide"

myst_enable_extensions = ["colon_fence", "deflist"]
myst_heading_anchors = 4
myst_linkify_fuzzy_links = False

html_theme = "pydata_sphinx_theme"
html_title = f"Sottovoce {release}"
html_static_path = ["_static"]
html_css_files = ["site.css"]
html_copy_source = False
html_show_search_summary = False  # would fetch every page found, which browsers refuse to pages that are files
html_show_sphinx = False
html_sidebars = {"index": [], "tutorial": []}  # nothing below them
html_context = {"default_mode": "auto"}  # as the reader's system has it
html_theme_options = {
    "logo": {"text": "Sottovoce"},
    "navbar_align": "left",
    "navbar_persistent": ["search-button"],  # the wide one has a name that is not what it shows
    "show_toc_level": 2,
    "show_prev_next": True,
    "footer_start": ["copyright"],
    "footer_end": [],
    "secondary_sidebar_items": ["page-toc"],
    "pygments_light_style": "a11y-high-contrast-light",
    "pygments_dark_style": "a11y-high-contrast-dark",
}
copybutton_prompt_text = r"\$ |>>> "
copybutton_prompt_is_regexp = True
