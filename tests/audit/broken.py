"""Code broken in small ways, one at a time, and the tests that run it: which ways does no test notice?

mutmut says in which ways code can be broken and writes a module in which each of them can be chosen by its
name. Its own runs begin pytest anew for every way; here pytest begins once, remembers which test runs which
function, and a fork of it tries a way by those tests alone, the quickest first. No file is written, and
nothing that was compiled stays.
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

# A way that makes tests endless is noticed when they have taken this many times their time, and so many
# seconds more.
PATIENCE, SECONDS_MORE = 10, 3
# How the fork that tries a way ends.
NOTICED, UNNOTICED = 1, 0


class Way(NamedTuple):
    """One way of breaking a function; ``name`` is what mutmut calls it, ``change`` what stands there before
    and after.
    """

    name: str
    change: str

    @property
    def function(self) -> str:
        return self.name.rpartition("__mutmut_")[0]


def broken(
    files: Iterable[Path], sample: int, is_meant: Callable[[libcst.FunctionDef], bool]
) -> tuple[dict[Path, str], list[Way]]:
    """The sources of files with so many ways of breaking their functions, or all if they are fewer, each to
    be chosen by its name.

    Which ways a sample has depends on each alone: a change of one function leaves those of the others as they
    are.
    """
    trees, ranked = {}, []
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
            ranked.append(
                (hashlib.sha256(f"{file.name} {change} {seen[change]}".encode()).digest(), file, at, change)
            )
    chosen = defaultdict(list)
    for _, file, at, change in sorted(ranked)[:sample]:
        chosen[file].append((at, change))
    sources, ways = {}, []
    for file, few in chosen.items():
        tree, mutations, *ignored = trees[file]
        made = combine_mutations_to_source(tree, [mutations[at] for at, _ in sorted(few)], *ignored)
        module = file.relative_to(ROOT).with_suffix("").as_posix().replace("/", ".")
        sources[file] = made.code
        ways += [
            Way(f"{module}.{name}", change)
            for name, (_, change) in zip(made.mutant_names, sorted(few), strict=True)
        ]
    return sources, ways


class _Broken(importlib.machinery.SourceFileLoader):
    """Compiles a source of ours in place of the file's, and keeps nothing of it."""

    def __init__(self, name: str, path: str, source: str) -> None:
        super().__init__(name, path)
        self.source = source

    def get_code(self, fullname: str) -> CodeType:
        return compile(self.source, self.path, "exec", dont_inherit=True)


class _Finder(importlib.abc.MetaPathFinder):
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
    """Within, these files are imported as these sources."""
    finder = _Finder(sources)
    sys.meta_path.insert(0, finder)
    try:
        yield
    finally:
        sys.meta_path.remove(finder)


class Trial:
    """A plugin of pytest that runs each test once unbroken, and then those that reach a way, in a fork for
    each.
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
        # Tests of broken code fail as they should: nobody reads how.
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
        """``last``: what is thought to come after them, so that what the whole session shares stays."""
        for item, following in zip(items, [*items[1:], last], strict=True):
            began = time.perf_counter()
            item.config.hook.pytest_runtest_protocol(item=item, nextitem=following)
            yield item, time.perf_counter() - began

    def _forget(self) -> None:
        """What broken modules have worked out and remember would hide that they are broken."""
        for cache in self._caches():
            cache.cache_clear()

    def _caches(self) -> list[Any]:
        modules = [module for name, module in list(sys.modules.items()) if name in self.modules]
        return [
            one for module in modules for one in vars(module).values() if isinstance(one, _lru_cache_wrapper)
        ]

    def _fork(self, way: Way, tests: list[tuple[float, pytest.Item]]) -> int:
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
        child, status = os.wait()
        way = trying.pop(child)
        if status == UNNOTICED:
            self.unnoticed.append(way)
