"""Before a deal the station knows how many cards there are and which, and nothing of their order."""

from bench.secrecy.order import deals


def test_the_state_before_each_deal_is_the_same_for_two_shuffles_p4() -> None:
    one, other = (deals("suite", chance, hands=4) for chance in ("one", "other"))
    assert len(one) == 8
    assert list(one) == list(other)
    assert all(mine != theirs for mine, theirs in zip(one.dealt, other.dealt, strict=True))
