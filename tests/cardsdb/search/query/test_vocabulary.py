"""What a card's row holds for searching."""

from __future__ import annotations

from cardsdb.games import games
from cardsdb.games.kit import Card as KitCard
from cardsdb.games.kit import Claim, Game, Print
from cardsdb.search.query import standard
from cardsdb.search.query.fields import QUESTIONS
from cardsdb.search.query.standard import MINE, STANDARD, search_columns, stated_values
from tests.support.search_fields import fields_of


def test_the_columns_hold_folded_text_between_bars() -> None:
    game = games()["spycraft"]
    facts = {"faction": "The Krypt", "traits": ("Soldier", "Fi|xer"), "craft": 4, "unique": True}
    card = KitCard(
        "spycraft",
        "x",
        "Dr. Zoé",
        "agent",
        facts,
        "Draws\nTWO.",
        {"": (Claim("octgn"),)},
        (Print("ON", "7"),),
        ("Zo",),
    )
    columns = search_columns(card, game)
    assert columns["name_folded"] == "dr. zoe"
    assert (
        columns["search_text"]
        == "dr. zoe\nzo\nagent\nagents\nspycraft\nthe krypt\nsoldier\nfi|xer\ndraws two."
    )
    for term in (
        "game=spycraft",
        "type=agent",
        "set=on",
        "set-name=operation: nightfall",
        "number=7",
        "faction=the krypt",
    ):
        assert f"|{term}|" in columns["terms"]
    for term in (
        "traits=soldier",
        "traits=fi/xer",
        "craft=4",
        "unique=yes",
        "certainty=stated",
        "source=octgn",
        "text=draws two.",
    ):
        assert f"|{term}|" in columns["terms"]
    assert "rarity" not in columns["terms"]


def test_every_value_of_a_card_stands_where_some_field_looks() -> None:
    looked_at = {place.key for field in fields_of(tuple(games().values())) for place in field.places}
    stated = {
        term.partition("=")[0]
        for game in games().values()
        for card in game.cards
        for term in terms(card, game)
    }
    assert stated <= looked_at


def test_every_standard_field_looks_where_some_card_or_game_has_a_value() -> None:
    """A field in ``STANDARD`` without its line in ``stated_values`` would never find anything."""
    stated = {key for game in games().values() for card in game.cards for key, _ in stated_values(card, game)}
    for field in STANDARD:
        for place in field.places:
            is_stated = place.key in stated or place.key == MINE or place.kind in QUESTIONS
            assert is_stated, f"no line of stated_values in {standard.__file__} yields {place.key!r}"


def terms(card: KitCard, game: Game) -> list[str]:
    return search_columns(card, game)["terms"].strip("|").split("|")
