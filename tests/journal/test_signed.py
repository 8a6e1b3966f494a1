"""A head with a signature: RFC 8032 underneath, one text and one file form."""

import pytest
from msgspec.structs import replace

from dealerbox.journal.recover import Head
from dealerbox.journal.signed import Signed, Signer, genuine, head_given, read_signed, signed_of, statement, written
from dealerbox.ports import JournalError

HEAD = Head(7, bytes(range(32)))
SIGNER = Signer(bytes.fromhex("9d61b19deffd5a60ba844af492ec2cc44449c5697b326919703bac031cae7f60"))


def test_the_key_is_the_one_of_rfc_8032_for_its_seed() -> None:
    """RFC 8032, 7.1, test 1."""
    assert SIGNER.key == "d75a980182b10ab7d54bfed3c964073a0ee172f3daa62325af021a68f707511a"


def test_what_is_signed_names_what_it_is_the_seq_and_the_hash() -> None:
    assert statement(HEAD) == b"dealerbox journal head 1\0" + bytes(7) + b"\7" + bytes(range(32))


def test_a_signature_is_of_one_head_by_one_key() -> None:
    signed = SIGNER.sign(HEAD)
    assert genuine(signed)
    assert not genuine(replace(signed, seq=8))
    assert not genuine(replace(signed, hash="00" * 32))
    assert not genuine(replace(signed, key=Signer(b"x" * 32).key))
    assert not genuine(replace(signed, signature=signed.signature[:-2]))
    for wrong in ("", "zz", "00" * 32):
        assert not genuine(replace(signed, key=wrong, signature=wrong))


def test_a_head_is_handed_on_as_text_and_in_a_file(tmp_path) -> None:
    for signed in (SIGNER.sign(HEAD), Signed(7, bytes(range(32)).hex())):
        assert signed_of(written(signed)) == signed
        assert head_given(f" {written(signed)}\n") == signed
    (tmp_path / "head").write_text(f'{{"seq":7,"hash":"{HEAD.digest.hex()}"}}\n')
    assert head_given(str(tmp_path / "head")) == Signed(7, HEAD.digest.hex())
    assert head_given(str(tmp_path / "none")) is None


@pytest.mark.parametrize("text", ["", "7", "7:00", "x:" + "00" * 32, "-1:" + "00" * 32, "7:" + "zz" * 32, "7:1:2"])
def test_what_is_no_head_is_a_value_error(text: str) -> None:
    with pytest.raises(ValueError, match=r".*"):
        signed_of(text)


@pytest.mark.parametrize("data", [b'{"seq":7}', b'{"seq":7,"hash":"00"}', b'{"seq":-1,"hash":"' + b"00" * 32 + b'"}'])
def test_a_file_that_keeps_no_head_is_told(tmp_path, data: bytes) -> None:
    with pytest.raises(ValueError, match=r".*"):
        read_signed(data)
    (tmp_path / "head").write_bytes(data)
    with pytest.raises(JournalError, match="head: no head is kept in it"):
        head_given(str(tmp_path / "head"))


def test_a_head_that_was_changed_is_told_when_it_is_given() -> None:
    with pytest.raises(JournalError, match="its signature is not made with its key"):
        head_given(written(replace(SIGNER.sign(HEAD), seq=8)))
