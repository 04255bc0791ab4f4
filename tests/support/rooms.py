"""The house as its folders show it: rooms, the source files in them, and who imports whom.

A room is a folder of an app with Python files in it; a file that stands at the top of an app is a room of its
own, for Django wants it there. Every import counts, also one inside a function or for types alone: it is
knowledge all the same.
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
# Rooms whose files are plain Python: the folder, with all below it.
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

Arrow = tuple[str, str]
# ``from a import b`` as ("a", "b"), ``import a`` as ("a", "").
Import = tuple[str, str]


@dataclass(frozen=True)
class SourceFile:
    """A Python file of an app; ``place`` is its path below the root, as ``decks/core/judging.py``."""

    place: str
    text: str

    @property
    def app(self) -> str:
        return self.place.split("/")[0]

    @property
    def module(self) -> str:
        return self.place.removesuffix(".py").replace("/", ".").removesuffix(".__init__")

    @property
    def room(self) -> str:
        folder = self.place.rpartition("/")[0]
        return folder if "/" in folder else self.place.removesuffix(".py").removesuffix("/__init__")

    @cached_property
    def tree(self) -> ast.Module:
        return ast.parse(self.text)

    @cached_property
    def imports(self) -> list[Import]:
        """Every import of the file, wherever it stands."""
        return list(_imports(_statements(self.tree)))

    @cached_property
    def imports_at_start(self) -> list[Import]:
        """What the file imports when it is imported itself: not what is named for types alone, nor inside
        functions.
        """
        return list(_imports(iter(self.tree.body)))

    @property
    def has_relative_imports(self) -> bool:
        return any(isinstance(node, ast.ImportFrom) and node.level for node in _statements(self.tree))


class House:
    """The apps below a root folder; migrations are history and no part of it."""

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
        """The modules of the house that a file imports: of ``from a import b`` the module ``a.b`` if there is
        one, else ``a``.
        """
        modules = {
            next((name for name in (f"{origin}.{name}", origin) if name in self.by_module), "")
            for origin, name in (file.imports_at_start if at_start else file.imports)
        }
        return modules - {"", file.module}

    @cached_property
    def arrows(self) -> dict[Arrow, list[str]]:
        """Which room of an app imports from which other room of it, with the imports that make it so."""
        arrows: dict[Arrow, list[str]] = defaultdict(list)
        for file in self.files:
            for module in sorted(self.imported_by(file)):
                other = self.by_module[module]
                if other.room != file.room and other.app == file.app:
                    arrows[file.room, other.room].append(f"{file.module} imports {module}")
        return dict(arrows)

    def says(self, room: str) -> str:
        """The first paragraph of the room's docstring."""
        name = room.replace("/", ".")
        words = ast.get_docstring(self.by_module[name].tree) if name in self.by_module else ""
        return " ".join((words or "").partition("\n\n")[0].split())

    def circle(self, without: set[Arrow] | None = None) -> list[str]:
        """Rooms of which each imports from the next and the last from the first; empty if imports run
        down.
        """
        below: dict[str, set[str]] = defaultdict(set)
        for above, room in set(self.arrows) - (without or set()):
            below[above].add(room)
        try:
            TopologicalSorter(below).prepare()
        except CycleError as error:
            return list(reversed(error.args[1]))
        return []

    def leads(self, above: str, below: str) -> bool:
        """Whether one room comes to another by imports, directly or over others."""
        reached = [above]
        for room in reached:
            reached += [other for start, other in self.arrows if start == room and other not in reached]
        return below in reached

    def way_to(self, file: SourceFile, outside: set[str]) -> list[str]:
        """How a file comes to one of these packages when it is imported: over which modules; empty if it does
        not.
        """
        ways = [[file.module]]
        seen = {file.module}
        for way in ways:
            last = self.by_module[way[-1]]
            for origin, _ in last.imports_at_start:
                if origin.split(".")[0] in outside:
                    return [*way, origin]
            for name in sorted(self.imported_by(last, at_start=True) - seen):
                # A package that gathers what its modules have is no module of theirs.
                if not way[-1].startswith(f"{name}."):
                    seen.add(name)
                    ways.append([*way, name])
        return []


@cache
def whole_house() -> House:
    """The house of the code, read once for all that is asked of it."""
    return House(ROOT)


def is_pure(place: str) -> bool:
    """Whether a room, or a file by its path, is one of the pure rooms or stands in one."""
    return f"{place}/".startswith(tuple(f"{room}/" for room in PURE))


def _statements(node: ast.AST) -> Iterator[ast.AST]:
    """Every statement below, however deep: the parts of expressions, of which there are ten times as many,
    import nothing.
    """
    for part in ("body", "handlers", "orelse", "finalbody", "cases"):
        for one in getattr(node, part, ()):
            yield one
            yield from _statements(one)


def _imports(nodes: Iterator[ast.AST]) -> Iterator[Import]:
    for node in nodes:
        if isinstance(node, ast.Import):
            yield from ((name.name, "") for name in node.names)
        elif isinstance(node, ast.ImportFrom):
            yield from ((node.module or "", name.name) for name in node.names)
