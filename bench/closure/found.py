"""What an exploration has found."""

import msgspec


class Breach(msgspec.Struct):
    """A property that does not hold, with the shortest way there."""

    what: str
    path: list[str]
    times: int = 1


class Found(msgspec.Struct):
    """What an exploration has found."""

    family: str
    states: int = 0
    layers: list[int] = []
    transitions: int = 0
    seconds: float = 0.0
    held: int = 0
    play: int = 0
    reasons: dict[str, int] = {}
    breaches: list[Breach] = []
    complete: bool = True
