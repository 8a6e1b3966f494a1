"""A head kept elsewhere."""

import pytest

from dealerbox.journal import kept
from dealerbox.journal.kept import Keeper, read_kept, said, write_kept
from dealerbox.journal.recover import Head
from dealerbox.journal.signed import Signed
from dealerbox.ports import JournalError

HEAD = Head(7, bytes(range(32)))
KEPT = Signed(7, bytes(range(32)).hex())


def plain(seq: int) -> Signed:
    return Signed(seq, "00" * 32)


def test_a_head_comes_back_from_its_file_and_a_newer_one_takes_its_place(tmp_path) -> None:
    file = tmp_path / "head"
    assert read_kept(file) is None
    write_kept(file, plain(6))
    write_kept(file, KEPT)
    assert read_kept(file) == HEAD
    assert [path.name for path in tmp_path.iterdir()] == ["head"]


def test_a_head_is_handed_on_as_text() -> None:
    assert said(HEAD) == f"7:{bytes(range(32)).hex()}"


@pytest.mark.parametrize("data", [b"", b"rubbish", b'{"seq":7}', b'{"seq":7,"hash":"00"}', b'{"seq":7,"hash":"0'])
def test_a_file_that_holds_no_head_refuses_the_start(tmp_path, data: bytes) -> None:
    (tmp_path / "head").write_bytes(data)
    with pytest.raises(JournalError, match="head: no head is kept in it; the director"):
        read_kept(tmp_path / "head")


def test_a_medium_that_cannot_be_read_refuses_the_start(tmp_path) -> None:
    with pytest.raises(JournalError, match="cannot read the kept head: Is a directory"):
        read_kept(tmp_path)


def test_a_keeper_keeps_the_newest_and_goes_on_after_a_failure(tmp_path, monkeypatch) -> None:
    keeper = Keeper(tmp_path / "stick" / "head")
    keeper.keep(plain(1))
    while not keeper.why:
        pass
    (tmp_path / "stick").mkdir()
    keeper.keep(plain(2))
    keeper.keep(KEPT)
    assert keeper.close() == ""
    assert read_kept(tmp_path / "stick" / "head") == HEAD


def test_a_medium_that_hangs_keeps_nobody_from_ending(tmp_path, monkeypatch) -> None:
    import threading

    go_on = threading.Event()
    monkeypatch.setattr(kept, "CLOSE_S", 0.05)
    monkeypatch.setattr(kept, "write_kept", lambda *_: go_on.wait(10))
    keeper = Keeper(tmp_path / "head")
    keeper.keep(KEPT)
    assert keeper.close() == f"{tmp_path}/head: did not answer for 0.05 s"
    go_on.set()
