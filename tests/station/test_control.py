"""The control sockets: what each answers, to whom, and what is recorded."""

import asyncio
import json
import stat

import pytest
from hypothesis import given
from hypothesis import strategies as st

from dealerbox.model.events import DealerNamed, HandAsked, Ruled, ServiceBegan, ServiceEnded
from dealerbox.model.keys import Ruling
from dealerbox.model.view import FouledHand, View
from dealerbox.ports import ConfigError, DealerboxError
from dealerbox.station.asked import LONGEST_REASON, Authority
from dealerbox.station.condition import Condition, DeviceHealth
from dealerbox.station.control import LONGEST_LINE, MOST_CALLERS, Control
from dealerbox.station.peer import Peer, myself

PEER = Peer(1000, "ann")
RULE = b'{"ask":"rule","ruling":"stand","reason":"card was tabled","seat":3}'


def json_bytes(value) -> bytes:
    return json.dumps({"ask": value, "ruling": value}).encode()


@pytest.fixture
def events() -> list:
    return []


@pytest.fixture
def make(events):
    def control(authority=Authority.DIRECTOR, **more) -> Control:
        return Control(
            authority,
            view=lambda: View(table="T1", phase="dealing", hand=3),
            devices=lambda: (DeviceHealth("shuffler", Condition.LOST, "unplugged"),),
            emit=events.append,
            clock=lambda: 5,
            **more,
        )

    return control


def test_who_asks_for_a_fouled_hand_is_recorded_and_told_zones_and_no_card(make, events) -> None:
    """1810, P4."""
    found = FouledHand(seat=3, cards=2, lie=("muck", "muck"), whole=True, said="RETRIEVE 3.")
    answer = json.loads(make(fouled=lambda seat: found).answer(b'{"ask":"fouled","seat":3}', PEER))
    assert answer["fouled"] == {"seat": 3, "cards": 2, "lie": ["muck", "muck"], "whole": True, "said": "RETRIEVE 3."}
    assert events == [HandAsked(5, 3, "ann (1000)")]


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
    assert events == [Ruled(5, ruling=Ruling.STAND, by="ann (1000)", reason="card was tabled", seat=3)]


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
        (b'{"more":' + b"[" * 3000, "not understood"),
    ],
)
def test_garbage_is_answered_and_changes_nothing(make, events, line, said) -> None:
    answer = json.loads(make().answer(line, PEER))
    assert said in answer["error"]
    assert events == []


@given(st.binary(max_size=200) | st.recursive(st.none() | st.integers() | st.text(), st.lists).map(json_bytes))
def test_no_line_whatever_makes_it_raise_or_rule(line) -> None:
    control = Control(
        Authority.DIRECTOR,
        view=lambda: View(table="T1", phase="dealing", hand=3),
        devices=tuple,
        emit=lambda event: pytest.fail("ruled"),
        clock=lambda: 5,
    )
    assert isinstance(json.loads(control.answer(line, PEER)), dict)


ASKED = {
    "status": b'{"ask":"status"}',
    "health": b'{"ask":"health"}',
    "gauges": b'{"ask":"gauges"}',
    "service": b'{"ask":"service","on":true}',
    "lend": b'{"ask":"lend","device":"feig-1"}',
    "vouch": b'{"ask":"vouch","digest":"' + b"a" * 64 + b'"}',
    "rule": RULE,
    "dealer": b'{"ask":"dealer","badge":"D-17"}',
    "decks": b'{"ask":"decks"}',
    "fouled": b'{"ask":"fouled","seat":3}',
}
MAY = {
    Authority.LOOK: {"status", "health", "gauges"},
    Authority.TECHNICIAN: {"status", "health", "gauges", "service", "lend", "vouch"},
    Authority.DIRECTOR: set(ASKED),
}


@pytest.mark.parametrize("authority", Authority)
def test_a_socket_answers_what_its_group_may_ask_and_nothing_else(make, events, authority) -> None:
    control = make(authority, enrol=lambda by: "")
    answered = {
        name for name, line in ASKED.items() if "may not ask that here" not in control.answer(line, PEER).decode()
    }
    assert answered == MAY[authority]
    if authority is Authority.LOOK:
        assert events == []


def test_who_is_refused_is_named_and_told_where_to_ask(make) -> None:
    answer = json.loads(make(Authority.LOOK).answer(RULE, PEER))
    assert answer["error"] == (
        "ann (1000) may not ask that here; the socket of the director answers it, for who is in its group"
    )


def test_service_is_recorded_with_who_took_and_who_gave_it_back(make, events) -> None:
    control = make(Authority.TECHNICIAN)
    control.answer(ASKED["service"], PEER)
    control.answer(b'{"ask":"service","on":false}', Peer(1001, "tom"))
    assert events == [ServiceBegan(5, "ann (1000)"), ServiceEnded(5, "tom (1001)")]


def test_new_decks_are_recorded_with_who_brought_them(make) -> None:
    by: list[str] = []
    make(enrol=lambda name: by.append(name) or "").answer(ASKED["decks"], PEER)
    assert by == ["ann (1000)"]


def test_a_reason_is_words_that_can_be_shown_and_not_without_end(make, events) -> None:
    for reason in ("x" * (LONGEST_REASON + 1), "a\u0007bell"):
        line = json.dumps({"ask": "rule", "ruling": "stand", "reason": reason}).encode()
        assert f"at most {LONGEST_REASON}" in json.loads(make().answer(line, PEER))["error"]
    assert events == []


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
    async def talk() -> None:
        path = tmp_path / "run" / "control.sock"
        control = make()
        await control.open(path, "")
        assert stat.S_IMODE(path.stat().st_mode) == 0o660
        status, bad, ruled = await ask(path, b'{"ask":"status"}\n', b"}{\n", RULE + b"\n")
        assert (status["table"], ruled["ok"]) == ("T1", True)
        assert "not understood" in bad["error"]
        await control.close()
        assert not path.exists()

    asyncio.run(talk())
    assert [event.by for event in events] == [str(myself())]


def test_a_socket_without_a_group_is_the_stations_own(make, tmp_path) -> None:
    async def talk() -> None:
        control = make()
        await control.open(tmp_path / "s")
        assert stat.S_IMODE((tmp_path / "s").stat().st_mode) == 0o600
        await control.close()

    asyncio.run(talk())


def test_a_caller_whom_the_system_does_not_know_is_refused_unheard(make, events, tmp_path) -> None:
    async def talk() -> None:
        control = make(peer=lambda connection: None)
        await control.open(tmp_path / "s")
        reader, writer = await asyncio.open_unix_connection(tmp_path / "s")
        writer.write(RULE + b"\n")
        assert "does not say who you are" in json.loads(await reader.readline())["error"]
        writer.close()
        await control.close()

    asyncio.run(talk())
    assert events == []


def test_what_changes_something_is_answered_when_its_record_is_durable(make, events, tmp_path) -> None:
    async def talk() -> None:
        durable = asyncio.Event()
        control = make(recorded=durable.wait)
        await control.open(tmp_path / "s")
        assert (await ask(tmp_path / "s", b'{"ask":"status"}\n'))[0]["table"] == "T1"
        asking = asyncio.create_task(ask(tmp_path / "s", RULE + b"\n"))
        while not events:
            await asyncio.sleep(0)
        done, _ = await asyncio.wait([asking], timeout=0.02)
        assert not done
        durable.set()
        assert (await asking)[0]["ok"]
        await control.close()

    asyncio.run(talk())


def test_a_folder_that_others_may_write_in_has_no_socket(make, tmp_path) -> None:
    (tmp_path / "run").mkdir()
    (tmp_path / "run").chmod(0o775)
    with pytest.raises(ConfigError, match=r"run: is open to others \(mode 0775\); chmod 0755 it"):
        asyncio.run(make().open(tmp_path / "run" / "s"))
    (tmp_path / "link").symlink_to(tmp_path)
    with pytest.raises(ConfigError, match="link: is a link; name the place itself"):
        asyncio.run(make().open(tmp_path / "link" / "s"))


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


def test_the_director_names_the_dealer(make, events) -> None:
    assert json.loads(make().answer(b'{"ask":"dealer","badge":" D-17 "}', PEER))["ok"]
    assert events == [DealerNamed(5, "D-17", "ann (1000)")]
    long = b'{"ask":"dealer","badge":"' + b"x" * 65 + b'"}'
    assert "at most 64" in json.loads(make().answer(long, PEER))["error"]
    assert len(events) == 1
