"""What a reader's twin sees of the felt."""

from typing import Protocol

from dealerbox.model.cards import Uid


class Readable(Protocol):
    """What a reader can read of the felt."""

    def readable(self, zone: str) -> tuple[Uid, ...]: ...
