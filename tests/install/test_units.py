"""What the units of systemd say, beside what `systemd-analyze` makes of them in `.ci/run`."""

from pathlib import Path

import pytest

SYSTEMD = Path(__file__).parents[2] / "systemd"
CLASSES = {"char-ttyUSB", "char-ttyACM", "char-ttyAMA", "char-gpiochip", "char-i2c", "char-usb_device", "/dev/ttyS0"}


def words(name: str) -> dict[str, list[str]]:
    """Every key of a unit with its values, in order."""
    found: dict[str, list[str]] = {}
    for line in (SYSTEMD / name).read_text("utf-8").splitlines():
        key, equals, value = line.partition("=")
        if equals and not line.startswith("#"):
            found.setdefault(key, []).append(value)
    return found


@pytest.fixture(scope="module")
def station() -> dict[str, list[str]]:
    return words("dealerbox.service")


@pytest.mark.parametrize(
    ("key", "value"),
    [
        ("Type", "notify"),
        ("NotifyAccess", "main"),
        ("WatchdogSec", "5"),
        ("Restart", "always"),
        ("RestartPreventExitStatus", "78"),
        ("StateDirectory", "dealerbox"),
        ("StateDirectoryMode", "0700"),
        ("RuntimeDirectory", "dealerbox"),
        ("DevicePolicy", "closed"),
        ("RestrictAddressFamilies", "AF_UNIX AF_NETLINK"),
        ("IPAddressDeny", "any"),
        ("CapabilityBoundingSet", ""),
        ("AmbientCapabilities", ""),
        ("LimitMEMLOCK", "infinity"),
        ("MemorySwapMax", "0"),
        ("CPUSchedulingPolicy", "fifo"),
    ],
)
def test_the_station_is_run_as_it_counts_on(station, key: str, value: str) -> None:
    assert station[key] == [value]


def test_devices_are_allowed_by_class_so_that_one_plugged_later_is_too(station) -> None:
    assert {each.removesuffix(" rw") for each in station["DeviceAllow"]} == CLASSES


def test_a_station_that_cannot_stay_up_is_given_up_and_no_limit_of_the_start_alone_does_it(station) -> None:
    """Five starts take less than the interval, whether they end at once or by the watchdog after READY."""
    burst, interval_s = int(station["StartLimitBurst"][0]), int(station["StartLimitIntervalSec"][0])
    longest_s = int(station["WatchdogSec"][0]) + int(station["TimeoutStopSec"][0]) + int(station["RestartSec"][0])
    assert burst * longest_s < interval_s
    assert "FailureAction" not in station


def test_the_boot_id_can_be_read_by_the_station(station) -> None:
    """By `ProcSubset=pid` /proc/sys is not there, and every restart would count as one of unknown length."""
    assert "ProcSubset" not in station


def test_the_filter_lets_memory_be_locked_after_it_is_laid(station) -> None:
    filters = station["SystemCallFilter"]
    assert filters[0] == "@system-service"  # with @memlock in it
    assert not any("@memlock" in each for each in filters if each.startswith("~"))


def test_the_weekly_look_asks_as_a_technician_and_sees_neither_journal_nor_keys() -> None:
    look = words("dealerbox-selftest.service")
    assert look["User"] == ["dealerbox-selftest"]
    assert look["InaccessiblePaths"] == ["-/var/lib/dealerbox"]
    assert "/dealerbox diag selftest --unattended " in look["ExecStart"][0]
    people = (SYSTEMD / "dealerbox.sysusers").read_text("utf-8")
    assert "m dealerbox-selftest dealerbox-tech" in people
    assert words("dealerbox-selftest.timer")["OnCalendar"] == ["Mon 10:00"]


def test_no_reader_is_left_to_the_kernel_or_to_other_packages() -> None:
    rules = (SYSTEMD / "60-dealerbox.rules").read_text("utf-8").splitlines()
    given = [line for line in rules if "GROUP" in line and not line.startswith("#")]
    assert len(given) == 7
    assert all("GROUP:=" in line and "MODE:=" in line and "plugdev" not in line for line in given)
    kept_away = (SYSTEMD / "dealerbox.modprobe").read_text("utf-8")
    assert "blacklist pn533_usb" in kept_away
