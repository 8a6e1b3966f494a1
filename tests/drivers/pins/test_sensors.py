"""The expander by its data sheet, the I2C bus of Linux, and the settings of every wiring."""

import asyncio
from collections.abc import Callable
from typing import Any

import pytest

from dealerbox.ports import ConfigError, DeviceWrong
from dealerbox.station.virtual import virtual_clock
from dealerbox_drivers.pins.button import direct_button, expander_button, matrix_button
from dealerbox_drivers.pins.i2c import LinuxI2c
from dealerbox_drivers.pins.sensors import DirectSettings, ExpanderSettings, MatrixSettings

Run = Callable[..., Any]

DIRECT = DirectSettings(seats={1: 4, 2: 7, 3: 8, 4: 9, 5: 10, 6: 11, 7: 12, 8: 16, 9: 18, 10: 20})
MATRIX = MatrixSettings(rows=(4, 7, 8), columns=(9, 10, 11, 12))
EXPANDER = ExpanderSettings()


class Another:
    """Something else at the expander's address: it answers, and keeps nothing."""

    name = "/dev/i2c-1"

    async def transfer(self, address: int, write: bytes, read: int = 0) -> bytes:
        return bytes(read)


def test_another_chip_at_its_address_is_said(run: Run) -> None:
    with pytest.raises(DeviceWrong, match="is no MCP23017: it keeps 0000"):
        run(expander_button("button", EXPANDER, None, virtual_clock, Another()).run(lambda event: None))


def test_the_expanders_register_addresses_are_those_of_the_data_sheet(run: Run) -> None:
    """DS20001952C table 3-5: IODIR 00/01, GPPU 0C/0D, GPIO 12/13; a contact to ground reads 0."""

    class Recorder(Another):
        def __init__(self) -> None:
            self.log: list[tuple[str, int]] = []

        async def transfer(self, address: int, write: bytes, read: int = 0) -> bytes:
            self.log.append((write.hex(), read))
            if write == b"\x00":
                return bytes.fromhex("7f7f0000000000000000")
            # GPPUA GPPUB INTFA INTFB INTCAPA INTCAPB GPIOA GPIOB: GPA2 and GPB1 low
            return bytes.fromhex("7f7f00000000fbfd") if read else b""

    async def scene() -> list[tuple[str, int]]:
        bus, told = Recorder(), list[Any]()
        serving = asyncio.create_task(expander_button("button", EXPANDER, None, virtual_clock, bus).run(told.append))
        await asyncio.sleep(0.4)
        serving.cancel()
        await asyncio.gather(serving, return_exceptions=True)
        assert [event.seats for event in told] == [(3, 9)]  # GPA0..6 are seats 1..7, GPB0..6 seats 8..14
        return bus.log

    log = run(scene())
    assert log[:5] == [("0500", 0), ("0a00", 0), ("007f7f0000000000000000", 0), ("0c7f7f", 0), ("00", 10)]
    assert set(log[5:]) == {("0c", 8)}


# I2C of Linux


def test_a_transfer_is_one_transaction_of_a_write_and_a_read(tmp_path: Any) -> None:
    node = tmp_path / "i2c-1"
    node.touch()
    seen: list[tuple[int, int, int, bytes]] = []

    def ioctl(_node: int, request: int, transaction: Any) -> int:
        assert request == 0x0707
        for message in transaction.messages[: transaction.number]:
            seen.append((message.address, message.flags, message.length, message.data[: message.length]))
            if message.flags & 1:
                for place in range(message.length):
                    message.data[place] = bytes([0xA0 + place])
        return 0

    bus = LinuxI2c(str(node), ioctl)
    assert asyncio.run(bus.transfer(0x20, b"\x0c", 3)) == b"\xa0\xa1\xa2"
    assert asyncio.run(bus.transfer(0x21, b"\x0a\x00")) == b""
    assert seen == [(0x20, 0, 1, b"\x0c"), (0x20, 1, 3, bytes(3)), (0x21, 0, 2, b"\x0a\x00")]


def test_a_bus_that_is_not_there_is_an_os_error(tmp_path: Any) -> None:
    with pytest.raises(FileNotFoundError):
        asyncio.run(LinuxI2c(str(tmp_path / "none")).transfer(0x20, b"\x00", 1))


# Settings


def test_the_default_wirings_are_without_fault() -> None:
    assert DIRECT.faults() == MATRIX.faults() == EXPANDER.faults() == ()
    assert MATRIX.pins() == {"rows.0": 4, "rows.1": 7, "rows.2": 8, **{f"columns.{i}": 9 + i for i in range(4)}}
    assert DIRECT.pins()["seats.10"] == 20
    assert EXPANDER.pins() == {}


def test_what_is_wrong_with_a_wiring_is_said() -> None:
    assert DirectSettings(seats={}).faults()[0][0] == "seats"
    assert MatrixSettings(rows=(), columns=(4,)).faults()[0][1].startswith("a matrix has rows and columns")
    assert MatrixSettings(rows=(4,), columns=(5,), seats=(1, 2)).faults() == (
        ("seats", "2 seats; allowed: 1, rows times columns"),
    )
    assert ("seats", "names a seat twice; allowed: every seat once") in MatrixSettings(
        rows=(4, 5), columns=(6,), seats=(1, 1)
    ).faults()
    assert ExpanderSettings(seats={1: 7, 2: 3, 3: 3}).faults() == (
        ("seats.1", "input 7 is an output only; allowed: 0..6, 8..14"),
        ("seats.2", "its input is another seat's too; allowed: every input once"),
        ("seats.3", "its input is another seat's too; allowed: every input once"),
    )


def test_contacts_without_a_factory_are_refused() -> None:
    with pytest.raises(ConfigError, match="never gpiozero's default"):
        direct_button("button", DIRECT, None, virtual_clock)
    with pytest.raises(ConfigError, match="never gpiozero's default"):
        matrix_button("button", MATRIX, None, virtual_clock)
