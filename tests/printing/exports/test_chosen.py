"""Files besides the sheets hold what was chosen: sections, counts of cards, only what lacks; each card in its
section.
"""

from __future__ import annotations

import io
import json
from collections import Counter
from zipfile import ZipFile

import pytest
from django.test import Client

from cardsdb.games import games
from cardsdb.identity.viewer import Viewer
from decks.models import Deck
from printing.exports import export
from tests.printing.request.test_owned import owns
from tests.support.print_decks import client_of, owner, tiger
from tests.support.public_decks import make_deck

__all__ = ["client_of", "owner", "tiger"]


def on_the_table(client: Client, deck: Deck, **options: str) -> list[Counter[str]]:
    """The names of the cards in each pile of the saved object."""
    answer = client.get("/print/tabletop.zip", {"deck": deck.link, **options})
    assert answer.status_code == 200, answer.content.decode()
    archive = ZipFile(io.BytesIO(b"".join(answer) if answer.streaming else answer.content))
    (name,) = [name for name in archive.namelist() if name.endswith(".json")]
    piles = json.loads(archive.read(name))["ObjectStates"]
    return [Counter(card["Nickname"] for card in pile.get("ContainedObjects", [pile])) for pile in piles]


def test_a_section_alone_is_on_the_table_alone(client_of: Client, tiger: Deck) -> None:
    leaders = Counter(
        {entry.card.name: entry.count for entry in tiger.decklist() if entry.section == "leaders"}
    )
    assert leaders and on_the_table(client_of, tiger, only="leaders") == [leaders]


def test_counts_of_cards_are_those_on_the_table(client_of: Client) -> None:
    deck = make_deck(client_of, "Small", "2 Termite\n1 Bait")
    assert on_the_table(client_of, deck, counts="termite=5,bait=0") == [Counter({"Termite": 5})]


def test_what_is_owned_is_not_on_the_table_where_only_what_lacks_was_chosen(
    client_of: Client, owner: Viewer
) -> None:
    deck = make_deck(client_of, "Small", "3 Termite\n1 Bait")
    owns(owner, termite=2, bait=1)
    assert on_the_table(client_of, deck, missing="yes") == [Counter({"Termite": 1})]


def test_a_card_of_two_sections_lies_where_it_was_chosen(client_of: Client) -> None:
    name = next(card.name for card in games()["xfiles"].cards if card.type == "agent")
    deck = make_deck(client_of, "Twice", f"Starting Agents\n1 {name}\n\nBureau deck\n3 {name}", game="xfiles")
    assert Counter(entry.section for entry in deck.decklist()) == Counter(["agents", "bureau"])
    assert on_the_table(client_of, deck, only="bureau") == [Counter({name: 3})]


# -- files are refused for what is theirs alone ---------------------------------------------


def test_pictures_have_no_paper_and_so_do_not_care_whether_cards_fit_it(client_of: Client) -> None:
    deck = make_deck(client_of, "Small", "2 Termite\n1 Bait")
    query = {"deck": deck.link, "paper": "60x80", "dpi": "150"}
    assert client_of.get("/print/sheets.pdf", query).status_code == 400
    answer = client_of.get("/print/cards.zip", query)
    assert (answer.status_code, answer["Content-Type"]) == (200, "application/zip")


def test_a_table_has_one_copy_of_everything_and_so_does_not_care_how_many_are_printed(
    client_of: Client,
) -> None:
    deck = make_deck(client_of, "Many", "99 Termite\n51 Bait")
    assert client_of.get("/print/sheets.pdf", {"deck": deck.link, "copies": "20"}).status_code == 400
    assert on_the_table(client_of, deck, copies="20") == [Counter({"Termite": 99, "Bait": 51})]


def test_the_page_that_offers_a_big_file_asks_nothing_of_sheets_either(
    client_of: Client, monkeypatch: pytest.MonkeyPatch
) -> None:
    deck = make_deck(client_of, "Many", "99 Termite\n51 Bait")
    monkeypatch.setattr(export.Cost, "is_big", lambda work, job: True)
    answer = client_of.get("/print/tabletop.zip", {"deck": deck.link, "copies": "20"})
    assert answer.status_code == 200 and 'name="copies" value="20"' in answer.content.decode()
    # The job is stored with what was query for.
    started = client_of.post("/print/jobs/", {"deck": deck.link, "copies": "20", "output": "tabletop"})
    assert started.status_code in (200, 302, 303), started.content.decode()
