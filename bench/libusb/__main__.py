"""`python -m bench.libusb`: an ACR122U is found, claimed, asked who it is and read through real libusb, and then lost.

One JSON line; exit 1 when it was not as written down. Needs Debian's umockdev and libusb-1.0-0. The kernel's
side of the device is umockdev's: it replays `acr122u.txt`, and answers nothing that is not in it.
"""

import asyncio
import json
import struct
import subprocess
import sys
import tempfile
import time
from pathlib import Path
from typing import Final

from dealerbox.model.events import Event, TagsSeen, ZoneKnown, ZoneUnknown
from dealerbox.ports import DeviceGone
from dealerbox_drivers.registry import DRIVERS
from dealerbox_drivers.rfid.ccid.device import Acr122Reader
from dealerbox_drivers.rfid.settings import Acr122Settings
from dealerbox_drivers.usb.line import open_usb

HERE: Final = Path(__file__).parent
CARD: Final = "04A1B2C3D4E5F6"
SYSFS: Final = "/sys/devices/pci0000:00/0000:00:14.0/usb1/1-1"
OUT, IN, NOTICE = 0x01, 0x82, 0x83
"""Endpoints. A real ACR122U has 02, 82 and 81; what replays takes data for odd endpoints alone."""
PACKET: Final = 64
BULK: Final = 3
"""Type of a transfer in the recording (usbmon)."""
TOLD: Final = "told: "
LIMIT_S: Final = 60


def exchange() -> list[tuple[bool, bytes]]:
    """Return each transfer of `acr122u.txt`: whether it goes out, and its bytes."""
    lines = [line for line in (HERE / "acr122u.txt").read_text("utf-8").splitlines() if line[:1] in ("<", ">")]
    return [(line[0] == ">", bytes.fromhex(line[1:])) for line in lines]


def descriptors() -> bytes:
    """Return the device's descriptors: one configuration, one CCID interface with three endpoints."""
    device = struct.pack("<BBHBBBBHHHBBBB", 18, 1, 0x0110, 0, 0, 0, 8, 0x072F, 0x2200, 0x0203, 0, 0, 0, 1)
    interface = struct.pack("<BBBBBBBBB", 9, 4, 0, 0, 3, 0x0B, 0, 0, 0)
    ends = b"".join(
        struct.pack("<BBBBHB", 7, 5, address, kind, size, interval)
        for address, kind, size, interval in ((OUT, 2, PACKET, 0), (IN, 2, PACKET, 0), (NOTICE, 3, 8, 16))
    )
    whole = struct.pack("<BBHBBBBB", 9, 2, 9 + len(interface + ends), 1, 1, 0, 0x80, 50)
    return device + whole + interface + ends


def device_file() -> str:
    """Return the device as umockdev reads it, plugged into the first socket of the first bus."""
    raw = descriptors().hex().upper()
    said = {
        "busnum": "1",
        "devnum": "4",
        "devpath": "1",
        "idVendor": "072f",
        "idProduct": "2200",
        "speed": "12",
        "bConfigurationValue": "1",
        "bNumConfigurations": "1",
    }
    lines = [
        f"P: {SYSFS.removeprefix('/sys')}",
        f"N: bus/usb/001/004={raw}",
        "E: SUBSYSTEM=usb",
        "E: DEVTYPE=usb_device",
        "E: DEVNAME=/dev/bus/usb/001/004",
        "E: BUSNUM=001",
        "E: DEVNUM=004",
        *(f"A: {key}={value}" for key, value in said.items()),
        f"H: descriptors={raw}",
    ]
    return "\n".join([*lines, "", ""])


def recording(transfers: list[tuple[bool, bytes]]) -> bytes:
    """Return the transfers as a recording of the bus (pcap, link type 220: usbmon's header of 64 bytes)."""
    file = struct.pack("<IHHiIII", 0xA1B2C3D4, 2, 4, 0, 0, 65_535, 220)
    for number, (outwards, data) in enumerate(transfers, 1):
        endpoint = OUT if outwards else IN
        asked = len(data) if outwards else PACKET
        for event, length, carried in (
            (b"S", asked, data if outwards else b""),
            (b"C", len(data), b"" if outwards else data),
        ):
            head = struct.pack(
                "<QcBBBHBBqiiII8siiII",
                number,
                event,
                BULK,
                endpoint,
                4,
                1,
                0,
                0,
                0,
                0,
                0,
                length,
                len(carried),
                bytes(8),
                0,
                0,
                0,
                0,
            )
            size = len(head) + len(carried)
            file += struct.pack("<IIII", 0, 0, size, size) + head + carried
    return file


async def read() -> list[Event]:
    """Run the reader over whatever libusb finds in the socket, until it is lost; return what it told."""
    told: list[Event] = []
    settings = Acr122Settings(port="usb:1-1", zone="infeed")
    port = open_usb("usb:1-1", DRIVERS["acr122u"].settings.usb)
    reader = Acr122Reader("mouth", port, time.monotonic_ns, settings)
    try:
        async with asyncio.timeout(LIMIT_S / 2):
            await reader.run(told.append)
    except DeviceGone as gone:
        print(f"lost: {gone}", file=sys.stderr)
    return told


def replayed() -> tuple[bool, str]:
    """Replay the exchange to this module in a process of its own; return whether it was read, and what was said."""
    with tempfile.TemporaryDirectory() as folder:
        device, bus = Path(folder, "acr122u.umockdev"), Path(folder, "acr122u.pcap")
        device.write_text(device_file())
        bus.write_bytes(recording(exchange()))
        command = [
            "umockdev-run",
            "-d",
            str(device),
            "-p",
            f"{SYSFS}={bus}",
            "--",
            sys.executable,
            "-m",
            "bench.libusb",
            "read",
        ]
        done = subprocess.run(command, capture_output=True, text=True, timeout=LIMIT_S, check=False)
    told = [line.removeprefix(TOLD) for line in done.stdout.splitlines() if line.startswith(TOLD)]
    return told == [f"TagsSeen infeed {CARD}", "ZoneKnown infeed", "ZoneUnknown infeed"], done.stdout + done.stderr


def main(words: list[str]) -> int:
    """Read what is replayed (`read`), or replay it and judge."""
    if words == ["read"]:
        for event in asyncio.run(read()):
            if isinstance(event, TagsSeen | ZoneKnown | ZoneUnknown):
                print(TOLD + " ".join([type(event).__name__, event.zone, *getattr(event, "uids", ())]))
        return 0
    begun = time.perf_counter()
    passed, said = replayed()
    print(
        json.dumps(
            {
                "figure": "libusb",
                "transfers": len(exchange()),
                "s": round(time.perf_counter() - begun, 2),
                "passes": passed,
            }
        )
    )
    if not passed:
        print(said, file=sys.stderr)
    return 0 if passed else 1


if __name__ == "__main__":
    raise SystemExit(main(sys.argv[1:]))
