"""An I2C bus: one small protocol, and the Linux character device that satisfies it."""

import asyncio
import ctypes
import fcntl
import os
from collections.abc import Callable
from typing import Any, Final, Protocol

RDWR: Final = 0x0707
"""ioctl I2C_RDWR of linux/i2c-dev.h."""
READ: Final = 0x0001
"""Flag I2C_M_RD of linux/i2c.h."""


class I2cBus(Protocol):
    """A bus with devices at 7-bit addresses."""

    name: str

    async def transfer(self, address: int, write: bytes, read: int = 0) -> bytes:
        """Write, then read that many bytes in the same transaction. OSError when nobody answers."""


class Message(ctypes.Structure):
    """struct i2c_msg of linux/i2c.h."""

    _fields_ = (
        ("address", ctypes.c_uint16),
        ("flags", ctypes.c_uint16),
        ("length", ctypes.c_uint16),
        ("data", ctypes.POINTER(ctypes.c_char)),
    )


class Transaction(ctypes.Structure):
    """struct i2c_rdwr_ioctl_data of linux/i2c-dev.h."""

    _fields_ = (("messages", ctypes.POINTER(Message)), ("number", ctypes.c_uint32))


class LinuxI2c:
    """`/dev/i2c-N`. Each transfer is one ioctl on a thread: at 100 kHz ten bytes take a millisecond.

    The node is opened for each transfer, so that there is no stale one after a failure.
    """

    def __init__(self, name: str, ioctl: Callable[[int, int, Any], int] = fcntl.ioctl) -> None:
        self.name = name
        self._ioctl = ioctl

    async def transfer(self, address: int, write: bytes, read: int = 0) -> bytes:
        """Write, then read that many bytes in the same transaction. OSError when nobody answers."""
        return await asyncio.to_thread(self._transfer, address, write, read)

    def _transfer(self, address: int, write: bytes, read: int) -> bytes:
        sent = ctypes.create_string_buffer(write, len(write))
        received = ctypes.create_string_buffer(max(read, 1))
        pointer = ctypes.POINTER(ctypes.c_char)
        parts = [Message(address, 0, len(write), ctypes.cast(sent, pointer))]
        if read:
            parts.append(Message(address, READ, read, ctypes.cast(received, pointer)))
        messages = (Message * len(parts))(*parts)
        node = os.open(self.name, os.O_RDWR | os.O_CLOEXEC)
        try:
            self._ioctl(node, RDWR, Transaction(messages, len(parts)))
        finally:
            os.close(node)
        return received.raw[:read]
