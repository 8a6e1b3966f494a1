"""What must not be in the tree, whoever wrote it: names of machines, tests that look away, silenced checks."""

import re
import subprocess

import pytest

# Spelled in pieces, or this file would be found.
WORKPLACES = ("/wo" + "rk/", "/ro" + "ot/", "/home/" + "runner", "file:" + "///")
INDEXES = (
    "index" + "-url",
    "extra" + "-index",
    "trusted" + "-host",
    "find" + "-links",
    "py" + "pi.",
    "python" + "hosted",
)
LOOKING_AWAY = re.compile(r"pytest\.(skip|importorskip|xfail)\b|mark\.(skip|skipif|xfail)\b|unittest\.skip")
SILENCED = re.compile(r"#\s*(type:\s*ignore|noqa)(\[[\w, -]+\]|:\s*[A-Z]+\d+(,\s*[A-Z]+\d+)*)?\s*$")


@pytest.fixture(scope="module")
def lines(root):
    """(file:line, text) of every text that git knows or would take."""
    known = subprocess.run(
        ["git", "ls-files", "--cached", "--others", "--exclude-standard", "-z"],
        cwd=root,
        capture_output=True,
        text=True,
        check=True,
    ).stdout
    found = []
    for name in known.split("\0"):
        path = root / name
        if name and path.is_file() and path.suffix not in {".png", ".gif", ".webp", ".bin"}:
            text = path.read_text("utf-8").splitlines()
            found += [(f"{name}:{number}", line) for number, line in enumerate(text, 1)]
    return found


def test_no_file_names_a_workplace(lines):
    said = re.compile("|".join(rf"(?<![\w.}}-]){re.escape(place)}" for place in WORKPLACES))
    assert [where for where, line in lines if said.search(line)] == []


def test_no_file_names_a_package_index(lines):
    own = ("locks/make:",)  # it tells the tool to leave them out
    told = [
        where for where, line in lines if any(word in line.lower() for word in INDEXES) and not where.startswith(own)
    ]
    assert told == []


def test_a_lock_names_versions_and_hashes_alone(lines):
    lock = re.compile(r"locks/.*\.txt:")
    taken = re.compile(r"#.*|[a-z0-9-]+==[\w.!+]+( ; .*)? \\|    --hash=sha256:[0-9a-f]{64}( \\)?")
    locked = [(where, line) for where, line in lines if lock.match(where)]
    assert locked
    assert [where for where, line in locked if not taken.fullmatch(line)] == []


def test_no_test_looks_away(lines):
    assert [where for where, line in lines if where.startswith("tests/") and LOOKING_AWAY.search(line)] == []


def test_no_check_is_silenced_without_a_reason(lines):
    ours = re.compile(r"(dealerbox|drivers)/.*\.py:")
    assert [where for where, line in lines if ours.match(where) and SILENCED.search(line)] == []


@pytest.mark.parametrize(
    ("pattern", "line"),
    [
        (LOOKING_AWAY, "@pytest.mark." + "skipif(True)"),
        (LOOKING_AWAY, "serial = pytest." + "importorskip('serial')"),
        (SILENCED, "x = f()  # type:" + " ignore[arg-type]"),
        (SILENCED, "x = f()  # noqa:" + " E501"),
        (SILENCED, "x = f()  # no" + "qa"),
    ],
)
def test_the_patterns_bite(pattern, line):
    assert pattern.search(line)


def test_a_silenced_check_with_a_reason_passes():
    assert not SILENCED.search("x = f()  # type: ignore[misc]  # pyusb has no stubs")
