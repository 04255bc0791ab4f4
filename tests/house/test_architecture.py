"""The house rules that a machine can keep."""

from __future__ import annotations

import ast
import re
import subprocess
from collections.abc import Iterator
from graphlib import TopologicalSorter
from pathlib import Path

import pytest

from tests import ROOT

APPS = ("cardsdb", "decks", "printing")
TOP_LEVEL = {
    "manage.py",
    "cardsdb",
    "decks",
    "printing",
    "templates",
    "tests",
    "docs",
    "Makefile",
    "pyproject.toml",
    "requirements.txt",
} | {
    "requirements-dev.txt",
    "README.md",
    "CHANGELOG.md",
    "LICENSE",
    ".ci",
    ".gitignore",
}
OUTSIDE_THE_PURE = {"django", "rest_framework", "drf_spectacular", "reportlab", "PIL"}
# Rooms whose files are plain Python: a folder, with all below it.
PURE = (
    "cardsdb/games/",
    "cardsdb/search/query/",
    "decks/formats/",
    "printing/extras/",
    "printing/faces/",
    "printing/job/",
    "printing/layout/",
    "printing/options/",
)


def source_files() -> list[Path]:
    return [path for app in APPS for path in sorted((ROOT / app).rglob("*.py")) if "migrations" not in path.parts]


def imports_of(path: Path) -> Iterator[str]:
    for node in ast.walk(ast.parse(path.read_text(encoding="utf-8"))):
        if isinstance(node, ast.Import):
            yield from (name.name for name in node.names)
        elif isinstance(node, ast.ImportFrom):
            assert node.level == 0, f"{path}: relative import"
            yield node.module or ""
            yield from (f"{node.module}.{name.name}" for name in node.names)


def forbidden(path: Path) -> Iterator[str]:
    """The imports of a file that run against the one direction there is."""
    where = path.relative_to(ROOT).as_posix()
    app = where.split("/")[0]
    game = re.match(r"cardsdb/games/([a-z]+)/", where)
    for name in imports_of(path):
        top = name.split(".")[0]
        if app == "cardsdb" and top in ("decks", "printing"):
            yield name
        if app == "decks" and top == "printing":
            yield name
        if any(where.startswith(pure) for pure in PURE) and top in OUTSIDE_THE_PURE:
            yield name
        if game and top in APPS and not re.match(rf"cardsdb\.games\.(kit|{game[1]})\b", name) and name not in ("cardsdb.games", "cardsdb"):
            yield name
        if top == "reportlab" and where != "printing/render/pdf.py":
            yield name


@pytest.mark.parametrize("path", source_files(), ids=lambda path: path.relative_to(ROOT).as_posix())
def test_imports_point_one_way(path: Path) -> None:
    assert list(forbidden(path)) == []


def module_of(path: Path) -> str:
    return ".".join(path.relative_to(ROOT).with_suffix("").parts).removesuffix(".__init__")


def imported_at_start(path: Path) -> Iterator[str]:
    """The modules that a file imports when it is imported itself: not those named for types alone, nor inside functions."""
    for node in ast.parse(path.read_text(encoding="utf-8")).body:
        if isinstance(node, ast.Import):
            yield from (name.name for name in node.names)
        elif isinstance(node, ast.ImportFrom):
            yield from (module for name in node.names for module in (f"{node.module}.{name.name}", node.module or ""))


def test_no_file_waits_for_one_that_waits_for_it() -> None:
    known = {module_of(path): path for path in source_files()}
    arrows = {module: {name for name in imported_at_start(path) if name in known} - {module} for module, path in known.items()}
    for module in arrows:
        # A package that gathers what its modules have is no module of theirs.
        arrows[module] = {name for name in arrows[module] if not module.startswith(f"{name}.")}
    assert len(list(TopologicalSorter(arrows).static_order())) == len(known)


def way_out(path: Path) -> list[str]:
    """How a file comes to something outside the pure when it is imported: from itself over what it imports; empty if it does not."""
    known = {module_of(one): one for one in source_files()}
    ways: list[list[str]] = [[module_of(path)]]
    seen = {module_of(path)}
    for way in ways:
        for name in imported_at_start(known[way[-1]]):
            if name.split(".")[0] in OUTSIDE_THE_PURE:
                return [*way, name]
            if name in known and name not in seen and not way[-1].startswith(f"{name}."):
                seen.add(name)
                ways.append([*way, name])
    return []


@pytest.mark.parametrize("path", [path for path in source_files() if path.relative_to(ROOT).as_posix().startswith(PURE)], ids=module_of)
def test_the_pure_stay_so_through_all_that_they_import(path: Path) -> None:
    assert way_out(path) == []


def test_the_check_of_the_pure_follows_imports(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    folder = tmp_path / "printing"
    folder.mkdir()
    (folder / "job.py").write_text("from printing import copies\n")
    (folder / "copies.py").write_text("from printing.words import sentence\n")
    (folder / "words.py").write_text("from django.conf import settings\n")
    monkeypatch.setattr("tests.house.test_architecture.ROOT", tmp_path)
    assert way_out(folder / "job.py")[:-1] == ["printing.job", "printing.copies", "printing.words"]


def test_the_check_of_imports_can_fail(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    folder = tmp_path / "cardsdb" / "games" / "spycraft"
    folder.mkdir(parents=True)
    (folder / "rules.py").write_text("import django.db\nfrom cardsdb.games.xfiles.rules import FORMATS\nfrom decks import models\n")
    monkeypatch.setattr("tests.house.test_architecture.ROOT", tmp_path)
    assert {name.split(".")[0] for name in forbidden(folder / "rules.py")} == {"django", "cardsdb", "decks"}


@pytest.mark.parametrize("path", source_files(), ids=lambda path: path.relative_to(ROOT).as_posix())
def test_a_file_is_short_enough_to_hold_one_idea(path: Path) -> None:
    assert len(path.read_text(encoding="utf-8").splitlines()) <= 330


def test_no_file_is_named_after_nothing() -> None:
    vague = {"utils", "helpers", "manager", "services", "misc", "common"}
    assert [path for path in source_files() if path.stem in vague] == []


def test_the_top_level_is_fixed() -> None:
    listed = subprocess.run(["git", "ls-files"], cwd=ROOT, capture_output=True, text=True, check=True).stdout.split("\n")
    assert {name.split("/")[0] for name in listed if name} <= TOP_LEVEL
