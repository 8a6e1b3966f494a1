"""The file of a bundle: a zip whose first member says what it is, of which version, and what was left out.

It is written beside its name, read back and examined, and only then given its name.
"""

import hashlib
import zipfile
from collections.abc import Iterable, Mapping
from pathlib import Path
from typing import Final

import msgspec

from dealerbox.ports import DealerboxError

FORMAT: Final = 1
MANIFEST: Final = "bundle.json"
MOST_MEMBER: Final = 256 << 20
_NO_ZIP: Final = (zipfile.BadZipFile, zipfile.LargeZipFile, EOFError, NotImplementedError, RuntimeError)
"""What zipfile raises of a file that is none or is cut. By its documentation the last two are its own words for members
packed by a method that it does not know, or under a password: nothing here is left to be written."""


class BundleError(DealerboxError):
    """A file is no bundle that can be used: what is wrong, what to do."""


class Member(msgspec.Struct, frozen=True):
    """A file in a bundle."""

    name: str
    size: int
    sha256: str


class Manifest(msgspec.Struct, frozen=True, kw_only=True):
    """The first member."""

    bundle: int
    software: str
    table: str
    made_s: int
    """Seconds since the epoch."""
    members: tuple[Member, ...]
    left_out: Mapping[str, str] = {}
    """What could not be gathered -> why."""


def write(
    file: Path, contents: Mapping[str, bytes], *, software: str, table: str, made_s: int, left_out: Mapping[str, str]
) -> None:
    """Write a bundle."""
    manifest = Manifest(
        bundle=FORMAT,
        software=software,
        table=table,
        made_s=made_s,
        members=tuple(Member(name, len(data), hashlib.sha256(data).hexdigest()) for name, data in contents.items()),
        left_out=left_out,
    )
    with zipfile.ZipFile(file, "w", zipfile.ZIP_DEFLATED, compresslevel=9) as out:
        out.writestr(MANIFEST, msgspec.json.format(msgspec.json.encode(manifest), indent=1) + b"\n")
        for name, data in contents.items():
            out.writestr(name, data)


def read(file: Path) -> tuple[Manifest, dict[str, bytes]]:
    """Return what a bundle says of itself, and its members. BundleError; OSError when it cannot be read."""
    with file.open("rb") as data:
        try:
            with zipfile.ZipFile(data) as source:
                manifest = _manifest(file, source)
                return manifest, dict(_members(file, source, manifest))
        except _NO_ZIP as error:
            raise BundleError(f"{file}: no bundle, or half of one ({error}); copy it whole, or make it anew") from error


def _manifest(file: Path, source: zipfile.ZipFile) -> Manifest:
    try:
        said = msgspec.json.decode(source.read(MANIFEST))
    except (KeyError, msgspec.DecodeError, RecursionError) as error:
        raise BundleError(f"{file}: no bundle: it has no {MANIFEST}; name what `diag bundle` wrote") from error
    version = said.get("bundle") if isinstance(said, dict) else None
    if isinstance(version, int) and version > FORMAT:
        raise BundleError(
            f"{file}: a bundle of format {version}, and this Dealerbox reads up to {FORMAT}; "
            f"use the version that made it ({said.get('software') or 'not named'}), or a newer one"
        )
    try:
        return msgspec.convert(said, Manifest)
    except msgspec.ValidationError as error:
        raise BundleError(f"{file}: {MANIFEST}: {error}; make it anew") from error


def _members(file: Path, source: zipfile.ZipFile, manifest: Manifest) -> Iterable[tuple[str, bytes]]:
    listed = {MANIFEST, *(member.name for member in manifest.members)}
    if others := sorted(set(source.namelist()) - listed):
        raise BundleError(f"{file}: {others[0]} was put in afterwards; make it anew")
    for member in manifest.members:
        try:
            info = source.getinfo(member.name)
        except KeyError as error:
            raise BundleError(f"{file}: {member.name} is missing; copy it whole, or make it anew") from error
        if info.file_size != member.size or info.file_size > MOST_MEMBER:
            raise BundleError(f"{file}: {member.name} is not what it was; copy it anew")
        data = source.read(info)
        if hashlib.sha256(data).hexdigest() != member.sha256:
            raise BundleError(f"{file}: {member.name} is not what it was; copy it anew")
        yield member.name, data
