"""`dealerbox diag conformance` against the reference device in C, as a process on a pty, in real time."""

import json
import subprocess

import pytest

from dealerbox_drivers.shuffler.conformance import bench
from dealerbox_drivers.shuffler.twin_reference import BUILT


@pytest.fixture
def machine():
    """`machine(cards)`: start the device and return its port."""
    subprocess.run(["make", "-s", "-C", str(BUILT.parents[1]), "build/shuffler"], check=True)
    running = []

    def start(*options):
        process = subprocess.Popen([BUILT, *options], stdin=subprocess.PIPE, stdout=subprocess.PIPE, text=True)
        running.append(process)
        word, port = process.stdout.readline().split()
        assert word == "port"
        return port

    yield start
    for process in running:
        process.communicate()


def test_nothing_moves_and_every_rule_that_could_be_asked_is_kept(dealerbox, machine):
    answer = dealerbox("diag", "conformance", machine("--cards", "52"))
    assert answer.code == 0, answer
    assert answer.out.startswith("kept       identity\n")
    assert "not asked  arming\n    the machine is locked by WIPED: put it right" in answer.out
    assert answer.out.endswith("6 kept, 0 broken, 2 not asked\n")


def test_cards_move_only_when_that_is_asked_for(dealerbox, machine):
    port = machine("--cards", "20", "--shuffle", "300", "--feed-max", "400", "--retract", "300")
    answer = dealerbox("diag", "conformance", port, "--level", "motion", "--cards", "20", "--json")
    found = {line["question"]: line["verdict"] for line in map(json.loads, answer.out.splitlines())}
    assert answer.code == 0, answer
    assert [question for question, verdict in found.items() if verdict != "kept"] == [
        "power at rest",
        "power in motion",
    ]


def test_motion_needs_to_know_how_many_cards_there_are(dealerbox):
    answer = dealerbox("diag", "conformance", "nowhere", "--level", "motion")
    assert (answer.code, "--cards" in answer.err) == (2, True)


def test_a_rule_that_is_broken_is_told_with_its_section_and_1(dealerbox, machine, monkeypatch):
    async def conform(*_):
        yield bench.Finding("holds", "4, HOLD", bench.Verdict.BROKEN, "the lock HOLD: gone; the page wants it to stand")

    monkeypatch.setattr(bench, "conform", conform)
    answer = dealerbox("diag", "conformance", machine())
    told = "broken     holds\n    the lock HOLD: gone; the page wants it to stand\n    PROTOCOL.md, section 4, HOLD\n"
    assert (answer.code, answer.out) == (1, told + "0 kept, 1 broken, 0 not asked\n")


def test_a_port_that_is_not_there_is_69(dealerbox, tmp_path):
    assert dealerbox("diag", "conformance", str(tmp_path / "none")).code == 69
