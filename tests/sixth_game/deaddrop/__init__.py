"""Dead Drop: a game invented for the tests, to prove that a game is one folder."""

from __future__ import annotations

from pathlib import Path

from cardsdb.games.deaddrop.examples import examples
from cardsdb.games.deaddrop.face import FACES
from cardsdb.games.deaddrop.rules import FORMATS

from cardsdb.games.kit import CardType, Fact, Game, Section

GAME = Game(
    slug="deaddrop",
    name="Dead Drop",
    publisher="nobody",
    year="",
    summary="A game invented for the tests.",
    folder=Path(__file__).parent,
    types=(CardType("courier", "Courier", "Couriers"), CardType("parcel", "Parcel", "Parcels")),
    facts=(
        Fact("weight", "number", "How heavy the parcel is.", types=("parcel",)),
        Fact("city", "word", "Where the courier lives."),
    ),
    sections=(Section("deck", "Deck", ("courier", "parcel")),),
    formats=FORMATS,
    faces=FACES,
    hue=("#7a2e6b", "#d59bc9"),
    examples=examples,
)
