"""A device's line left to a technician's tool while the table is in service."""

from typing import Protocol


class Lending(Protocol):
    """Who has which device's line."""

    def promise(self, name: str, by: str) -> str:
        """Keep a device for who asks for it; return '', or why it cannot be had."""

    async def lend(self, name: str) -> None:
        """Close the line of one that was promised. TimeoutError: the device does not let go."""

    def take_back(self, name: str) -> None:
        """Tend one that was promised or lent again."""

    def lent(self) -> dict[str, str]:
        """Return who has which device."""


class NothingLent:
    """A station that lends nothing (satisfies `Lending`)."""

    def promise(self, name: str, by: str) -> str:
        return "this station lends no devices"

    async def lend(self, name: str) -> None:
        raise TimeoutError

    def take_back(self, name: str) -> None:
        pass

    def lent(self) -> dict[str, str]:
        return {}


def said_of(loans: dict[str, str]) -> str:
    """Return who has what, in words."""
    return ", ".join(f"{device} is lent to {by}" for device, by in loans.items())
