"""Error pages: what they say, and where they lead."""

import io
import json
import logging
import sqlite3
from typing import Any

import pytest
from django.core.exceptions import PermissionDenied
from django.db import OperationalError
from django.test import Client

from cardsdb.games import games
from cardsdb.site import errors
from decks.models import Deck
from tests.support.editing import cards
from tests.support.pages import page_of

pytestmark = pytest.mark.django_db


def test_a_404_of_a_card_offers_a_search_for_its_name_and_every_game(client):
    answer = client.get("/cards/spycraft/glok-17/")
    page = page_of(answer, status=404)
    assert page.has("svg", class_="error-file")
    assert page.one("ul", class_="error-games").links == [f"/games/{slug}/" for slug in games()]
    # The address contains a misspelt name, which the search corrects.
    box = page.one(id="error-q")
    assert box.value == "glok 17"
    found = client.get("/cards/", {"q": box.value, "open": "1"}).context["page"]
    assert [card.name for card in found.cards] == ["Glock 17"]


@pytest.mark.parametrize("address", ["/.", "/api/v1/nothing.", "/cards//", "/cards///"])
def test_an_unknown_address_is_not_redirected(client, address):
    assert client.get(address).status_code == 404


@pytest.mark.parametrize("address", ["/nothing/", "/cards/nogame/glok-17/", "/cards/%22%3E%3Cb%3E/x/"])
def test_a_404_of_another_address_suggests_no_search(client, address):
    assert not page_of(client.get(address), status=404).one(id="error-q").value


@pytest.mark.parametrize("end", [".", ")", "/)", ".)/"])
def test_an_address_with_the_end_of_a_sentence_redirects_to_its_page(client, end):
    assert client.get(f"/cards/spycraft/kai{end}")["Location"] == "/cards/spycraft/kai/"


def test_such_a_redirect_never_leads_to_another_site(rf):
    asked = rf.get("/")
    asked.path = "//example.org/x."
    assert errors.not_found(asked, Exception())["Location"] == "/example.org/x/"


def test_a_forbidden_action_is_answered_with_a_page_that_says_what_to_do(rf):
    refused = page_of(errors.forbidden(rf.get("/"), PermissionDenied()), status=403)
    assert refused.has("svg", class_="error-file") and "edit link" in refused.text


def test_a_fault_of_ours_is_a_readable_page_with_its_number(rf, settings):
    def broken():
        return page_of(errors.server_error(rf.get("/")), status=500)

    page = broken()
    assert "logged as" in page.text and "/cards/" in page.links
    assert next(link["href"] for link in page.all("link", rel="stylesheet")).endswith("cutout.css")
    # The page is shown even if the names of style sheets cannot be read.
    settings.STATIC_ROOT = None
    assert "logged as" in broken().text and not broken().has("link")


def full_disk() -> OperationalError:
    """Return the error that Django raises when SQLite has no room."""
    error = OperationalError("database or disk is full")
    error.__cause__ = sqlite3.OperationalError(str(error))
    return error


@pytest.mark.parametrize(
    ("path", "error", "status", "code"),
    [
        ("/api/v1/decks/", OperationalError(), 503, "unavailable"),
        ("/api/v1/decks/", full_disk(), 507, "no_room"),
        ("/decks/new/", full_disk(), 507, ""),
    ],
)
def test_a_database_that_does_not_answer_or_has_no_room_is_told_apart(rf, path, error, status, code):
    try:
        raise error
    except OperationalError:
        answer = errors.server_error(rf.post(path))
    assert (answer.status_code, answer.get("Retry-After")) == (status, "5" if status == 503 else None)
    assert (json.loads(answer.content)[0]["code"] == code) if code else b"disk is full" in answer.content


def test_a_form_with_thousands_of_fields_logs_one_line_without_a_traceback(client):
    handlers = logging.getLogger("django.security").handlers
    handler = next(handler for handler in handlers if isinstance(handler, logging.StreamHandler))
    written = io.StringIO()
    before = handler.setStream(written)
    try:
        answer = client.post("/check/", {f"field-{number}": "x" for number in range(5_000)})
    finally:
        handler.setStream(before)
    assert answer.status_code == 413
    assert len(written.getvalue().splitlines()) == 1 and "Traceback" not in written.getvalue()


# -- forms from before a login -------------------------------------------------------------

# A form that was loaded before a login has an old token. It is shown again with what was typed, unless it
# comes from another site, holds a password or has no text.

# The origin of the site's own forms.
HERE = {"Origin": "http://testserver"}


def without_token(path: str, posted: dict[str, str], headers: dict[str, str] = HERE) -> Any:
    return Client(enforce_csrf_checks=True).post(path, posted, headers=headers)


def test_a_form_from_before_a_login_is_shown_again_and_can_be_sent_again():
    visitor = Client(enforce_csrf_checks=True)
    posted = {"game": "spycraft", "name": "A <b>", "text": "2 Kai\n// </textarea>"}
    answer = visitor.post("/decks/new/", posted | {"csrfmiddlewaretoken": "x" * 64}, headers=HERE)
    assert "no-store" in answer["Cache-Control"]
    sent = page_of(answer, status=403).one("form", action="/decks/new/").sent
    assert {name: value.replace("\r\n", "\n") for name, value in sent.items() if name in posted} == posted
    assert answer.text.count("csrfmiddlewaretoken") == 1
    assert visitor.post("/decks/new/", sent, headers=HERE).status_code == 302
    assert (Deck.objects.get().name, cards()) == ("A <b>", {"deck kai": 2})


@pytest.mark.parametrize("origin", ["https://evil.example", "null", "http://testserver.evil.example", ""])
def test_a_form_from_another_site_is_not_shown_again(origin):
    posted = {"name": "Sneaked in", "text": "2 Kai"}
    answer = without_token("/decks/new/", posted, {"Origin": origin} if origin else {})
    assert "Sneaked in" not in answer.text and "The form has expired" in answer.text


@pytest.mark.parametrize(
    "posted", [{"name": "x", "password": "secret"}, {"edit": "+1 deck kai"}, {"text": "x" * 300_001}]
)
def test_forms_with_passwords_or_without_text_are_not_shown_again(posted):
    answer = without_token("/accounts/login/", posted)
    assert "secret" not in answer.text and "Send it again" not in answer.text
