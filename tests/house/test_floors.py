"""Imports go down only. The second half shows that the checker bites."""

import os
import subprocess
import sys

import pytest


def test_no_import_goes_up_a_floor(tree, violations):
    assert violations(tree) == []


def test_both_packages_and_every_floor_were_read(tree):
    rooms = {name.split(".")[1] for name in tree if name.startswith("dealerbox.")}
    assert {"model", "law", "engine", "ports", "config", "journal", "station", "simulate", "cli"} <= rooms
    assert "dealerbox_drivers.felt" in tree


def test_nothing_in_the_station_reaches_click_rich_or_the_simulated_world(tree, closure):
    for start in (name for name in tree if name.startswith("dealerbox.station")):
        reached = closure(tree, start)
        assert reached.isdisjoint({"click", "rich", "dealerbox.cli", "dealerbox.simulate", "dealerbox_drivers.felt"})


def test_nothing_in_the_station_reaches_the_faces_p4(tree, closure):
    rooms = tuple(f"dealerbox.{room}" for room in ("station", "engine", "config", "journal"))
    for start in (name for name in tree if name.startswith(rooms)):
        assert closure(tree, start).isdisjoint({"pyrage", "dealerbox.enrolment", "dealerbox.cli"})


def test_importing_the_whole_station_loads_neither_click_nor_rich(tree, root):
    modules = [name for name in tree if name.startswith("dealerbox.station")]
    program = f"import sys, {', '.join(modules)}; print(sorted({{'click', 'rich'}} & set(sys.modules)))"
    sources = {**os.environ, "PYTHONPATH": os.pathsep.join((str(root), str(root / "drivers")))}
    told = subprocess.run(
        [sys.executable, "-c", program], cwd=root, env=sources, capture_output=True, text=True, check=True
    )
    assert told.stdout.strip() == "[]"


@pytest.mark.parametrize(
    ("name", "source", "named"),
    [
        ("dealerbox.model.cards", "import dealerbox.ports", "model may not import ports"),
        ("dealerbox.law.plan", "from dealerbox.engine.state import State", "law may not import engine"),
        ("dealerbox.engine.step", "from dealerbox import station", "engine may not import station"),
        ("dealerbox.engine.step", "from ..journal import record", "engine may not import journal"),
        ("dealerbox.engine.step", "from dealerbox.config import Table", "engine may not import config"),
        ("dealerbox.journal.writer", "from dealerbox.engine.step import step", "journal may not import engine"),
        ("dealerbox.config.tables", "import dealerbox_drivers.registry", "config may not import drivers"),
        ("dealerbox_drivers.line", "from dealerbox.law import clauses", "drivers may not import law"),
        ("dealerbox_drivers.line", "def later():\n    import dealerbox.station", "drivers may not import station"),
        ("dealerbox.station.loop", "from dealerbox.cli.main import main", "station may not import cli"),
        ("dealerbox.station.loop", "from dealerbox.enrolment import sealing", "station may not import enrolment"),
        ("dealerbox.config.deck", "import dealerbox.enrolment.faces", "config may not import enrolment"),
        ("dealerbox.station.loop", "import_module('dealerbox.simulate.demo')", "station may not import simulate"),
        ("dealerbox.simulate.demo", "import dealerbox.cli", "simulate may not import cli"),
    ],
)
def test_an_import_that_goes_up_is_named(sample, name, source, named):
    (breach,) = sample(name, source)
    assert breach.startswith(f"{name}:")
    assert named in breach


def test_an_import_for_types_alone_counts_too(sample):
    source = "from typing import TYPE_CHECKING\nif TYPE_CHECKING:\n    from dealerbox.station.loop import Loop"
    (breach,) = sample("dealerbox.engine.step", source)
    assert breach.startswith(
        "dealerbox.engine.step:3: imports dealerbox.station.loop.Loop: engine may not import station"
    )


@pytest.mark.parametrize("room", ["model", "law", "engine"])
@pytest.mark.parametrize(
    "source",
    [
        "import time",
        "from datetime import datetime",
        "import threading",
        "import asyncio",
        "import logging",
        "from pathlib import Path",
        "import os.path",
        "import io",
        "import socket",
        "import random",
        "import secrets",
        "import subprocess",
        "import importlib",
        "import serial",
        "def later():\n    import sys",
    ],
)
def test_a_pure_room_has_no_clock_thread_file_log_or_chance(sample, room, source):
    (breach,) = sample(f"dealerbox.{room}.thing", source)
    assert f"{room} is pure" in breach


@pytest.mark.parametrize("word", ["open", "print", "input", "eval", "__import__"])
def test_a_pure_room_opens_and_prints_nothing(sample, word):
    (breach,) = sample("dealerbox.engine.step", f"{word}('x')")
    assert f"uses {word}" in breach


@pytest.mark.parametrize("name", ["dealerbox.engine.step", "dealerbox.station.loop", "dealerbox_drivers.line"])
def test_transitions_outside_its_cage_is_named(sample, name):
    breaches = sample(name, "from transitions import Machine")
    assert ["transitions stays in its cage" in breach for breach in breaches] == [True]


def test_transitions_in_its_cage_is_at_home(sample):
    assert sample("dealerbox.engine.phases", "from transitions import Machine") == []


@pytest.mark.parametrize(
    "source",
    [
        "from dealerbox_drivers.felt import Felt",
        "from dealerbox_drivers import felt",
        "from dealerbox_drivers.shuffler.twin import Twin",
        "from dealerbox_drivers.rfid.feig import twin",
        "import dealerbox_drivers.pins.panel_twin",
        "DRIVERS = {'shuffler': 'dealerbox_drivers.shuffler.twin:Twin'}",
    ],
)
@pytest.mark.parametrize("name", ["dealerbox.station.build", "dealerbox_drivers.registry", "dealerbox.cli.main"])
def test_an_installed_table_has_no_twins(sample, name, source):
    (breach,) = sample(name, source)
    assert "only twins and dealerbox.simulate" in breach


@pytest.mark.parametrize("name", ["dealerbox_drivers.shuffler.twin", "dealerbox_drivers.felt", "dealerbox.simulate.x"])
def test_the_simulated_world_knows_itself(sample, name):
    assert sample(name, "from dealerbox_drivers.felt import Felt\nfrom dealerbox_drivers.shuffler import twin") == []


@pytest.mark.parametrize("name", ["dealerbox.station.daemon", "dealerbox.config.checks", "dealerbox_drivers.registry"])
@pytest.mark.parametrize("module", ["click", "rich"])
def test_what_is_for_people_stays_with_people(sample, name, module):
    (breach,) = sample(name, f"import {module}.core")
    assert f"{module} is for people" in breach


@pytest.mark.parametrize("name", ["dealerbox.station.daemon", "dealerbox.diagnostics.seen", "dealerbox.cli.diag.watch"])
def test_textual_stays_with_the_live_screen(sample, name):
    (breach,) = sample(name, "from textual.app import App")
    assert "textual stays with the live screen" in breach
    assert sample("dealerbox.cli.watching.app", "from textual.app import App") == []


def test_a_room_without_a_floor_is_named(sample):
    (breach,) = sample("dealerbox.helpers.thing", "")
    assert "room helpers has no floor" in breach


def test_the_closure_goes_through_functions_packages_and_texts(closure, module):
    tree = {
        "dealerbox": module("", package=True),
        "dealerbox.station": module("import rich", package=True),
        "dealerbox.station.daemon": module("def later():\n    from .build import build"),
        "dealerbox.station.build": module("import_module('dealerbox_drivers.registry')"),
        "dealerbox_drivers.registry": module("import click"),
    }
    assert {"rich", "click", "dealerbox_drivers.registry"} <= closure(tree, "dealerbox.station.daemon")
