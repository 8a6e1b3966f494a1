"""What is explored: machines, and what may go wrong with each. Every one to its fixed point."""

from typing import Any, Final

from bench.protocol.values import Faults, Setting


def _setting(name: str, ids: int = 3, faults: str = "", **machine: Any) -> Setting:
    """`faults`: names of `Faults`, each as often as it is named. `machine`: other fields of `Setting`."""
    names = faults.split()
    counted = Faults(**{name: names.count(name) for name in names})
    return Setting(f"{name}: {faults or 'no fault'}, {ids} ids", ids=ids, faults=counted, **machine)


SETTINGS: Final = (
    _setting("gate", 4, "host device"),
    _setting("gate", 4, "host host device device"),
    _setting("gate", 2, "host device hold lease"),
    _setting("gate", 3, "device hold lease"),
    _setting("gate", 2, "host hold hold"),
    _setting("gate", 2, "device hold hold"),
    _setting("gate, two STATUS in flight", 3, "host device", in_flight=2),
    _setting("gate, two STATUS in flight", 2, "hold lease", in_flight=2),
    _setting("gate, dead frames kept", 2, "host hold", keeps_dead=True),
    _setting("misfeeds", 3, "host device misfeed misfeed"),
    _setting("misfeeds", 3, "hold misfeed"),
    _setting("misfeeds", 2, "host hold misfeed"),
    _setting("misfeeds and cycles", 3, "hold cycle misfeed"),
    _setting("a hand inside", 3, "host device hand"),
    _setting("a hand inside", 2, "hold cycle hand"),
    _setting("memory wiped", 2, "host device wipe"),
    _setting("memory wiped", 2, "hold wipe"),
    _setting("memory wiped", 3, "cycle wipe"),
    _setting("journal lost", 4, "lease loss"),
    _setting("journal lost", 3, "device lease loss"),
    _setting("journal lost", 3, "hold loss"),
    _setting("journal lost", 3, "cycle device loss"),
    _setting("journal lost, memory wiped", 2, "loss wipe"),
    _setting("cycles", 5, "host device device cycle cycle"),
    _setting("cycles", 3, "hold lease cycle"),
    _setting("cycles", 2, "host device hold cycle"),
    _setting("no present-ahead", 3, "host device lease", present_ahead=False),
    _setting("no nvm", 3, "host device lease", nvm=False),
    _setting("no nvm", 2, "device hold", nvm=False),
    _setting("no gate", 4, "host host device device", gate=False),
    _setting("no gate", 3, "host device hold misfeed", gate=False),
    _setting("no gate", 3, "device lease cycle misfeed", gate=False),
    _setting("no gate, no nvm", 3, "host device lease", gate=False, nvm=False),
)

BRIEF: Final = (
    _setting("gate", 4, "host device"),
    _setting("gate", 2, "hold lease"),
    _setting("gate", 2, "host hold hold"),
    _setting("gate, two STATUS in flight", 3, "host device", in_flight=2),
    _setting("misfeeds", 3, "hold misfeed"),
    _setting("a hand inside", 2, "hold cycle hand"),
    _setting("memory wiped", 2, "hold wipe"),
    _setting("journal lost", 3, "hold loss"),
    _setting("journal lost, memory wiped", 2, "loss wipe"),
    _setting("cycles", 3, "host device cycle"),
    _setting("no present-ahead", 3, "host lease", present_ahead=False),
    _setting("no gate, no nvm", 3, "host device", gate=False, nvm=False),
)
"""For CI: a part of these, in seconds."""
