"""The register of a deck: every card on one page, the verdict, and no secret of somebody else's."""

from __future__ import annotations

from collections import Counter
from itertools import pairwise

import pypdfium2
import pytest
from django.test import Client

from cardsdb.games import games
from cardsdb.games.kit import Card
from cardsdb.identity.viewer import Viewer
from printing.extras.register import Register, register_pages
from printing.job.job import Job
from printing.options.sizes import PAPERS
from printing.render.files import sides_of
from printing.request.lists import pasted_list, stored_decks
from tests.support.drawings import ROOT, assert_within, starter_list, texts, words_of
from tests.support.print_lists import job_for
from tests.support.public_decks import make_deck, starter
from tests.support.sheets import make_sheets

# Reads what is stored as every page does. Each address is asked on PostgreSQL too, in
# tests/house/test_permissions.py.
pytestmark = pytest.mark.engine("sqlite")

STARTERS = [(game.slug, one.slug) for game in games().values() for one in game.starters]


@pytest.mark.django_db
@pytest.mark.parametrize("paper", ["a4", "letter"])
@pytest.mark.parametrize(("game", "slug"), STARTERS, ids=lambda value: value)
def test_a_register_lists_every_card_on_one_page(game: str, slug: str, paper: str) -> None:
    listed = starter_list(game, slug)
    if not listed.deck.entries:
        return
    job = job_for(listed, {"extras": "register", "only": "none", "paper": paper}, None, ROOT)
    (page,) = job.end_pages
    assert_within(page)
    lines = texts(page)
    rows = Counter(pairwise(lines))
    for entry in listed.deck:
        assert rows[str(entry.count), entry.card.name], entry.card.name
    assert f"{listed.deck.size} card" in words_of(page) and "Signature" in lines
    assert listed.format.name in words_of(page)


@pytest.mark.django_db
def test_a_register_says_the_verdict_and_what_was_found() -> None:
    job = job_for(pasted_list("spycraft", "9 Kai", "agency"), {"extras": "register"})
    words = words_of(job.end_pages[0])
    assert "Agency Deck: Not legal." in words and "Kai" in words


def test_a_register_of_a_stranger_names_no_secret(db: None) -> None:
    deck = make_deck(Client(), "Truth", starter("xfiles", "deck-mulder"), game="xfiles")
    secret = {
        entry.card.name
        for entry in deck.decklist()
        if games()["xfiles"].is_secret(entry.section, entry.card.type)
    }
    job = job_for(stored_decks([deck.link], Viewer()), {"extras": "register"}, Viewer(), ROOT)
    words = words_of(job.end_pages[0])
    assert secret and not any(name in words for name in secret) and "What is secret is not listed." in words


def test_a_very_long_list_goes_on_to_another_page_and_loses_no_card() -> None:
    game = games()["spycraft"]
    cards = tuple(
        (Card("spycraft", f"card-{number}", f"Card number {number}", "agent"), 1) for number in range(900)
    )
    pages = register_pages(
        Register(game, "Everything", ("Spycraft",), (("Deck", cards),), "Undecided."), PAPERS["a4"].lengths
    )
    assert len(pages) > 1
    counts = Counter(text for page in pages for text in texts(page))
    assert all(counts[card.name] == 1 for card, _ in cards)
    for page in pages:
        assert_within(page)


@pytest.mark.django_db
@pytest.mark.parametrize(
    ("options", "pages"), [({}, 2), ({"backs": "long"}, 4), ({"backs": "long", "side": "fronts"}, 2)]
)
def test_the_register_has_paper_of_its_own(options: dict[str, str], pages: int) -> None:
    job = job_for(pasted_list("spycraft", "2 Kai"), {"extras": "register", **options})
    made = make_sheets(job)
    assert (job.pages, made.pages, len(pypdfium2.PdfDocument(made.data))) == (pages, pages, pages)
    register = next(side for side in sides_of(job) if side.role == "P")
    assert (register.number, register.side, register.placed[0].drawing.name) == (
        2,
        "front",
        "Register of Spycraft deck",
    )


@pytest.mark.django_db
def test_the_register_can_be_printed_alone_and_read_as_text() -> None:
    job = job_for(pasted_list("spycraft", "Name: Nine Tiger\n2 Kai"), {"only": "none", "extras": "register"})
    assert (job.sheets, job.summary()) == (1, "1 register page, 1 sheet, 63 × 88 mm")
    assert "Kai" in pypdfium2.PdfDocument(make_sheets(job).data)[0].get_textpage().get_text_range()


@pytest.mark.django_db
def test_a_register_alone_adds_no_empty_back() -> None:
    options = {"only": "none", "extras": "register", "backs": "long"}
    job = job_for(pasted_list("spycraft", "2 Kai"), options)
    assert (job.pages, make_sheets(job).pages) == (1, 1)


@pytest.mark.django_db
def test_a_name_that_no_font_can_write_does_not_stop_the_register() -> None:
    job = job_for(pasted_list("spycraft", "Name: 虎 Tiger\n2 Kai"), {"extras": "register,labels"})
    assert "Tiger" in words_of(job.end_pages[0]) and make_sheets(job).pages == 2


def test_decks_each_have_their_register(db: None) -> None:
    links = [make_deck(Client(), name, "2 Kai").link for name in ("One", "Two")]
    job = job_for(stored_decks(links, Viewer()), {"extras": "register"})
    assert [page.name for page in job.end_pages] == ["Register of One", "Register of Two"]
    assert isinstance(job, Job) and job.sheets == 3
