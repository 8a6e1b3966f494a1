"""The card of a self-test for the log book: what was tested and found, and the station's word that it was then."""

import hashlib
import time
from pathlib import Path

import msgspec
from msgspec.structs import replace

from dealerbox import __version__
from dealerbox.diagnostics.asking import ask, decoded
from dealerbox.diagnostics.verdict import Step, Verdict
from dealerbox.ports import DealerboxError
from dealerbox.station.asked import Answer
from dealerbox.station.vouching import Vouched, genuine, vouch


class Card(msgspec.Struct, frozen=True, kw_only=True):
    """One self-test, done."""

    table: str
    made_s: int
    """Seconds since the epoch, by the clock of the machine that tested."""
    software: str
    guided: bool
    """A person was there; False: only what needs no hand was tested."""
    steps: tuple[Step, ...]
    vouched: Vouched | None = None
    """The station's signature over all of this but itself; None: it is not signed."""

    @property
    def verdict(self) -> Verdict:
        """FAILED if a step did; UNTESTED if one could not be done, or none was."""
        verdicts = {step.verdict for step in self.steps} or {Verdict.UNTESTED}
        return next(one for one in (Verdict.FAILED, Verdict.UNTESTED, Verdict.PASSED) if one in verdicts)

    def digest(self) -> str:
        """Return the SHA-256 of what is signed for, in hex."""
        return hashlib.sha256(msgspec.json.encode(replace(self, vouched=None))).hexdigest()

    def is_genuine(self) -> bool:
        """Tell whether it is as it was when its station signed for it."""
        return self.vouched is not None and self.vouched.digest == self.digest() and genuine(self.vouched)


def made(table: str, steps: list[Step], *, guided: bool) -> Card:
    """Return the card of these steps, not signed."""
    return Card(table=table, made_s=int(time.time()), software=__version__, guided=guided, steps=tuple(steps))


def signed_by_station(card: Card, path: str) -> Card:
    """Return the card with the word of the station at that socket. DeviceGone, NotAllowed: it gives none."""
    answer = decoded(path, ask(path, msgspec.json.encode({"ask": "vouch", "digest": card.digest()})), Answer)
    return replace(card, vouched=answer.vouched)


def signed_by_key(card: Card, key: Path, by: str) -> Card:
    """Return the card signed with the station's key where no station runs. OSError, DealerboxError without one."""
    from dealerbox.journal.signed import Signer
    from dealerbox.station.state_dir import SECRET_BYTES

    seed = key.read_bytes()
    if len(seed) != SECRET_BYTES:
        raise DealerboxError(f"{key}: {len(seed)} bytes are no key")
    word = vouch(Signer(seed), table=card.table, digest=card.digest(), by=by, wall_s=card.made_s)
    return replace(card, vouched=word)


def read_card(file: Path) -> Card:
    """Return the card that a file keeps. OSError; DealerboxError when it keeps none."""
    try:
        return msgspec.json.decode(file.read_bytes(), type=Card)
    except msgspec.DecodeError as error:
        raise DealerboxError(f"{file}: no card of a self-test ({error}); was it made by a newer version?") from error
