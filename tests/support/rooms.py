"""The structure of the code: rooms, the source files in them, and the imports between them. For tests of the
architecture and for the drawing of the house.

A room is a folder of an app with Python files; a file directly in an app's folder is a room of its own,
because Django needs it there. Imports inside functions and for types alone count too.
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
# Folders whose files, with all below, must be plain Python.
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

# (importing room, imported room)
Arrow = tuple[str, str]
# ``from a import b`` as ("a", "b"), ``import a`` as ("a", "").
Import = tuple[str, str]


@dataclass(frozen=True)
class SourceFile:
    """A Python file of an app. ``place`` is its path, ``decks/core/judging.py``."""

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
        """Every import of the file, also inside functions and for types alone."""
        return list(_imports(_statements(self.tree)))

    @cached_property
    def imports_at_start(self) -> list[Import]:
        """The imports that run when the file itself is imported: none inside functions or for types alone."""
        return list(_imports(iter(self.tree.body)))

    @property
    def has_relative_imports(self) -> bool:
        return any(isinstance(node, ast.ImportFrom) and node.level for node in _statements(self.tree))


class House:
    """All apps below a root folder, without migrations."""

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
        """The modules of the apps that a file imports. ``from a import b`` imports the module ``a.b`` if it
        exists, else ``a``.
        """
        modules = {
            next((name for name in (f"{origin}.{name}", origin) if name in self.by_module), "")
            for origin, name in (file.imports_at_start if at_start else file.imports)
        }
        return modules - {"", file.module}

    @cached_property
    def arrows(self) -> dict[Arrow, list[str]]:
        """The imports between rooms of one app: {(importing room, imported room): sentences about each
        import}.
        """
        arrows: dict[Arrow, list[str]] = defaultdict(list)
        for file in self.files:
            for module in sorted(self.imported_by(file)):
                other = self.by_module[module]
                if other.room != file.room and other.app == file.app:
                    arrows[file.room, other.room].append(f"{file.module} imports {module}")
        return dict(arrows)

    def says(self, room: str) -> str:
        """The first paragraph of a room's docstring, as one line."""
        name = room.replace("/", ".")
        words = ast.get_docstring(self.by_module[name].tree) if name in self.by_module else ""
        return " ".join((words or "").partition("\n\n")[0].split())

    def circle(self, without: set[Arrow] | None = None) -> list[str]:
        """The rooms of a circle of imports, each importing from the next; empty if there is no circle.
        ``without``: arrows to ignore.
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
        """True if the room ``above`` imports from ``below``, directly or through others."""
        reached = [above]
        for room in reached:
            reached += [other for start, other in self.arrows if start == room and other not in reached]
        return below in reached

    def way_to(self, file: SourceFile, outside: set[str]) -> list[str]:
        """The chain of modules through which importing a file loads one of these packages; empty if it does
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
                # A package that imports from its own modules is skipped, unless something else imports the
                # package.
                if not way[-1].startswith(f"{name}."):
                    seen.add(name)
                    ways.append([*way, name])
        return []


@cache
def whole_house() -> House:
    """The house of this repository, read once."""
    return House(ROOT)


def is_pure(place: str) -> bool:
    """True if a room, or a file given by its path, is in one of the pure folders."""
    return f"{place}/".startswith(tuple(f"{room}/" for room in PURE))


def _statements(node: ast.AST) -> Iterator[ast.AST]:
    """Every statement below a node, at any depth. Faster than ``ast.walk``, which visits expressions too."""
    for part in ("body", "handlers", "orelse", "finalbody", "cases"):
        for child in getattr(node, part, ()):
            yield child
            yield from _statements(child)


def _imports(nodes: Iterator[ast.AST]) -> Iterator[Import]:
    for node in nodes:
        if isinstance(node, ast.Import):
            yield from ((name.name, "") for name in node.names)
        elif isinstance(node, ast.ImportFrom):
            yield from ((node.module or "", name.name) for name in node.names)
