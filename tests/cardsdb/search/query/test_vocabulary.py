"""What a card's row holds for searching."""

from __future__ import annotations

from cardsdb.games import games
from cardsdb.games.kit import Card as KitCard
from cardsdb.games.kit import Claim, Print
from cardsdb.search.query.vocabulary import search_columns


def test_the_columns_hold_folded_text_between_bars() -> None:
    game = games()["spycraft"]
    facts = {"faction": "The Krypt", "traits": ("Soldier", "Fi|xer"), "craft": 4, "unique": True}
    card = KitCard("spycraft", "x", "Dr. Zoé", "agent", facts, "Draws\nTWO.", {"": (Claim("octgn"),)}, (Print("ON", "7"),), ("Zo",))
    columns = search_columns(card, game)
    assert columns["name_folded"] == "dr. zoe"
    assert columns["search_text"] == "dr. zoe\nzo\nagent\nagents\nspycraft\nthe krypt\nsoldier\nfi|xer\ndraws two."
    for term in ("game=spycraft", "type=agent", "set=on", "set-name=operation: nightfall", "number=7", "faction=the krypt"):
        assert f"|{term}|" in columns["terms"]
    for term in ("traits=soldier", "traits=fi/xer", "craft=4", "unique=yes", "certainty=stated", "source=octgn", "text=draws two."):
        assert f"|{term}|" in columns["terms"]
    assert "rarity" not in columns["terms"]
