"""The same text gets the same cards in the same sections, and so the same verdict, wherever a list is read:
on pages, by commands, and over the API.
"""

import base64
import json
import re
from collections.abc import Callable
from pathlib import Path
from typing import Any, NamedTuple, TypeAlias
from xml.sax.saxutils import escape

import pytest
from django.test import Client

from cardsdb.games import games
from cardsdb.games.kit.listtext.deck import read_deck
from decks.core.judging import Judged
from decks.formats import export
from tests.support.commands import run
from tests.support.pages import page_of

pytestmark = [pytest.mark.django_db, pytest.mark.engine("sqlite")]


class Answer(NamedTuple):
    """What one way of reading returned: game, verdict, section -> copies, and the number of unread lines."""

    game: str
    verdict: str
    sections: dict[str, int]
    unread: int = 0


def of_judged(judged: Judged) -> Answer:
    sections = {slug: sum(e.count for e in entries) for slug, entries in judged.deck.by_section.items()}
    return Answer(judged.game.slug, judged.verdict, sections, len(judged.unread))


def of_json(report: dict[str, Any]) -> Answer:
    sections = {part["section"]: part["count"] for part in report["sections"]}
    return Answer(report["game"], report["verdict"], sections, len(report["unread"]))


def posted(client: Client, address: str, body: dict[str, Any]) -> dict[str, Any]:
    answer = client.post(address, body, content_type="application/json")
    assert answer.status_code == 200, answer.content
    content: dict[str, Any] = answer.json()
    return content


# (client, list, folder for a file of it) -> the answer
Reader: TypeAlias = Callable[[Client, str, Path], Answer]


def on_the_page(address: str, field: str = "text") -> Reader:
    """A reader that sends the list in this field to this address."""
    return lambda client, text, folder: of_judged(client.post(address, {field: text}).context["judged"])


def after_the_import(client: Client, text: str, folder: Path) -> Answer:
    form = client.post("/decks/import/", {"pasted": text}).context["form"]
    names = ("game", "name", "house", "text")
    values = {name: form[name].value() or "" for name in names}
    return of_judged(client.post("/decks/import/", {**values, "step": "look"}).context["judged"])


def by_the_command(client: Client, text: str, folder: Path) -> Answer:
    path = folder / "deck"
    path.write_text(text, encoding="utf-8")
    return of_json(json.loads(run("check_deck", str(path), "--json").out))


def by_the_command_for_many(client: Client, text: str, folder: Path) -> Answer:
    path = folder / "lists"
    path.write_text(json.dumps({"text": text}) + "\n", encoding="utf-8")
    return of_json(json.loads(run("check_deck", str(path), "--batch").out))


def at_the_api(client: Client, text: str, folder: Path) -> Answer:
    return of_json(posted(client, "/api/v1/decks/validate/", {"text": text}))


def at_the_api_of_files(client: Client, text: str, folder: Path) -> Answer:
    content = base64.b64encode(text.encode()).decode()
    body = {"content": content, "encoding": "base64"}
    return of_json(posted(client, "/api/v1/decks/import/", body)["report"])


# Every way in which a list is read.
READERS: dict[str, Reader] = {
    "check": on_the_page("/check/"),
    "check while typing": on_the_page("/check/verdict/"),
    "import": on_the_page("/decks/import/", "pasted"),
    "second step of the import": after_the_import,
    "command": by_the_command,
    "command for many": by_the_command_for_many,
    "API": at_the_api,
    "API of files": at_the_api_of_files,
}

# -- lists ------------------------------------------------------------------------------


def starter(game: str, slug: str) -> str:
    """The cards of a starter under its headings, without its comments."""
    text = next(s for s in games()[game].starters if s.slug == slug).text
    return "\n".join(line for line in text.splitlines() if not line.startswith("//")).strip()


def bare(text: str) -> str:
    """The same lines without headings and blank lines."""
    return "\n".join(line for line in text.splitlines() if line and not line.endswith(":"))


MULDER, TIGER = starter("xfiles", "deck-mulder"), starter("spycraft", "nine-tiger")
# Its sections, each of which begins with a blank line and a heading.
TEAM, XFILE, BUREAU = (bare(part) for part in re.split(r"\n\n(?=\S.*:\n)", MULDER))
# The starter has an Agent in the Bureau deck, which only a heading can put there; replace it.
BUREAU = BUREAU.replace("1 Agent Jack Willis", "1 Deep Throat")
PLAIN = f"{TEAM}\n\n{BUREAU}\n{XFILE}\n"
XFILES = {"agents": 4, "xfile": 1, "bureau": 60}
SPY = {"leaders": 4, "deck": 55}
LEGAL, SPY_LEGAL = Answer("xfiles", "legal", XFILES), Answer("spycraft", "legal", SPY)


def written(name: str, game: str, text: str) -> str:
    """The list as a file of this format."""
    return export(name, games()[game], read_deck(games()[game], text)).text


def zones(*parts: tuple[str, str]) -> str:
    """The lists as zones of a deck of Cockatrice."""
    inside = ""
    for text, zone in parts:
        lines = (line.partition(" ") for line in bare(text).splitlines())
        cards = "".join(f'<card number="{count}" name="{escape(name)}"/>' for count, _, name in lines)
        inside += f'<zone name="{zone}">{cards}</zone>'
    return f'<cockatrice_deck version="1">{inside}</cockatrice_deck>'


# The deck without its last seven lines has 46 cards; the 13 of these lines would complete it.
SHORT, REST = ("\n".join(lines) for lines in (TIGER.splitlines()[:-7], TIGER.splitlines()[-7:]))
LACKING = Answer("spycraft", "incomplete", {"leaders": 4, "deck": 42})
HOUSE = "// format: agency\n// house: AG-3.at_least=60\n"
CASES: dict[str, tuple[str, Answer]] = {
    "no headings, a blank line": (PLAIN, LEGAL),
    "headings": (MULDER, LEGAL),
    "no headings, no blank line": (bare(TIGER), SPY_LEGAL),
    "a line that nobody knows": (f"{TIGER}\n2 Nobody At All", Answer("spycraft", "undecided", SPY, 1)),
    "house rules of its own": (HOUSE + TIGER, Answer("spycraft", "incomplete", SPY)),
    "a file: dek": (written("dek", "spycraft", TIGER), SPY_LEGAL),
    "a file: json": (written("json", "spycraft", TIGER), SPY_LEGAL),
    "a file with sections: gccg": (written("gccg", "xfiles", MULDER), LEGAL),
    "a sideboard that would complete it": (f"{SHORT}\n\nSideboard\n{REST}", LACKING),
    "a maybeboard of a whole deck": (f"{TIGER}\n\nMAYBEBOARD:\n1 Nobody At All\n{REST}", SPY_LEGAL),
    "zones beside the deck": (zones((SHORT, "main"), (REST, "maybe"), (REST, "tokens")), LACKING),
    "a sideboard that the game has": (
        f"{MULDER}\n\nSideboard:\n1 Autopsy",
        Answer("xfiles", "incomplete", {**XFILES, "sideboard": 1}),
    ),
}


@pytest.mark.parametrize("what", CASES)
def test_a_list_gets_the_same_verdict_everywhere(what, client, tmp_path):
    text, answer = CASES[what]
    answers = {name: read(client, text, tmp_path) for name, read in READERS.items()}
    assert answers == dict.fromkeys(READERS, answer)


@pytest.mark.parametrize("address", ["/check/", "/check/verdict/", "/decks/import/"])
def test_cards_beside_the_deck_are_reported(address, client):
    field = "pasted" if "import" in address else "text"
    for text in (f"{TIGER}\n\nSideboard\n{REST}", zones((TIGER, "main"), (REST, "maybe"))):
        assert "is no part of a Spycraft deck" in page_of(client.post(address, {field: text})).text
