"""What a command imports before it does anything, and how it ends when nobody reads on."""

from __future__ import annotations

import os
import subprocess
import sys
from importlib import import_module
from pathlib import Path

import pytest

import manage
from cardsdb.management.commands.new_game import write_new_game
from cardsdb.site.quick_command import QuickCommand

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
# What Django's apps bring along, and what a request, an address of a page and a form are made of: each imports all about models.
OF_APPS = {"django.db.models", "django.contrib.auth", "django.http", "django.urls", "django.forms"}
OF_APPS |= {"cardsdb.models", "decks.models", "printing.models"}
OF_PRINTING = {"reportlab", "PIL", "printing.render.pdf", "printing.uploads.pictures"}
# What a command for one game has no use for: other games, what the admin shows.
UNASKED = {"cardsdb.games.xfiles", "cardsdb.games.spynet", "cardsdb.admin", "decks.admin"}


# Prints a list with every value of every option that needs no apps, one after the other, and writes what has been imported at the end.
EVERY_OPTION = """
import sys
import manage
from printing.exports.fields import FIELDS
from printing.exports.kinds import EXPORT_KINDS
from printing.options.values import OPTIONS
file, out = sys.argv[1:]
options = [option for option in (*OPTIONS, *FIELDS) if option.name not in ("only", "pictures")]
asked = [("--" + option.name.replace("_", "-"), value) for option in options for value in (*option.allowed, "3", "70x100", "kai=1")]
asked += [("--pictures", "yes"), ("--pictures", "no"), *(("--as", kind) for kind in EXPORT_KINDS)]
for name, value in asked:
    sys.argv = ["manage.py", "print_deck", file, "--game", "spycraft", "-o", out, name, value]
    try:
        manage.main()
    except SystemExit as refused:
        assert refused.code == 2, (name, value)
print(*sys.modules, file=sys.stderr)
"""
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


def output_of(*arguments: str) -> str:
    command = [sys.executable, "manage.py", *arguments]
    return subprocess.run(command, cwd=ROOT, capture_output=True, text=True, timeout=120, check=True).stdout


@pytest.fixture
def deck(tmp_path: Path, agency_text: str) -> str:
    path = tmp_path / "deck.txt"
    path.write_text(agency_text)
    return str(path)


def test_judging_a_deck_imports_nothing_of_the_site_and_nothing_that_prints(deck: str) -> None:
    assert imported_by("check_deck", deck, "--game", "spycraft") & (OF_APPS | OF_THE_SITE | SELDOM | OF_PRINTING | UNASKED) == set()


def test_judging_lines_of_json_imports_neither_other_games_than_they_name_nor_formats_of_other_programs(tmp_path: Path) -> None:
    lists = tmp_path / "decks.jsonl"
    lists.write_text('{"game": "spycraft", "text": "2 Kai"}\n' * 2)
    unasked = OF_THE_SITE | SELDOM | OF_PRINTING | UNASKED | {"decks.formats"}
    assert imported_by("check_deck", "--batch", str(lists)) & unasked == set()


def test_a_deck_whose_game_nobody_named_may_be_of_any(deck: str) -> None:
    imported = imported_by("check_deck", deck)
    assert imported & (OF_APPS | OF_THE_SITE | SELDOM | OF_PRINTING) == set()
    assert {"cardsdb.games.xfiles", "cardsdb.games.spynet"} <= imported


def test_printing_a_deck_imports_nothing_of_the_site_and_nothing_that_this_deck_does_not_need(deck: str, tmp_path: Path) -> None:
    imported = imported_by("print_deck", deck, "--game", "spycraft", "-o", str(tmp_path / "deck.pdf"))
    assert imported & (OF_APPS | OF_THE_SITE | SELDOM | UNASKED) == set()


@pytest.mark.parametrize("option", ["--repair", "--json", "--house=AG-4.limit=4"])
def test_judging_needs_no_apps_whatever_is_asked_of_it(deck: str, option: str) -> None:
    assert imported_by("check_deck", deck, "--game", "spycraft", option) & OF_APPS == set()


def test_converting_a_deck_needs_no_apps_except_for_texts_in_a_file(deck: str, tmp_path: Path) -> None:
    (tmp_path / "texts.csv").write_text("name,text\nNathan Sparks,Hides well.\n")
    command = ["convert_deck", deck, "--to", "csv", "-o", str(tmp_path / "deck.csv")]
    assert imported_by(*command) & (OF_APPS | OF_THE_SITE | SELDOM | OF_PRINTING) == set()
    output_of(*command, "--texts", str(tmp_path / "texts.csv"))
    assert "Hides well." in (tmp_path / "deck.csv").read_text()


def test_no_value_of_an_option_of_printing_needs_apps(tmp_path: Path) -> None:
    deck = tmp_path / "deck.txt"
    deck.write_text("2 Kai\n1 Termite\n")
    imported = imported_by(str(deck), str(tmp_path / "deck"), code=EVERY_OPTION)
    assert "printing.exports.tabletop_sheets" in imported and imported & OF_APPS == set()


@pytest.mark.parametrize(
    ("asked", "says"),
    [
        (("--site", "https://cutout.example", "--qr", "list"), "54 cards"),
        (("--site", "https://cutout.example", "--extras", "labels"), "1 card of labels"),
        (("--texts", "{folder}/texts.csv"), "54 cards"),
        (("--pictures", "{folder}"), "54 cards"),
    ],
)
def test_what_needs_the_apps_is_printed_with_them(deck: str, tmp_path: Path, asked: tuple[str, ...], says: str) -> None:
    (tmp_path / "texts.csv").write_text("name,text\nNathan Sparks,Hides well.\n")
    asked = tuple(word.format(folder=tmp_path) for word in asked)
    said = output_of("print_deck", deck, "--game", "spycraft", "-o", str(tmp_path / "deck.pdf"), *asked)
    assert says in said


def test_cards_are_chosen_by_words_with_the_apps_for_these_may_be_a_query(deck: str, tmp_path: Path) -> None:
    assert imported_by("print_deck", deck, "--game", "spycraft", "-o", str(tmp_path / "deck.pdf"), "--only", "leaders") >= OF_APPS
    assert (tmp_path / "deck.pdf").exists()


def test_commands_that_start_without_apps_are_those_that_say_so() -> None:
    modules = [path.relative_to(ROOT).with_suffix("").parts for path in ROOT.glob("*/management/commands/[a-z]*.py")]
    commands = {parts[-1]: parts[0] for parts in modules if issubclass(import_module(".".join(parts)).Command, QuickCommand)}
    assert commands == manage.QUICK


def test_a_game_that_is_data_of_the_site_is_known_without_apps(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    write_new_game(tmp_path / "games" / "night-train", "Night Train")
    (tmp_path / "deck.txt").write_text("1 Ada Quill\n")
    monkeypatch.setenv("CUTOUT_VAR", str(tmp_path))
    assert "1 card," in output_of("print_deck", str(tmp_path / "deck.txt"), "--game", "night-train", "-o", str(tmp_path / "deck.pdf"))


def test_help_on_a_command_that_starts_without_apps_is_that_of_all_commands() -> None:
    helped = output_of("help", "print_deck")
    assert "--paper" in helped and output_of("print_deck", "--help") == helped


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
