"""The print page without cards, and the outcome of a print: its summary, instructions and preview."""

import pytest
from django.test import Client

from cardsdb.games import games
from decks.models import Deck
from printing.job.job import Job
from printing.options.values import read_options
from printing.web.print_page import instructions, unbroken
from tests.support.made_decks import named_deck
from tests.support.pages import Page, page, page_of
from tests.support.print_pages import laid

# SQLite is enough here: tests/house/test_permissions.py asks each address on PostgreSQL too.
pytestmark = pytest.mark.engine("sqlite")
STARTERS = [
    f"/print/?starter={game.slug}/{starter.slug}" for game in games().values() for starter in game.starters
]


# -- without cards -------------------------------------------------------------------------


def ready(page: Page) -> list[str]:
    """The links to prints that the page without cards offers."""
    return [link["href"] for link in page.one("section", class_="print-ready").all("a", class_="name")]


@pytest.mark.django_db
def test_the_page_without_cards_offers_own_decks_and_starters(client):
    assert ready(page(client, "/print/")) == STARTERS
    own = named_deck(client, "Mine", "2 Kai", visibility="private")
    named_deck(Client(), "Another's", "2 Kai")
    assert ready(page(client, "/print/")) == [f"/print/?deck={own.link}", *STARTERS]


@pytest.mark.django_db
def test_a_starter_has_an_address_of_its_own(client):
    laid = page(client, "/print/", {"starter": "xfiles/deck-mulder", "paper": "letter"}, follow=True)
    assert laid.one("h1").text == "Print Mulder and the paranormal"
    hidden = laid.one("form", id="print-form").all("input", name="starter")
    assert [field["value"] for field in hidden] == ["xfiles/deck-mulder"]


@pytest.mark.django_db
def test_a_list_pasted_on_the_page_without_cards_tells_its_game_itself(client):
    form = page(client, "/print/").one("form", class_="print-list")
    assert (form["method"], form["action"], set(form.sent)) == ("post", "/print/", {"text"})
    laid = page_of(client.post(form["action"], {"text": "2 Kai\n1 Mother of Clouds\n"}))
    job = laid.context["page"].outcome.job
    assert (job.game.slug, job.cards) == ("spycraft", 3)
    unknown = page_of(client.post(form["action"], {"text": "1 Nobody\n"}), status=400)
    assert "Say which game the list is for" in unknown.text


def test_the_page_of_an_empty_deck_has_its_name_and_a_link_back(client, db):
    client.post("/decks/new/", {"game": "spycraft", "name": "Plans", "start": "empty"})
    link = Deck.objects.get().link
    refused = page(client, f"/print/?deck={link}", status=400, follow=True)
    assert refused.has("h1", text="Print Plans")
    assert refused.one("a", class_="button", text="Open Plans")["href"] == f"/decks/{link}/"


# -- the outcome ---------------------------------------------------------------------------


def test_the_summary_has_cards_sheets_sides_and_the_reason_for_the_size(client, deck):
    Deck.objects.filter(pk=deck.pk).update(revision=0)
    words = laid(client, deck, "&backs=long").text
    assert "59 cards, 7 sheets, 14 sides, 63 × 88 mm" in words and "version 0" not in words
    assert "Why this size" in words and games()["spycraft"].trim_source in words


def test_sizes_have_no_break_spaces():
    assert unbroken("9 cards, 63.5 × 88.9 mm, 300 ppi") == "9 cards, 63.5\xa0×\xa088.9\xa0mm, 300\xa0ppi"


@pytest.mark.parametrize(
    ("options", "advice"),
    [
        ({"backs": "long"}, "On, turned over the long edge"),
        ({"backs": "short"}, "On, turned over the short edge"),
        ({"backs": "gutterfold"}, "Fold along the dashed line"),
        ({"backs": "separate"}, "from the other file"),
        ({"ink": "grey"}, "Greys or black and white"),
        ({}, "lay a ruler on the scale bars: 50 mm and 2 in"),
        ({"paper": "63x88", "trim": "63x88", "margin": "0"}, "measure a card: it is 63 mm (2.48 in) wide"),
    ],
    ids=str,
)
def test_instructions_for_the_printers_dialog_follow_the_options(options, advice):
    game = games()["spycraft"]
    job = Job(game, ((game.cards[0], 3),), options=read_options(options))
    assert advice in " ".join(choice for _, choice in instructions(job))


def test_the_preview_has_a_label_and_a_table_for_screen_readers(client, deck):
    page = laid(client, deck, "&sheet=2")
    assert page.one(role="img", aria_label="Sheet 2 of 7: 9 cards, A4")
    assert len(page.row("Row 3")) == 3


@pytest.mark.django_db
@pytest.mark.parametrize(("number", "shown"), [("0", 1), ("-1", 1), ("99999999", 7), ("x", 1), ("", 1)])
def test_a_wrong_number_of_a_sheet_shows_the_first_or_the_last_one(client, deck, number, shown):
    preview = page(client, f"/print/?deck={deck.link}&paper=a4&sheet={number}", follow=True)
    assert f"Sheet {shown} of 7" in preview.text
