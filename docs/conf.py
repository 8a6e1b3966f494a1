"""Sphinx's settings: `make docs`."""

import re
from pathlib import Path
from typing import Any, Final

from dealerbox import __version__

project = "Dealerbox"
release = version = __version__
extensions = ["myst_parser"]
myst_heading_anchors = 3
html_theme = "furo"
html_title = f"Dealerbox {release}"
html_show_copyright = False
html_copy_source = False

ROOT: Final = Path(__file__).parents[1]
SHOWN: Final = {"promises": "SECURITY.md", "contributing": "CONTRIBUTING.md", "changes": "CHANGELOG.md"}
"""Page here -> the page in the root, where a forge looks for it, that it shows."""


def setup(app: Any) -> None:
    """Have pages of the root shown here, and links to them lead here."""
    app.connect("source-read", _read)


def _read(app: Any, page: str, source: list[str]) -> None:
    del app
    text = source[0]
    if page in SHOWN:
        text = (ROOT / SHOWN[page]).read_text("utf-8").replace("](docs/", "](/")
    for shown, name in SHOWN.items():
        text = re.sub(rf"\]\((?:\.\./)*{re.escape(name)}", f"](/{shown}.md", text)
    source[0] = text
