"""The field that adds a card: every name of every game goes through it, and a name that nobody knows leads
on.
"""

from __future__ import annotations

from urllib.parse import quote

import pytest
from django.test import Client

from cardsdb.games import games
from cardsdb.games.kit import Card, Decklist, Game
from decks.core.content import DeckContent
from decks.editor.changes import parse_edit
from decks.editor.typed_line import LineNotRead, offer_in
from tests.decks.editor.test_editor import cards, make_deck

pytestmark = pytest.mark.one_database

GAMES = list(games().values())


def empty(game: Game) -> DeckContent:
    return DeckContent(Decklist(name="Any"), game.formats[0].slug)


def cards_after(content: DeckContent, game: Game, line: str) -> dict[str, int]:
    after = parse_edit({"edit": "add", "line": line}, game).edit(content)
    return {entry.card.code: entry.count for entry in after.deck}


def of_decks(game: Game) -> list[Card]:
    return [card for card in game.cards if game.type_named(card.type).in_decks]


@pytest.mark.parametrize("game", GAMES, ids=lambda game: game.slug)
def test_every_card_is_added_and_taken_out_by_its_name(game: Game) -> None:
    content, index, refused = empty(game), game.name_index, []
    for card in of_decks(game):
        label = index.label(card)
        for line, wanted in ((label, 1), (f"1 {label}", 1), (f"3x {label}", 3)):
            try:
                if cards_after(content, game, line) != {card.code: wanted}:
                    refused.append(line)
            except LineNotRead:
                refused.append(line)
        two = parse_edit({"edit": "add", "line": f"2 {label}"}, game).edit(content)
        if cards_after(two, game, f"-1 {label}") != {card.code: 1} or cards_after(
            two, game, f"- {label}"
        ) != {card.code: 1}:
            refused.append(f"-1 {label}")
    assert refused == []


@pytest.mark.parametrize("game", GAMES, ids=lambda game: game.slug)
def test_what_is_offered_for_the_beginning_of_a_name_is_read_again(game: Game) -> None:
    content = empty(game)
    for card in of_decks(game):
        offer = offer_in(game, f"1 {card.name[:12]}")
        assert offer is None or cards_after(content, game, offer.line) == {offer.card.code: 1}


@pytest.mark.django_db
@pytest.mark.parametrize(
    ("line", "left"), [("1 Double-Barrel", 3), ("-1 Double-Barrel", 1), ("−2 double-barrel", None)]
)
def test_a_name_with_a_hyphen_goes_in_and_out(client: Client, line: str, left: int | None) -> None:
    client.post(make_deck(client, "2 Double-Barrel"), {"edit": "add", "line": line})
    assert cards().get("leaders double-barrel") == left


@pytest.mark.django_db
@pytest.mark.parametrize("line", ["1 Doubel-Barrel", "Leaders: 1 Double-Barel"])
def test_a_misspelt_name_with_a_hyphen_goes_in_as_the_likeliest(client: Client, line: str) -> None:
    client.post(make_deck(client), {"edit": "add", "line": line})
    assert cards()["leaders double-barrel"] == 1


# -- names that nothing resembles -----------------------------------------------------------


@pytest.mark.django_db
@pytest.mark.parametrize("line", ["2 Tunguska", "2x Tunguska #later", "Tunguska | Forest"])
def test_a_name_that_nothing_resembles_leads_to_the_search_and_may_be_kept(client: Client, line: str) -> None:
    editor = make_deck(client)
    answer = client.post(editor, {"edit": "add", "line": line})
    page = answer.content.decode()
    assert answer.status_code == 400
    name = "Tunguska | Forest" if "|" in line else "Tunguska"
    assert f'href="?q={quote(name, safe="")}#find"' in page
    unknown = answer.context["pane"]["feedback"].unknown
    assert f'name="line" value="{unknown}"' in page
    client.post(editor, {"edit": "add", "line": unknown})
    assert len(cards()) == 3


@pytest.mark.django_db
def test_nobody_takes_out_what_nobody_knows(client: Client) -> None:
    answer = client.post(make_deck(client), {"edit": "add", "line": "-1 Tunguska"})
    assert answer.context["pane"]["feedback"].unknown == ""
    assert "as an unknown card" not in answer.content.decode()


@pytest.mark.django_db
def test_the_section_written_before_a_misspelt_name_stays_before_what_is_offered(client: Client) -> None:
    answer = client.post(make_deck(client), {"edit": "add", "line": "Leaders: Groundfir"})
    assert "Leaders: 1 Groundfire" in answer.context["pane"]["feedback"].lines
