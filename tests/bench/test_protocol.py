"""The model of the shuffler's wire: it stands by itself, and without a rule it breaks."""

import ast
from pathlib import Path

import msgspec
import pytest

from bench import protocol
from bench.protocol.configurations import BRIEF, SETTINGS
from bench.protocol.explore import Search
from bench.protocol.lease import LEASE, outlived
from bench.protocol.simplified import BREAKING, HARMLESS
from bench.protocol.values import Faults, Rules, Setting

QUICK = [one for one in BREAKING if one.setting.faults.hold == 0]


def test_the_model_shares_no_code_with_driver_twin_or_engine() -> None:
    for source in Path(protocol.__file__).parent.glob("*.py"):
        for node in ast.walk(ast.parse(source.read_text())):
            if isinstance(node, ast.Import | ast.ImportFrom):
                names = [node.module or ""] if isinstance(node, ast.ImportFrom) else [one.name for one in node.names]
                assert not [name for name in names if name.startswith("dealerbox")], source.name


def test_each_rule_is_left_out_once() -> None:
    left_out = [
        rule
        for one in (*BREAKING, *HARMLESS)
        for rule, kept in msgspec.structs.asdict(one.setting.rules).items()
        if not kept
    ]
    assert sorted(left_out) == sorted(Rules.__struct_fields__)


def test_the_short_form_is_a_part_of_the_same_faults_and_machines() -> None:
    assert len({setting.name for setting in SETTINGS}) == len(SETTINGS)
    for what in ("gate", "nvm", "present_ahead", "in_flight"):
        assert len({getattr(setting, what) for setting in BRIEF}) == 2, what
    seen = [name for name in Faults._fields if any(getattr(setting.faults, name) for setting in BRIEF)]
    assert seen == list(Faults._fields)


def test_a_card_goes_out_and_every_state_leads_back_to_play() -> None:
    found = Search(Setting("one card", ids=2, faults=Faults(host=1, device=1))).run()
    assert (found.broken, found.lost) == ("", 0)
    assert found.states > 1000


@pytest.mark.parametrize("one", QUICK, ids=lambda one: one.name)
def test_without_its_rule_it_breaks(one) -> None:
    found = Search(one.setting).run()
    assert found.broken == one.breaks
    assert found.broken or found.lost
    assert found.trace[-1].startswith("=> ")


def test_a_lease_counted_from_arrival_outlives_the_host_by_what_the_line_keeps_back() -> None:
    assert outlived(line_ticks=3, by_arrival=False)[0] == LEASE
    assert outlived(line_ticks=3, by_arrival=True)[0] == LEASE + 3
