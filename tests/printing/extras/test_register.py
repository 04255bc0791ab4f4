"""The register of a deck: every card on one page, the verdict, no secret card; and its rules to measure by,
which are measured in the printed picture.
"""

import re
from collections import Counter
from itertools import pairwise

import pypdfium2
import pytest
from django.test import Client

from cardsdb.games import games
from cardsdb.games.kit import Card
from cardsdb.identity.viewer import NOBODY
from printing.extras.register import BARS, Register, register_pages
from printing.faces.strokes import Rect
from printing.job.job import Job
from printing.layout.geometry import Area
from printing.layout.margin_words import SMALLEST
from printing.layout.margins import HINT
from printing.options.sizes import PAPERS
from printing.render.files import sides_of
from printing.request.lists import PrintList, pasted_list, stored_decks
from tests.support.drawings import ROOT, assert_within, rules, runs, starter_list, texts, words_of
from tests.support.made_decks import named_deck, starter
from tests.support.print_lists import job_for
from tests.support.sheets import make_sheets

# tests/house/test_permissions.py requests each address on PostgreSQL as well.
pytestmark = pytest.mark.engine("sqlite")

STARTERS = [(game.slug, starter.slug) for game in games().values() for starter in game.starters]


def register(listed: PrintList, **options: str) -> Job:
    """Return the print of a register without the cards."""
    return job_for(listed, {"extras": "register", "only": "none", **options}, None, ROOT)


@pytest.mark.django_db
@pytest.mark.parametrize("paper", ["a4", "letter"])
@pytest.mark.parametrize(("game", "slug"), STARTERS, ids=lambda value: value)
def test_a_register_lists_every_card_on_one_page_in_readable_type(game, slug, paper):
    listed = starter_list(game, slug)
    if not listed.deck.entries:
        return
    (page,) = register(listed, paper=paper).end_pages
    assert_within(page)
    lines = texts(page)
    rows = Counter(pairwise(lines))
    assert all(rows[str(entry.count), entry.card.name] for entry in listed.deck)
    assert f"{listed.deck.size} card" in words_of(page) and listed.format.name in words_of(page)
    assert {"Signature", "50 mm", "2 in", HINT} <= set(lines)
    assert min(run.size for run in runs(page)) >= SMALLEST
    # Nothing touches the two rules to measure by.
    upright = [rule for rule in rules(page) if rule.x1 == rule.x2 and rule.x1 in (BARS, page.width - BARS)]
    assert sorted(rule.y2 - rule.y1 for rule in upright) == [50_000, 50_800]
    between_rules = Area(BARS + 1_000, 0, page.width - 2 * BARS - 2_000, page.height)
    words = [Area(run.x, run.y, run.width, 0) for run in runs(page) if not run.turned]
    fills = [Area(*stroke[:4]) for stroke in page.strokes if isinstance(stroke, Rect)]
    assert all(area.inside(between_rules) for area in (*words, *fills))


@pytest.mark.django_db
def test_a_register_shows_the_verdict_and_its_findings():
    job = job_for(pasted_list("spycraft", "9 Kai", "agency"), {"extras": "register"})
    words = words_of(job.end_pages[0])
    assert "Agency Deck: Not legal." in words and "Kai" in words


def test_a_stranger_gets_a_register_without_secret_cards(db):
    deck = named_deck(Client(), "Truth", starter("xfiles", "deck-mulder"), game="xfiles")
    is_secret = games()["xfiles"].is_secret
    secret = {entry.card.name for entry in deck.decklist() if is_secret(entry.section, entry.card.type)}
    words = words_of(register(stored_decks([deck.link], NOBODY)[0]).end_pages[0])
    assert secret and not any(name in words for name in secret) and "What is secret is not listed." in words


@pytest.mark.parametrize("name", ["Card", "Somebody or Something of Which Nobody Knows Any More than This"])
@pytest.mark.parametrize("saving", [False, True])
def test_a_very_long_list_takes_several_pages_and_loses_no_card(name, saving):
    game = games()["spycraft"]
    cards = tuple(
        (Card("spycraft", f"card-{number}", f"{name} {number}", "agent"), 1) for number in range(900)
    )
    content = Register(game, "Everything", ("Spycraft",), (("Deck", cards),), "Undecided.", saving=saving)
    pages = register_pages(content, PAPERS["letter"].lengths)
    assert len(pages) > 1
    counts = Counter(text for page in pages for text in texts(page))
    assert all(counts[card.name] == 1 for card, _ in cards)
    for page in pages:
        assert_within(page)
        assert min(run.size for run in runs(page)) >= SMALLEST


def test_on_small_paper_fewer_findings_are_named_and_the_list_stays_on_the_page():
    game = games()["spycraft"]
    findings = ("One card of the deck is there more often than the rules of this format allow.",) * 9
    sections = (("Deck", tuple((card, 1) for card in game.cards[:5])),)
    for page in register_pages(Register(game, "Tiger", (), sections, findings=findings), (105_000, 148_000)):
        assert_within(page)
        assert re.search(r"And \d more\.", words_of(page))


@pytest.mark.django_db
@pytest.mark.parametrize(
    ("options", "pages"),
    [
        ({}, 2),
        ({"backs": "long"}, 4),
        ({"backs": "long", "side": "fronts"}, 2),
        # A register without cards gets no empty back.
        ({"backs": "long", "only": "none"}, 1),
    ],
)
def test_the_register_is_printed_on_its_own_paper(options, pages):
    job = job_for(pasted_list("spycraft", "2 Kai"), {"extras": "register", **options})
    made = make_sheets(job)
    assert (job.pages, made.pages, len(pypdfium2.PdfDocument(made.data))) == (pages, pages, pages)
    own = next(side for side in sides_of(job) if side.role == "P")
    sheet = 1 if "only" in options else 2
    assert (own.number, own.side) == (sheet, "front")
    assert own.placed[0].drawing.name == "Register of Spycraft deck"


@pytest.mark.django_db
def test_a_register_is_in_greys_if_the_sheets_are():
    (page,) = register(starter_list("spycraft", "nine-tiger"), ink="grey").end_pages
    colours = {stroke.colour for stroke in page.strokes if hasattr(stroke, "colour")}
    assert colours and all(colour[1:3] == colour[3:5] == colour[5:7] for colour in colours)
