"""What goes into dealerbox-twins: whatever the wheel of dealerbox leaves out (`exclude` of its pyproject.toml)."""

import tomllib
from pathlib import Path
from typing import Any

from hatchling.builders.hooks.plugin.interface import BuildHookInterface
from hatchling.metadata.plugin.interface import MetadataHookInterface

SOURCES = ("drivers",)
"""Folders that are no package: their content is imported by itself."""


def left_out(tree: Path) -> dict[Path, str]:
    """Return every file that dealerbox leaves out, with its place in a wheel."""
    wheel = tomllib.loads((tree / "pyproject.toml").read_text("utf-8"))["tool"]["hatch"]["build"]["targets"]["wheel"]
    found = {}
    for pattern in wheel["exclude"]:
        for path in tree.glob(pattern):
            for file in path.rglob("*.py") if path.is_dir() else [path]:
                parts = file.relative_to(tree).parts
                found[file] = "/".join(parts[1:] if parts[0] in SOURCES else parts)
    return found


class Files(BuildHookInterface):
    """Puts them in."""

    PLUGIN_NAME = "custom"

    def initialize(self, version: str, build_data: dict[str, Any]) -> None:
        """Name each file of the tree with its place."""
        files = left_out(Path(self.root).parent)
        build_data["force_include"].update({str(file): place for file, place in files.items()})


class Needs(MetadataHookInterface):
    """It goes with the dealerbox of the same tree, and no other."""

    PLUGIN_NAME = "custom"

    def update(self, metadata: dict[str, Any]) -> None:
        """Ask for that one version."""
        metadata["dependencies"] = [f"dealerbox=={metadata['version']}"]
