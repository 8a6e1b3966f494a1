"""Who may open a socket: a stranger is a process of another user, without the group.

As root the stranger is the system's user `daemon`; another user tests with himself, once the socket is no longer his
to open but by its group.
"""

import asyncio
import grp
import json
import os
import pwd
import sys
import tempfile
from collections.abc import Iterator
from pathlib import Path

import pytest

from dealerbox.model.view import View
from dealerbox.ports import ConfigError, DealerboxError
from dealerbox.station.asked import Authority
from dealerbox.station.control import Control
from dealerbox.station.doors import listen
from dealerbox.station.state_dir import OTHERS, ours_alone

ROOT = os.geteuid() == 0
STRANGER = pwd.getpwnam("daemon") if ROOT else pwd.getpwuid(os.geteuid())
GROUP = grp.getgrnam("tty") if ROOT else grp.getgrgid(os.getegid())
ASKER = """
import json, os, socket, sys
path, uid, groups, question = sys.argv[1], int(sys.argv[2]), json.loads(sys.argv[3]), sys.argv[4]
if os.geteuid() == 0:
    os.setgroups(groups)
    os.setgid(uid)
    os.setuid(uid)
    assert os.getuid() == os.geteuid() == uid and 0 not in os.getgroups()
asking = socket.socket(socket.AF_UNIX)
try:
    asking.connect(path)
except PermissionError as error:
    print(json.dumps({"closed": error.strerror}))
    sys.exit()
asking.sendall(question.encode() + b"\\n")
print(asking.makefile().readline())
"""
RULE = '{"ask":"rule","ruling":"stand","reason":"card was tabled"}'


@pytest.fixture
def folder() -> Iterator[Path]:
    """A folder that everybody may pass through."""
    with tempfile.TemporaryDirectory() as name:
        Path(name).chmod(0o711)
        yield Path(name)


def show(path: Path, member: bool) -> None:
    """Who is not root is his own stranger where only the group may open the socket."""
    if not ROOT:
        path.chmod(0o660 if member else 0o060)


async def asks(path: Path, question: str, groups: tuple[int, ...] = ()) -> dict:
    """What a process of the stranger gets for an answer; with `groups`, he is in them."""
    show(path, bool(groups))
    asking = await asyncio.create_subprocess_exec(
        *(sys.executable, "-I", "-c", ASKER, str(path), str(STRANGER.pw_uid), json.dumps(groups), question),
        stdout=asyncio.subprocess.PIPE,
    )
    said, _ = await asking.communicate()
    assert asking.returncode == 0
    return json.loads(said)


def control(authority: Authority, events: list) -> Control:
    return Control(
        authority, view=lambda: View(table="T1", phase="dealing", hand=3), devices=tuple, emit=events.append,
        clock=lambda: 5,
    )  # fmt: skip


def test_a_stranger_opens_none_of_the_three_and_a_member_of_its_group_opens_one(folder) -> None:
    events: list = []

    async def talk() -> list[dict]:
        sockets = {authority: control(authority, events) for authority in Authority}
        for authority, socket in sockets.items():
            await socket.open(folder / authority.value, GROUP.gr_name)
        outside = [await asks(folder / authority.value, RULE) for authority in Authority]
        assert outside == [{"closed": "Permission denied"}] * 3
        inside = [await asks(folder / authority.value, RULE, (GROUP.gr_gid,)) for authority in Authority]
        for socket in sockets.values():
            await socket.close()
        return inside

    look, technician, director = asyncio.run(talk())
    who = f"{STRANGER.pw_name} ({STRANGER.pw_uid})"
    assert look["error"].startswith(f"{who} may not ask that here")
    assert technician["error"].startswith(f"{who} may not ask that here")
    assert director["ok"]
    assert [event.by for event in events] == [who]


def test_a_socket_of_the_station_alone_is_closed_to_every_other_user(folder) -> None:
    async def talk() -> None:
        socket = control(Authority.DIRECTOR, [])
        await socket.open(folder / "s")
        assert await asks(folder / "s", RULE) == {"closed": "Permission denied"}
        await socket.close()

    asyncio.run(talk())


def test_a_group_that_the_system_does_not_have_gets_no_socket(folder) -> None:
    with pytest.raises(DealerboxError, match=r"cannot listen there: .*no such group"):
        listen(folder / "s", "no such group")


def test_a_path_that_no_socket_may_have_says_how_long_it_may_be(folder) -> None:
    path = folder / ("s" * (108 - len(bytes(folder)) - 1))
    with pytest.raises(
        ConfigError, match="108 bytes, and the path of a socket may have 107; choose a shorter runtime_dir"
    ):
        listen(path, "")
    listen(path.with_name(path.name[1:]), None).close()


def test_what_is_another_users_is_not_ours(folder) -> None:
    others = Path("/")  # root's, for everybody but root
    if ROOT:
        os.chown(folder, STRANGER.pw_uid, -1)
        others = folder
    with pytest.raises(ConfigError, match=rf"belongs to user \d+, and the station runs as {os.geteuid()}; chown it"):
        ours_alone(others, OTHERS)
