"""The documentation matches the code: links, commands, options, addresses, limits and settings."""

from __future__ import annotations

import re
import shlex
import subprocess
from pathlib import Path

import pytest
from django.core.management import BaseCommand, get_commands, load_command_class
from django.urls import resolve

from cardsdb.api.framework import Pages
from cardsdb.games.kit import listed
from cardsdb.games.kit.model.text import either
from cardsdb.site.ratelimits import READS, WORKS
from decks.formats import FORMATS
from printing.exports import export
from printing.exports.card_pictures import MAX_NAME, plain_name
from printing.request.lists import pasted_list
from printing.tasks.files import MAX_BYTES, MAX_BYTES_OF_ONE, MAX_ROWS
from printing.tasks.jobs import MAX_A_DAY
from tests import ROOT
from tests.support.made_decks import starter
from tests.support.print_lists import job_for

PAGES = [
    *sorted(ROOT.glob("*.md")),
    *sorted((ROOT / "docs").rglob("*.md")),
    *sorted((ROOT / "cardsdb").rglob("*.md")),
]

COMMANDS = (ROOT / "docs" / "commands.md").read_text(encoding="utf-8")


def ids(path: Path) -> str:
    return path.relative_to(ROOT).as_posix()


@pytest.mark.parametrize("page", PAGES, ids=ids)
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


def test_the_files_that_the_readme_names_exist():
    for name in re.findall(
        r"`([\w./<>]+\.(?:py|csv|toml|md))`", (ROOT / "README.md").read_text(encoding="utf-8")
    ):
        pattern = name.replace("<game>", "*")
        assert "/" not in name or list(ROOT.glob(pattern)), name


def test_the_two_commands_of_the_readme_are_targets_of_make():
    readme, makefile = ((ROOT / name).read_text(encoding="utf-8") for name in ("README.md", "Makefile"))
    named = set(re.findall(r"make (\w+)", readme))
    assert {"run", "test"} <= named
    assert named <= set(re.findall(r"^([a-z-]+):", makefile, re.MULTILINE))


def test_ci_runs_what_the_readme_says():
    script = (ROOT / ".ci" / "run").read_text(encoding="utf-8")
    assert script.rstrip().endswith("make test")
    assert "CUTOUT_REQUIRE_ALL=1" in script


def test_the_commands_page_names_every_command_and_no_other():
    ours = {name for name, app in get_commands().items() if app in ("cardsdb", "decks", "printing")}
    named = set(re.findall(r"^\| `(\w+)", COMMANDS, re.MULTILINE))
    assert named == ours - {"build_fonts"}


@pytest.mark.parametrize(
    "name",
    ["load_cards", "search", "check_deck", "print_deck", "export_cards", "convert_deck", "prepare", "doctor"],
)
def test_every_option_that_the_commands_page_shows_is_taken(name):
    (shown,) = re.findall(rf"^\| `{name}([^`]*)`", COMMANDS, re.MULTILINE)
    command = load_command_class(get_commands()[name], name)
    assert isinstance(command, BaseCommand)
    taken = {
        option
        for action in command.create_parser("manage.py", name)._actions
        for option in action.option_strings
    }
    assert set(re.findall(r"--?[a-z]+(?:-[a-z]+)*", shown)) <= taken


def test_the_commands_page_names_every_format_of_decks_and_those_with_texts():
    (row,) = re.findall(r"^\| `convert_deck.*", COMMANDS, re.MULTILINE)
    with_texts = [name for name, format in FORMATS.items() if format.with_texts]
    assert f"any of the formats {listed(tuple(FORMATS), len(FORMATS))} and writes it" in row
    assert f"into a {either(with_texts)};" in row


@pytest.mark.django_db
def test_the_card_choices_of_the_commands_page_can_be_printed():
    table = COMMANDS.split("## Which cards")[1].split("\n## ")[0]
    print_list = pasted_list("spycraft", f"{starter('spycraft', 'nine-tiger')}\n1 Termite\n")
    rows = re.findall(r"^\| `(--[^`]*)` \|", table, re.MULTILINE)
    for row in rows:
        option, value = shlex.split(row)
        more_options = {"extras": "tokens"} if value == "none" else {}
        options = {option.removeprefix("--").replace("-", "_"): value, **more_options}
        assert job_for(print_list, options).sheets, row
    assert len(rows) == 7


def test_files_are_named_as_the_commands_page_says():
    table = COMMANDS.split("## How files are named")[1].split("\n## ")[0]
    ((given, named),) = re.findall(r"`([^`]*)` becomes `([^`]*)`", table)
    assert plain_name(given) == named and f"at most {MAX_NAME} characters" in table


def test_the_addresses_in_the_documentation_exist():
    for page in PAGES:
        for address in re.findall(r"`(/(?:[a-z0-9_.<>{}]+/?)*)`", page.read_text(encoding="utf-8")):
            if not address.startswith(("/my/", "/static/", "/opt/", "/var/", "/etc/")):
                resolve(re.sub(r"[<{][a-z_]+[>}]", "deaddrop", address.replace("{number}", "1")))


def test_the_pages_for_operators_and_programs_state_the_limits_of_the_code():
    deploy, page = ((ROOT / "docs" / f"{name}.md").read_text(encoding="utf-8") for name in ("deploy", "api"))
    assert f"{READS} reads of the API, {WORKS} verdicts" in deploy
    assert f"{Pages.page_size} by default and at most {Pages.max_page_size}" in page
    assert f"{READS} requests a minute, and {WORKS} a minute" in page


@pytest.mark.parametrize("name", ["api", "operate"])
def test_the_pages_state_the_limits_of_print_jobs(name):
    page = " ".join((ROOT / "docs" / f"{name}.md").read_text(encoding="utf-8").split())
    assert f"more than {export.BIG_SIDES} sides ({export.SIDES_WITH_PICTURES} with own pictures)" in page
    assert (
        f"more than {export.BIG_PICTURES} such pictures" in page
        and f"more than {export.BIG_PIXELS // 1_000_000} million pixels" in page
    )
    assert f"{MAX_A_DAY} a day" in page
    kept = (
        f"at most {export.MAX_BYTES // 1_000_000} MB",
        f"{MAX_BYTES // 1_000_000_000} GB",
        f"have {MAX_BYTES_OF_ONE // 1_000_000} MB",
        f"{MAX_ROWS:,} jobs",
    )
    assert name == "api" or all(words in page for words in kept)


def test_the_deployment_page_names_every_variable():
    settings = (ROOT / "cardsdb" / "settings.py").read_text(encoding="utf-8")
    page = (ROOT / "docs" / "deploy.md").read_text(encoding="utf-8")
    for name in re.findall(
        r'"(CUTOUT_[A-Z_]+|DATABASE_URL|CACHE_URL|TASKS_URL|SECRET_KEY|ALLOWED_HOSTS)"', settings
    ):
        if name not in ("CUTOUT_HSTS_SECONDS", "CUTOUT_SSL_REDIRECT"):
            assert name in page, name


def test_decisions_are_numbered_short_and_listed_in_the_index():
    folder = ROOT / "docs" / "decisions"
    texts = {
        path.name: path.read_text(encoding="utf-8").splitlines() for path in sorted(folder.glob("0*.md"))
    }
    assert [name[:4] for name in texts] == [f"{number:04}" for number in range(1, len(texts) + 1)]
    assert {name: len(lines) for name, lines in texts.items() if len(lines) > 25} == {}
    index = (folder / "README.md").read_text(encoding="utf-8")
    listed_there = re.findall(r"^(\d+)\. \[(.*)\]\((.*)\)$", index, re.MULTILINE)
    assert [(file, f"# {number}. {title}") for number, title, file in listed_there] == [
        (name, lines[0]) for name, lines in texts.items()
    ]
    assert [name for name, lines in texts.items() if not lines[0].startswith(f"# {int(name[:4])}. ")] == []


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


def test_agent_deckers_data_carries_its_own_licence():
    licence = (ROOT / "cardsdb" / "games" / "agentdecker" / "LICENSE.md").read_text(encoding="utf-8")
    assert (
        "CC BY-NC 4.0" in licence
        and "Manuel Correia" in licence
        and "creativecommons.org/licenses/by-nc/4.0" in licence
    )
