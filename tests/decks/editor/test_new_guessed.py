"""A new deck's list says which game and format it is for: guessed and said as on the check page, and to be
changed.
"""

from __future__ import annotations

import pytest
from django.test import Client

from decks.models import Deck
from tests.support.pages import page, page_of

pytestmark = pytest.mark.django_db
MIXED = "2 Kai\n2 Shiatsu\n1 Termite\n1 Agent Fox Mulder\n1 Agent Dana Scully\n1 Agent Jack Willis\n"


def first_choice(shown: object, field: str) -> str:
    return shown.one("select", id=f"id_{field}").one("option", value="").text  # type: ignore[attr-defined, no-any-return]


def test_the_game_may_be_left_open(client: Client) -> None:
    form = page(client, "/decks/new/")
    assert first_choice(form, "game") == "Guess from the list"
    assert form.one("select", id="id_game").get("required") is None


def test_the_game_of_a_list_is_guessed_when_it_is_saved(client: Client, agency_text: str) -> None:
    assert client.post("/decks/new/", {"game": "", "text": agency_text}).status_code == 302
    deck = Deck.objects.get()
    assert (deck.game, deck.format) == ("spycraft", "agency")


def test_while_it_is_typed_the_guess_is_said_with_its_reason(client: Client) -> None:
    shown = page_of(client.post("/check/verdict/", {"guess": "1", "text": "2 Kai\n1 Termite\n"}))
    assert first_choice(shown, "game") == "Guessed: Spycraft"
    assert first_choice(shown, "format") == "Guessed: Agency Deck"
    assert (
        shown.one(id="guessed").text
        == "Guessed: 2 lines name cards of it. Agency Deck: its cards have their places there."
    )
    assert not shown.has(id="verdict-title")


def test_a_chosen_game_is_not_guessed(client: Client) -> None:
    shown = page_of(
        client.post("/check/verdict/", {"guess": "1", "game": "xfiles", "text": "2 Kai\n1 Termite\n"})
    )
    assert "Its lines look like Spycraft." in shown.one(id="guessed").text


def test_a_list_that_leaves_its_game_open_is_asked_about_and_lost_nowhere(client: Client) -> None:
    refused = page_of(client.post("/decks/new/", {"game": "", "text": MIXED}), status=400)
    assert refused.one(id="game-error").text.startswith(
        "Error: Choose the game: its lines fit several games (3 Spycraft"
    )
    assert str(refused.field("text").value) == MIXED
    assert not Deck.objects.exists()
    asked = page_of(client.post("/check/verdict/", {"guess": "1", "text": MIXED}))
    assert asked.one(id="guessed").text.startswith("Which game is it for?")


def test_a_line_that_was_not_read_is_put_right_in_the_guessed_game(client: Client) -> None:
    text = "2 Kai\n1 Shiatsu\n1 Termitte"
    refused = page_of(client.post("/decks/new/", {"game": "", "text": text}), status=400)
    assert first_choice(refused, "game") == "Guessed: Spycraft"
    assert refused.one("button", text="Termite")["value"] == "3:Termite"
    put_right = page_of(client.post("/decks/new/", {"game": "", "text": text, "correct": "3:Termite"}))
    assert str(put_right.field("text").value) == "2 Kai\n1 Shiatsu\n1 Termite"
    assert first_choice(put_right, "game") == "Guessed: Spycraft"


def test_an_empty_deck_needs_its_game(client: Client) -> None:
    refused = page_of(client.post("/decks/new/", {"start": "empty", "game": ""}), status=400)
    assert "Choose one of the games." in refused.one(class_="error-summary").text
