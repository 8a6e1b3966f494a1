"""The shuffler of the simulated table keeps what ShufflerMet promises: nothing is owed when it is told."""

from random import Random

import pytest

from dealerbox.model.commands import Count, Dispense, Places, Release, Retract, Shuffle
from dealerbox.model.events import CardUp, ShufflerMet
from dealerbox.model.shuffler import Scope
from dealerbox.simulate.machine import EventShuffler
from dealerbox.simulate.pack import pack
from dealerbox.simulate.timeline import Timeline
from dealerbox_drivers.felt import MACHINE, Felt

SECOND_NS = 1_000_000_000


class Host:
    """What a machine is told and tells."""

    def __init__(self, seed: int) -> None:
        cards = [uid for uid, name in pack(1).items() if name % 1000 <= 52]
        self.time, self.told = Timeline(), []
        felt = Felt([cards], Random(seed))
        for card in cards:
            felt.put(card, MACHINE)
        self.machine = EventShuffler(felt, self.time, Random(seed), self.told.append)
        self.number = 0

    def order(self, make) -> int:
        self.number += 1
        self.machine.obey(make(self.number))
        return self.number

    def wait(self, ms: float) -> None:
        waited = self.time.now_ns + round(ms * 1_000_000)
        self.time.at(waited, lambda: None)
        self.time.run(lambda: self.time.now_ns >= waited, waited)

    def shuffled(self) -> int:
        number = self.order(lambda number: Shuffle(number, 52, Scope.DECK))
        self.wait(20_000)
        return number

    def up(self) -> int:
        """One card is behind the gate."""
        deal = self.shuffled()
        number = self.order(lambda number: Dispense(number, deal, True))
        self.wait(2_000)
        assert isinstance(self.told[-1], CardUp)
        return number


COMMANDS = {
    "dispense": lambda host, deal: host.order(lambda number: Dispense(number, deal, True)),
    "release": lambda host, exit_id: host.order(lambda number: Release(number, exit_id)),
    "retract": lambda host, exit_id: host.order(lambda number: Retract(number, exit_id)),
    "shuffle": lambda host, deal: host.order(lambda number: Shuffle(number, 52, Scope.DECK)),
    "count": lambda host, deal: host.order(lambda number: Count(number, Scope.DECK)),
    "places": lambda host, deal: host.order(lambda number: Places(number, 52, 0, True, 1)),
}


def given(command, seed) -> tuple[Host, int]:
    """A machine that was just told to do something."""
    host = Host(seed)
    before = host.up() if command in ("release", "retract") else host.shuffled()
    host.told.clear()
    return host, COMMANDS[command](host, before)


def is_end(event, number) -> bool:
    return getattr(event, "id", 0) == number


@pytest.mark.parametrize("early_ms", [0.5, 1.5, 2.5, 10, 60, 250])
@pytest.mark.parametrize("command", COMMANDS)
def test_whatever_it_is_at_a_greeting_is_answered_when_nothing_is_owed(command, early_ms) -> None:
    for seed in range(6):
        host, number = given(command, seed)
        begun_ns = host.time.now_ns
        host.wait(20_000)
        ended_ns = next(event.at_ns for event in host.told if is_end(event, number))
        host, number = given(command, seed)
        host.wait(max(0.0, (ended_ns - begun_ns) / 1_000_000 - early_ms))
        host.machine.meet()
        host.wait(20_000)
        told = [event for event in host.told if is_end(event, number) or isinstance(event, ShufflerMet)]
        assert is_end(told[0], number), (seed, told)
