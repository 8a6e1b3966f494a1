"""`dealerbox explain CODE`, and its page."""

import json
from pathlib import Path
from typing import Any

import pytest

from bench.codes import PAGE, page
from dealerbox.cli.codes import codes
from dealerbox.cli.exits import Exit
from dealerbox.law.irregularities import IRREGULARITIES
from dealerbox_drivers.shuffler.messages import Code as Wire

KNOWN = {one.code: one for one in codes()}


def test_every_reason_exit_code_and_code_of_the_shuffler_is_explained() -> None:
    asked = {*IRREGULARITIES, *(str(code.value) for code in Exit), *(f"shuffler-{code:02X}" for code in Wire)}
    assert asked - set(KNOWN) == set()
    assert [one.code for one in codes() if not one.means or not one.source] == []


def test_what_holds_the_deal_or_ends_a_command_badly_says_what_to_do() -> None:
    quiet = {"0", "130"}
    assert [
        one.code for one in codes() if one.kind in ("hold", "exit") and not one.steps and one.code not in quiet
    ] == []


def test_the_page_says_the_same() -> None:
    assert PAGE.read_text("utf-8") == page(), "make pages writes it anew"


def test_a_hold_is_told_with_its_clause_and_its_steps_in_order(dealerbox: Any) -> None:
    answer = dealerbox("explain", "burn_missing")
    assert answer.code == 0
    assert answer.out.splitlines()[0] == "burn_missing (1804A(4))"
    assert answer.out.splitlines()[2:] == ["  1. Put it on [its place].", "  2. If you cannot, call the director."]


@pytest.mark.parametrize("written", ["shuffler-32", "0x32", "32h", "Shuffler-32"])
def test_a_code_of_the_shuffler_is_known_as_people_write_it(dealerbox: Any, written: str) -> None:
    assert dealerbox("explain", written).out.startswith("shuffler-32 (")


def test_a_clause_is_told_in_plain_words(dealerbox: Any) -> None:
    assert dealerbox("explain", "§1811(2)").out.startswith("1811(2) (28 Del. C. §1811(2))\n")


def test_without_a_code_all_are_listed_and_as_json_too(dealerbox: Any) -> None:
    assert len(dealerbox("explain").out.splitlines()) == len(KNOWN)
    told = [json.loads(line) for line in dealerbox("explain", "--json").out.splitlines()]
    assert [one["code"] for one in told] == list(KNOWN)


def test_an_unknown_code_names_the_nearest(dealerbox: Any) -> None:
    answer = dealerbox("explain", "wrong_seet")
    assert (answer.code, answer.out) == (2, "")
    assert "there is no code 'wrong_seet'; the nearest: wrong_seat" in answer.err


def test_nothing_else_explains_the_exit_codes() -> None:
    assert not (Path(PAGE).parent / "exit-codes.md").exists()
