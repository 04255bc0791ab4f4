"""The rooms of the house, read from the source: folders, their files, and which room imports from which.

A room is a folder of an app with Python files in it. A module directly in an app (``settings.py``) is a room
of its own, because Django wants it there. Every import counts, also inside functions and for type checkers
only. The architecture tests and ``docs/the-house.md`` are based on this.
"""

from __future__ import annotations

import ast
from collections import defaultdict
from collections.abc import Iterator
from dataclasses import dataclass
from functools import cache, cached_property
from graphlib import CycleError, TopologicalSorter
from pathlib import Path

from tests import ROOT

APPS = ("printing", "decks", "cardsdb")
# Rooms, with all rooms below them, that may import neither Django nor a drawing library.
PURE = (
    "cardsdb/box/picture_files",
    "cardsdb/box/reading",
    "cardsdb/games",
    "cardsdb/search/plain",
    "cardsdb/search/query",
    "decks/core",
    "decks/formats",
    "printing/extras",
    "printing/faces",
    "printing/job",
    "printing/layout",
    "printing/options",
)

# (room that imports, room that is imported)
Arrow = tuple[str, str]
# ``from a import b`` is ("a", "b"); ``import a`` is ("a", "").
Import = tuple[str, str]


@dataclass(frozen=True)
class SourceFile:
    """A Python file of an app; ``place`` is its path below the root, such as ``decks/core/judging.py``."""

    place: str
    text: str

    @property
    def app(self) -> str:
        return self.place.split("/")[0]

    @property
    def module(self) -> str:
        """The dotted name, such as ``decks.core.judging``."""
        return self.place.removesuffix(".py").replace("/", ".").removesuffix(".__init__")

    @property
    def room(self) -> str:
        """The room that the file belongs to, such as ``decks/core``."""
        folder = self.place.rpartition("/")[0]
        return folder if "/" in folder else self.place.removesuffix(".py").removesuffix("/__init__")

    @cached_property
    def tree(self) -> ast.Module:
        return ast.parse(self.text)

    @cached_property
    def imports(self) -> list[Import]:
        """All imports in the file, wherever they stand."""
        return list(_imports(_statements(self.tree)))

    @cached_property
    def imports_at_start(self) -> list[Import]:
        """The imports that run when the module is imported: not those inside functions or ``if
        TYPE_CHECKING``.
        """
        return list(_imports(iter(self.tree.body)))

    @property
    def has_relative_imports(self) -> bool:
        return any(isinstance(node, ast.ImportFrom) and node.level for node in _statements(self.tree))


class House:
    """All source files of the apps below a root folder, without migrations."""

    def __init__(self, root: Path) -> None:
        paths = [
            path
            for app in APPS
            for path in sorted((root / app).rglob("*.py"))
            if "migrations" not in path.parts
        ]
        self.files = [
            SourceFile(path.relative_to(root).as_posix(), path.read_text(encoding="utf-8")) for path in paths
        ]
        self.by_module = {file.module: file for file in self.files}

    def imported_by(self, file: SourceFile, at_start: bool = False) -> set[str]:
        """Return the modules of the house that a file imports. ``from a import b`` is the module ``a.b``
        if that exists, else ``a``.
        """
        modules = {
            next((name for name in (f"{origin}.{name}", origin) if name in self.by_module), "")
            for origin, name in (file.imports_at_start if at_start else file.imports)
        }
        return modules - {"", file.module}

    @cached_property
    def arrows(self) -> dict[Arrow, list[str]]:
        """(room, other room of the same app that it imports from) -> the imports, each as a sentence."""
        arrows: dict[Arrow, list[str]] = defaultdict(list)
        for file in self.files:
            for module in sorted(self.imported_by(file)):
                other = self.by_module[module]
                if other.room != file.room and other.app == file.app:
                    arrows[file.room, other.room].append(f"{file.module} imports {module}")
        return dict(arrows)

    def says(self, room: str) -> str:
        """Return the first paragraph of the room's docstring as one line."""
        name = room.replace("/", ".")
        words = ast.get_docstring(self.by_module[name].tree) if name in self.by_module else ""
        return " ".join((words or "").partition("\n\n")[0].split())

    def circle(self) -> list[str]:
        """Return rooms of which each imports from the next, ending with the first again; empty if there is no
        circle.
        """
        below: dict[str, set[str]] = defaultdict(set)
        for above, room in self.arrows:
            below[above].add(room)
        try:
            TopologicalSorter(below).prepare()
        except CycleError as error:
            return list(reversed(error.args[1]))
        return []

    def way_to(self, file: SourceFile, outside: set[str]) -> list[str]:
        """Return a chain of modules by which importing the file also imports one of these packages; empty
        if it does not.
        """
        ways = [[file.module]]
        seen = {file.module}
        for way in ways:
            last = self.by_module[way[-1]]
            for origin, _ in last.imports_at_start:
                if origin.split(".")[0] in outside:
                    return [*way, origin]
            for name in sorted(self.imported_by(last, at_start=True) - seen):
                # A package's ``__init__`` may import from its modules; that does not make it a dependency of
                # theirs.
                if not way[-1].startswith(f"{name}."):
                    seen.add(name)
                    ways.append([*way, name])
        return []


@cache
def whole_house() -> House:
    """Return the house of this repository, read once per process."""
    return House(ROOT)


def is_pure(place: str) -> bool:
    """Return True if this room or file path is in a pure room."""
    return f"{place}/".startswith(tuple(f"{room}/" for room in PURE))


def _statements(node: ast.AST) -> Iterator[ast.AST]:
    """Yield every statement below a node. Expressions are skipped: they contain no imports and are ten
    times as many.
    """
    for part in ("body", "handlers", "orelse", "finalbody", "cases"):
        for statement in getattr(node, part, ()):
            yield statement
            yield from _statements(statement)


def _imports(nodes: Iterator[ast.AST]) -> Iterator[Import]:
    """Yield the imports among these statements."""
    for node in nodes:
        if isinstance(node, ast.Import):
            yield from ((name.name, "") for name in node.names)
        elif isinstance(node, ast.ImportFrom):
            yield from ((node.module or "", name.name) for name in node.names)
