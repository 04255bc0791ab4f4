"""The views of a print: the address of its page, answers to htmx, its files, the limits of previews and files
for one network address, the page without cards, and the outcome that the page shows.
"""

from contextlib import ExitStack

import pytest
from django.core.cache import cache
from django.http import HttpResponse
from django.test import Client, RequestFactory

from cardsdb.faults import SOON
from cardsdb.games import games
from cardsdb.site.ratelimits import LOOKS_A_WORK
from decks.models import Deck
from printing.job.job import Job
from printing.options.values import OPTIONS, read_options
from printing.web.print_page import instructions, unbroken
from printing.web.print_views import turn
from tests.support.made_decks import named_deck
from tests.support.pages import Page, page, page_of
from tests.support.print_pages import chosen, laid

# SQLite is enough here: tests/house/test_permissions.py asks each address on PostgreSQL too.
pytestmark = [pytest.mark.django_db, pytest.mark.engine("sqlite")]

LIVE = {"HX-Request": "true"}
KAI = {"game": "spycraft", "text": "1 Kai"}
UNKNOWN = {"game": "spycraft", "text": "1 Nobody"}
CARD = {"card": "spycraft/kai", "paper": "a4"}


# -- the address, and answers to htmx ----------------------------------------------------------


def test_the_address_has_the_paper_and_no_other_defaults(client, deck):
    usual = {option.name: option.default for option in OPTIONS} | {"gap": "3,0 mm"}
    answer = client.get("/print/", {"deck": deck.link, **usual})
    assert (answer.status_code, answer["Location"]) == (302, f"/print/?deck={deck.link}&paper=a4&gap=3")
    assert client.get(answer["Location"]).status_code == 200


def test_another_size_that_is_not_typed_yet_is_awaited(client, deck):
    fields = {"deck": deck.link, "trim": "other", "trim_other": ""}
    assert client.get("/print/", fields, headers=LIVE).status_code == 204
    refused = Page(client.get("/print/", fields))
    assert refused.text.count("Card size: write width x height in mm, 15 to 200 each.") == 2
    assert refused.field("trim_other")["aria-invalid"] == "true"


def test_a_wrong_option_is_a_fault_at_its_field(client, deck):
    sent = {"deck": deck.link, "gap": "99", "backs": "long"}
    refused = page(client, "/print/", sent, status=400)
    assert "#f-gap" in refused.links and refused.has(id="e-gap")
    assert (chosen(refused, "gap"), chosen(refused, "backs")) == ("99", "long")
    # The status is 200, because htmx shows no answer with an error.
    assert "This cannot be printed yet" in page(client, "/print/", sent, headers=LIVE).text


def test_an_htmx_request_gets_the_outcome_alone_and_the_new_address(client, deck):
    answer = client.get("/print/", {"deck": deck.link, "backs": "short", "gap": "0"}, headers=LIVE)
    assert answer["HX-Replace-Url"] == f"/print/?deck={deck.link}&paper=a4&backs=short"
    outcome = page_of(answer)
    assert not outcome.has("h1") and "14 sides" in outcome.text
    price = outcome.one("section", class_="print-price", id="price", hx_swap_oob="true")
    assert "59 cards, 7 sheets, 14 sides" in price.text


# -- files ---------------------------------------------------------------------------------


def by_form(client: Client, fields: dict[str, str], **headers: str) -> HttpResponse:
    return client.post("/print/sheets.pdf", fields, headers=headers)


def by_api(client: Client, fields: dict[str, str], **headers: str) -> HttpResponse:
    return client.post("/api/v1/sheets/", fields, content_type="application/json", headers=headers)


def as_pictures(client: Client, fields: dict[str, str]) -> HttpResponse:
    return client.post("/print/cards.zip", fields)


@pytest.mark.parametrize("ask", [by_form, by_api])
def test_sheets_are_cached_by_the_browser_alone_and_not_sent_twice(client, ask):
    first = ask(client, KAI)
    assert first["Cache-Control"] == "private, no-cache"
    for weak in ("", "W/"):
        again = ask(client, KAI, **{"If-None-Match": weak + first["ETag"].removeprefix("W/")})
        assert (again.status_code, again.content) == (304, b"")


@pytest.mark.parametrize(
    ("addresses", "message"),
    [
        (("127.0.0.1",) * 2, "being made for you"),
        (("192.0.2.1", "192.0.2.2", "192.0.2.3"), "being made for others"),
    ],
)
def test_a_file_is_refused_unread_while_all_places_are_taken(client, addresses, message):
    with ExitStack() as turns:
        for address in addresses:
            turns.enter_context(turn(RequestFactory(REMOTE_ADDR=address).get("/")))
        for ask in (by_form, as_pictures):
            # If the list were read, its unknown card would be refused with 400.
            answer = ask(client, UNKNOWN)
            words = page_of(answer, status=503).text
            assert answer["Retry-After"] == str(SOON) and message in words and "1 Nobody" in words
        busy = by_api(client, UNKNOWN)
        assert (busy.status_code, busy["Retry-After"]) == (503, str(SOON))
        assert [fault["code"] for fault in busy.json()] == ["busy"]
        elsewhere = by_form(Client(REMOTE_ADDR="198.51.100.7"), KAI)
        assert elsewhere.status_code == (200 if len(addresses) == 2 else 503)
    assert by_form(client, KAI).status_code == 200, "the places are free again"


def test_a_refused_file_frees_its_place_again(client):
    for _ in range(4):
        assert by_form(client, UNKNOWN).status_code == 400
    assert by_form(client, KAI).status_code == 200


# -- previews, which have a limit of their own -------------------------------------------------


@pytest.fixture
def two_works(settings):
    """Allow an address two files a minute, and return how many previews it may then see."""
    cache.clear()
    settings.CUTOUT_WORKS_PER_MINUTE = 2
    return 2 * LOOKS_A_WORK


@pytest.mark.parametrize("pasted", [False, True])
def test_previews_and_files_have_separate_limits_a_minute(client, two_works, pasted):
    def look(**headers: str):
        return (
            client.post("/print/", KAI, headers=headers)
            if pasted
            else client.get("/print/", CARD, headers=headers)
        )

    assert [look().status_code for _ in range(two_works)] == [200] * two_works
    refused = look()
    assert refused.status_code == 429 and 0 < int(refused["Retry-After"]) <= 60
    # By htmx the refusal stands in the place of the preview, with status 200.
    live = look(**LIVE)
    words = page_of(live)
    assert live["Retry-After"] and not words.has("svg")
    assert "more previews than one address may see in a minute" in words.one(role="alert").text
    statuses = [client.get("/print/sheets.pdf", CARD).status_code for _ in range(3)]
    assert statuses == [200, 200, 429]


def test_a_page_without_a_preview_does_not_count_as_one(client, settings):
    cache.clear()
    settings.CUTOUT_WORKS_PER_MINUTE = 0
    assert client.get("/print/").status_code == 200
    assert client.get("/print/", CARD | {"trim": "other"}, headers=LIVE).status_code == 204
    assert client.get("/print/", CARD).status_code == 429


# -- the page without cards --------------------------------------------------------------------

STARTERS = [
    f"/print/?starter={game.slug}/{starter.slug}" for game in games().values() for starter in game.starters
]


def ready(page: Page) -> list[str]:
    """The links to prints that the page without cards offers."""
    return [link["href"] for link in page.one("section", class_="print-ready").all("a", class_="name")]


def test_the_page_without_cards_offers_own_decks_and_starters(client):
    assert ready(page(client, "/print/")) == STARTERS
    own = named_deck(client, "Mine", "2 Kai", visibility="private")
    named_deck(Client(), "Another's", "2 Kai")
    assert ready(page(client, "/print/")) == [f"/print/?deck={own.link}", *STARTERS]


def test_a_list_pasted_on_the_page_without_cards_tells_its_game_itself(client):
    form = page(client, "/print/").one("form", class_="print-list")
    assert (form["method"], form["action"], set(form.sent)) == ("post", "/print/", {"text"})
    laid = page_of(client.post(form["action"], {"text": "2 Kai\n1 Mother of Clouds\n"}))
    job = laid.context["page"].outcome.job
    assert (job.game.slug, job.cards) == ("spycraft", 3)


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


@pytest.mark.parametrize(("number", "shown"), [("0", 1), ("-1", 1), ("99999999", 7), ("x", 1), ("", 1)])
def test_a_wrong_number_of_a_sheet_shows_the_first_or_the_last_one(client, deck, number, shown):
    preview = page(client, f"/print/?deck={deck.link}&paper=a4&sheet={number}", follow=True)
    assert f"Sheet {shown} of 7" in preview.text
