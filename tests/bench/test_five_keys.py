"""The dealer's five keys at the prompts that some hands come to; `python -m bench.five_keys` looks at more."""

import pytest

from bench.five_keys import findings, reached
from dealerbox.engine import menu, view
from dealerbox.model.keys import Key


@pytest.fixture(scope="module")
def states():
    return list(reached(30, ("c",), logs="*/*deck*.jsonl"))


def test_they_say_nothing_that_comes_to_nothing_and_all_that_would_be_taken(states) -> None:
    assert len(states) > 100
    assert [what for state in states for what in findings(state)] == []


@pytest.mark.parametrize("key", [Key.PREMATURE, Key.MANUAL, Key.FACED])
def test_a_key_that_the_menu_forgets_is_found(states, monkeypatch, key) -> None:
    lines = menu.menu
    monkeypatch.setattr(view, "menu", lambda *told: tuple(line for line in lines(*told) if line.key is not key))
    assert f"{key} is taken, and none of the five keys says it" in str([list(findings(state)) for state in states])


def test_a_line_for_which_there_is_nothing_to_do_is_found(states, monkeypatch) -> None:
    monkeypatch.setattr(menu, "cut_due", lambda state: True)
    found = {what for state in states for what in findings(state)}
    assert any("the menu has cut, and it is refused as not_now" in what for what in found)
