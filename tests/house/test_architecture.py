"""Architecture rules that a machine can check: the direction of imports, pure rooms, lengths and names of
files.

``tests/support/rooms.py`` reads the files and their imports. The last tests check the checks on small
invented houses.
"""

from __future__ import annotations

import re
import subprocess
import tomllib
from collections.abc import Iterator
from importlib import import_module
from itertools import pairwise
from pathlib import Path

import pytest

from tests import ROOT
from tests.support.rooms import APPS, PURE, House, SourceFile, is_pure, whole_house

TOP_LEVEL = {
    "cardsdb",
    "decks",
    "printing",
    "templates",
    "tests",
    "docs",
    "manage.py",
    "Makefile",
    "pyproject.toml",
    ".ci",
    ".gitignore",
}
TOP_LEVEL |= {"requirements.txt", "requirements-dev.txt", "README.md", "CHANGELOG.md", "LICENSE"}
TOP_LEVEL |= {"SECURITY.md", "CONTRIBUTING.md", "Containerfile", "compose.yaml", ".dockerignore"}
NOT_PURE = {"django", "rest_framework", "drf_spectacular", "reportlab", "PIL"}
VAGUE = {"utils", "util", "helpers", "manager", "services", "misc", "common", "stuff", "base"}
# A reader takes in 400 lines. Lines of at most 110 characters made some files longer; no new file may be.
MAX_LINES = 520


def against_the_order(file: SourceFile) -> Iterator[str]:
    """Yield each import of the file that breaks the order printing > decks > cardsdb > a game > the kit."""
    below = APPS[APPS.index(file.app) :]
    game = re.match(r"cardsdb/games/(\w+)/", file.place)
    for origin, name in file.imports:
        top = origin.split(".")[0]
        if top in APPS and top not in below:
            yield origin
        # A game may import itself and the kit; the kit may import only itself.
        if game and top in APPS and not re.match(rf"cardsdb\.games\.(kit|{game[1]})\b", f"{origin}.{name}"):
            yield origin
        if is_pure(file.place) and top in NOT_PURE:
            yield origin
        if top == "reportlab" and not file.place.startswith("printing/render/pdf"):
            yield origin
        if top == "tests":
            yield origin


def test_imports_follow_the_order_of_the_apps():
    assert {
        file.place: wrong for file in whole_house().files if (wrong := list(against_the_order(file)))
    } == {}


def test_exports_of_the_kit_are_imported_from_the_kit():
    from cardsdb.games import kit

    past = {
        f"{file.place}: {origin}.{name}"
        for file in whole_house().files
        for origin, name in file.imports
        if "cardsdb/games/kit/" not in file.place
        and origin.startswith(f"{kit.__name__}.")
        and getattr(kit, name, None) is getattr(import_module(origin), name)
    }
    assert past == set()


def test_no_import_is_relative():
    assert [file.place for file in whole_house().files if file.has_relative_imports] == []


def test_rooms_of_an_app_import_only_rooms_below_them():
    circle = whole_house().circle()
    assert circle == [], [whole_house().arrows[arrow][0] for arrow in pairwise(circle)]


def test_pure_rooms_import_only_pure_modules():
    assert [
        way
        for file in whole_house().files
        if is_pure(file.place) and (way := whole_house().way_to(file, NOT_PURE))
    ] == []


def test_each_pure_room_exists_and_is_type_checked():
    checked = tomllib.loads((ROOT / "pyproject.toml").read_text(encoding="utf-8"))["tool"]["mypy"]["files"]
    assert [room for room in PURE if not (ROOT / room).is_dir() or room not in checked] == []


def test_no_file_is_too_long():
    assert {
        file.place: lines
        for file in whole_house().files
        if (lines := len(file.text.splitlines())) > MAX_LINES
    } == {}


def test_no_line_of_a_template_is_longer_than_160_characters():
    # Django's template language has no tags over several lines, so allauth's own templates have long lines.
    assert {
        f"{path.relative_to(ROOT)}:{number}"
        for path in (ROOT / "templates").rglob("*.*")
        if not path.is_relative_to(ROOT / "templates/django")
        for number, line in enumerate(path.read_text(encoding="utf-8").splitlines(), start=1)
        if len(line) > 160
    } == set()


def test_no_module_has_a_vague_name():
    # Django requires this module name for a database backend.
    backends = [f"cardsdb/site/{engine}/base.py" for engine in ("sqlite", "postgresql")]
    chosen = [file.place for file in whole_house().files if file.place not in backends]
    named = {name for place in chosen for name in place.removesuffix(".py").split("/")}
    assert named & VAGUE == set()


def test_the_top_level_of_the_repository_has_only_known_names():
    listed = subprocess.run(
        ["git", "ls-files"], cwd=ROOT, capture_output=True, text=True, check=True
    ).stdout.split("\n")
    assert {name.split("/")[0] for name in listed if name} <= TOP_LEVEL


def small_house(root: Path, files: dict[str, str]) -> House:
    """Write these files below the folder and return the house that they make."""
    for place, text in files.items():
        (root / place).parent.mkdir(parents=True, exist_ok=True)
        (root / place).write_text(text)
    return House(root)


@pytest.mark.parametrize(
    ("place", "wrong"),
    [
        ("cardsdb/web/views.py", "from decks import models"),
        ("decks/core/judging.py", "import printing.job"),
        ("cardsdb/games/spycraft/rules.py", "from cardsdb.games.xfiles.rules import FORMATS"),
        ("cardsdb/games/spycraft/rules.py", "from cardsdb.games import games"),
        ("cardsdb/games/spycraft/rules.py", "from cardsdb.search import results"),
        ("cardsdb/games/kit/rules/sizes.py", "from cardsdb.games.spycraft import rules"),
        ("decks/formats/octgn.py", "import django.db"),
        ("printing/job/job.py", "def write() -> None:\n    from PIL import Image"),
        ("printing/render/svg.py", "from reportlab.pdfgen import canvas"),
        ("decks/core/judging.py", "from tests.support import rooms"),
    ],
)
def test_the_import_order_check_finds_wrong_imports(place, wrong, tmp_path):
    (file,) = small_house(tmp_path, {place: f"{wrong}\n"}).files
    assert list(against_the_order(file)) != []


@pytest.mark.parametrize(
    ("place", "right"),
    [
        ("decks/core/judging.py", "from cardsdb.games.kit import Game"),
        ("cardsdb/games/spycraft/rules.py", "from cardsdb.games.kit.rules import Size"),
        ("cardsdb/games/spycraft/rules.py", "from cardsdb.games.spycraft import facts"),
        ("printing/render/pdf.py", "from reportlab.pdfgen import canvas"),
    ],
)
def test_the_import_order_check_accepts_right_imports(place, right, tmp_path):
    (file,) = small_house(tmp_path, {place: f"{right}\n"}).files
    assert list(against_the_order(file)) == []


@pytest.mark.parametrize(
    "back",
    [
        "from decks.editor import views",
        "def late():\n    import decks.editor.views",
        "if TYPE_CHECKING:\n    import decks.editor.views",
    ],
)
def test_the_circle_check_finds_imports_anywhere_in_a_file(back, tmp_path):
    files = {
        "decks/editor/views.py": "from decks.pages.deck import page\n",
        "decks/pages/deck.py": "from decks.core import limits\n",
        "decks/core/limits.py": "",
    }
    assert small_house(tmp_path, files).circle() == []
    closed = small_house(tmp_path, {"decks/core/limits.py": f"{back}\n"})
    assert set(closed.circle()) == {"decks/editor", "decks/pages", "decks/core"}
    assert all(arrow in closed.arrows for arrow in pairwise(closed.circle()))


def test_the_purity_check_follows_imports(tmp_path):
    files = {
        "printing/job/job.py": "from printing import copies\n",
        "printing/copies.py": "from printing.words import sentence\n",
    }
    pure = small_house(tmp_path, files | {"printing/words.py": "from django.conf import settings\n"})
    way = pure.way_to(pure.by_module["printing.job.job"], NOT_PURE)
    assert way == ["printing.job.job", "printing.copies", "printing.words", "django.conf"]
    assert not pure.way_to(pure.by_module["printing.job.job"], {"reportlab"})
