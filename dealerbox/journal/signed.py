"""A head with the station's signature: who keeps one elsewhere can show that this station had that past.

Ed25519 (RFC 8032) over `dealerbox journal head 1`, a zero byte, the seq (8 bytes, big endian) and the hash (32 bytes).
The library is imported with the first key, off the path of a card.
"""

from pathlib import Path
from typing import Final

import msgspec

from dealerbox.journal.record import NO_HASH
from dealerbox.journal.recover import Head
from dealerbox.ports import JournalError

_STATEMENT: Final = b"dealerbox journal head 1\0"


class Signed(msgspec.Struct, frozen=True, forbid_unknown_fields=True):
    """A head and its signature; all but the seq in hex."""

    seq: int
    hash: str
    key: str = ""
    """The station's public key; '' not signed."""
    signature: str = ""

    def head(self) -> Head:
        """Return the head. ValueError when it is none."""
        head = Head(self.seq, bytes.fromhex(self.hash))
        if head.seq < 0 or len(head.digest) != len(NO_HASH):
            raise ValueError(f"{self.seq}:{self.hash}")
        return head


class Signer:
    """Signs heads with one station's key."""

    def __init__(self, seed: bytes) -> None:
        """`seed`: the 32 secret bytes. ImportError where PyNaCl is not installed."""
        from nacl.signing import SigningKey

        self._key = SigningKey(seed)
        self.key = bytes(self._key.verify_key).hex()
        """The public key, hex."""

    def sign(self, head: Head) -> Signed:
        """Return the head with its signature: 45 us."""
        return Signed(head.seq, head.digest.hex(), self.key, self.signature(statement(head)))

    def signature(self, said: bytes) -> str:
        """Return the signature, hex, of a statement that begins with what it is about and a zero byte."""
        return self._key.sign(said).signature.hex()


def statement(head: Head) -> bytes:
    """Return the bytes that are signed."""
    return _STATEMENT + head.seq.to_bytes(8, "big") + head.digest


def genuine(signed: Signed) -> bool:
    """Tell whether the signature is of this head by this key."""
    try:
        said = statement(signed.head())
    except (ValueError, TypeError, OverflowError):
        return False
    return signs(signed.key, signed.signature, said)


def signs(key: str, signature: str, said: bytes) -> bool:
    """Tell whether a signature is of this statement by this key; both in hex."""
    from nacl.exceptions import BadSignatureError
    from nacl.signing import VerifyKey

    try:
        VerifyKey(bytes.fromhex(key)).verify(said, bytes.fromhex(signature))
    except (BadSignatureError, ValueError, TypeError):
        return False
    return True


def written(signed: Signed) -> str:
    """Return a head as people hand it on: `SEQ:HASH`, or `SEQ:HASH:KEY:SIGNATURE`."""
    return ":".join(filter(None, (str(signed.seq), signed.hash, signed.key, signed.signature)))


def signed_of(text: str) -> Signed:
    """Return the head that `written` wrote. ValueError when it is none."""
    parts = text.strip().split(":")
    if len(parts) not in (2, 4):
        raise ValueError(text)
    signed = Signed(int(parts[0]), *parts[1:])
    signed.head()
    return signed


def read_signed(data: bytes) -> Signed:
    """Return the head that a file keeps. ValueError, msgspec.MsgspecError when it keeps none."""
    signed = msgspec.json.decode(data, type=Signed)
    signed.head()
    return signed


def head_given(text: str) -> Signed | None:
    """Return the head that `text` is, or that the file of that name keeps; None: neither.

    JournalError when the file keeps none, or a signature is not its key's. OSError.
    """
    try:
        given = signed_of(text)
    except ValueError:
        try:
            given = read_signed(Path(text).read_bytes())
        except FileNotFoundError:
            return None
        except (msgspec.MsgspecError, ValueError) as error:
            raise JournalError(f"{text}: no head is kept in it; name a file that keeps one") from error
    if given.key and not genuine(given):
        raise JournalError(f"head {given.seq}: its signature is not made with its key; it was changed")
    return given
