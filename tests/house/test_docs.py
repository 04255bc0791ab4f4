"""The documentation matches the code: links, commands, options, addresses, limits and settings; and the
page of the house is made of the code as it is.
"""

from __future__ import annotations

import re
import subprocess
from argparse import ArgumentParser
from collections.abc import Iterator
from pathlib import Path

import pytest
from django.core.management import BaseCommand, get_commands, load_command_class
from django.urls import resolve

from cardsdb.api.framework import Pages
from cardsdb.site.ratelimits import READS, WORKS
from printing.exports import export
from printing.tasks.files import MAX_BYTES, MAX_BYTES_OF_ONE, MAX_ROWS
from printing.tasks.jobs import MAX_A_DAY
from tests import ROOT
from tests.budgets.__main__ import ROWS as BUDGETS
from tests.support import house_drawing
from tests.support.rooms import APPS, whole_house

PAGES = [
    *sorted(ROOT.glob("*.md")),
    *sorted((ROOT / "docs").rglob("*.md")),
    *sorted((ROOT / "cardsdb").rglob("*.md")),
]


def text_of(place: str) -> str:
    return (ROOT / place).read_text(encoding="utf-8")


COMMANDS = text_of("docs/commands.md")


@pytest.mark.parametrize("page", PAGES, ids=lambda page: page.relative_to(ROOT).as_posix())
def test_links_lead_to_existing_files_and_headings(page):
    for target, heading in re.findall(r"\]\(([^)#]*)(?:#([^)]*))?\)", page.read_text(encoding="utf-8")):
        if not target.startswith(("http", "mailto:")):
            led_to = page.parent / target if target else page
            assert led_to.exists(), target
            assert not heading or heading in headings(led_to), f"{target}#{heading}"


def headings(page: Path) -> set[str]:
    """Return the anchors of a page's headings, as links name them."""
    found = re.findall(r"^#+ (.*)$", page.read_text(encoding="utf-8"), re.MULTILINE)
    return {re.sub(r"[^\w -]", "", words).strip().lower().replace(" ", "-") for words in found}


def test_the_test_files_that_modules_name_exist():
    modules = [file for top in (*APPS, "tests") for file in sorted((ROOT / top).rglob("*.py"))]
    named = {
        (file.relative_to(ROOT).as_posix(), tests)
        for file in modules
        for tests in re.findall(r"``(tests/[\w/]+\.py)``", file.read_text(encoding="utf-8"))
    }
    assert named
    assert not {(file, tests) for file, tests in named if not (ROOT / tests).is_file()}


def test_the_commands_of_the_readme_are_targets_of_make():
    named = set(re.findall(r"make (\w+)", text_of("README.md")))
    assert {"run", "test"} <= named
    assert named <= set(re.findall(r"^([a-z-]+):", text_of("Makefile"), re.MULTILINE))


def test_the_commands_page_names_every_command_with_options_that_it_takes():
    ours = {name for name, app in get_commands().items() if app in APPS}
    shown = dict(re.findall(r"^\| `(\w+)([^`]*)`", COMMANDS, re.MULTILINE))
    assert shown.keys() == ours - {"build_fonts"}
    for name, words in shown.items():
        command = load_command_class(get_commands()[name], name)
        assert isinstance(command, BaseCommand)
        taken = set(options_of(command.create_parser("manage.py", name)))
        assert set(re.findall(r"(?<!\w)--?[a-z]+(?:-[a-z]+)*", words)) <= taken, name


def options_of(parser: ArgumentParser) -> Iterator[str]:
    """Yield the options of a command and of its subcommands."""
    for action in parser._actions:
        yield from action.option_strings
        if isinstance(action.choices, dict):
            for subcommand in action.choices.values():
                yield from options_of(subcommand)


def test_the_addresses_in_the_documentation_exist():
    for page in PAGES:
        for address in re.findall(r"`(/(?:[a-z0-9_.<>{}]+/?)*)`", page.read_text(encoding="utf-8")):
            if not address.startswith(("/my/", "/static/", "/opt/", "/var/", "/etc/")):
                resolve(re.sub(r"[<{][a-z_]+[>}]", "deaddrop", address.replace("{number}", "1")))


# Page -> what it says about limits.
OF_JOBS = (
    f"more than {export.BIG_SIDES} sides ({export.SIDES_WITH_PICTURES} with own pictures)",
    f"more than {export.BIG_PICTURES} such pictures",
    f"more than {export.BIG_PIXELS // 1_000_000} million pixels",
    f"{MAX_A_DAY} a day",
)
LIMITS = {
    "deploy": (f"{READS} reads of the API, {WORKS} verdicts",),
    "api": (
        f"{Pages.page_size} by default and at most {Pages.max_page_size}",
        f"{READS} requests a minute, and {WORKS} a minute",
        *OF_JOBS,
    ),
    "operate": (
        f"at most {export.MAX_BYTES // 1_000_000} MB",
        f"{MAX_BYTES // 1_000_000_000} GB",
        f"have {MAX_BYTES_OF_ONE // 1_000_000} MB",
        f"{MAX_ROWS:,} jobs",
        *OF_JOBS,
    ),
}


@pytest.mark.parametrize("name", LIMITS)
def test_the_pages_for_operators_and_programs_state_the_limits_of_the_code(name):
    page = " ".join(text_of(f"docs/{name}.md").split())
    assert [words for words in LIMITS[name] if words not in page] == []


def test_the_deployment_page_names_every_variable():
    names = r'"(CUTOUT_[A-Z_]+|DATABASE_URL|CACHE_URL|TASKS_URL|SECRET_KEY|ALLOWED_HOSTS)"'
    read = set(re.findall(names, text_of("cardsdb/settings.py")))
    page = text_of("docs/deploy.md")
    assert {name for name in read if name not in page} <= {"CUTOUT_HSTS_SECONDS", "CUTOUT_SSL_REDIRECT"}


def test_decisions_are_numbered_short_and_listed_in_the_index():
    folder = ROOT / "docs" / "decisions"
    texts = {path.name: path.read_text(encoding="utf-8").splitlines() for path in folder.glob("0*.md")}
    assert {name: len(lines) for name, lines in texts.items() if len(lines) > 25} == {}
    index = re.findall(r"^(\d+)\. \[(.*)\]\((.*)\)$", text_of("docs/decisions/README.md"), re.MULTILINE)
    assert [int(number) for number, _, _ in index] == list(range(1, len(texts) + 1))
    assert {(file, f"# {number}. {title}") for number, title, file in index} == {
        (name, lines[0]) for name, lines in texts.items()
    }
    assert [file for number, _, file in index if not file.startswith(f"{int(number):04}")] == []


def test_the_page_of_the_house_and_its_drawing_are_up_to_date():
    house = whole_house()
    again = "they are made anew by: make house"
    assert text_of(str(house_drawing.PAGE)) == house_drawing.page(house), again
    assert text_of(str(house_drawing.DRAWING)) == house_drawing.drawing(house), again
    rooms = [room for app in APPS for room in house_drawing.arrows_of(house, app)]
    assert [room for room in rooms if not house.says(room)] == [], "each room says what it is for"


def test_the_page_on_speed_lists_each_budget_once():
    shown = re.findall(r"^\| (\d+) \| ([^|]+) \|", text_of("docs/speed.md"), re.MULTILINE)
    assert shown == [(str(number), name) for number, (name, _) in BUDGETS.items()]


def test_no_file_names_the_machine_it_was_written_on():
    listed = subprocess.run(
        ["git", "ls-files"], cwd=ROOT, capture_output=True, text=True, check=True
    ).stdout.splitlines()
    # The words are split so that this file does not match itself.
    words = (
        "/wo" + "rk/",
        "/fa" + "rm",
        "seed 0" + "0",
        "shared/" + "(?:games|rulebooks|design)",
        "pypi" + r"\.org",
        "pythonhos" + "ted",
    )
    foreign = re.compile("|".join(words))
    for name in listed:
        path = ROOT / name
        if path.suffix in (".png", ".webp", ".woff2", ".gz", ".icc") or not path.exists():
            continue
        found = foreign.search(path.read_text(encoding="utf-8"))
        assert not found, f"{name}: {found and found[0]}"
