"""What the demo's people do about a hold comes to an end, whatever the panel thinks of it (P7)."""

from random import Random

from dealerbox.model.keys import Ruling
from dealerbox.model.reasons import Reason
from dealerbox.model.view import Standing, View
from dealerbox.model.zones import seat
from dealerbox.simulate.demo.trouble import NowAndThen
from dealerbox.simulate.evening import table_setup
from dealerbox.simulate.hand import LawfulHand
from dealerbox.simulate.people import Dealer
from dealerbox.simulate.run import ENGINE
from dealerbox.simulate.table import EventTable

HOLD = Standing(reason=Reason.WRONG_SEAT, clause="1804A(3)", what="", remedy="", zone=seat(1), to=seat(2))
HELD = View(table="t", phase="dealing", hand=1, street="preflop", holds=(HOLD,))


def test_a_misplaced_card_that_cannot_be_put_right_is_put_right_once_and_then_ruled_on(monkeypatch) -> None:
    ruled: list[Ruling] = []
    table = EventTable(table_setup(Random(1), (2, 2), 150), ENGINE, "1")
    monkeypatch.setattr(table, "rule", lambda ruling, why, **_: ruled.append(ruling))
    monkeypatch.setattr(table, "view", lambda: HELD)
    trouble = NowAndThen(Random(1), lambda line: None, 1.0)
    trouble.done.append("wrong_seat")
    card = table.felt.at("box")[0]
    dealer = Dealer(table, [[card], [card]], Random(1), trouble)
    dealer.hand, dealer.card, dealer.wanted = LawfulHand((1, 2), 1), card, seat(1)
    for _ in range(2):
        assert list(trouble.mend(dealer, HELD))
    assert table.felt.place_of(card) == seat(1)
    assert ruled == [Ruling.VOID_HAND]
