"""`dealerbox check` of a table whose readers are on USB."""

import shutil
from pathlib import Path
from typing import Any

import pytest

CONFIG = Path(__file__).parents[2] / "config"
MOUTH, OUTLET = (f"/dev/serial/by-path/platform-xhci-hcd.1-usb-0:1.{number}:1.0-port0" for number in (1, 2))
FEIG = f'[devices.mouth]\ndriver = "feig"\nport = "{MOUTH}"\nzones = {{ 0 = "infeed" }}\n'


@pytest.fixture
def at_the_mouth(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Any:
    """Writes the shipped example with another reader at the mouth, in the working directory."""
    shutil.copytree(CONFIG, tmp_path, dirs_exist_ok=True)
    monkeypatch.chdir(tmp_path)

    def write(*lines: str) -> None:
        text = (tmp_path / "station.toml").read_text()
        assert FEIG in text
        (tmp_path / "station.toml").write_text(text.replace(FEIG, "\n".join(["[devices.mouth]", *lines, ""])))

    return write


@pytest.mark.parametrize(
    "lines",
    [
        ('driver = "acr1552u"', 'port = "usb:1-1.3"', 'zone = "infeed"'),
        ('driver = "acr1552u"', 'port = "usb:072f:2303:A7"', 'zone = "infeed"', "last_first = false"),
        ('driver = "feig"', 'port = "usb:0ab1:0002"', 'zones = { 0 = "infeed" }'),
    ],
)
def test_a_reader_on_usb_may_watch_the_mouth(dealerbox: Any, at_the_mouth: Any, lines: tuple[str, ...]) -> None:
    at_the_mouth(*lines)
    assert dealerbox("check", "station.toml").code == 0


@pytest.mark.parametrize(
    ("driver", "port", "zone", "sentence"),
    [
        ("acr122u", "usb:1-1.3", 'zone = "infeed"', "mouth: acr122u does not read iso15693"),
        (
            "acr1552u",
            "usb:1-1.3",
            'zone = "exit"',
            "mouth: acr1552u reads at most 1 tags at once and exit holds 2",
        ),
        ("acr1552u", "usb:1.3", 'zone = "infeed"', "mouth.port: 'usb:1.3' is no USB device; allowed: usb:BUS-PORT"),
        ("feig", "usb:2200", 'zones = { 0 = "infeed" }', "mouth.port: 'usb:2200' is no USB device; allowed: usb:BUS"),
        ("acr1552u", "/dev/ttyUSB0", 'zone = "infeed"', 'mouth.port: "/dev/ttyUSB0" is not allowed; allowed: a USB'),
    ],
)
def test_a_reader_on_usb_that_will_not_do_is_refused_with_the_reason(
    dealerbox: Any, at_the_mouth: Any, driver: str, port: str, zone: str, sentence: str
) -> None:
    at_the_mouth(f'driver = "{driver}"', f'port = "{port}"', zone)
    answer = dealerbox("check", "station.toml")
    assert answer.code == 78
    assert f"station.toml: devices.{sentence}" in answer.err


def test_a_reader_that_is_not_plugged_in_is_told_with_where_to_look(dealerbox: Any, at_the_mouth: Any) -> None:
    at_the_mouth('driver = "acr1552u"', 'port = "usb:9-9.9"', 'zone = "infeed"')
    answer = dealerbox("check", "--ports", "station.toml")
    assert answer.code == 1
    assert "mouth.port: usb:9-9.9 is not there now; plug the device in, or see `lsusb -t` for its name" in answer.err


def test_two_readers_of_one_name_are_refused(dealerbox: Any, at_the_mouth: Any, tmp_path: Path) -> None:
    at_the_mouth('driver = "feig"', 'port = "usb:0AB1:0002"', 'zones = { 0 = "infeed" }')
    file = tmp_path / "station.toml"
    file.write_text(file.read_text().replace(OUTLET, "usb:0ab1:0002"))
    assert dealerbox("check", "station.toml").err == (
        "station.toml: devices.outlet.port: usb:0ab1:0002 is the port of mouth too; give each its own\n"
    )
