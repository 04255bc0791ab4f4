"""``docs/terms.md`` lists each term once, and no file, name in the code or CSS class has a retired word: one
that once meant what another word means now.
"""

from __future__ import annotations

import ast
import re
from collections.abc import Iterator
from fnmatch import fnmatchcase
from pathlib import PurePath

import pytest

from tests import ROOT

# A leading dot retires a CSS class alone.
RETIRED = """
    Asked Asking Held HeldKey holdings Visitor Told Finding Recorded Besides Missing Soft Easel easel Knob
    Knobs knobs Order Output MOST_* LONGEST* LARGEST* HIGHEST_* LEAST_* SHORTEST* *workshop* *gallery*
    *handing_out* *belongings* *sound_text* *over_http* record_* keep_form merge_into .aid .aid-* .numbers-*
    .outputs .dossier* .emptied .asking .offers .held .is-held .tally* .found-* .*-findings
    """.split()
FOLDERS = ("cardsdb", "decks", "printing", "templates")
SUFFIXES = {".py", ".html", ".txt", ".css", ".js"}
# Migrations keep old words, and starter decks have names of cards.
OTHERS = {"migrations", "starters"}


def retired_in(place: str, text: str) -> set[str]:
    """Return the retired words among the names of a file at this place with this text."""
    path = PurePath(place)
    names = {PurePath(part).stem for part in path.parts}
    names |= set(defined_in(text) if path.suffix == ".py" else classes_in(text, path.suffix))
    return {name for name in names if any(fnmatchcase(name.strip("_"), word) for word in RETIRED)}


def defined_in(module: str) -> Iterator[str]:
    """Yield the names of a module's classes, functions and constants."""
    tree = ast.parse(module)
    yield from (node.name for node in ast.walk(tree) if isinstance(node, ast.FunctionDef | ast.ClassDef))
    for statement in tree.body:
        if isinstance(statement, ast.Assign | ast.AnnAssign):
            names = (node for node in ast.walk(statement) if isinstance(node, ast.Name))
            yield from (name.id for name in names if isinstance(name.ctx, ast.Store))


def classes_in(text: str, suffix: str) -> Iterator[str]:
    """Yield the CSS classes of a template, stylesheet or script, each as ``.name`` and in snake case."""
    if suffix == ".html":
        plain = re.sub(r"\{%.*?%\}|\{\{.*?\}\}", " ", text)
        names = " ".join(re.findall(r'class="([^"]*)"', plain)).split()
    else:
        names = re.findall(r"\.([a-z][a-z0-9-]*)", text) if suffix in (".css", ".js") else []
    yield from (spelling for name in names for spelling in (f".{name}", name.replace("-", "_")))


def test_terms_are_listed_once_in_alphabetical_order():
    page = (ROOT / "docs" / "terms.md").read_text(encoding="utf-8")
    terms = re.findall(r"^- \*\*([^*`]+)\*\*: .+\.$", page, re.MULTILINE)
    assert len(terms) >= 35 and terms == sorted(set(terms), key=str.casefold)


@pytest.mark.parametrize("folder", FOLDERS)
def test_no_file_name_or_css_class_has_a_retired_word(folder):
    files = [path for path in (ROOT / folder).rglob("*") if path.suffix in SUFFIXES]
    found = {
        place: retired_in(place, path.read_text(encoding="utf-8"))
        for path in files
        if OTHERS.isdisjoint((place := path.relative_to(ROOT).as_posix()).split("/"))
    }
    assert {place: words for place, words in found.items() if words} == {}


@pytest.mark.parametrize(
    ("place", "text", "expected"),
    [
        ("decks/gallery/easel.txt", "MOST_CARDS", {"gallery", "easel"}),
        (
            "page.py",
            "MOST_CARDS = 3\nclass HeldKey:\n    def card_workshop(self): ...",
            {"MOST_CARDS", "HeldKey", "card_workshop"},
        ),
        (
            "page.html",
            '<li class="row{% if row.count %} is-held{% endif %} my-gallery">',
            {".is-held", ".my-gallery", "my_gallery"},
        ),
        ("page.css", ".tally-more, td.aid { margin: 0.5rem }", {".tally-more", ".aid"}),
    ],
)
def test_a_retired_word_is_found(place, text, expected):
    assert retired_in(place, text) == expected
