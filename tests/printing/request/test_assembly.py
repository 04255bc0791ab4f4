"""Words of a print that no font can write whole: something stands in place of each letter, and the print says
which.
"""

from __future__ import annotations

import pytest
from django.test import Client

from cardsdb.games import games
from printing.faces import fonts
from printing.faces.strokes import Drawing, TextRun
from printing.job.pieces import pieces_of
from printing.render.files import DeckShown, _deck_drawing
from tests.support.print_decks import STRANGER, client_of, owner
from tests.support.print_lists import job_for, parse_lists
from tests.support.public_decks import make_deck
from tests.support.sheets import make_sheets

__all__ = ["client_of", "owner"]

SPY = "Nine \N{SLEUTH OR SPY} Tiger"
SAID = f"“{SPY}”: no font has U+1F575 SLEUTH OR SPY; ☐ is printed instead."
# Reads what is stored as every page does. Each address is asked on PostgreSQL too, in
# tests/house/test_permissions.py.
pytestmark = pytest.mark.engine("sqlite")


def words_of(drawing: Drawing) -> str:
    return " ".join(one.text for one in drawing.strokes if isinstance(one, TextRun))


def test_a_decks_name_is_printed_with_a_stand_in_wherever_it_stands_and_that_is_said_once(
    client_of: Client,
) -> None:
    deck = make_deck(client_of, SPY, "2 Kai")
    job = job_for(parse_lists({"deck": deck.link}, STRANGER), {"extras": "labels,register", "backs": "none"})
    assert "Nine ☐ Tiger" in job.notes().title
    drawn = [*job.end_pages, *(piece.front for piece in pieces_of(job) if "Labels" in piece.name)]
    assert len(drawn) == 2 and all("Nine ☐ Tiger" in words_of(one) for one in drawn)
    assert list(job.remarks()).count(SAID) == 1
    assert make_sheets(job).data.startswith(b"%PDF")


def test_a_name_that_no_font_can_write_at_all_is_no_missing_name(client_of: Client) -> None:
    deck = make_deck(client_of, "スパイ", "2 Kai")
    job = job_for(parse_lists({"deck": deck.link}, STRANGER), {})
    assert job.notes().title.startswith("☐☐☐")
    assert any("U+30B9 KATAKANA LETTER SU" in remark for remark in job.remarks())


def test_what_a_font_can_write_needs_no_remark(client_of: Client) -> None:
    deck = make_deck(client_of, "Агент Ørsted “7”", "2 Kai")
    assert not [
        remark
        for remark in job_for(parse_lists({"deck": deck.link}, STRANGER), {}).remarks()
        if "no font" in remark
    ]


def test_the_print_page_says_it(client_of: Client) -> None:
    deck = make_deck(client_of, SPY, "2 Kai")
    assert SAID in client_of.get(f"/print/?deck={deck.link}").content.decode()


def test_a_card_of_the_register_alone_is_named_too(client_of: Client) -> None:
    deck = make_deck(client_of, "Plain", "2 Kai\n1 Kestrel \N{SLEUTH OR SPY} | unknown")
    job = job_for(parse_lists({"deck": deck.link}, STRANGER), {"extras": "register", "only": "none"})
    assert "Kestrel ☐" in words_of(job.end_pages[0])
    assert any(
        remark.startswith("“Kestrel \N{SLEUTH OR SPY}”: no font has U+1F575") for remark in job.remarks()
    )


def test_the_preview_picture_of_a_deck_shows_that_letters_are_missing() -> None:
    shown = DeckShown(games()["spycraft"], SPY, "Agency Deck", "legal", "Legal", 53, (("Agents", 9),))
    assert "Nine ☐ Tiger" in words_of(_deck_drawing(shown))
    assert not any(
        fonts.missing(one.text) for one in _deck_drawing(shown).strokes if isinstance(one, TextRun)
    )
