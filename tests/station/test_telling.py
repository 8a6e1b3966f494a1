"""What is said of an error names no card: not its token, not its tag (P4)."""

import asyncio
from typing import Any

import msgspec
import pytest

from dealerbox.model.cards import Token, Uid
from dealerbox.model.events import CardsSeen, TagsSeen, Tick
from dealerbox.model.zones import Zone
from dealerbox.ports import ConfigError, DeviceGone
from dealerbox.station import daemon
from dealerbox.station.telling import told, without_tags

TAG = "E0040150ABCDEF12"


def raised(error: Exception) -> Exception:
    try:
        raise error
    except Exception as caught:
        return caught


def test_an_error_is_told_by_its_kind_and_place_and_not_by_what_it_says() -> None:
    said = told(raised(KeyError(1017)))
    assert said.startswith("KeyError in raised (station/test_telling.py:")
    assert "1017" not in said


def test_a_sentence_of_ours_and_one_of_the_systems_are_told_whole() -> None:
    assert told(DeviceGone("mouth: no answer")) == "DeviceGone: mouth: no answer"
    assert told(OSError(5, "Input/output error", TAG)) == "OSError: Input/output error"
    assert told(None) == "NoneType"


def test_an_engine_that_breaks_over_a_card_does_not_name_it(table: Any) -> None:
    def broken(event: CardsSeen) -> None:
        raise KeyError(event.tokens[0])

    table.answers = {CardsSeen: broken}
    table.core.handle(TagsSeen(1, Zone("exit"), (Uid(TAG),)))
    (said,) = table.faults
    assert str(table.tokens.of(Uid(TAG))) not in said
    assert TAG not in said


def test_a_device_that_breaks_over_a_command_is_named_without_it(table: Any) -> None:
    table.gate.obey = lambda command: {}[Token(1017)]
    table.core.handle(Tick(1))
    assert [("1017" in said, "gate was given Show" in said) for said in table.faults] == [(False, True)]


def test_a_callback_that_breaks_over_a_tag_does_not_put_it_on_the_log(live: Any, actor: Any) -> None:
    """asyncio's own words for it hold the callback with all its arguments."""

    def broken(event: TagsSeen) -> None:
        raise ValueError(event)

    async def act(emit: Any) -> None:
        asyncio.get_running_loop().call_soon(broken, TagsSeen(1, Zone("exit"), (Uid(TAG),)))
        await asyncio.Event().wait()

    code, said = live(actor(act))
    assert code == 70
    assert TAG not in "".join(said)


def test_what_is_wrong_with_a_deck_file_is_said_at_the_table_without_its_tags() -> None:
    assert without_tags(f"red.toml: tags: '{TAG}' is there twice; allowed: every tag once") == (
        "red.toml: tags: a tag is there twice; allowed: every tag once"
    )
    assert (
        without_tags("station.toml: unknown key 'buad'; known: baud") == "station.toml: unknown key 'buad'; known: baud"
    )


def test_a_deck_brought_to_the_table_with_a_fault_is_refused_without_its_tags(
    live: Any, actor: Any, config: Any
) -> None:
    def wrong() -> Any:
        raise ConfigError(f"red.toml: tags: '{TAG}' is there twice")

    answers: list[bytes] = []

    async def ask(emit: Any) -> None:
        reader, writer = await asyncio.open_unix_connection(config.socket.with_name("director.sock"))
        writer.write(b'{"ask":"decks"}\n')
        answers.append(await reader.readline())
        writer.close()

    live(actor(ask), reread=wrong, config=msgspec.structs.replace(config, directors=""))
    assert b"a tag is there twice" in answers[0]


def test_a_fault_before_the_start_is_a_sentence_without_a_tag(capsys: Any, monkeypatch: pytest.MonkeyPatch) -> None:
    def broken(file: str) -> None:
        raise KeyError(TAG)

    monkeypatch.setattr(daemon, "_checked", broken)
    assert daemon.main(["--config", "station.toml"]) == 70
    said = capsys.readouterr().err
    assert "before it could start: KeyError in broken (station/test_telling.py:" in said
    assert TAG not in said


@pytest.mark.parametrize("debug", ["1", ""])
def test_a_slow_callback_is_not_logged_with_its_arguments(
    live: Any, actor: Any, monkeypatch: pytest.MonkeyPatch, debug: str
) -> None:
    """asyncio's debug mode prints every callback that takes long, arguments and all."""
    monkeypatch.setenv("PYTHONASYNCIODEBUG", debug)
    debugging = []

    async def look(emit: Any) -> None:
        debugging.append(asyncio.get_running_loop().get_debug())

    live(actor(look))
    assert debugging == [False]
