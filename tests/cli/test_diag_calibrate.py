"""`dealerbox diag calibrate`: the difference is shown first, and written only when the person says so."""

import io
import shutil
from pathlib import Path
from typing import Any

import pytest

from dealerbox.diagnostics.calibration import Measured

CONFIG = Path(__file__).parents[2] / "config"


@pytest.fixture
def table(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    """The shipped example without a station, and what was measured at it."""
    shutil.copytree(CONFIG, tmp_path, dirs_exist_ok=True)
    file = tmp_path / "station.toml"
    text = file.read_text().replace('"/var/lib/dealerbox"', f'"{tmp_path}/state"')
    file.write_text(text.replace('"/run/dealerbox"', f'"{tmp_path}/run"'))

    async def measured(loans: Any, bench: Any) -> Any:
        assert len(loans) == 5
        yield Measured(zone="board", look_ms=200.0, wavers_ms=0.0, missed=0, carried_ms=900.0)

    monkeypatch.setattr("dealerbox.diagnostics.calibration.measured", measured)
    return file


@pytest.mark.parametrize(("answer", "written"), [("y\n", True), ("n\n", False)])
def test_the_difference_is_shown_and_written_only_if_so_said(
    dealerbox: Any, table: Path, monkeypatch: pytest.MonkeyPatch, answer: str, written: bool
) -> None:
    house = table.parent / "house" / "default.toml"
    before = house.read_text()
    house.chmod(0o640)
    monkeypatch.setattr("sys.stdin", io.StringIO(answer))
    said = dealerbox("diag", "calibrate", "--file", str(table))
    assert said.code == 0
    assert "-settling_ms = 1500" in said.out
    assert "+settling_ms = 1880" in said.out
    after = house.read_text()
    assert (after != before) is written
    if written:
        assert after.replace("1880", "1500").replace("scan_ms = 200", "scan_ms = 150") == before
        assert house.stat().st_mode & 0o777 == 0o640
        assert dealerbox("check", str(table)).code == 0


def test_in_json_it_proposes_and_writes_nothing(dealerbox: Any, table: Path) -> None:
    before = (table.parent / "house" / "default.toml").read_text()
    said = dealerbox("diag", "calibrate", "--file", str(table), "--json")
    assert said.out.splitlines()[-1] == '{"settling_ms":1880,"scan_ms":200}'
    assert (table.parent / "house" / "default.toml").read_text() == before
