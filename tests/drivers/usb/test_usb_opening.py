"""A device on USB is found by its name, opened and claimed, or it is said why not."""

import asyncio

import pytest

from dealerbox.ports import ConfigError, DeviceGone, DeviceWrong
from dealerbox_drivers.usb.line import open_usb
from dealerbox_drivers.usb.names import Kind


def test_the_kernels_driver_is_taken_away_before_the_claim_and_put_back(run, desk) -> None:
    async def main() -> None:
        d = desk()
        d.reader.kernel_driver = True
        line = await d.open()
        assert d.bus.calls == ["open", "is_kernel_driver_active", "detach", "claim"]
        line.close()
        await asyncio.sleep(1)
        assert d.bus.calls[4:] == ["release", "attach", "close"]
        assert d.reader.kernel_driver

    run(main())


def test_a_configuration_is_set_only_where_none_is(run, desk) -> None:
    async def main() -> None:
        d = desk()
        d.reader.configured = 0
        line = await d.open()
        assert d.bus.calls == ["open", "set_configuration", "is_kernel_driver_active", "claim"]
        line.close()

    run(main())


@pytest.mark.parametrize("how", ["taken", "kernel_returns"])
def test_a_device_that_another_has_is_gone_and_says_who_it_may_be(run, desk, how) -> None:
    async def main() -> None:
        d = desk()
        d.reader.kernel_driver = True
        setattr(d.reader, how, True)
        with pytest.raises(DeviceGone, match=r"usb:1-1\.4: another program has the device: .*stop it"):
            await d.open()
        await asyncio.sleep(1)
        assert (d.bus.opened, d.bus.claimed) == (0, 0)

    run(main())


def test_a_device_has_one_owner_and_is_free_again_once_it_is_closed(run, desk) -> None:
    async def main() -> None:
        d = desk()
        line = await d.open()
        with pytest.raises(DeviceGone, match="another program"):
            await d.opener("usb:072f:2200")()
        line.close()
        (await d.open()).close()

    run(main())


@pytest.mark.parametrize("name", ["usb:1-1.5", "usb:072f:2303", "usb:072f:2200:A7"])
def test_a_device_that_is_not_there_says_so(run, desk, name) -> None:
    async def main() -> None:
        with pytest.raises(DeviceGone, match=f"{name}: there is no such device: plug it in"):
            await desk(name).open()

    run(main())


@pytest.mark.parametrize("name", ["usb:1-1.4", "usb:072f:2200", "usb:072F:2200", "usb:072f:2200:A7"])
def test_a_device_is_found_by_socket_model_or_serial_number(run, desk, name) -> None:
    async def main() -> None:
        d = desk(name, serial="A7")
        d.bus.plug((0x1D6B, 0x0002), "1-1")
        (await d.open()).close()

    run(main())


def test_two_of_a_kind_are_told_apart_by_serial_number(run, desk) -> None:
    async def main() -> None:
        d = desk("usb:072f:2200:B2", serial="A1")
        other = d.bus.plug((0x072F, 0x2200), "1-1.2", serial="B2", interface_class=0x0B)
        line = await d.open()
        line.write(b"here")
        assert await other.read() == b"here"
        line.close()

    run(main())


@pytest.mark.parametrize("serials", [("", ""), ("SAME", "SAME")])
def test_two_of_a_kind_that_nothing_tells_apart_are_refused_with_their_sockets(run, desk, serials) -> None:
    async def main() -> None:
        name = f"usb:072f:2200:{serials[0]}".removesuffix(":")
        d = desk(name, serial=serials[0])
        d.bus.plug((0x072F, 0x2200), "1-1.2", serial=serials[1], interface_class=0x0B)
        with pytest.raises(DeviceWrong, match=r"names 2 devices, at usb:1-1\.4 and usb:1-1\.2: name the one by its"):
            await d.open()
        assert d.bus.opened == 0
        (await d.opener("usb:1-1.4")()).close()

    run(main())


def test_another_model_in_the_socket_is_the_wrong_device(run, desk) -> None:
    async def main() -> None:
        d = desk()
        d.bus.pull(d.reader)
        d.bus.plug((0x0AB1, 0x0002), "1-1.4")
        with pytest.raises(DeviceWrong, match="0ab1:0002 is plugged in there; this driver knows 072f:2200, 072f:90cc"):
            await d.open()

    run(main())


def test_a_device_without_the_interface_is_the_wrong_device(run, desk) -> None:
    async def main() -> None:
        d = desk()
        d.reader.interface_class = 0x08
        with pytest.raises(DeviceWrong, match="no interface"):
            await d.open()
        assert (d.bus.opened, d.bus.claimed) == (0, 0)

    run(main())


def test_a_missing_libusb_is_named_with_its_package(run, desk, monkeypatch) -> None:
    def missing(**_: object) -> None:
        import usb.core

        raise usb.core.NoBackendError("No backend available")

    async def main() -> None:
        monkeypatch.setattr("usb.core.find", missing)
        with pytest.raises(DeviceGone, match=r"libusb is missing: install Debian's libusb-1\.0-0"):
            await desk().open()

    run(main())


@pytest.mark.parametrize("port", ["usb:", "usb:1", "usb:72f:2200", "usb:1-0", "/dev/ttyUSB0", "usb:zzzz:2200"])
def test_a_name_that_is_none_is_a_config_error(port) -> None:
    with pytest.raises(ConfigError, match="allowed: usb:BUS-PORT"):
        open_usb(port, Kind(models=()))
