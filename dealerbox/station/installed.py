"""What is installed beside the station. A table has no twins: nothing there can stand in for a device of its own.

The twins, the felt, the checker and the faults are a distribution of their own, `dealerbox-twins`. Without it `run`
opens no pseudo-terminal and takes no mock pins; with it, status, panel and journal say so.
"""

import os
from collections.abc import Mapping
from importlib.machinery import PathFinder
from typing import Any, Final

import dealerbox
import dealerbox_drivers
from dealerbox.config import Config
from dealerbox.ports import ConfigError, DeviceWrong, Line, OpenLine

FACTORY: Final = "GPIOZERO_PIN_FACTORY"
"""By this word in the environment gpiozero would take pins of any kind."""
_PACKAGES: Final = ((dealerbox.__path__, "simulate"), (dealerbox_drivers.__path__, "felt"))


def twins_installed() -> bool:
    """Tell whether any part of the simulated world lies beside the station."""
    return any(PathFinder.find_spec(name, path) is not None for path, name in _PACKAGES)


def software(twins: bool) -> str:
    """Return what the journal says of the program: its version, and that it has twins."""
    return f"{dealerbox.__version__} with twins" if twins else dealerbox.__version__


def refuse_pretence(config: Config, environ: Mapping[str, str], twins: bool) -> None:
    """ConfigError when pins are asked for by the environment, or a port is none and there are no twins."""
    if FACTORY in environ:
        raise ConfigError(f"{FACTORY}={environ[FACTORY]}: pins are those of this Pi's header; unset it")
    if twins:
        return
    from dealerbox_drivers.line import is_pty

    for device in config.devices:
        for port in device.settings.ports():
            if is_pty(port):
                raise ConfigError(f"{config.file}: devices.{device.name}.port: {_no_device(port)}")


def real(port: str, open_line: OpenLine) -> OpenLine:
    """Return `open_line` for a table without twins: a port that is a pseudo-terminal by now is no device of ours."""
    from dealerbox_drivers.line import is_pty

    async def open_real() -> Line:
        if is_pty(port):
            raise DeviceWrong(_no_device(port))
        return await open_line()

    return open_real


def real_pins(factory: Any) -> Any:
    """Return a gpiozero factory as it is. ConfigError when its pins are mock pins."""
    if any(kind.__module__ == "gpiozero.pins.mock" for kind in type(factory).__mro__):
        raise ConfigError("mock pins are none of a table's; they come with dealerbox-twins")
    return factory


def _no_device(port: str) -> str:
    return f"{os.path.realpath(port)} is a pseudo-terminal, and no device; name the port of the device"
