"""Settings that this browser remembers stand in the address of the print page, and in no other print's."""

from __future__ import annotations

from typing import Any
from urllib.parse import parse_qsl

import pytest
from django.core import signing
from django.test import Client

from cardsdb.faults import Fault, Refused
from decks.models import Deck
from printing.web import print_page
from tests.support.pages import Page
from tests.support.print_pages import LIST, chosen, deck, shown, shown_list

__all__ = ["deck"]

SETTINGS = {"paper": "letter", "header": "no", "marks": "none"}
FILES = ["sheets.pdf", "cut.svg", "service.pdf"]


@pytest.fixture
def here(client: Client, deck: Deck) -> Client:
    """A browser that has printed with other settings than the usual ones."""
    assert client.get("/print/sheets.pdf", {"deck": deck.link, **SETTINGS}).status_code == 200
    return client


def fields(page: Page) -> dict[str, str]:
    """The form of options as a browser without a script sends it."""
    form = page.one("form", class_="print-form")
    names = {field["name"] for field in form.all(name=True) if field.get("id") == f"f-{field['name']}"}
    # Boxes for sections have fields of one name, and none is ticked.
    return {name: form.sent[name] for name in names} | {"only": ""}


def sent(answer: Any) -> bytes:
    return b"".join(answer.streaming_content) if answer.streaming else answer.content


def test_the_bare_page_leads_once_to_the_address_that_says_all(here: Client, deck: Deck) -> None:
    answer = here.get("/print/", {"deck": deck.link, "sheet": "2"})
    assert answer.status_code == 302
    address, _, query = answer["Location"].partition("?")
    assert (address, dict(parse_qsl(query))) == ("/print/", {"deck": deck.link, "sheet": "2", **SETTINGS})
    assert here.get(answer["Location"]).status_code == 200
    # Whoever is sent the address gets the same.
    page = shown(Client(), answer["Location"])
    assert [chosen(page, name) for name in ("paper", "header", "marks")] == ["letter", "no", "none"]


def test_the_bare_page_stays_where_what_is_remembered_is_as_usual(client: Client, deck: Deck) -> None:
    for _ in range(2):
        assert client.get("/print/", {"deck": deck.link}).status_code == 200
        client.get("/print/", {"deck": deck.link, "paper": "a4"})


def test_the_bare_page_leads_on_without_cookies_too(deck: Deck) -> None:
    answer = Client().get("/print/", {"deck": deck.link}, headers={"Accept-Language": "en-US"})
    assert answer["Location"] == f"/print/?deck={deck.link}&paper=letter"
    assert Client().get(answer["Location"], headers={"Accept-Language": "en-US"}).status_code == 200


def test_a_script_that_asks_for_the_outcome_is_led_nowhere(here: Client, deck: Deck) -> None:
    assert here.get("/print/", {"deck": deck.link}, headers={"HX-Request": "true"}).status_code == 200


@pytest.mark.parametrize("file", FILES)
def test_the_bare_address_of_a_file_is_the_same_file_for_everybody(
    here: Client, deck: Deck, file: str
) -> None:
    address = f"/print/{file}?deck={deck.link}"
    mine, others = here.get(address), Client().get(address, headers={"Accept-Language": "en-US"})
    assert mine.status_code == others.status_code == 200
    assert sent(mine) == sent(others)
    # To fetch it changes nothing of what is remembered.
    assert chosen(shown_list(here), "paper") == "letter"


@pytest.mark.parametrize("file", FILES)
def test_a_file_from_the_page_has_the_remembered_settings(here: Client, deck: Deck, file: str) -> None:
    sent_fields = fields(Page(here.get("/print/", {"deck": deck.link}, follow=True)))
    assert sent_fields.items() >= SETTINGS.items()
    answer = here.get(f"/print/{file}", {"deck": deck.link, **sent_fields})
    assert answer.status_code == 200, answer.content
    assert sent(answer) == sent(Client().get(f"/print/{file}", {"deck": deck.link, **SETTINGS}))


def test_a_file_of_a_pasted_list_has_the_remembered_settings(here: Client) -> None:
    sent_fields = fields(shown_list(here))
    assert sent_fields.items() >= SETTINGS.items()
    answer = here.post("/print/sheets.pdf", {**LIST, **sent_fields})
    assert answer.status_code == 200
    made = sent(answer)
    assert made == sent(Client().post("/print/sheets.pdf", {**LIST, **SETTINGS}))
    assert made != sent(Client().post("/print/sheets.pdf", LIST))


def test_a_cookie_of_an_older_version_still_holds(client: Client, deck: Deck) -> None:
    """The salt of its signature is no name of a module: files move, and browsers keep what they have for a
    year.
    """
    cookie = {"last": SETTINGS, "own": [["Mine", {"paper": "a3"}]], "subject": [["deck", deck.link]]}
    client.cookies["printing"] = signing.dumps(cookie, salt="printing.page.remembered", compress=True)
    answer = client.get("/print/", {"deck": deck.link})
    assert dict(parse_qsl(answer["Location"].partition("?")[2])) == {"deck": deck.link, **SETTINGS}


def test_a_print_that_is_refused_while_it_is_drawn_is_not_remembered(
    client: Client, deck: Deck, monkeypatch: pytest.MonkeyPatch
) -> None:
    def refuse(*drawn: object) -> None:
        raise Refused(Fault("bad_option", "It cannot be drawn.", "trim"))

    monkeypatch.setattr(print_page, "shown_sides", refuse)
    answer = client.get("/print/", {"deck": deck.link, "paper": "letter"}, headers={"HX-Request": "true"})
    assert "It cannot be drawn." in answer.content.decode()
    assert "HX-Replace-Url" not in answer and "printing" not in answer.cookies
