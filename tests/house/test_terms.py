"""docs/terms.md lists each term once, and no name in the code uses a retired word."""

from __future__ import annotations

import ast
import re
from collections.abc import Iterator
from fnmatch import fnmatchcase
from pathlib import Path

import pytest

from tests import ROOT

TERMS = (ROOT / "docs" / "terms.md").read_text(encoding="utf-8")
# Retired words for names in code, files, templates and CSS classes. A leading dot retires a CSS class alone.
RETIRED = tuple(
    """
    Asked Asking Held HeldKey holdings Visitor Told Finding Recorded Besides Missing Soft Easel easel Knob
    Knobs knobs Order Output MOST_* LONGEST* LARGEST* HIGHEST_* LEAST_* SHORTEST* *workshop* *gallery*
    *handing_out* *belongings* *sound_text* *over_http* record_* keep_form merge_into .aid .aid-* .numbers-*
    .outputs .dossier* .emptied .asking .offers .held .is-held .tally* .found-* .*-findings
    """.split()
)
FOLDERS = ("cardsdb", "decks", "printing", "templates")
SUFFIXES = (".py", ".html", ".txt", ".css", ".js")


def rows(text: str) -> list[tuple[str, str]]:
    """Return (term, explanation) of each line of docs/terms.md."""
    return [(term, line) for term, line in re.findall(r"^- \*\*([^*`]+)\*\*: (.+)$", text, re.MULTILINE)]


def names_in(source: str) -> Iterator[str]:
    """The public names that a module defines: classes, functions and constants."""
    tree = ast.parse(source)
    yield from (node.name for node in ast.walk(tree) if isinstance(node, ast.FunctionDef | ast.ClassDef))
    for node in tree.body:
        targets = (
            node.targets
            if isinstance(node, ast.Assign)
            else [node.target]
            if isinstance(node, ast.AnnAssign)
            else []
        )
        yield from (name.id for target in targets for name in ast.walk(target) if isinstance(name, ast.Name))


def retired(names: Iterator[str]) -> set[str]:
    """Return the names that match a retired word."""
    return {name for name in names if any(fnmatchcase(name.strip("_"), word) for word in RETIRED)}


def files(*suffixes: str) -> list[Path]:
    """Return the modules, templates and static files of the apps, or those with these suffixes. Migrations
    are left out, because they keep old words.
    """
    paths = (
        path
        for folder in FOLDERS
        for path in sorted((ROOT / folder).rglob("*"))
        if path.suffix in (suffixes or SUFFIXES)
    )
    return [path for path in paths if "migrations" not in path.parts and "starters" not in path.parts]


def class_names(path: Path) -> Iterator[str]:
    """The CSS classes that a stylesheet, a script or a template names, as ".name" and in snake case."""
    text = path.read_text(encoding="utf-8")
    if path.suffix == ".html":
        text = re.sub(r"\{%.*?%\}|\{\{.*?\}\}", " ", text)
        names = " ".join(re.findall(r'class="([^"]*)"', text)).split()
    else:
        names = re.findall(r"\.([a-z][a-z0-9-]*)", text)
    yield from (spelling for name in names for spelling in (f".{name}", name.replace("-", "_")))


def test_terms_are_listed_once_in_alphabetical_order():
    terms = [term for term, _ in rows(TERMS)]
    assert terms == sorted(set(terms), key=str.casefold)
    assert 35 <= len(terms) <= 70
    assert all(line.endswith(".") and len(line) <= 140 for _, line in rows(TERMS))


@pytest.mark.parametrize("folder", FOLDERS[:3])
def test_no_name_in_the_code_is_a_retired_word(folder):
    modules = [path for path in files(".py") if path.is_relative_to(ROOT / folder)]
    assert {
        str(path.relative_to(ROOT)): bad
        for path in modules
        if (bad := retired(names_in(path.read_text(encoding="utf-8"))))
    } == {}


def test_no_file_or_folder_has_a_retired_name():
    names = {Path(part).stem for path in files() for part in path.relative_to(ROOT).parts}
    assert retired(iter(names)) == set()


@pytest.mark.parametrize("suffix", [".css", ".js", ".html"])
def test_no_css_class_is_a_retired_word(suffix):
    assert {
        str(path.relative_to(ROOT)): bad for path in files(suffix) if (bad := retired(class_names(path)))
    } == {}


def test_a_retired_css_class_is_found(tmp_path):
    template, style = tmp_path / "page.html", tmp_path / "page.css"
    template.write_text('<li class="row{% if row.count %} is-held{% endif %} my-gallery">')
    style.write_text(".tally-more, td.aid { margin: 0.5rem }")
    assert retired(class_names(template)) == {".is-held", ".my-gallery", "my_gallery"}
    assert retired(class_names(style)) == {".tally-more", ".aid"}


def test_a_retired_word_is_found():
    source = "MOST_CARDS = 3\nclass HeldKey:\n    def card_workshop(self): ..."
    assert retired(names_in(source)) == {"MOST_CARDS", "HeldKey", "card_workshop"}
