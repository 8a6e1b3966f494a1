"""The closure in small: families, the engines broken on purpose."""

import importlib.util
from pathlib import Path
from types import ModuleType

import pytest

from bench.closure.explore import Explorer
from bench.closure.family import Family
from bench.closure.found import Found


@pytest.fixture(scope="session")
def explored():
    """Explores a family, with any engine."""

    def explore(**more) -> Found:
        engine = {name: more.pop(name) for name in ("engine", "face", "stop_at_breach") if name in more}
        return Explorer(Family("small", **more), **engine).run()

    return explore


@pytest.fixture(scope="session")
def broken() -> ModuleType:
    """The engines broken on purpose, as tests/broken builds them."""
    path = Path(__file__).parent.parent / "broken" / "test_broken_engines.py"
    spec = importlib.util.spec_from_file_location("broken_engines", path)
    module = importlib.util.module_from_spec(spec)
    spec.loader.exec_module(module)
    return module
