"""The station's word for a card of the log book: that somebody gave it this digest, and when.

Ed25519, by the key that signs heads, over `dealerbox self-test card 1`, a zero byte and the JSON list
[table, digest, by, seconds since the epoch]. It says who tested and when, not that he tested well.
"""

from typing import Final

import msgspec

from dealerbox.journal.signed import Signer, signs

DIGEST: Final = "^[0-9a-f]{64}$"
"""A SHA-256 in hex."""
_STATEMENT: Final = b"dealerbox self-test card 1\0"


class Vouched(msgspec.Struct, frozen=True, kw_only=True):
    """What the station vouches for."""

    table: str
    digest: str
    by: str
    """Who gave it, by the kernel's word."""
    wall_s: int
    """Seconds since the epoch, by the station's wall clock."""
    key: str
    """The station's public key, hex."""
    signature: str


def vouch(signer: Signer, *, table: str, digest: str, by: str, wall_s: int) -> Vouched:
    """Sign for a digest."""
    said = _said(table, digest, by, wall_s)
    return Vouched(table=table, digest=digest, by=by, wall_s=wall_s, key=signer.key, signature=signer.signature(said))


def genuine(vouched: Vouched) -> bool:
    """Tell whether the signature is that of its key."""
    said = _said(vouched.table, vouched.digest, vouched.by, vouched.wall_s)
    return signs(vouched.key, vouched.signature, said)


def _said(table: str, digest: str, by: str, wall_s: int) -> bytes:
    return _STATEMENT + msgspec.json.encode([table, digest, by, wall_s])
