"""A module loaded as its mutant by everything that imports it: what tests say in a process that never saw the other."""

import contextlib
import importlib.abc
import importlib.util
import io
import json
import os
import sys
from collections.abc import Sequence
from importlib.machinery import ModuleSpec
from pathlib import Path
from types import ModuleType
from typing import Final

import pytest

from bench.mutation.tried import LEFT_OUT

NOT_LOADED: Final = "not loaded"


class Put(importlib.abc.MetaPathFinder, importlib.abc.InspectLoader):
    """Loads one module from another source."""

    def __init__(self, module: str, file: Path, source: str) -> None:
        self._module, self._file, self._source = module, file, source

    def find_spec(
        self, fullname: str, path: Sequence[str] | None = None, target: ModuleType | None = None
    ) -> ModuleSpec | None:
        if fullname != self._module:
            return None
        return importlib.util.spec_from_loader(fullname, self, origin=str(self._file))

    def get_source(self, fullname: str) -> str:
        return self._source


class _First:
    """A pytest plugin: the first test that fails."""

    def __init__(self) -> None:
        self.failed = ""

    def pytest_runtest_logreport(self, report: pytest.TestReport) -> None:
        if report.failed and not self.failed:
            self.failed = report.nodeid


def killer(file: Path, source: str, tests: Sequence[str]) -> str:
    """Return the first test that fails with this source in place of its module; '' when each of `tests` passes.

    In a process of its own, parted from this one, which must not have loaded the module. NOT_LOADED where no test could
    even be collected.
    """
    read, write = os.pipe()
    child = os.fork()
    if child == 0:
        sys.meta_path.insert(0, Put(".".join(file.with_suffix("").parts), file, source))
        first = _First()
        left_out = [f"--ignore={test}" for test in LEFT_OUT]
        with contextlib.redirect_stdout(io.StringIO()), contextlib.redirect_stderr(io.StringIO()):
            try:
                words = ["-x", "-q", "-p", "no:cacheprovider", "-W", "ignore", *left_out, *tests]
                code = int(pytest.main(words, plugins=[first]))
            except BaseException:
                code = 1
        os.write(write, (first.failed or NOT_LOADED if code else "").encode())
        os._exit(0)
    os.close(write)
    os.waitpid(child, 0)
    with os.fdopen(read) as answer:
        return answer.read()


class Apart:
    """A process parted from this one before it loads what mutants are made of; it ends with this one."""

    def __init__(self) -> None:
        asked, ask = os.pipe()
        answered, answer = os.pipe()
        if os.fork() == 0:
            os.close(ask)
            os.close(answered)
            with os.fdopen(asked) as questions, os.fdopen(answer, "w") as answers:
                for question in questions:
                    file, source, tests = json.loads(question)
                    print(json.dumps(killer(Path(file), source, tests)), file=answers, flush=True)
            os._exit(0)
        os.close(asked)
        os.close(answer)
        self._ask, self._answers = os.fdopen(ask, "w"), os.fdopen(answered)

    def killer(self, file: Path, source: str, tests: Sequence[str]) -> str:
        """Return what `killer` returns there."""
        print(json.dumps([str(file), source, list(tests)]), file=self._ask, flush=True)
        return str(json.loads(self._answers.readline()))
