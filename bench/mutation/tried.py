"""Mutants against tests: each in place of its function, in a process parted from one that has collected the tests."""

import contextlib
import gc
import importlib
import inspect
import json
import os
import signal
import sys
import time
import traceback
from collections.abc import Callable, Sequence
from pathlib import Path
from types import FrameType, FunctionType, ModuleType
from typing import Any, Final, NamedTuple

import pytest
from hypothesis import Phase, settings

from bench.mutation.made import Mutant

STUCK: Final = "the clock"
"""What ends a mutant under which a test takes longer than `_limit_s` of processor time."""
LEFT_OUT: Final = ("tests/engine/test_total.py", "tests/engine/test_bad_input.py")
"""They play at random, or everything in every phase, and cost half: a mutant that only they would see survives."""


def _limit_s(seconds: float) -> float:
    return 2 + 10 * seconds


class Ran(NamedTuple):
    """What one test does without mutants: processor time, traced, and the lines it runs of the files tried."""

    seconds: float
    lines: dict[str, frozenset[int]]


class Tests:
    """A pytest plugin that runs no test until it is asked to.

    `work` is called when the tests are collected and each passes without a mutant; its RuntimeError ends pytest.
    """

    def __init__(self, files: Sequence[Path], work: Callable[["Tests"], None]) -> None:
        self._modules = {file: importlib.import_module(".".join(file.with_suffix("").parts)) for file in files}
        self._work = work
        self._failed = False
        self._last: list[str] = []

    @pytest.hookimpl(tryfirst=True)
    def pytest_runtestloop(self, session: pytest.Session) -> bool:
        self._items = {item.nodeid: item for item in session.items}
        gc.freeze()  # a child that collects garbage would copy every page
        try:
            self._ran = {
                name: Ran(seconds, {file: frozenset(lines) for file, lines in ran.items()})
                for name, (seconds, ran) in _parted(self._run_all).items()
            }
            self._work(self)
        except RuntimeError as fault:
            pytest.exit(str(fault), returncode=1)
        return True

    def pytest_runtest_logreport(self, report: pytest.TestReport) -> None:
        self._failed = self._failed or report.failed

    def killer(self, file: Path, mutant: Mutant) -> str:
        """Return the first test that fails with the mutant, or STUCK; '' when each that runs what is changed passes.

        A function whose answer was kept from when its module was loaded, is not asked again.
        """
        function = _function(self._modules[file], mutant.function)
        return self._first_of(self._order(function, mutant), lambda: _put(function, self._modules[file], mutant))

    def first_to_fail(self, put: Callable[[], object]) -> str:
        """Return the first test of all that fails after `put`, or any where that raises; STUCK or '' as `killer`."""
        order = sorted(self._ran, key=lambda name: (name not in self._last, self._ran[name].seconds))
        return self._first_of(order, put)

    def _first_of(self, order: Sequence[str], put: Callable[[], object]) -> str:
        def asked() -> str:
            try:
                put()
            except Exception:
                return order[0]
            return next((name for name in order if self._fails(name, _limit_s(self._ran[name].seconds))), "")

        killer = str(_parted(asked, STUCK))
        if killer in self._items:
            self._last = [killer, *(name for name in self._last if name != killer)][:20]
        return killer

    def _order(self, function: FunctionType, mutant: Mutant) -> list[str]:
        """Return the tests that run a changed statement; first what killed last, then what is quick."""
        code = function.__code__
        changed = frozenset(code.co_firstlineno + line for line in mutant.changed)
        order = {
            name: (name not in self._last, ran.seconds)
            for name, ran in self._ran.items()
            if changed & ran.lines.get(code.co_filename, frozenset())
        }
        return sorted(order, key=order.__getitem__)

    def _fails(self, name: str, limit_s: float = 0) -> bool:
        signal.setitimer(signal.ITIMER_VIRTUAL, limit_s)
        self._failed = False
        item = self._items[name]
        item.ihook.pytest_runtest_protocol(item=item, nextitem=None)
        return self._failed

    def _run_all(self) -> dict[str, tuple[float, dict[str, list[int]]]]:
        """Run every test and return its processor time and its lines of each file."""
        files = {str(module.__file__) for module in self._modules.values()}
        ran = {}
        for name in self._items:
            seen: dict[str, set[int]] = {file: set() for file in files}
            began = time.process_time()
            sys.settrace(_tracer(seen))
            failed = self._fails(name)
            sys.settrace(None)
            if failed:
                raise RuntimeError(f"{name} fails without a mutant: run it by itself first")
            ran[name] = (time.process_time() - began, {file: sorted(lines) for file, lines in seen.items() if lines})
        return ran


def _tracer(seen: dict[str, set[int]]) -> Callable[[FrameType, str, Any], Any]:
    def line(frame: FrameType, event: str, _: Any) -> Any:
        if event == "line":
            seen[frame.f_code.co_filename].add(frame.f_lineno)
        return line

    return lambda frame, event, _: line if frame.f_code.co_filename in seen else None


def _function(module: ModuleType, name: str) -> FunctionType:
    found: Any = module
    for part in name.split("."):
        found = inspect.getattr_static(found, part)
    function = inspect.unwrap(found)
    assert isinstance(function, FunctionType), f"{module.__name__}.{name} is no plain function"
    return function


def _put(function: FunctionType, module: ModuleType, mutant: Mutant) -> None:
    """Let a function be its mutant, wherever it was imported to."""
    indented = mutant.source[0].isspace()
    space: dict[str, Any] = {}
    exec(
        compile(f"if True:\n{mutant.source}" if indented else mutant.source, function.__code__.co_filename, "exec"),
        module.__dict__,
        space,
    )
    made = inspect.unwrap(space[mutant.name])
    function.__code__ = made.__code__.replace(co_name=function.__code__.co_name)
    function.__defaults__, function.__kwdefaults__ = made.__defaults__, made.__kwdefaults__


def _parted(work: Callable[[], Any], stuck: Any = None) -> Any:
    """Return what `work` returns in a process of its own, as JSON has it; `stuck` where a signal ended that.

    RuntimeError, with its words, where it raises.
    """
    read, write = os.pipe()
    child = os.fork()
    if child == 0:
        os.close(read)
        nothing = os.open(os.devnull, os.O_RDWR)
        os.dup2(nothing, 1)
        os.dup2(nothing, 2)
        signal.signal(signal.SIGVTALRM, signal.SIG_DFL)
        try:
            said = {"value": work()}
        except BaseException:
            said = {"error": traceback.format_exc()}
        with os.fdopen(write, "w") as answer:
            json.dump(said, answer)
        os._exit(0)
    os.close(write)
    with os.fdopen(read) as answer:
        told = answer.read()
    code = os.waitstatus_to_exitcode(os.waitpid(child, 0)[1])
    if code == -signal.SIGVTALRM:
        return stuck
    said = json.loads(told) if told else {"error": f"ended with {code}"}
    if "error" in said:
        raise RuntimeError(f"a process for mutants: {said['error']}")
    return said["value"]


def collected(tests: Sequence[str], files: Sequence[Path], work: Callable[[Tests], None]) -> bool:
    """Collect the tests, call `work` with them, and tell whether all went well. What pytest says goes to stderr."""
    settings.register_profile(
        "mutation", derandomize=True, database=None, deadline=None, phases=(Phase.explicit, Phase.generate)
    )
    settings.load_profile("mutation")
    with contextlib.redirect_stdout(sys.stderr):
        loaded = "ignore::pytest.PytestAssertRewriteWarning"  # hypothesis is, by the profile
        left_out = [f"--ignore={test}" for test in LEFT_OUT]
        words = ["-qs", "-p", "no:cacheprovider", "-W", loaded, *left_out, *tests]
        code = pytest.main(words, plugins=[Tests(files, work)])
    return code == pytest.ExitCode.OK
