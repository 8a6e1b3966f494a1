import asyncio
import grp
import json
import os
import pwd
import stat

import pytest
from hypothesis import given
from hypothesis import strategies as st

from dealerbox.model.events import Ruled
from dealerbox.model.keys import Ruling
from dealerbox.model.view import View
from dealerbox.ports import DealerboxError
from dealerbox.station.control import LONGEST_LINE, MOST_CALLERS, Authority, Control, Peer, group_members
from dealerbox.station.health import Condition, DeviceHealth

PEER = Peer(1000, 1000)
RULE = b'{"ask":"rule","ruling":"stand","reason":"card was tabled","seat":3}'


def json_bytes(value) -> bytes:
    return json.dumps({"ask": value, "ruling": value}).encode()


@pytest.fixture
def events() -> list:
    return []


@pytest.fixture
def make(events):
    def control(may_rule=lambda peer: "ann", authority=Authority.DIRECTOR) -> Control:
        return Control(
            view=lambda: View(table="T1", phase="dealing", hand=3),
            devices=lambda: (DeviceHealth("shuffler", Condition.LOST, "unplugged"),),
            emit=events.append,
            clock=lambda: 5,
            may_rule=may_rule,
            authority=authority,
        )

    return control


def test_status_is_the_view(make) -> None:
    answer = json.loads(make().answer(b'{"ask":"status"}\n', PEER))
    assert (answer["table"], answer["phase"], answer["hand"]) == ("T1", "dealing", 3)


def test_health_names_each_device(make) -> None:
    answer = json.loads(make().answer(b'{"ask":"health"}', PEER))
    assert answer["devices"] == [{"name": "shuffler", "condition": "lost", "why": "unplugged"}]


def test_a_ruling_goes_through_the_engine_under_the_name_that_the_kernel_gives(make, events) -> None:
    answer = json.loads(make().answer(RULE, PEER))
    assert answer["ok"]
    assert answer["view"]["hand"] == 3
    assert events == [Ruled(5, ruling=Ruling.STAND, by="ann", reason="card was tabled", seat=3)]


@pytest.mark.parametrize(
    ("line", "said"),
    [
        (b"", "not understood"),
        (b"rubbish", "not understood"),
        (b"\xff\xfe", "not understood"),
        (b"[]", "not understood"),
        (b'{"ask":"key","key":"start"}', "not understood: Invalid value 'key'"),
        (b'{"ask":"status","more":1}', "unknown field `more`"),
        (b'{"ask":"rule","ruling":"deal","reason":"x"}', "Invalid enum value 'deal'"),
        (b'{"ask":"rule","ruling":"stand"}', "missing required field `reason`"),
        (b'{"ask":"rule","ruling":"stand","reason":" "}', "a ruling needs its reason"),
        (b'{"ask":"rule","ruling":"stand","reason":"x","seat":"3"}', "Expected `int`"),
        (b'{"ask":"rule","by":"the director","ruling":"stand","reason":"x"}', "unknown field `by`"),
        (b"[" * 2000, "not understood"),
    ],
)
def test_garbage_is_answered_and_changes_nothing(make, events, line, said) -> None:
    answer = json.loads(make().answer(line, PEER))
    assert said in answer["error"]
    assert events == []


@given(st.binary(max_size=200) | st.recursive(st.none() | st.integers() | st.text(), st.lists).map(json_bytes))
def test_no_line_whatever_makes_it_raise_or_rule(line) -> None:
    control = Control(
        view=lambda: View(table="T1", phase="dealing", hand=3),
        devices=tuple,
        emit=lambda event: pytest.fail("ruled"),
        clock=lambda: 5,
        may_rule=lambda peer: "ann",
    )
    assert isinstance(json.loads(control.answer(line, PEER)), dict)


def test_who_may_not_rule_is_told_so(make, events) -> None:
    for control in (make(may_rule=lambda peer: ""), make(authority=Authority.WATCH)):
        answer = json.loads(control.answer(RULE, PEER))
        assert answer["error"].startswith("user 1000 may not rule here")
    assert events == []


def test_rulers_are_the_groups_members_by_the_systems_own_word() -> None:
    mine = pwd.getpwuid(os.geteuid()).pw_name
    assert group_members("no such group")(Peer(os.geteuid(), 0)) == mine
    assert group_members("no such group")(Peer(65534, 65534)) == ""
    assert group_members(mine)(Peer(4_000_000, 0)) == ""
    other = next(user for user in pwd.getpwall() if user.pw_uid != os.geteuid())
    assert group_members(grp.getgrgid(other.pw_gid).gr_name)(Peer(other.pw_uid, 0)) == other.pw_name


async def ask(path, *lines: bytes) -> list[dict]:
    reader, writer = await asyncio.open_unix_connection(path)
    try:
        answers = []
        for line in lines:
            writer.write(line)
            answers.append(json.loads(await reader.readline()))
        return answers
    finally:
        writer.close()


def test_over_the_socket_the_peer_is_who_the_kernel_says(make, events, tmp_path) -> None:
    peers = []

    async def talk() -> None:
        path = tmp_path / "run" / "control.sock"
        control = make(may_rule=lambda peer: peers.append(peer) or "ann")
        await control.open(path)
        assert stat.S_IMODE(path.stat().st_mode) == 0o660
        status, bad, ruled = await ask(path, b'{"ask":"status"}\n', b"}{\n", RULE + b"\n")
        assert (status["table"], ruled["ok"]) == ("T1", True)
        assert "not understood" in bad["error"]
        await control.close()
        assert not path.exists()

    asyncio.run(talk())
    assert peers == [Peer(os.getuid(), os.getgid())]
    assert len(events) == 1


def test_a_line_without_end_is_cut_off_and_others_are_served(make, tmp_path) -> None:
    async def talk() -> None:
        control = make()
        await control.open(tmp_path / "s")
        (answer,) = await ask(tmp_path / "s", b"x" * (LONGEST_LINE + 100))
        assert answer["error"] == f"a line may have {LONGEST_LINE} bytes"
        assert (await ask(tmp_path / "s", b'{"ask":"status"}\n'))[0]["table"] == "T1"
        await control.close()

    asyncio.run(talk())


def test_callers_beyond_the_limit_are_told_to_wait(make, tmp_path) -> None:
    async def talk() -> None:
        control = make()
        await control.open(tmp_path / "s")
        callers = [await asyncio.open_unix_connection(tmp_path / "s") for _ in range(MOST_CALLERS)]
        for reader, writer in callers:
            writer.write(b'{"ask":"status"}\n')
            await reader.readline()
        reader, writer = await asyncio.open_unix_connection(tmp_path / "s")
        assert b"busy" in await reader.readline()
        for _, other in [*callers, (reader, writer)]:
            other.close()
        await control.close()

    asyncio.run(talk())


def test_a_dead_stations_socket_is_taken_over_and_a_living_ones_is_not(make, tmp_path) -> None:
    import socket

    async def talk() -> None:
        path = tmp_path / "s"
        with socket.socket(socket.AF_UNIX) as dead:
            dead.bind(str(path))
        first = make()
        await first.open(path)
        with pytest.raises(DealerboxError, match="another station answers at this socket"):
            await make().open(path)
        await first.close()
        path.write_text("a file")
        with pytest.raises(DealerboxError, match="something that is no socket lies there"):
            await make().open(path)

    asyncio.run(talk())


def test_the_director_names_the_dealer_and_nobody_else_does(make, events) -> None:
    asked = b'{"ask":"dealer","badge":" D-17 "}'
    answer = json.loads(make(may_rule=lambda peer: "ann").answer(asked, Peer(1, 1)))
    assert answer["ok"]
    assert [(event.badge, event.by) for event in events] == [("D-17", "ann")]
    assert "1830(2)" in json.loads(make(may_rule=lambda peer: "").answer(asked, Peer(1, 1)))["error"]
    long = b'{"ask":"dealer","badge":"' + b"x" * 65 + b'"}'
    assert "at most 64" in json.loads(make(may_rule=lambda peer: "ann").answer(long, Peer(1, 1)))["error"]
    assert len(events) == 1
