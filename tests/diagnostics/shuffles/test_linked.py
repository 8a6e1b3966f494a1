"""A log shows its shuffles to whoever has the token key, between hands, many together; to nobody else (P4)."""

import hashlib
import json
import shutil
from pathlib import Path
from random import Random
from typing import Any, cast

import msgspec
import pytest
from msgspec.structs import replace

from bench.shuffled import nights
from dealerbox.cli.main import run
from dealerbox.diagnostics.shuffles.cycle import UNREAD, Cycle
from dealerbox.diagnostics.shuffles.judging import judged
from dealerbox.diagnostics.shuffles.linked import Key, _Deck, shuffles_of
from dealerbox.diagnostics.shuffles.report import LEAST_OF_PLAY, audit
from dealerbox.journal import evidence
from dealerbox.journal.evidence import Sealed
from dealerbox.journal.record import Record, RecordKind, Stamp, encode
from dealerbox.journal.recover import Head
from dealerbox.journal.signed import Signer
from dealerbox.model.cards import Token, Uid, token
from dealerbox.model.events import CardsGone, CardsSeen
from dealerbox.model.zones import EXIT, INFEED
from dealerbox.ports import NotAllowed
from dealerbox.simulate.pack import deck_info, deck_tags, pack

CONFIG = Path(__file__).parents[3] / "config"
TAGS = {slot: deck_tags(pack(slot), slot).cards for slot in (1, 2)}
MARKS = {slot: hashlib.sha256("\n".join(sorted(tags)).encode()).hexdigest() for slot, tags in TAGS.items()}
DECKS = tuple(replace(deck_info(slot), mark=mark) for slot, mark in MARKS.items())


@pytest.fixture(scope="module")
def evening() -> list[tuple[Key, list[bytes]]]:
    """Logs of a machine that shuffles in one pass over ten shelves, with their keys."""
    return nights("rack", 33, 10, 10, DECKS)


@pytest.fixture(scope="module")
def cycles(evening: list[tuple[Key, list[bytes]]]) -> list[Cycle]:
    """What they show."""
    return shown(evening)


def shown(evening: list[tuple[Key, list[bytes]]]) -> list[Cycle]:
    return [cycle for key, lines in evening for cycle in shuffles_of(lines, "evening", key, MARKS)]


def test_one_pass_over_shelves_is_found_in_an_evenings_log(cycles: list[Cycle]) -> None:
    """arXiv 1107.2961."""
    assert len(cycles) >= LEAST_OF_PLAY
    assert [one.fault() for one in cycles if one.fault()] == []
    assert "runs" in {one.name for one in judged(cycles) if one.tells}


def test_who_has_another_key_sees_nothing_of_it(evening: list[tuple[Key, list[bytes]]]) -> None:
    """Without the token key a log says nothing of which card is which in the next hand (docs/decisions/0006)."""
    others = [(Key(key._decks.values(), bytes(32)), lines) for key, lines in evening]
    assert [one.name for one in judged(shown(others)) if one.tells] == []


def test_a_deck_that_the_log_does_not_name_is_not_counted(evening: list[tuple[Key, list[bytes]]]) -> None:
    key, lines = evening[0]
    other = dict.fromkeys(MARKS, "another deck")
    assert list(shuffles_of(lines, "evening", key, other)) == []


def test_what_is_told_of_play_is_six_verdicts_and_no_place_of_a_card(cycles: list[Cycle]) -> None:
    """Not how often neighbours stayed together: a p above 0.01 is 1, one below a power of ten."""
    found = audit(cycles, "night", of_play=True)
    assert {(one.statistic, one.expected) for one in found.outcomes} == {(0.0, 0.0)}
    exact = {one.name: one.p for one in judged(cycles)}
    assert [one.p for one in found.outcomes if exact[one.name] > 0.01] == [1.0] * sum(p > 0.01 for p in exact.values())
    assert all(exact[one.name] <= one.p < 10 * exact[one.name] for one in found.outcomes if one.p < 1)
    assert [one.name for one in found.outcomes if one.tells] == [one.name for one in judged(cycles) if one.tells]
    said: dict[str, Any] = msgspec.to_builtins(found)
    assert said["counts"] == ()
    assert set(said) == {
        "source", "of_play", "shuffles", "cards_in", "cards_out", "seen_twice", "outcomes", "counts",
    }  # fmt: skip
    assert {key for one in said["outcomes"] for key in one} == {
        "name", "asks", "statistic", "expected", "p", "needed", "tells",
    }  # fmt: skip


def test_a_few_hands_are_not_told_of(cycles: list[Cycle]) -> None:
    with pytest.raises(NotAllowed, match="night: 29 shuffles of play; 30 at the least are told of together"):
        audit(cycles[: LEAST_OF_PLAY - 1], "night", of_play=True)


def test_a_bench_run_has_its_table(cycles: list[Cycle]) -> None:
    found = audit([Cycle(52, tuple(range(52)))] * 4, "bench", of_play=False)
    assert [row[at] for at, row in enumerate(found.counts)] == [16] * 13
    assert found.tells


SEED = bytes(range(32))
"""Of the key with which the station signs."""


def exported(lines: list[bytes], seed: bytes) -> bytes:
    """What `log export` writes of a journal with these events, its last head signed."""
    payloads = [(RecordKind.EVENT, b"{" + line.rstrip(b"\n").partition(b",")[2]) for line in lines]
    head, written = Head(), list[bytes]()
    for kind, payload in [(RecordKind.HEAD, b'{"format":1}'), *payloads, (RecordKind.SIGNED, b"")]:
        if kind is RecordKind.SIGNED:
            payload = msgspec.json.encode(Sealed(Signer(seed).sign(head)))
        seq = head.seq + 1
        record = Record(
            seq=seq,
            synced=seq - 1,
            kind=kind,
            stamp=Stamp(seq),
            boot_id=bytes(16),
            previous=head.digest,
            payload=payload,
        )
        head = Head(seq, encode(record)[1])
        written.append(evidence.line(record))
    return b"".join([*written, evidence.closing(head.seq, head)])


@pytest.fixture
def table(tmp_path: Path, evening: list[tuple[Key, list[bytes]]]) -> Path:
    """The file of the table at which the evening was played: its decks, its keys."""
    shutil.copytree(CONFIG, tmp_path, dirs_exist_ok=True)
    table = tmp_path / "station.toml"
    text = table.read_text().replace('"/var/lib/dealerbox"', f'"{tmp_path}/state"')
    for slot, color in ((1, "red"), (2, "blue")):
        tags = ", ".join(f'"{uid}"' for uid in sorted(TAGS[slot]))
        head = f'name = "{color}"\nback = "{color}"\ntechnology = "iso15693"\nslot = {slot}\n'
        (tmp_path / f"decks/{slot}.toml").write_text(f"{head}tags = [{tags}]\n")
        text = text.replace(f"decks/example-{color}.toml", f"decks/{slot}.toml")
    table.write_text(text)
    (tmp_path / "state").mkdir()
    (tmp_path / "state/token.key").write_bytes(Random("rack:1:key").randbytes(32))
    (tmp_path / "state/sign.key").write_bytes(SEED)
    return table


def test_on_the_stations_machine_a_log_is_audited_with_its_own_key(
    evening: list[tuple[Key, list[bytes]]], table: Path, tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    """The whole way: deck files, token key, signed log; no tag, no token and no place comes out."""
    log = tmp_path / "night.jsonl"
    log.write_bytes(exported(evening[0][1], SEED))
    code = run(["diag", "audit", "shuffle", "--file", str(table), "--json", str(log)])
    found = json.loads(capsys.readouterr().out)
    assert (code, found["source"], found["of_play"]) == (1, "night.jsonl", True)
    assert {one["name"] for one in found["outcomes"] if one["tells"]} >= {"runs"}


def test_a_log_that_another_station_signed_is_refused_lest_it_look_like_chance(
    evening: list[tuple[Key, list[bytes]]], table: Path, tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    log = tmp_path / "night.jsonl"
    log.write_bytes(exported(evening[0][1][:50], bytes(32)))
    code = run(["diag", "audit", "shuffle", "--file", str(table), str(log)])
    assert (code, "another station; audit it on the machine that wrote it" in capsys.readouterr().err) == (65, True)


class EveryHandAlike:
    """A key with which a card's token is always the same."""

    def cards(self, slot: int, hand: int) -> dict[Token, Uid]:
        return {token(slot, number): Uid(f"{number:016X}") for number in range(1, 53)}


def test_cards_of_a_pile_went_in_as_they_left_it_and_two_that_left_at_once_are_not_counted() -> None:
    deck = _Deck(1, cast(Key, EveryHandAlike()))
    cards = [token(1, number) for number in range(1, 7)]
    assert list(deck.begins(1)) == []
    assert list(deck.seen(CardsSeen(0, INFEED, tuple(cards)))) == []
    for gone in ((cards[3],), (cards[0],), (cards[1], cards[5]), (cards[4],), (cards[2],)):
        deck.gone(CardsGone(0, INFEED, gone))
    list(deck.shuffled(whole=True))
    list(deck.begins(2))
    for card in (cards[2], cards[1], token(1, 40), cards[3]):
        list(deck.seen(CardsSeen(0, EXIT, (card,))))
    assert list(deck.begins(3)) == [Cycle(4, (3, UNREAD, UNREAD, 0))]


def test_a_card_that_was_taken_out_of_the_infeed_again_went_in_when_it_left_it_last() -> None:
    deck = _Deck(1, cast(Key, EveryHandAlike()))
    one, other = token(1, 1), token(1, 2)
    list(deck.begins(1))
    for card in (one, other, one):
        list(deck.seen(CardsSeen(0, INFEED, (card,))))
        deck.gone(CardsGone(0, INFEED, (card,)))
    list(deck.shuffled(whole=True))
    list(deck.begins(2))
    list(deck.seen(CardsSeen(0, EXIT, (one,))))
    assert list(deck.ends()) == [Cycle(2, (1,))]


def test_after_a_shuffle_that_was_not_of_the_whole_deck_or_none_nothing_is_judged() -> None:
    deck = _Deck(1, cast(Key, EveryHandAlike()))
    list(deck.begins(1))
    list(deck.seen(CardsSeen(0, INFEED, (token(1, 1),))))
    deck.gone(CardsGone(0, INFEED, (token(1, 1),)))
    list(deck.shuffled(whole=False))
    list(deck.begins(2))
    list(deck.seen(CardsSeen(0, EXIT, (token(1, 1),))))
    assert list(deck.ends()) == []
