"""The print page before anything is chosen: a pasted list, one's own decks, or a game's starters in one
press.
"""

from __future__ import annotations

import pytest
from django.test import Client

from cardsdb.games import games
from cardsdb.games.kit import Game
from cardsdb.games.kit.model.format import Starter
from printing.request.lists import MAX_DECKS, starter_lists
from tests.support.pages import Page, page, page_of
from tests.support.public_decks import make_deck

READY = [(game, starter) for game in games().values() for starter in game.starters]


def addresses(page: Page) -> list[str]:
    return [one["href"] for one in page.one("section", class_="print-ready").all("a", class_="name")]


def test_every_starter_of_every_game_can_be_printed_from_there(client: Client, db: None) -> None:
    assert addresses(page(client, "/print/")) == [
        f"/print/?starter={game.slug}/{starter.slug}" for game, starter in READY
    ]


@pytest.mark.parametrize(
    "game, starter", READY, ids=[f"{game.slug}-{starter.slug}" for game, starter in READY]
)
def test_a_starter_is_read_whole_as_its_format(game: Game, starter: Starter) -> None:
    (one,) = starter_lists([f"{game.slug}/{starter.slug}"])
    assert (one.title, one.format) == (starter.name, game.formats_by_slug[starter.format])
    assert one.deck.entries and not one.unread


def test_ones_own_decks_come_first_and_nobody_elses(client: Client, db: None) -> None:
    own = make_deck(client, "Mine", "2 Kai", visibility="private")
    make_deck(Client(), "Another's", "2 Kai")
    there = addresses(page(client, "/print/"))
    assert (there[0], len(there)) == (f"/print/?deck={own.link}", len(READY) + 1)


def test_a_starter_is_laid_out_at_an_address_of_its_own(client: Client, db: None) -> None:
    answer = client.get("/print/", {"starter": "xfiles/deck-mulder", "paper": "letter"}, follow=True)
    shown = page_of(answer)
    assert shown.one("h1").text == "Print Mulder and the paranormal"
    assert [one["value"] for one in shown.one("form", id="print-form").all("input", name="starter")] == [
        "xfiles/deck-mulder"
    ]


def test_a_starter_and_single_cards_share_their_sheets(client: Client, db: None) -> None:
    answer = client.post(
        "/api/v1/sheets/",
        {"starter": "spycraft/banshee-net", "card": "spycraft/kai"},
        content_type="application/json",
    )
    assert (answer.status_code, answer["Content-Type"]) == (200, "application/pdf")


@pytest.mark.parametrize(
    "named", ["xfiles/nothing", "nowhere/deck-mulder", "deck-mulder", "xfiles/deck-mulder/x"]
)
def test_a_starter_that_there_is_not_is_refused_by_name(client: Client, db: None, named: str) -> None:
    answer = client.post("/api/v1/sheets/", {"starter": named}, content_type="application/json")
    assert (answer.status_code, [error["where"] for error in answer.json()]) == (400, ["starter"])


def test_one_print_takes_so_many_starters_at_most(client: Client, db: None) -> None:
    several = ",".join(f"{game.slug}/{starter.slug}" for game, starter in READY[: MAX_DECKS + 1])
    answer = client.get("/print/", {"starter": several, "paper": "a4"})
    assert (answer.status_code, str(MAX_DECKS) in answer.content.decode()) == (400, True)
