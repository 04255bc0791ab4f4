"""The views of a print: the address of its page, answers to htmx, its files, and the limits of previews and
files for one network address.
"""

from contextlib import ExitStack

import pytest
from django.core.cache import cache
from django.http import HttpResponse
from django.test import Client, RequestFactory

from cardsdb.faults import SOON
from cardsdb.site.ratelimits import LOOKS_A_WORK
from printing.options.values import OPTIONS
from printing.web.print_views import turn
from tests.support.pages import Page, page, page_of
from tests.support.print_pages import chosen, shown

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


def test_another_size_is_read_from_the_field_beside(client, deck):
    answer = client.get("/print/", {"deck": deck.link, "paper": "other", "paper_other": "150 x 220"})
    assert answer["Location"] == f"/print/?deck={deck.link}&paper=150x220"
    assert chosen(shown(client, answer["Location"]), "paper_other") == "150x220"


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


def test_an_unknown_deck_is_not_found_whatever_the_options(client):
    assert client.get("/print/?deck=nothing&paper=letter&gap=x").status_code == 404


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
