"""Who asks: by the kernel alone, refused when it cannot say."""

import os
import pwd
import socket

from dealerbox.station.peer import NOBODY, Peer, myself, named, peer_of


def test_the_kernel_says_who_connected() -> None:
    near, far = socket.socketpair()
    with near, far:
        assert peer_of(near) == myself() == Peer(os.geteuid(), pwd.getpwuid(os.geteuid()).pw_name)


def test_what_is_recorded_is_the_name_and_the_number() -> None:
    assert str(Peer(1000, "ann")) == "ann (1000)"


def test_a_user_whom_the_system_does_not_have_is_nobody(tmp_path) -> None:
    assert named(4_000_000) is None
    assert named(-1) is None


def test_the_user_of_another_namespace_is_anybody_and_refused(tmp_path) -> None:
    overflow = tmp_path / "overflowuid"
    overflow.write_text("0\n")
    assert named(0, overflow) is None
    assert named(NOBODY, tmp_path / "missing") is None
    assert named(0, tmp_path / "missing") == Peer(0, "root")


def test_a_line_that_is_no_unix_socket_tells_nobody() -> None:
    with socket.socket(socket.AF_UNIX, socket.SOCK_STREAM) as alone:
        assert peer_of(alone) is None  # never connected: the kernel says -1
