"""docs/new-driver.md says how little a new reader takes: it stays so."""


def test_the_worked_example_is_under_200_lines_with_its_twin(root) -> None:
    assert "under 200 lines" in (root / "docs/new-driver.md").read_text("utf-8")
    files = list((root / "drivers/dealerbox_drivers/rfid/metratec").glob("*.py"))
    assert {file.name for file in files} == {"__init__.py", "wire.py", "talk.py", "device.py", "twin.py"}
    assert sum(len(file.read_text("utf-8").splitlines()) for file in files) < 200
