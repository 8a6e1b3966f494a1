"""What leads into a running station: sockets for groups, keys for itself, and nothing from any network."""

import grp
import os
import pwd
from pathlib import Path

import msgspec
import pytest

from dealerbox.journal.disk import RealDisk
from dealerbox.journal.export import export
from dealerbox.model.events import Ruled
from dealerbox.ports import ConfigError
from dealerbox.station import daemon
from dealerbox.station.entry import decode

NETWORK = ("tcp", "tcp6", "udp", "udp6", "udplite", "udplite6", "raw", "raw6", "icmp", "icmp6", "packet")


def our_sockets() -> set[str]:
    """The inodes of this process's sockets."""
    found = set()
    for link in Path("/proc/self/fd").iterdir():
        if link.is_symlink():  # the folder that is being listed is gone by now
            name = str(link.readlink())
            found |= {name.removeprefix("socket:[").removesuffix("]")} if name.startswith("socket:") else set()
    return found


def lines_with(inodes: set[str], *tables: str) -> list[str]:
    """The lines of the kernel's tables of sockets that are about these."""
    there = [Path("/proc/net") / table for table in tables]
    return [
        line
        for table in there
        if table.exists()
        for line in table.read_text().splitlines()
        if inodes & set(line.split())
    ]


def entries(config) -> list:
    lines: list[bytes] = []
    export(RealDisk(config.state_dir / "journal"), lines.append)
    return [decode(line) for line in lines]


def test_a_running_station_has_no_network_socket(live, actor, config) -> None:
    async def look(emit) -> None:
        network.extend(lines_with(our_sockets(), *NETWORK))
        unix.extend(lines_with(our_sockets(), "unix"))

    network: list[str] = []
    unix: list[str] = []
    live(actor(look))
    assert network == []
    assert any(line.endswith(str(config.socket)) for line in unix)  # it is our sockets that were looked for


def test_two_stations_make_keys_of_their_own(live, actor, config, tmp_path) -> None:
    other = msgspec.structs.replace(config, state_dir=tmp_path / "other")
    live(actor())
    live(actor(), config=other)
    for name in ("token.key", "sign.key"):
        keys = [(each.state_dir / name).read_bytes() for each in (config, other)]
        assert keys[0] != keys[1]
        assert len(keys[0]) == 32


@pytest.mark.parametrize("name", ["token.key", "sign.key"])
def test_a_key_that_is_anothers_or_a_link_refuses_the_start(live, actor, config, tmp_path, name) -> None:
    live(actor())
    key = config.state_dir / name
    key.rename(tmp_path / "elsewhere")
    key.symlink_to(tmp_path / "elsewhere")
    with pytest.raises(ConfigError, match=rf"{name}: is a link; name the place itself"):
        live(actor())


def test_each_group_has_a_door_of_its_own_where_the_system_has_it(live, actor, config) -> None:
    async def look(emit) -> None:
        doors.append(
            {path.name: (path.stat().st_gid, oct(path.stat().st_mode)[-3:]) for path in config.runtime_dir.iterdir()}
        )

    doors: list[dict[str, tuple[int, str]]] = []
    mine, other = grp.getgrgid(os.getegid()), config.directors
    live(actor(look))
    live(actor(look), config=msgspec.structs.replace(config, directors=mine.gr_name, technicians=""))
    assert doors[0] == {"control.sock": (mine.gr_gid, "660")}
    assert doors[1] == {
        "control.sock": (mine.gr_gid, "660"),
        "tech.sock": (mine.gr_gid, "600"),
        "director.sock": (mine.gr_gid, "660"),
    }
    assert list(config.runtime_dir.iterdir()) == []
    news: list[str] = []
    daemon.run(config, say=news.append, news=news.append, environ={}, build=actor().build)
    assert f"{config.table}: no group {other} here, so no director.sock; make the group, or name another" in news


def test_a_ruling_is_on_the_disk_with_who_gave_it_before_it_is_answered(live, actor, config, asked) -> None:
    ruling = b'{"ask":"rule","ruling":"set_button","reason":"draw","seat":2}'

    async def rule(emit) -> None:
        (answer,) = await asked(config.socket.with_name("director.sock"), ruling)
        assert answer["ok"]
        ruled.extend(entry.event for entry in entries(config) if isinstance(entry.event, Ruled))

    ruled: list[Ruled] = []
    assert live(actor(rule), config=msgspec.structs.replace(config, directors="")) == (0, [])
    me = f"{pwd.getpwuid(os.geteuid()).pw_name} ({os.geteuid()})"
    assert [(event.by, event.reason, event.seat) for event in ruled] == [(me, "draw", 2)]


@pytest.mark.parametrize("which", ["state_dir", "runtime_dir"])
def test_a_folder_that_others_may_write_in_refuses_the_start(live, actor, config, which) -> None:
    folder = getattr(config, which)
    folder.mkdir(mode=0o700)
    folder.chmod(0o777)
    with pytest.raises(ConfigError, match=rf"{folder}: is open to others \(mode 0777\); chmod 07.. it"):
        live(actor())
