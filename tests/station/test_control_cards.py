"""The director sends cards back over the real socket, by where they lie: nobody is told a token (1830(2), TO_STUB)."""

import asyncio
import json

from bench.incidents.table import Table
from dealerbox.model.zones import BOARD
from dealerbox.station.asked import Authority
from dealerbox.station.control import Control


def ruled(table: Table, tmp_path, **about) -> dict:
    """Ask over a socket, and take the answer."""

    async def talk() -> dict:
        control = Control(
            Authority.DIRECTOR,
            view=lambda: table.view,
            devices=lambda: (),
            emit=lambda event: table.tell(lambda _: event),
            clock=lambda: table.now_ns + 1,
        )
        await control.open(tmp_path / "director.sock")
        reader, writer = await asyncio.open_unix_connection(tmp_path / "director.sock")
        question = {"ask": "rule", "ruling": "to_stub", "reason": "it was dealt twice", **about}
        writer.write(json.dumps(question).encode() + b"\n")
        answer = json.loads(await reader.readline())
        writer.close()
        await control.close()
        return answer

    return asyncio.run(talk())


def flop() -> Table:
    table = Table()
    table.holes()
    table.street(3)
    return table


def test_the_second_and_third_card_of_the_board_go_back_and_are_owed_again(tmp_path) -> None:
    table = flop()
    board = [card for card, record in table.state.out.items() if record.at == BOARD]
    answer = ruled(table, tmp_path, cards=["board:2", "board:3"])
    assert (answer["ok"], answer["view"]["refused"], answer["view"]["prompt_code"]) == (True, None, "return")
    assert "2 cards on the board" in answer["view"]["prompt"]
    assert table.state.returning == set(board[1:])
    assert [step.zone for step in table.state.plan[:3]] == [BOARD, BOARD, "burn"]
    assert not any(str(card) in json.dumps(answer) for card in board)


def test_a_seats_card_is_named_by_seat_and_place(tmp_path) -> None:
    table = flop()
    ruled(table, tmp_path, cards=["seat:2:1"])
    (card,) = table.state.returning
    assert table.state.out[card].home == "seat:2"
    assert table.view.expect == "seat:2"


def test_a_card_that_does_not_lie_there_is_refused_with_all_the_others(tmp_path) -> None:
    for word in ("board:4", "board:0", "board", "muck:1", "seat:9:1", "board:-1", "board:²"):
        table = flop()
        answer = ruled(table, tmp_path, cards=["board:1", word])
        assert (answer["view"]["refused"]["reason"], table.state.returning) == ("no_authority", frozenset())


def test_a_token_cannot_be_named_there(tmp_path) -> None:
    assert "tokens" in ruled(flop(), tmp_path, tokens=[1001])["error"]
