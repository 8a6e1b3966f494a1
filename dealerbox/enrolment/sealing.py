"""The faces of a deck, sealed to whoever may know them: age v1, the format that any `age` opens.

pyrage does it (the extra `decks`). It is imported when something is sealed or opened, never by the station.
"""

import re
from collections.abc import Mapping, Sequence
from typing import Any, Final

import msgspec

from dealerbox.enrolment.faces import FACES
from dealerbox.model.cards import DECK_SIZE
from dealerbox.ports import DealerboxError, NotAllowed, NotInstalled

_HEAD: Final = "dealerbox faces 1"
_AGE: Final = b"age-encryption.org/v1\n"
_BODY: Final = 16 + 16
"""What age adds to the text: a nonce, and the tag of its one chunk."""


class Faces(msgspec.Struct, frozen=True):
    """What lies sealed: of which deck, and number and face of each tag."""

    mark: str
    """Of the deck's tags: `Deck.info().mark`."""
    cards: Mapping[str, tuple[int, str]]
    """Tag -> its number and its face."""


def written(faces: Faces) -> bytes:
    """Return the text that is sealed: as long for every order of the faces."""
    lines = [f"{number:02} {tag} {face}" for tag, (number, face) in sorted(faces.cards.items())]
    return "\n".join([_HEAD, faces.mark, *lines, ""]).encode()


def read(text: bytes) -> Faces:
    """Return the faces of an opened text. DealerboxError when it is none."""
    lines = text.decode("utf-8", "replace").splitlines()
    cards: dict[str, tuple[int, str]] = {}
    for line in lines[2:]:
        found = re.fullmatch(r"(\d\d) ([0-9A-F]{8,20}) (\w\w)", line)
        if not found or found[3] not in FACES:
            break
        cards[found[2]] = int(found[1]), found[3]
    if lines[:1] != [_HEAD] or len(lines) != DECK_SIZE + 2 or len({face for _, face in cards.values()}) != DECK_SIZE:
        raise DealerboxError("what was sealed there are no faces of a deck; enrol the deck anew")
    return Faces(lines[1], cards)


def seal(text: bytes, recipients: Sequence[str]) -> bytes:
    """Return `text` as an age file for all these recipients (`age1...` or `ssh-ed25519 ...`). DealerboxError."""
    if not recipients:
        raise DealerboxError("no recipient; name the director's, as `age-keygen -y` prints it: age1...")
    sealed: bytes = _age().encrypt(text, [_recipient(each) for each in recipients])
    return sealed


def opened(sealed: bytes, identities: Sequence[str], name: str) -> bytes:
    """Return the text of an age file. NotAllowed when no identity opens it, DealerboxError when it is none."""
    age = _age()
    try:
        text: bytes = age.decrypt(sealed, [_identity(each) for each in identities])
    except age.DecryptError as error:
        if not is_age(sealed):
            raise DealerboxError(f"{name}: no age file; name one that age or `dealerbox deck enrol` wrote") from error
        raise NotAllowed(f"{name}: this key does not open it ({_said(error)}); name the key it is sealed to") from error
    return text


def identities_of(text: str, name: str) -> list[str]:
    """Return the keys of an identity file as `age-keygen` writes it. DealerboxError when there is none."""
    keys = [line.strip() for line in text.splitlines() if line.startswith("AGE-SECRET-KEY-")]
    if keys:
        return keys
    if "PRIVATE KEY-----" in text:
        return [text]
    raise DealerboxError(f"{name}: no key of age or ssh in it; name what `age-keygen -o` wrote")


def recipients_of(text: str) -> list[str]:
    """Return the recipients of a file as `age -R` reads it: one a line, `#` begins a comment."""
    return [line.strip() for line in text.splitlines() if line.strip() and not line.startswith("#")]


def is_age(data: bytes) -> bool:
    """Tell whether these bytes begin as an age file."""
    return data.startswith(_AGE)


def seal_fault(sealed: bytes, text_bytes: int) -> str:
    """Return why this cannot be a sealed text of so many bytes, without opening it; '' when nothing tells."""
    if not is_age(sealed):
        return "no age file"
    _, found, body = sealed.partition(b"\n--- ")
    _, ended, body = body.partition(b"\n")
    if not found or not ended or b"\n-> " not in sealed:
        return "cut short within its header"
    if len(body) != text_bytes + _BODY:
        return f"{len(body)} bytes sealed where faces take {text_bytes + _BODY}"
    return ""


def recipients_in(sealed: bytes) -> int:
    """Return to how many recipients an age file is sealed."""
    stanzas = [line for line in sealed.partition(b"\n--- ")[0].split(b"\n") if line.startswith(b"-> ")]
    return sum(
        1 for line in stanzas if not line.split()[1].endswith(b"-grease")
    )  # age's writers add noise of this name


def _recipient(text: str) -> Any:
    age = _age()
    kind = age.ssh if text.startswith("ssh-") else age.x25519
    try:
        return kind.Recipient.from_str(text)
    except age.RecipientError as error:
        raise DealerboxError(f"recipient '{text}': {_said(error)}; name one as `age-keygen -y` prints it") from error


def _identity(text: str) -> Any:
    age = _age()
    try:
        if text.startswith("AGE-SECRET-KEY-"):
            return age.x25519.Identity.from_str(text)
        return age.ssh.Identity.from_buffer(text.encode())
    except age.IdentityError as error:
        raise DealerboxError(f"the identity is none ({_said(error)}); name what `age-keygen -o` wrote") from error


def _said(error: Exception) -> str:
    return str(error).rstrip(".").lower()


def _age() -> Any:
    try:
        import pyrage
    except ImportError as error:
        raise NotInstalled("pyrage is not installed; pip install 'dealerbox[decks]'") from error
    return pyrage
