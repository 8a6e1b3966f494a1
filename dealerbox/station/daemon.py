"""The running station: from the config to READY, and from SIGTERM to a locked gate.

`python -m dealerbox.station.daemon --config FILE` is what systemd starts.
"""

import asyncio
import contextlib
import os
import sys
from collections.abc import Callable, Coroutine, Mapping, Sequence
from typing import Any, TextIO

from dealerbox.config import Config
from dealerbox.config.checks import checked
from dealerbox.engine.phases import Phase
from dealerbox.journal.disk import RealDisk
from dealerbox.journal.kept import read_kept
from dealerbox.journal.reserve import reserve
from dealerbox.ports import Clock, ConfigError, DealerboxError, JournalError
from dealerbox.station.build import Build, devices_of
from dealerbox.station.health import Say, quiet
from dealerbox.station.installed import refuse_pretence, twins_installed
from dealerbox.station.loop import WallReading, boottime_ns, wall_clock
from dealerbox.station.notify import Notify
from dealerbox.station.past import Fault, Past, recall
from dealerbox.station.resident import keep_resident
from dealerbox.station.running import Exit, Station
from dealerbox.station.state_dir import boot_id_of, own
from dealerbox.station.telling import told, without_tags
from dealerbox.station.unseen import keep_unseen
from dealerbox_drivers.pins.budget import pin_faults
from dealerbox_drivers.registry import DRIVERS


def run(
    config: Config,
    *,
    say: Say,
    news: Say = quiet,
    environ: Mapping[str, str],
    build: Build = devices_of,
    wall: WallReading | None = None,
    clock: Clock = boottime_ns,
    reread: Callable[[], Config] | None = None,
    twins: bool | None = None,
) -> int:
    """Run the station until SIGTERM or SIGINT and return the exit code; what went wrong is said in one sentence.

    `news` hears that it is ready, and which device is lost or back.
    `build`, `wall` and `clock` stand for the table's devices and the world's clocks; `reread` reads the configuration
    once more when decks are brought to the open table, None: there are no others. `twins`: a device may be one in
    software; None: where such are installed.
    ConfigError, JournalError, Fault, OSError before anything was opened.
    """
    twins = twins_installed() if twins is None else twins
    refuse_pretence(config, environ, twins)
    with open(own(config.state_dir), "rb"):
        disk = RealDisk(config.state_dir / "journal")
        past = _recalled(disk, config, say)
        boot_id = boot_id_of()
        if past.recovery.why:
            say(f"the journal had a {past.recovery.verdict}: {past.recovery.why}")

        async def serve() -> tuple[Exit, str]:
            notify = Notify(environ)
            try:
                station = Station(
                    config,
                    past,
                    disk,
                    notify=notify,
                    build=build,
                    wall=wall or wall_clock(config.time_zone),
                    clock=clock,
                    boot_id=boot_id,
                    reread=reread or (lambda: config),
                    say=news,
                    twins=twins,
                )
                return await station.run()
            finally:
                notify.close()

        exit_code, why = _run_bounded(serve(), say)
        if why:
            say(why)
        return exit_code


def _recalled(disk: RealDisk, config: Config, say: Say) -> Past:
    """Return the past, no older than the kept head, with room for an evening after it.

    A table that is closed does not open without that room. JournalError, Fault.
    """
    kept = read_kept(config.head_file) if config.head_file else None
    past = recall(disk, anchor=kept, known_from=str(config.head_file))
    if config.head_file and kept is None and past.recovery.head.seq:
        say(f"{config.head_file}: no head is kept there yet; that this journal is the newest is not known")
    left = reserve(disk, past.recovery, config.records)
    if left < config.records:
        room = f"{disk.where}: the disk has room for {left} of the {config.records} records that an evening needs"
        if past.state.phase is Phase.CLOSED:
            raise JournalError(f"{room}; make room on it, then start again")
        say(f"{room}; make room on it")
    return past


def _run_bounded(main: Coroutine[Any, Any, tuple[Exit, str]], say: Say) -> tuple[Exit, str]:
    """Run `main` in a loop of its own; a task that will not end is named and left, since a station must end."""
    loop = asyncio.new_event_loop()
    loop.set_debug(False)  # whatever the environment asks for: it logs callbacks with their arguments (P4)
    asyncio.set_event_loop(loop)
    try:
        return loop.run_until_complete(main)
    finally:
        asyncio.set_event_loop(None)
        left = asyncio.all_tasks(loop)
        if left:
            say(f"{', '.join(sorted(task.get_name() for task in left))}: did not end when told to")
        else:
            loop.close()


def main(
    arguments: Sequence[str],
    stream: TextIO | None = None,
    *,
    build: Build = devices_of,
    wall: WallReading | None = None,
) -> int:
    """Do what `--config FILE` says and return the exit code; sentences go to `stream` (standard error).

    `build` and `wall` as for `run`.
    """
    stream = stream or sys.stderr

    def say(text: str) -> None:
        with contextlib.suppress(OSError):  # nobody hears it, and the table plays on: the journal has what counts
            print(text, file=stream, flush=True)

    if len(arguments) != 2 or arguments[0] != "--config":
        say("usage: python -m dealerbox.station.daemon --config FILE")
        return 2
    for sentence in (*keep_unseen(os.environ), keep_resident(os.environ)):
        if sentence:
            say(sentence)
    try:
        file = arguments[1]
        return run(
            _checked(file),
            say=say,
            news=say,
            environ=os.environ,
            build=build,
            wall=wall,
            reread=lambda: _checked(file),
        )
    except ConfigError as error:
        say(without_tags(str(error)))
        return Exit.CONFIG
    except (JournalError, OSError) as error:
        say(str(error))
        return Exit.JOURNAL
    except DealerboxError as error:
        say(str(error))
        return Exit.FAULT if isinstance(error, Fault) else Exit.UNAVAILABLE
    except Exception as error:  # Python's own words for it may hold a tag
        say(f"a fault of the station itself, before it could start: {told(error)}; report this with the journal")
        return Exit.FAULT


def _checked(file: str) -> Config:
    """Return the config of a table that can be played at. ConfigError."""
    try:
        return checked(file, DRIVERS, pin_faults)
    except OSError as error:
        raise ConfigError(f"{file}: {error.strerror}; name a station.toml that can be read") from error


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
