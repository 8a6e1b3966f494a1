"""A dealer with five buttons: GO, ACTION, PROBLEM, COUNT, DECK, and a display beside them."""

import asyncio
from collections.abc import Awaitable, Callable
from typing import Any

import pytest

from dealerbox.model.commands import Lamp, Show
from dealerbox.model.keys import Key
from dealerbox.model.menu import Choice
from dealerbox_drivers.face import OpenMenu
from dealerbox_drivers.pins.compact import LAST_CARD, MENU_FOOT, TITLE
from dealerbox_drivers.pins.fingers import way
from dealerbox_drivers.pins.layout import CompactSettings

Play = Callable[..., Any]
MENU = (
    Choice(Key.EXPOSED, "Card was flashed", (0, 3, 1)),
    Choice(Key.MISDEAL, "MISDEAL"),
    Choice(Key.FACED, "Card lay face up"),
)


def show(go: Key = Key.NEXT, *lit: Key, **more: Any) -> Show:
    return Show(**({"lamp": Lamp.GREEN, "buzzer": False, "lit": lit, "go": go, "menu": MENU} | more))


@pytest.fixture
def played(bench: Play) -> Play:
    """`played(scene, shown)`: play a scene before a working display; return what is left of it."""

    def play(scene: Callable[[Any], Awaitable[Any]], shown: Show | None = None, lit: bool = True) -> Any:
        async def act(table: Any) -> None:
            table.face.lit = lit
            table.panel.obey(shown or show())
            await asyncio.sleep(1)
            await scene(table)

        return bench(act, CompactSettings())

    return play


async def press(table: Any, *pushes: str) -> None:
    for push in pushes:
        await table.person.press(push)
        await asyncio.sleep(0.1)


@pytest.mark.parametrize("key", [Key.START, Key.NEXT, Key.ACK, Key.CUT, Key.AWARD])
def test_go_says_the_key_that_is_asked_for(played: Play, key: Key) -> None:
    assert played(lambda table: press(table, "go"), show(key, Key.AWARD, key)).said() == [key]


def test_go_held_awards_the_pot(played: Play) -> None:
    assert played(lambda table: table.person.hold("go"), show(Key.NEXT, Key.AWARD)).said() == ["award"]


def test_action_count_and_a_held_deck_have_buttons_of_their_own(played: Play) -> None:
    async def scene(table: Any) -> None:
        await press(table, "action", "count", "deck")
        await table.person.hold("deck")

    assert played(scene).said() == ["action", "count", "deck"]


def test_problem_opens_the_menu_moves_on_and_go_chooses(played: Play) -> None:
    async def scene(table: Any) -> None:
        await press(table, "problem")
        assert table.face.menu == OpenMenu(TITLE, ("Card was flashed", "MISDEAL", "Card lay face up"), 0)
        assert table.face.foot == MENU_FOOT
        await press(table, "problem")
        assert table.face.menu.at == 1
        await press(table, "go")
        assert table.face.menu is None
        await press(table, "go")

    assert played(scene).said() == ["misdeal", "next"]


def test_the_menu_goes_round(played: Play) -> None:
    assert played(lambda table: press(table, *["problem"] * 5, "go")).said() == ["misdeal"]


def test_a_key_that_names_a_seat_lets_the_seat_be_chosen(played: Play) -> None:
    async def scene(table: Any) -> None:
        await press(table, "problem", "go")
        assert table.face.menu == OpenMenu("Card was flashed", (LAST_CARD, "Seat 3", "Seat 1"), 0)
        await press(table, "problem", "go")

    table = played(scene)
    assert [(event.key, event.seat) for event in table.told] == [(Key.EXPOSED, 3)]


def test_action_leaves_the_menu_and_says_nothing(played: Play) -> None:
    async def scene(table: Any) -> None:
        await press(table, "problem", "action")
        assert table.face.menu is None
        await press(table, "problem", "go", "action", "action")

    assert played(scene).said() == ["action"]


def test_count_and_deck_say_nothing_while_the_menu_is_open(played: Play) -> None:
    assert played(lambda table: press(table, "problem", "count", "deck")).said() == []


def test_a_menu_that_nobody_touches_shuts_by_itself(played: Play) -> None:
    async def scene(table: Any) -> None:
        await press(table, "problem")
        await asyncio.sleep(8)
        await press(table, "problem")
        await asyncio.sleep(8)
        assert table.face.menu is not None
        await asyncio.sleep(3)
        assert table.face.menu is None

    assert played(scene).said() == []


def test_a_finger_on_its_way_to_a_menu_that_shuts_means_nothing(played: Play) -> None:
    async def scene(table: Any) -> None:
        await press(table, "problem")
        table.panel.obey(show(Key.ACK, Key.ACK))
        await asyncio.sleep(0.1)
        await press(table, "go")
        await asyncio.sleep(1)
        await press(table, "go")

    assert played(scene).said() == ["ack"]


def test_a_hold_shuts_the_menu_and_one_that_stands_already_does_not(played: Play) -> None:
    held = show(lamp=Lamp.RED, buzzer=True, head="HELD 1812", said="A burn card lies in the muck.")

    async def scene(table: Any) -> None:
        await press(table, "problem")
        table.panel.obey(held)
        assert table.face.menu is None
        await asyncio.sleep(1)
        await press(table, "problem")
        table.panel.obey(held)
        assert table.face.menu is not None

    played(scene)


def test_a_menu_stays_as_it_was_opened(played: Play) -> None:
    async def scene(table: Any) -> None:
        await press(table, "problem", "problem")
        table.panel.obey(show(menu=MENU[2:]))
        await press(table, "go")

    assert played(scene).said() == ["misdeal"]


def test_problem_is_no_while_a_question_can_be_denied_and_the_display_says_so(played: Play) -> None:
    async def scene(table: Any) -> None:
        assert table.face.foot == "GO ACK  PROBLEM NO"
        await press(table, "problem", "go")

    assert played(scene, show(Key.ACK, Key.ACK, Key.NO)).said() == ["no", "ack"]


def test_problem_held_opens_the_menu_during_a_question_too(played: Play) -> None:
    async def scene(table: Any) -> None:
        await table.person.hold("problem")
        await asyncio.sleep(0.2)
        assert table.face.menu is not None
        await press(table, "problem", "go")

    assert played(scene, show(Key.ACK, Key.ACK, Key.NO)).said() == ["misdeal"]


def test_problem_pressed_before_a_question_could_be_read_is_no_answer_to_it(played: Play) -> None:
    async def scene(table: Any) -> None:
        table.panel.obey(show(Key.ACK, Key.ACK, Key.NO))
        await asyncio.sleep(0.1)
        await press(table, "problem")

    assert played(scene).said() == []


def test_a_menu_that_nobody_can_read_is_not_opened(played: Play) -> None:
    """Without a display the other buttons say what they say; PROBLEM says NO, which is refused and recorded."""

    async def scene(table: Any) -> None:
        await press(table, "problem", "go", "action")
        assert table.face.menu is None

    assert played(scene, lit=False).said() == ["no", "next", "action"]


def test_the_directors_key_gives_rulings_by_held_buttons(played: Play) -> None:
    async def scene(table: Any) -> None:
        await table.person.turn(True)
        for push in ("action", "problem", "go"):
            await asyncio.sleep(0.3)
            await table.person.hold(push)

    assert played(scene).said() == ["ruled stand", "ruled void_hand", "ruled set_button"]


def test_the_foot_says_what_go_says(played: Play) -> None:
    async def scene(table: Any) -> None:
        assert table.face.foot == "GO NEXT, held AWARD"
        table.panel.obey(show(Key.START, Key.START))
        assert table.face.foot == "GO START"
        table.panel.obey(show(Key.NEXT, Key.AWARD, Key.MISDEAL))
        assert table.face.foot == "GO held AWARD"
        table.panel.obey(show(Key.START))
        assert table.face.foot == ""

    played(scene, show(Key.NEXT, Key.NEXT, Key.ACTION, Key.AWARD))


def test_a_stuck_button_is_named_by_its_key(played: Play) -> None:
    async def scene(table: Any) -> None:
        await table.person.down("problem")
        await asyncio.sleep(30)
        await table.person.up("problem")

    assert played(scene).said() == ["stuck no", "freed no"]


EVERYTHING = tuple(
    Choice(key, key.value, (0, 4) if key in (Key.EXPOSED, Key.OFF_TABLE, Key.RETRIEVE) else ()) for key in Key
)


@pytest.mark.parametrize("seat", [0, 4])
@pytest.mark.parametrize("key", list(Key))
@pytest.mark.parametrize("asked", [(Key.NEXT,), (Key.ACK, Key.NO)])
def test_a_person_finds_the_way_to_every_key(played: Play, key: Key, seat: int, asked: tuple[Key, ...]) -> None:
    seated = key in (Key.EXPOSED, Key.OFF_TABLE, Key.RETRIEVE)
    shown = show(asked[0], *asked, Key.AWARD, menu=EVERYTHING)
    number = seat if seated else 0
    table = played(lambda table: table.person.give(key, shown, number), shown)
    assert [(event.key, event.seat) for event in table.told] == [(key, number)]


def test_there_is_no_way_to_what_is_not_offered() -> None:
    panel = CompactSettings()
    assert way(panel, Key.UNDO, show()) == ()
    assert way(panel, Key.EXPOSED, show(), seat=9) == ()
    assert way(panel, Key.MISDEAL, show(), seat=3) == ()


def test_five_buttons_take_five_pins() -> None:
    pins = CompactSettings(director=0).pins()
    assert [pins[name] for name in ("go", "action", "problem", "count", "deck")] == [5, 6, 13, 19, 26]
    assert len(pins) == 9
    assert CompactSettings().needs() == ("display",)


# A tired finger that comes down twice.


@pytest.mark.parametrize(
    ("first", "then"),
    [
        (show(Key.ACK, Key.ACK, prompt="Everything agrees. Press ACK."), show(Key.NEXT, Key.NEXT, prompt="Betting.")),
        (show(Key.ACK, Key.ACK, prompt="The hand is void. ACK."), show(Key.ACK, Key.ACK, prompt="Take all out. ACK.")),
        (show(Key.CUT, Key.CUT, prompt="Cut the stub."), show(Key.ACK, Key.ACK, prompt="Is the hand dead? ACK.")),
        (show(Key.ACK, Key.ACK, prompt="52 counted. ACK."), show(Key.START, Key.START, prompt="Ready. START.")),
    ],
)
@pytest.mark.parametrize("apart_s", [0.15, 0.5])
def test_a_GO_pressed_twice_answers_no_prompt_that_nobody_has_read(
    played: Play, first: Show, then: Show, apart_s: float
) -> None:
    async def scene(table: Any) -> None:
        await table.person.press("go")
        table.panel.obey(then)
        await asyncio.sleep(apart_s)
        await table.person.press("go")
        await asyncio.sleep(1)
        await table.person.press("go")

    said = played(scene, first).said()
    assert (said[0], said[-1]) == (first.go, then.go)
    assert said[1:-1] in ([], [] if first.go in then.lit else [first.go])  # that the station refuses, and says why


def test_a_line_of_the_menu_that_GO_takes_twice_is_not_taken_back_by_the_second(played: Play) -> None:
    """UNDO NEXT, and GO is NEXT again."""
    undo = show(Key.NEXT, prompt="Burn one card.", menu=(Choice(Key.UNDO, "UNDO NEXT"),))

    async def scene(table: Any) -> None:
        await press(table, "problem", "go")
        table.panel.obey(show(Key.NEXT, Key.NEXT, prompt="Betting."))
        await asyncio.sleep(0.4)
        await press(table, "go")

    assert played(scene, undo).said() == [Key.UNDO]


def test_players_who_act_fast_are_each_said_though_the_prompt_goes_on(played: Play) -> None:
    async def scene(table: Any) -> None:
        await press(table, "action")
        table.panel.obey(show(Key.NEXT, Key.NEXT, Key.ACTION, prompt="Betting."))
        await press(table, "action")

    assert played(scene, show(Key.NEXT, Key.NEXT, Key.ACTION, prompt="Warn the player.")).said() == ["action", "action"]
