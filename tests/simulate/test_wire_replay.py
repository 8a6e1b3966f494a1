"""A journal's records are replayed from their bytes, each once, and only as many as were durable."""

from dealerbox.model.events import Tick
from dealerbox.model.shuffler import Memory
from dealerbox.simulate.table import Engine
from dealerbox.simulate.wire_replay import Replay
from dealerbox.station.entry import encode

RECORDS = [encode(Tick(at_ns), ()) for at_ns in (1, 2, 3, 4)]
STEPPED = Engine(
    step=lambda state, event: ((*state, event.at_ns), ()),
    view=lambda state: None,
    fresh=tuple,
    memory=lambda state: Memory(session=1),
    deck=lambda state: 1,
    hand=lambda state: len(state) // 2,
)


def test_a_replay_that_is_gone_on_with_comes_to_what_one_from_the_start_does() -> None:
    in_pieces = Replay(STEPPED)
    assert in_pieces.through(RECORDS, 1) == (1,)
    assert in_pieces.through(RECORDS, 3) == (1, 2, 3)
    assert in_pieces.through(RECORDS, 3) == (1, 2, 3)
    assert in_pieces.through(RECORDS, 4) == Replay(STEPPED).through(RECORDS, 4) == (1, 2, 3, 4)


def test_it_knows_for_which_hand_each_deck_had_its_newest_tokens() -> None:
    replay = Replay(STEPPED)
    replay.through(RECORDS, 3)
    assert replay.numbered == {1: 1}
    replay.through(RECORDS, 4)
    assert replay.numbered == {1: 2}
