"""A deck's files for other programs, and corrections that need no script."""

from __future__ import annotations

import json

import pytest
from django.test import Client

from cardsdb.games import games
from cardsdb.games.kit.listtext.deck import read_deck
from decks.formats import FORMATS
from decks.models import Deck
from tests.support.pages import post_bytes

# Reads what is stored as every page does. Each address is asked on PostgreSQL too, in
# tests/house/test_permissions.py.
pytestmark = [pytest.mark.django_db, pytest.mark.engine("sqlite")]


@pytest.fixture
def address(client: Client, agency_text: str) -> str:
    answer = client.post(
        "/decks/new/",
        {"game": "spycraft", "name": "Night Watch", "text": agency_text, "visibility": "public"},
    )
    return str(answer["Location"])


@pytest.mark.parametrize("name", sorted(FORMATS))
def test_the_files_page_leads_to_the_file_in_every_format(client: Client, address: str, name: str) -> None:
    assert f'href="{address}files/"' in client.get(address).content.decode()
    assert f'href="{address}files/{name}/"' in client.get(f"{address}files/").content.decode()
    answer = client.get(f"{address}files/{name}/")
    assert (
        f'attachment; filename="spycraft-night-watch{FORMATS[name].suffix}"' in answer["Content-Disposition"]
    )
    assert b"BANSHEE NET" in answer.content.upper()
    assert f"charset={FORMATS[name].encoding}" in answer["Content-Type"]


def test_the_text_file_is_the_deck(client: Client, address: str, agency_text: str) -> None:
    game = games()["spycraft"]
    file, pasted = (
        read_deck(game, text).deck
        for text in (client.get(f"{address}files/text/").content.decode(), agency_text)
    )
    assert {(e.card.code, e.section, e.count) for e in file} == {
        (e.card.code, e.section, e.count) for e in pasted
    }


def test_what_each_file_leaves_out_is_said(client: Client, address: str) -> None:
    page = client.get(f"{address}files/").content.decode()
    assert "folded into" in page
    assert "into the tool" in page


def test_a_format_that_is_none_is_not_found(client: Client, address: str) -> None:
    assert client.get(f"{address}files/doc/").status_code == 404


@pytest.mark.parametrize("page", ["files/", "files/text/"])
def test_a_strangers_files_of_a_private_deck_are_not_found(client: Client, address: str, page: str) -> None:
    Deck.objects.update(visibility="private")
    assert Client().get(address + page).status_code == 404


@pytest.mark.parametrize("name", sorted(FORMATS))
def test_the_secret_x_file_is_in_no_file_that_strangers_get(client: Client, name: str) -> None:
    text = "X-File:\n1 Duane Barry\nAgents:\n1 Agent Fox Mulder"
    made = client.post(
        "/decks/new/", {"game": "xfiles", "name": "Trust", "text": text, "visibility": "public"}
    )["Location"]
    own, others = (visitor.get(f"{made}files/{name}/").content.upper() for visitor in (client, Client()))
    assert (b"BARRY" in own, b"BARRY" in others) == (True, False)


# -- corrections ------------------------------------------------------------------


def test_a_suggestion_on_the_check_page_is_put_in_and_judged(client: Client) -> None:
    page = client.post("/check/", {"game": "spycraft", "text": "2 Termitte\n1 Kai", "correct": "1:Termite"})
    assert page.context["judged"].deck.size == 3
    assert "2 Termite\n1 Kai</textarea>" in page.content.decode()


def test_a_suggestion_for_a_new_deck_is_put_in_and_nothing_is_saved(client: Client) -> None:
    data = {"game": "spycraft", "name": "", "text": "2 Termitte\n1 Kia Motors", "correct": "1:Termite"}
    page = client.post("/decks/new/", data).content.decode()
    assert "2 Termite\n1 Kia Motors</textarea>" in page
    assert "1 line still cannot be read" in page
    assert "Nothing was saved" not in page
    assert not Deck.objects.exists()


def test_a_suggestion_for_a_stored_deck_keeps_what_else_was_typed(client: Client, address: str) -> None:
    data = {
        "name": "Typed",
        "text": "2 Termitte",
        "correct": "1:Termite",
        "revision": "0",
        "notes": "mine",
        "visibility": "unlisted",
    }
    page = client.post(f"{address}edit/text/", data)
    form = page.context["form"]
    assert {field: form[field].value() for field in ("name", "notes", "visibility", "revision", "text")} == {
        "name": "Typed",
        "notes": "mine",
        "visibility": "unlisted",
        "revision": "0",
        "text": "2 Termite",
    }
    assert "Every line can be read now" in page.content.decode()
    assert Deck.objects.get().name == "Night Watch"


def test_the_enter_key_never_puts_a_suggestion_in(client: Client) -> None:
    """The first button of a form answers it, wherever on the page that button stands."""
    page = client.post("/check/", {"game": "spycraft", "text": "2 Termitte"}).content.decode()
    assert page.index('<button form="list-form" hidden>') < page.index('name="correct"')


def test_a_suggestion_that_cannot_stand_in_the_line_is_no_button(client: Client) -> None:
    page = client.post("/check/", {"game": "spynet", "text": "1 X | agent | strength: 3"}).content.decode()
    assert "<strong>Power:</strong>" in page
    assert 'name="correct"' not in page


@pytest.mark.parametrize(
    "bad",
    [
        "",
        ":",
        "x:Kai",
        "99999999999:Kai",
        "-1:Kai",
        "²:Kai",
        "1:\x00",
        "1:\ud800",
        "1:" + "x" * 10_000,
        "<b>:<b>",
    ],
)
@pytest.mark.parametrize("page", ["/check/", "/decks/new/", "edit"])
def test_a_broken_correction_is_no_server_error(client: Client, address: str, page: str, bad: str) -> None:
    data = {"game": "spycraft", "name": "X", "text": "2 Termitte", "correct": bad}
    assert post_bytes(client, f"{address}edit/" if page == "edit" else page, data).status_code < 500


def test_a_list_beyond_the_bounds_is_no_server_error_when_corrected(client: Client) -> None:
    data = {"game": "spycraft", "name": "X", "text": "\n" * 5_001, "correct": "1:Kai"}
    assert client.post("/decks/new/", data).status_code == 200
    data.pop("correct")
    assert client.post("/decks/new/", data).status_code == 413
    body = json.dumps({"game": "spycraft", "name": "X", "text": "\n" * 5_001})
    assert client.post("/api/v1/decks/", body, content_type="application/json").status_code == 413
