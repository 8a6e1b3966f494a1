"""The figure of the simulated table, and memory over many hands."""

from bench import simulated

NOTHING = simulated.Summary(
    level="events", hands=1, cards_released=0, holds=0, unlawful_releases=0, missed=0, false_holds=0,
    faults={}, seed=1, virtual_s=1.0, wall_s=1.0,
)  # fmt: skip


def test_memory_is_measured_ten_times_and_every_hand_is_judged(monkeypatch, capsys) -> None:
    played = []

    def simulate(hands, seats, seed, faults=()):
        played.append((hands, tuple(faults)))
        return simulated.Summary(
            level="events", hands=hands, cards_released=1, holds=0, unlawful_releases=0, missed=0, false_holds=0,
            faults={}, seed=seed, virtual_s=1.0, wall_s=1.0,
        )  # fmt: skip

    monkeypatch.setattr(simulated, "simulate", simulate)
    figure = simulated.flat(1000)
    assert (figure["hands"], len(figure["rss_mib"])) == (1000, 10)
    assert [faults for _, faults in played] == [(), ("all",), *[()] * 7, ("all",)]
    assert len(capsys.readouterr().out.splitlines()) == 10


def test_the_last_tenth_plays_the_second_again(monkeypatch) -> None:
    seeds = []
    monkeypatch.setattr(simulated, "simulate", lambda hands, seats, seed, faults: seeds.append(seed) or NOTHING)
    simulated.flat(1000)
    assert seeds == [1, 2, 3, 4, 5, 6, 7, 8, 9, 2]


def test_growth_between_like_parts_is_what_is_judged(monkeypatch) -> None:
    monkeypatch.setattr(simulated, "simulate", lambda *hands: NOTHING)
    memory = iter([30.0, 40.0, *[44.0] * 7, 42.5])
    monkeypatch.setattr(simulated, "resident_mib", lambda: next(memory))
    figure = simulated.flat(10)
    assert (figure["growth_mib"], figure["passes"]) == (2.5, False)


def test_what_is_kept_is_judged_whatever_the_allocator_keeps_for_it(monkeypatch) -> None:
    monkeypatch.setattr(simulated, "simulate", lambda *hands: NOTHING)
    monkeypatch.setattr(simulated, "resident_mib", lambda: 40.0)
    blocks = iter([100, 200, *[300] * 7, 701])
    monkeypatch.setattr(simulated.sys, "getallocatedblocks", lambda: next(blocks))
    figure = simulated.flat(10)
    assert (figure["growth_blocks"], figure["passes"]) == (501, False)
