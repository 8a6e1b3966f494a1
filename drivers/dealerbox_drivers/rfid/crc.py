"""CRC-16 with its bits reflected (polynomial 1021, start FFFF), as readers use it."""

from binascii import crc_hqx
from typing import Final

_MIRROR: Final = bytes(int(f"{value:08b}"[::-1], 2) for value in range(256))
"""Each byte with its bits in reverse order."""


def mcrf4xx(data: bytes) -> int:
    """Return CRC-16/MCRF4XX (no final xor); 0 over data with its check, low byte first.

    It is the unreflected CRC, which C computes, of the mirrored bytes, mirrored.
    """
    return int.from_bytes(mirrored_crc(data).to_bytes(2).translate(_MIRROR), "little")


def x25(data: bytes) -> int:
    """Return CRC-16/X-25 (final xor FFFF)."""
    return mcrf4xx(data) ^ 0xFFFF


def mirrored_crc(data: bytes) -> int:
    """Return CRC-16/MCRF4XX with its bits in reverse order: enough to tell whether it is 0."""
    return crc_hqx(data.translate(_MIRROR), 0xFFFF)
