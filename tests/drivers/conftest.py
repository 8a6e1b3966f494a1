from collections.abc import Callable
from typing import Any

import pytest

from dealerbox.station.virtual import virtual_run


@pytest.fixture
def run() -> Callable[..., Any]:
    """`run(coroutine, limit_s=...)`: in virtual time, on a fresh loop."""
    return virtual_run
