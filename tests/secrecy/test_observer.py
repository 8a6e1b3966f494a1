"""Somebody who knows every past showdown and reads every channel, the journal too, does no better than chance (P4)."""

from bench.secrecy.observer import WAYS, guess


def test_past_showdowns_and_every_channel_say_nothing_of_hidden_cards() -> None:
    guessed = guess("suite", 25)
    assert [each.way for each in guessed] == list(WAYS)
    assert [each.way for each in guessed if each.knows] == []
    assert min(each.guesses for each in guessed) > 400


def test_a_station_that_forgets_to_renumber_is_noticed_within_a_few_hands() -> None:
    knows = {each.way for each in guess("suite", 4, renumbers=False) if each.knows}
    assert {"most_often", "last_time"} <= knows


def test_the_test_cries_wolf_as_seldom_as_it_says() -> None:
    """At 1 %, by dealing the unseen cards anew: its size, within what 400 deals tell."""
    assert max(each.size for each in guess("suite", 8, trials=400)) < 0.035
