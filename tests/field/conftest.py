"""The daemon as the station's own tests run it."""

from tests.station.conftest import actor, config, live

__all__ = ["actor", "config", "live"]
