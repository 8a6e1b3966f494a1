"""Who has a port open."""

import subprocess
import sys
from pathlib import Path

import pytest

from dealerbox_drivers.holders import holders


@pytest.fixture
def proc(tmp_path):
    """Three processes: one has the node open through a link, one is another user's, one has ended."""
    node = tmp_path / "ttyUSB0"
    node.touch()
    for number, name in (("40", "sshd"), ("812", "pcscd"), ("9", "gone")):
        (tmp_path / "proc" / number / "fd").mkdir(parents=True)
        (tmp_path / "proc" / number / "comm").write_text(f"{name}\n")
    (tmp_path / "proc" / "812" / "fd" / "3").symlink_to(node)
    (tmp_path / "proc" / "40" / "fd" / "0").symlink_to("/dev/null")
    (tmp_path / "proc" / "9" / "comm").unlink()
    (tmp_path / "proc" / "self").symlink_to("40")
    (tmp_path / "by-path").symlink_to(node)
    return tmp_path


def test_a_process_that_has_the_port_open_is_named_whatever_link_leads_there(proc) -> None:
    for name in ("ttyUSB0", "by-path"):
        assert holders(str(proc / name), proc / "proc") == ["pcscd (process 812)"]


def test_our_own_process_and_a_port_that_is_not_there_name_nobody(proc) -> None:
    (proc / "proc" / "40" / "fd" / "5").symlink_to(proc / "ttyUSB0")
    assert holders(str(proc / "ttyUSB0"), proc / "proc") == ["pcscd (process 812)"]
    assert holders(str(proc / "none"), proc / "proc") == []


def test_a_real_process_is_named(tmp_path) -> None:
    node = tmp_path / "port"
    node.touch()
    program = "import sys; held = open(sys.argv[1]); print('open', flush=True); sys.stdin.read()"
    with subprocess.Popen(
        [sys.executable, "-c", program, str(node)], stdin=subprocess.PIPE, stdout=subprocess.PIPE
    ) as holder:
        assert holder.stdout is not None
        holder.stdout.readline()
        name = Path(f"/proc/{holder.pid}/comm").read_text().strip()
        assert holders(str(node)) == [f"{name} (process {holder.pid})"]
        holder.communicate()
