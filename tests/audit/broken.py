"""Mutation testing: break code in small ways, one at a time, and find the ways that no test notices.

mutmut makes the mutations ("ways") and writes a module in which one of them can be switched on by name.
mutmut itself starts pytest anew for each way, which is slow. Here pytest starts once and records which test
reaches which function; then each way is tried in a fork that runs only the tests that reach it, the fastest
first. No source file is changed. ``tests.audit.mutate`` is the command. It is not tested itself: mutmut is
installed for this command alone.
"""

from __future__ import annotations

import gc
import hashlib
import importlib.abc
import importlib.machinery
import os
import signal
import sys
import time
from collections import Counter, defaultdict
from collections.abc import Callable, Iterable, Iterator, Mapping
from contextlib import contextmanager
from functools import _lru_cache_wrapper
from pathlib import Path
from types import CodeType, ModuleType
from typing import Any, NamedTuple

import libcst
import pytest
from mutmut.mutation.file_mutation import combine_mutations_to_source, create_mutations
from mutmut.mutation.trampoline import set_mutant_under_test
from mutmut.state import state

from tests import ROOT

# A test may never end because of a mutation. The fork is killed, and the mutation counts as noticed, after
# PATIENCE times the usual duration and SECONDS_MORE seconds.
PATIENCE = 10
SECONDS_MORE = 3
# The exit status of a fork. A killed one has another status, which also counts as noticed.
NOTICED = 1
UNNOTICED = 0


class Way(NamedTuple):
    """One mutation of a function. ``name`` is mutmut's name for it, ``change`` shows the code before and
    after.
    """

    name: str
    change: str

    @property
    def function(self) -> str:
        return self.name.rpartition("__mutmut_")[0]


class _Ranked(NamedTuple):
    """A mutation of a file. The smallest hashes make the sample; ``at`` is its index in the file."""

    hash: bytes
    file: Path
    at: int
    change: str


def broken(
    files: Iterable[Path], sample: int, is_meant: Callable[[libcst.FunctionDef], bool]
) -> tuple[dict[Path, str], list[Way]]:
    """Return (file -> source that contains its ways, all ways): ``sample`` ways, or all if there are
    fewer, in functions for which ``is_meant`` is true.

    The sample is chosen by a hash of each way, so a change to one function does not change the ways of
    others.
    """
    trees, ranked = {}, list[_Ranked]()
    for file in files:
        trees[file] = tree, mutations, *_ = create_mutations(str(file), file.read_text(encoding="utf-8"))
        seen: Counter[str] = Counter()
        for at, mutation in enumerate(mutations):
            function = mutation.contained_by_top_level_function
            if not isinstance(function, libcst.FunctionDef) or not is_meant(function):
                continue
            before, after = (
                " ".join(tree.code_for_node(node).split())
                for node in (mutation.original_node, mutation.mutated_node)
            )
            change = f"{function.name.value}: {before} -> {after}"
            seen[change] += 1
            digest = hashlib.sha256(f"{file.name} {change} {seen[change]}".encode()).digest()
            ranked.append(_Ranked(digest, file, at, change))
    chosen: dict[Path, list[_Ranked]] = defaultdict(list)
    for one in sorted(ranked)[:sample]:
        chosen[one.file].append(one)
    sources, ways = {}, []
    for file, few in chosen.items():
        # In the order of the file, in which mutmut names them.
        few.sort(key=lambda one: one.at)
        tree, mutations, *more = trees[file]
        made = combine_mutations_to_source(tree, [mutations[one.at] for one in few], *more)
        module = file.relative_to(ROOT).with_suffix("").as_posix().replace("/", ".")
        sources[file] = made.code
        for name, one in zip(made.mutant_names, few, strict=True):
            ways.append(Way(f"{module}.{name}", one.change))
    return sources, ways


class _Broken(importlib.machinery.SourceFileLoader):
    """A loader that compiles another source in place of the file's, and caches nothing."""

    def __init__(self, name: str, path: str, source: str) -> None:
        super().__init__(name, path)
        self.source = source

    def get_code(self, fullname: str) -> CodeType:
        return compile(self.source, self.path, "exec", dont_inherit=True)


class _Finder(importlib.abc.MetaPathFinder):
    """A finder that gives the files in ``sources`` to this loader."""

    def __init__(self, sources: Mapping[Path, str]) -> None:
        self.sources = sources

    def find_spec(
        self, fullname: str, path: Any, target: ModuleType | None = None
    ) -> importlib.machinery.ModuleSpec | None:
        spec = importlib.machinery.PathFinder.find_spec(fullname, path, target)
        if spec and spec.origin and (source := self.sources.get(Path(spec.origin))) is not None:
            spec.loader = _Broken(fullname, spec.origin, source)
        return spec


@contextmanager
def imported_broken(sources: Mapping[Path, str]) -> Iterator[None]:
    """Within the block, import these files as the given sources."""
    finder = _Finder(sources)
    sys.meta_path.insert(0, finder)
    try:
        yield
    finally:
        sys.meta_path.remove(finder)


class Trial:
    """A pytest plugin: it runs each test once on unbroken code, then forks for each way and runs the tests
    that reach it.

    ``at_once`` is the number of forks at a time. After the run ``unnoticed`` has the ways that no test
    noticed.
    """

    def __init__(self, ways: Iterable[Way], at_once: int) -> None:
        self.ways, self.at_once = tuple(ways), at_once
        self.modules = {way.function.rpartition(".")[0] for way in self.ways}
        self.unnoticed: list[Way] = []
        self.failed: list[str] = []

    def pytest_runtest_logreport(self, report: pytest.TestReport) -> None:
        if report.failed:
            self.failed.append(report.nodeid)

    def pytest_runtestloop(self, session: pytest.Session) -> bool:
        # Tests of broken code are expected to fail, so no report is printed.
        session.config.pluginmanager.unregister(name="terminalreporter")
        reached: dict[str, list[tuple[float, pytest.Item]]] = defaultdict(list)
        set_mutant_under_test("stats")
        for item, seconds in self._run(session.items, session.items[0]):
            self._forget()
            for function in state()._stats:
                reached[function].append((seconds, item))
            state()._stats.clear()
        if self.failed:
            raise pytest.UsageError(f"Unbroken code fails: {', '.join(self.failed)}")
        trying: dict[int, Way] = {}
        for way in self.ways:
            if len(trying) == self.at_once:
                self._await(trying)
            tests = sorted(reached.get(way.function, ()), key=lambda test: test[0])
            trying[self._fork(way, tests)] = way
        while trying:
            self._await(trying)
        return True

    def _run(self, items: list[pytest.Item], last: pytest.Item) -> Iterator[tuple[pytest.Item, float]]:
        """Run the tests; yield each with its seconds. ``last`` is passed as the test after the last one,
        so that pytest keeps session fixtures.
        """
        for item, following in zip(items, [*items[1:], last], strict=True):
            began = time.perf_counter()
            item.config.hook.pytest_runtest_protocol(item=item, nextitem=following)
            yield item, time.perf_counter() - began

    def _forget(self) -> None:
        """Clear the caches of the broken modules, because a cached value would hide that the code is
        broken.
        """
        for cache in self._caches():
            cache.cache_clear()

    def _caches(self) -> list[Any]:
        modules = [module for name, module in list(sys.modules.items()) if name in self.modules]
        return [
            value
            for module in modules
            for value in vars(module).values()
            if isinstance(value, _lru_cache_wrapper)
        ]

    def _fork(self, way: Way, tests: list[tuple[float, pytest.Item]]) -> int:
        """Start a fork that tries this way with these tests; return its process id."""
        if child := os.fork():
            return child
        status = UNNOTICED
        try:
            gc.disable()
            signal.signal(signal.SIGALRM, signal.SIG_DFL)
            signal.setitimer(
                signal.ITIMER_REAL, SECONDS_MORE + PATIENCE * sum(seconds for seconds, _ in tests)
            )
            self._forget()
            set_mutant_under_test(way.name)
            items = [item for _, item in tests]
            for _ in self._run(items, items[0]) if items else ():
                if self.failed:
                    status = NOTICED
                    break
        except BaseException:
            status = NOTICED
        finally:
            os._exit(status)

    def _await(self, trying: dict[int, Way]) -> None:
        """Wait for one fork to end, and note its way if no test noticed."""
        child, status = os.wait()
        way = trying.pop(child)
        if status == UNNOTICED:
            self.unnoticed.append(way)
