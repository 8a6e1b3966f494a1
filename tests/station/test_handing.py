"""The journal's head is handed out with the end of each hand, never while one is open."""

import msgspec

from dealerbox.journal.evidence import Sealed
from dealerbox.journal.kept import read_kept, said
from dealerbox.journal.recover import Head
from dealerbox.journal.signed import Signed, Signer, genuine
from dealerbox.station.handing import Handing

SIGNER = Signer(b"k" * 32)


def head(seq: int) -> Head:
    return Head(seq, bytes([seq]) * 32)


def test_a_head_goes_out_at_the_start_and_with_the_end_of_each_hand_and_not_in_one() -> None:
    newest = [3]
    handing = Handing(None, lambda: newest[0], list)
    handing.signer = SIGNER
    heads = []
    for seq, is_open in [(2, False), (3, False), (4, False), (5, True), (6, True), (7, False), (8, False), (9, False)]:
        newest[0] = max(seq, 8) if seq >= 7 else max(newest[0], seq)
        handing.look(is_open, head(seq))
        heads.append(handing.said)
    assert heads == ["", said(head(3)), said(head(3)), said(head(3)), said(head(3)), said(head(3)),
                     said(head(8)), said(head(8))]  # fmt: skip


def test_the_last_head_of_all_is_kept_before_the_close_returns(tmp_path) -> None:
    handing = Handing(tmp_path / "head", lambda: 1, list)
    assert handing.close(head(9)) == ""
    assert read_kept(tmp_path / "head") == head(9)


def test_a_medium_that_is_gone_is_told_and_delays_nothing(tmp_path) -> None:
    handing = Handing(tmp_path / "stick" / "head", lambda: 1, list)
    handing.look(False, head(1))
    assert handing.close(head(2)) == f"{tmp_path}/stick/head: the journal's head cannot be kept there: " + (
        "No such file or directory"
    )
    assert handing.why


def test_the_head_of_a_hands_end_is_signed_and_goes_on_record_and_that_of_a_start_is_not_recorded() -> None:
    sealed: list[bytes] = []
    handing = Handing(None, lambda: 3, sealed.append)
    handing.look(False, head(3))
    assert (handing.said, handing.signed, sealed) == (said(head(3)), Signed(3, "03" * 32), [])
    handing.look(True, head(4))
    handing.signer = SIGNER
    handing.look(False, head(5))
    assert handing.signed is not None
    assert genuine(handing.signed)
    assert [msgspec.json.decode(payload, type=Sealed).signed for payload in sealed] == [handing.signed]
    handing.look(False, head(6))
    assert len(sealed) == 1


def test_the_end_of_a_hand_waits_for_what_signs() -> None:
    sealed: list[bytes] = []
    handing = Handing(None, lambda: 5, sealed.append)
    handing.look(True, head(4))
    handing.look(False, head(5))
    assert (handing.said, sealed) == ("", [])
    handing.signer = SIGNER
    handing.look(False, head(5))
    assert handing.said == said(head(5))
    assert len(sealed) == 1
