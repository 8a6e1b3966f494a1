import stat

import pytest

from dealerbox.model.cards import Kind, Uid, deck_of, kind_of
from dealerbox.model.events import CardsGone, CardsSeen, TagsGone, TagsSeen, Tick
from dealerbox.model.zones import BOARD, MUCK
from dealerbox.ports import ConfigError
from dealerbox.station.state_dir import secret
from dealerbox.station.tokens import DeckTags, Tokens

KEY = b"k" * 32


def numbers(tokens: Tokens, deck) -> list[int]:
    return [tokens.of(uid) for uid in deck.cards]


def test_every_card_of_a_deck_has_one_of_its_52_tokens(decks) -> None:
    tokens = Tokens(decks, KEY)
    assert sorted(numbers(tokens, decks[1])) == list(range(2001, 2053))
    assert kind_of(tokens.of(decks[1].jokers[0])) is Kind.JOKER


def test_a_deck_that_begins_a_hand_is_numbered_anew_and_no_other(decks) -> None:
    tokens = Tokens(decks, KEY)
    before, other = numbers(tokens, decks[0]), numbers(tokens, decks[1])
    tokens.renumber(1, 1)
    assert sorted(numbers(tokens, decks[0])) == sorted(before)
    assert sum(a == b for a, b in zip(numbers(tokens, decks[0]), before, strict=True)) < 10
    assert numbers(tokens, decks[1]) == other


def test_the_numbering_hangs_on_key_hand_and_slot_and_not_on_the_files_order(decks) -> None:
    turned = [type(deck)(deck.slot, deck.cards[::-1]) for deck in decks]
    first, second, third = Tokens(decks, KEY), Tokens(turned, KEY), Tokens(decks, b"l" * 32)
    for tokens in (first, second, third):
        tokens.renumber(1, 7)
    assert numbers(first, decks[0]) == numbers(second, decks[0])
    assert numbers(first, decks[0]) != numbers(third, decks[0])
    assert [n % 1000 for n in numbers(first, decks[0])] != [n % 1000 for n in numbers(first, decks[1])]


def test_every_card_takes_every_number_over_many_hands(decks) -> None:
    tokens = Tokens(decks[:1], KEY)
    seen = set()
    for hand in range(600):
        tokens.renumber(1, hand)
        seen.add(tokens.of(decks[0].cards[0]))
    assert len(seen) == 52


def test_a_foreign_tag_is_foreign_and_always_the_same(decks) -> None:
    tokens = Tokens(decks, KEY)
    stranger = tokens.of(Uid("04AABBCC"))
    tokens.renumber(1, 5)
    assert deck_of(stranger) == 0
    assert kind_of(stranger) is Kind.FOREIGN
    assert tokens.of(Uid("04AABBCC")) == stranger
    assert all(1 <= tokens.of(Uid(f"{n:08X}")) <= 999 for n in range(3000))


def test_tags_of_one_scan_become_tokens_in_an_order_of_their_own(decks) -> None:
    tokens = Tokens(decks, KEY)
    event = tokens.translate(TagsSeen(5, BOARD, decks[0].cards[:3]))
    assert event == CardsSeen(5, BOARD, tuple(sorted(map(tokens.of, decks[0].cards[:3]))))
    assert tokens.translate(Tick(6)) == Tick(6)


def test_a_tag_goes_under_the_token_with_which_it_came(decks) -> None:
    tokens = Tokens(decks, KEY)
    uid = decks[0].cards[0]
    came = tokens.translate(TagsSeen(5, MUCK, (uid,)))
    tokens.renumber(1, 9)
    assert tokens.translate(TagsGone(6, MUCK, (uid,))) == CardsGone(6, MUCK, came.tokens)
    assert tokens.translate(TagsGone(7, MUCK, (uid,))) == CardsGone(7, MUCK, (tokens.of(uid),))


def test_decks_that_are_brought_to_the_table_are_numbered_and_those_that_stay_keep_their_numbers(decks) -> None:
    tokens = Tokens(decks, KEY)
    tokens.renumber(1, 7)
    before = numbers(tokens, decks[0])
    third = DeckTags(2, tuple(Uid(f"E00402000000AA{n:02X}") for n in range(52)), (Uid("E0FFAA"),))
    tokens.enrol([decks[0], third])
    assert numbers(tokens, decks[0]) == before
    assert sorted(numbers(tokens, third)) == list(range(2001, 2053))
    assert all(kind_of(tokens.of(uid)) is Kind.FOREIGN for uid in (*decks[1].cards, *decks[1].jokers))
    assert numbers(tokens, third) == numbers(Tokens([decks[0], third], KEY), third)


def test_the_key_is_made_once_for_its_owner_alone(tmp_path) -> None:
    file = tmp_path / "token.key"
    key = secret(file)
    assert (len(key), stat.S_IMODE(file.stat().st_mode)) == (32, 0o600)
    assert secret(file) == key
    assert [path.name for path in tmp_path.iterdir()] == ["token.key"]


def test_a_key_that_others_may_read_or_that_is_cut_is_refused(tmp_path) -> None:
    file = tmp_path / "token.key"
    file.write_bytes(b"short")
    file.chmod(0o600)
    with pytest.raises(ConfigError, match="5 bytes are no key"):
        secret(file)
    file.write_bytes(KEY)
    file.chmod(0o640)
    with pytest.raises(ConfigError, match=r"token.key: is open to others \(mode 0640\); chmod 0600 it"):
        secret(file)
