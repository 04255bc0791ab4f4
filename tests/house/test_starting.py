"""What a command imports before it does anything, and how it ends when nobody reads on."""

from __future__ import annotations

import os
import subprocess
import sys
from pathlib import Path

import pytest

ROOT = Path(__file__).parent.parent.parent
# Runs a command, and writes to standard error what has been imported at its end.
MODULES = """
import sys
import manage
try:
    manage.main()
except SystemExit:
    pass
print(*sys.modules, file=sys.stderr)
"""
# What answers requests, other databases, and what only misspelt names, regular expressions, packages and pictures need.
OF_THE_SITE = {"cardsdb.urls", "rest_framework.views", "drf_spectacular.openapi", "allauth.account.views", "allauth.mfa.webauthn.views"}
SELDOM = {
    "psycopg",
    "pyroaring",
    "re2",
    "rapidfuzz",
    "segno",
    "openpyxl",
    "printing.uploads.intake",
    "cardsdb.own.from_files",
    "PIL.ImageDraw",
}
OF_PRINTING = {"reportlab", "PIL", "printing.render.pdf", "printing.uploads.pictures"}
# What a command for one game has no use for: other games, what the admin shows, a whole library for fonts.
UNASKED = {"cardsdb.games.xfiles", "cardsdb.games.spynet", "cardsdb.admin", "decks.admin", "fontTools"}


# Sets up what answers requests, as a server does before it listens.
SERVER = """
import os, sys
os.environ["DJANGO_SETTINGS_MODULE"] = "cardsdb.settings"
import django
django.setup()
import cardsdb.urls
print(*sys.modules, file=sys.stderr)
"""
# Makes the schema before anything has asked for an address, and writes the names of its operations.
SCHEMA = """
import os, sys
os.environ["DJANGO_SETTINGS_MODULE"] = "cardsdb.settings"
import django
django.setup()
from drf_spectacular.generators import SchemaGenerator
made = SchemaGenerator().get_schema(public=True)
print(*(operation["operationId"] for methods in made["paths"].values() for operation in methods.values()), file=sys.stderr)
"""


def imported_by(*arguments: str, code: str = MODULES) -> set[str]:
    command = [sys.executable, "-c", code, *arguments]
    done = subprocess.run(command, cwd=ROOT, capture_output=True, text=True, timeout=120, check=True)
    return set(done.stderr.split())


@pytest.fixture
def deck(tmp_path: Path, agency_text: str) -> str:
    path = tmp_path / "deck.txt"
    path.write_text(agency_text)
    return str(path)


def test_judging_a_deck_imports_nothing_of_the_site_and_nothing_that_prints(deck: str) -> None:
    assert imported_by("check_deck", deck, "--game", "spycraft") & (OF_THE_SITE | SELDOM | OF_PRINTING | UNASKED) == set()


def test_judging_lines_of_json_imports_neither_other_games_than_they_name_nor_formats_of_other_programs(tmp_path: Path) -> None:
    lists = tmp_path / "decks.jsonl"
    lists.write_text('{"game": "spycraft", "text": "2 Kai"}\n' * 2)
    unasked = OF_THE_SITE | SELDOM | OF_PRINTING | UNASKED | {"decks.formats"}
    assert imported_by("check_deck", "--batch", str(lists)) & unasked == set()


def test_a_deck_whose_game_nobody_named_may_be_of_any(deck: str) -> None:
    imported = imported_by("check_deck", deck)
    assert imported & (OF_THE_SITE | SELDOM | OF_PRINTING) == set()
    assert {"cardsdb.games.xfiles", "cardsdb.games.spynet"} <= imported


def test_printing_a_deck_imports_nothing_of_the_site_and_nothing_that_this_deck_does_not_need(deck: str, tmp_path: Path) -> None:
    imported = imported_by("print_deck", deck, "--game", "spycraft", "-o", str(tmp_path / "deck.pdf"))
    assert imported & (OF_THE_SITE | SELDOM | UNASKED) == set()


def test_a_server_listens_without_what_makes_the_schema_of_the_api() -> None:
    imported = imported_by(code=SERVER)
    assert "rest_framework.views" in imported
    assert imported & {"drf_spectacular.generators", "drf_spectacular.openapi", "django.test"} == set()


def test_a_schema_that_is_made_before_all_else_has_what_every_operation_says() -> None:
    assert {"cards_list", "decks_create", "sheets_create"} <= imported_by(code=SCHEMA)


def test_a_command_whose_output_nobody_reads_ends_quietly(deck: str) -> None:
    with subprocess.Popen(
        [sys.executable, "manage.py", "check_deck", deck], cwd=ROOT, stdout=subprocess.PIPE, stderr=subprocess.PIPE, env=os.environ
    ) as command:
        assert command.stdout and command.stderr
        command.stdout.close()
        said = command.stderr.read()
    assert (command.returncode, said) == (141, b"")
