"""What a table gets installed, and what it does not: both wheels are built from this tree and unpacked."""

import os
import shutil
import subprocess
import sys
import zipfile
from collections.abc import Callable
from pathlib import Path

import pytest


@pytest.fixture(scope="module")
def wheels(root, tmp_path_factory) -> dict[str, Path]:
    """Each distribution, unpacked into a folder of its own."""
    folder = tmp_path_factory.mktemp("wheels")
    found = {}
    for name, project in (("dealerbox", root), ("dealerbox_twins", root / "twins")):
        subprocess.run(
            [sys.executable, "-m", "hatchling", "build", "-t", "wheel", "-d", str(folder)],
            cwd=project,
            capture_output=True,
            check=True,
        )
        (wheel,) = folder.glob(f"{name}-*.whl")
        found[name] = folder / name
        zipfile.ZipFile(wheel).extractall(found[name])
    return found


@pytest.fixture
def installed(wheels, tmp_path) -> Callable[..., subprocess.CompletedProcess[str]]:
    """Run Python with these distributions before everything else that is installed, and this tree not there at all."""
    both = tmp_path / "both"
    for wheel in wheels.values():
        shutil.copytree(wheel, both, dirs_exist_ok=True)

    def run(*arguments: str, twins: bool = False, **environ: str) -> subprocess.CompletedProcess[str]:
        path = both if twins else wheels["dealerbox"]
        return subprocess.run(
            [sys.executable, *arguments],
            cwd=tmp_path,
            env={**os.environ, "PYTHONPATH": str(path), **environ},
            capture_output=True,
            text=True,
            check=False,
            timeout=60,
        )

    return run


@pytest.fixture
def table(root, tmp_path) -> Callable[[str], str]:
    """The shipped configuration with the shuffler at this port."""
    shutil.copytree(root / "config", tmp_path / "config")
    file = tmp_path / "config" / "station.toml"
    text = file.read_text().replace("/var/lib/dealerbox", str(tmp_path / "state"))
    file.write_text(text.replace("/run/dealerbox", str(tmp_path / "run")))

    def at(port: str) -> str:
        first = next(line for line in file.read_text().splitlines() if line.startswith("port = "))
        file.write_text(file.read_text().replace(first, f'port = "{port}"', 1))
        return str(file)

    return at


def names(wheel: Path) -> set[str]:
    return {str(path.relative_to(wheel)) for path in wheel.rglob("*.py")}


def test_no_file_of_the_simulated_world_is_in_a_tables_wheel_and_every_one_in_the_other(wheels, tree) -> None:
    table, twins = names(wheels["dealerbox"]), names(wheels["dealerbox_twins"])
    assert not table & twins
    assert len(table | twins) == len(tree)
    assert "dealerbox_drivers/felt.py" in twins
    for name in table:
        assert not name.startswith("dealerbox/simulate/"), name
        assert "twin" not in Path(name).name, name
        assert Path(name).name != "felt.py", name
    for name in twins:
        assert name.startswith("dealerbox/simulate/") or "twin" in name or name == "dealerbox_drivers/felt.py", name


def test_everything_of_a_table_can_be_imported_without_the_twins(wheels, installed, tree) -> None:
    modules = sorted(
        name
        for name in tree
        if (wheels["dealerbox"] / f"{name.replace('.', '/')}.py").exists() and not name.endswith("__main__")
    )
    said = installed("-c", f"import {', '.join(modules)}; print(dealerbox.__file__)")
    assert (said.returncode, said.stderr) == (0, "")
    assert said.stdout.startswith(str(wheels["dealerbox"]))


def test_every_driver_of_the_registry_loads_without_the_twins(installed) -> None:
    said = installed(
        "-c", "from dealerbox_drivers.registry import DRIVERS; [driver.load() for driver in DRIVERS.values()]"
    )
    assert (said.returncode, said.stderr) == (0, "")


def test_without_the_twins_a_simulation_is_refused_in_a_sentence_and_with_them_it_plays(installed) -> None:
    said = installed("-m", "dealerbox", "simulate", "--hands", "1")
    assert (said.returncode, said.stderr) == (
        69,
        "dealerbox simulate: needs dealerbox-twins, which no table has; install it elsewhere\n",
    )
    assert installed("-m", "dealerbox.simulate.demo").returncode != 0
    said = installed("-m", "dealerbox", "simulate", "--hands", "1", "--json", twins=True)
    assert (said.returncode, said.stderr) == (0, "")


def test_without_the_twins_a_table_opens_no_pseudo_terminal(installed, table) -> None:
    far, near = os.openpty()
    try:
        port = os.ttyname(near)
        file = table(port)
        said = installed("-m", "dealerbox", "run", "--config", file)
    finally:
        os.close(near)
        os.close(far)
    assert (said.returncode, said.stderr) == (
        78,
        f"{file}: devices.shuffler.port: {port} is a pseudo-terminal, and no device; name the port of the device\n",
    )


@pytest.mark.parametrize("twins", [False, True])
def test_pins_asked_for_by_the_environment_are_refused_always(installed, table, twins: bool) -> None:
    file = table("/dev/nowhere")
    said = installed("-m", "dealerbox", "run", "--config", file, twins=twins, GPIOZERO_PIN_FACTORY="mock")
    assert (said.returncode, said.stderr) == (
        78,
        "GPIOZERO_PIN_FACTORY=mock: pins are those of this Pi's header; unset it\n",
    )


def test_without_the_twins_no_mock_pins_are_taken(installed) -> None:
    said = installed(
        "-c",
        "from gpiozero.pins.mock import MockFactory; from dealerbox.station.installed import real_pins;"
        "real_pins(MockFactory())",
    )
    assert "ConfigError: mock pins are none of a table's" in said.stderr
