"""The print page before anything is chosen, and the outcome of a print: what it comes to, in words and
numbers, and how to print it.
"""

from __future__ import annotations

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

# Reads what is stored as every page does. Each address is asked on PostgreSQL too, in
# tests/house/test_permissions.py.
pytestmark = pytest.mark.engine("sqlite")
STARTERS = [
    f"/print/?starter={game.slug}/{starter.slug}" for game in games().values() for starter in game.starters
]


# -- before anything is chosen -------------------------------------------------------------


def ready(page: Page) -> list[str]:
    return [one["href"] for one in page.one("section", class_="print-ready").all("a", class_="name")]


@pytest.mark.django_db
def test_ones_own_decks_and_every_starter_can_be_printed_from_there_and_nobody_elses_decks(client):
    assert ready(page(client, "/print/")) == STARTERS
    own = named_deck(client, "Mine", "2 Kai", visibility="private")
    named_deck(Client(), "Another's", "2 Kai")
    assert ready(page(client, "/print/")) == [f"/print/?deck={own.link}", *STARTERS]


@pytest.mark.django_db
def test_a_starter_is_laid_out_at_an_address_of_its_own(client):
    laid = page(client, "/print/", {"starter": "xfiles/deck-mulder", "paper": "letter"}, follow=True)
    assert laid.one("h1").text == "Print Mulder and the paranormal"
    hidden = laid.one("form", id="print-form").all("input", name="starter")
    assert [one["value"] for one in hidden] == ["xfiles/deck-mulder"]


@pytest.mark.django_db
def test_a_list_is_pasted_where_nothing_is_chosen_and_says_itself_which_game_it_is_for(client):
    form = page(client, "/print/").one("form", class_="print-list")
    assert (form["method"], form["action"], set(form.sent)) == ("post", "/print/", {"text"})
    laid = page_of(client.post(form["action"], {"text": "2 Kai\n1 Mother of Clouds\n"}))
    job = laid.context["page"].outcome.job
    assert (job.game.slug, job.cards) == ("spycraft", 3)
    unknown = page_of(client.post(form["action"], {"text": "1 Nobody\n"}), status=400)
    assert "Say which game the list is for" in unknown.text


def test_a_deck_without_cards_keeps_its_name_and_the_way_back(client, db):
    client.post("/decks/new/", {"game": "spycraft", "name": "Plans", "start": "empty"})
    link = Deck.objects.get().link
    read = page(client, f"/print/?deck={link}", status=400, follow=True)
    assert read.has("h1", text="Print Plans")
    assert read.one("a", class_="button", text="Open Plans")["href"] == f"/decks/{link}/"


# -- what a print comes to -----------------------------------------------------------------


def test_the_summary_counts_cards_sheets_and_sides(client, deck):
    Deck.objects.filter(pk=deck.pk).update(revision=0)
    told = laid(client, deck, "&backs=long").text
    assert "59 cards, 7 sheets, 14 sides, 63 × 88 mm" in told and "version 0" not in told
    assert "Why this size" in told and games()["spycraft"].trim_source in told


def test_no_line_breaks_within_a_size():
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
def test_the_printers_dialog_is_explained_for_what_was_chosen(options, advice):
    game = games()["spycraft"]
    job = Job(game, ((game.cards[0], 3),), options=read_options(options))
    assert advice in " ".join(choice for _, choice in instructions(job))


def test_the_picture_has_words_and_a_table_beside_it(client, deck):
    page = laid(client, deck, "&sheet=2")
    assert page.one(role="img", aria_label="Sheet 2 of 7: 9 cards, A4")
    assert len(page.row("Row 3")) == 3


@pytest.mark.django_db
def test_a_sheet_that_is_not_there_is_the_nearest_one(client, deck):
    for number, nearest in (("0", 1), ("-1", 1), ("99999999", 7), ("x", 1), ("", 1)):
        seen = page(client, f"/print/?deck={deck.link}&paper=a4&sheet={number}", follow=True)
        assert f"Sheet {nearest} of 7" in seen.text, number
