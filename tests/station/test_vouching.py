"""The station signs for a self-test card: who gave it, when, and nothing that could pass for a head."""

import hashlib
import json

from msgspec.structs import replace

from dealerbox.journal.recover import Head
from dealerbox.journal.signed import Signer
from dealerbox.model.view import View
from dealerbox.station.asked import Authority
from dealerbox.station.control import Control
from dealerbox.station.peer import Peer
from dealerbox.station.vouching import genuine, vouch

DIGEST = hashlib.sha256(b"a card").hexdigest()


def test_whatever_is_changed_of_it_the_signature_is_not_its_keys() -> None:
    vouched = vouch(Signer(b"s" * 32), table="T", digest=DIGEST, by="ann (1000)", wall_s=7)
    assert genuine(vouched)
    for other in ({"table": "U"}, {"digest": "0" * 64}, {"by": "tom (1)"}, {"wall_s": 8}, {"key": "x"}):
        assert not genuine(replace(vouched, **other))


def test_it_is_no_heads_signature() -> None:
    signer = Signer(b"s" * 32)
    head = signer.sign(Head(1, bytes.fromhex(DIGEST)))
    vouched = vouch(signer, table="T", digest=DIGEST, by="", wall_s=1)
    assert not genuine(replace(vouched, signature=head.signature))


def test_over_the_socket_it_says_who_asked_by_the_kernels_word_and_records_nothing() -> None:
    signer = Signer(b"s" * 32)
    events: list = []
    control = Control(
        Authority.TECHNICIAN,
        view=lambda: View(table="T", phase="between", hand=1),
        devices=tuple,
        emit=events.append,
        clock=lambda: 5,
        vouch=lambda digest, by: vouch(signer, table="T", digest=digest, by=by, wall_s=9),
    )
    line = json.dumps({"ask": "vouch", "digest": DIGEST}).encode()
    answer = json.loads(control.answer(line, Peer(1000, "ann")))
    assert (answer["vouched"]["by"], answer["vouched"]["digest"]) == ("ann (1000)", DIGEST)
    wrong = json.dumps({"ask": "vouch", "digest": "no digest"}).encode()
    assert "not understood" in json.loads(control.answer(wrong, Peer(1000, "ann")))["error"]
    assert events == []


def test_before_the_key_is_loaded_it_says_so() -> None:
    control = Control(
        Authority.TECHNICIAN,
        view=lambda: View(table="T", phase="between", hand=1),
        devices=tuple,
        emit=print,
        clock=lambda: 5,
    )
    line = json.dumps({"ask": "vouch", "digest": DIGEST}).encode()
    assert "cannot sign yet" in json.loads(control.answer(line, Peer(1000, "ann")))["error"]
