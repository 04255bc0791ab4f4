"""A snapshot of the database's rows against a plain reading: the same cards in the same order, for random
queries about made-up cards.
"""

from __future__ import annotations

import random
from dataclasses import dataclass

import pytest
from cardsdb.search.engine.snapshot import Snapshot
from cardsdb.search.snapshots import snapshot_of

from cardsdb.catalogue.loader import rows_of, write_cards
from cardsdb.games import games
from cardsdb.games.kit import Card as KitCard
from cardsdb.games.kit import Game
from cardsdb.models import Card, Edition
from cardsdb.search.card_query import CardQuery
from cardsdb.search.query.check import check
from cardsdb.search.query.fields import Fields
from cardsdb.search.query.grammar import parse
from cardsdb.search.query.normal_form import normal, quoted, slashed
from cardsdb.search.query.tree import Query
from cardsdb.search.results import Results, relevance_words
from tests.support.search_oracle import generated_cards, in_order, matches, random_query, with_cards

pytestmark = pytest.mark.one_database

CARDS = 60
QUERIES = 60
PATTERNS = ("^a", "e$", "o.*o", "[aeiou]{2}", "(an|en)", r"\bs", "X-9", "é", "^.{4}$", "a/b", r"\d")
COMPARED = ("=", "!=", "<", "<=", ">", ">=")


@dataclass(frozen=True)
class Catalogue:
    fields: Fields
    snapshot: Snapshot
    cards: list[tuple[KitCard, Game]]

    def expected(self, query: Query) -> list[str]:
        if query.tree is None and query.faults:
            return []  # Nothing of it is understood, as of a similar: to a card of which nothing is known.
        meant = [(card, game) for card, game in self.cards if matches(query.tree, card, game, self.fields)]
        return [
            card.key
            for card in in_order(meant, query.order, self.fields, relevance_words(query.tree), query.tree)
        ]

    def cards_of(self, query: Query) -> list[str]:
        results = Results(CardQuery(query.text, query, self.fields, Edition.objects.current()), self.snapshot)
        return [card.key for card in results.slice(0, results.total)]


@pytest.fixture
def catalogue(db: None) -> Catalogue:
    """Made-up cards of every game in place of the real ones."""
    made_up = [with_cards(game, generated_cards(game, CARDS, 7)) for game in games().values()]
    cards = [(card, game) for game in made_up for card in game.cards]
    Card.objects.all().delete()
    write_cards([rows_of(card, game) for card, game in cards])
    return Catalogue(Fields(made_up), snapshot_of(Card.objects.current()), cards)


def random_text(rng: random.Random, catalogue: Catalogue) -> str:
    """A legal query with some of what the plain generator does not ask, and an order now and then."""
    parts = [random_query(rng, catalogue.fields)] if rng.random() < 0.8 else []
    while not parts or rng.random() < 0.4:
        parts.append(("-" if rng.random() < 0.3 else "") + addition(rng, catalogue))
    text = " ".join(f"({part})" if " or " in part else part for part in parts)
    text = f"({text}) or ({addition(rng, catalogue)})" if rng.random() < 0.2 else text
    if rng.random() < 0.5:
        words = [field.word for field in catalogue.fields if catalogue.fields.sortable(field.word)]
        text = (
            f"({text})"
            f" order:{','.join(rng.choice(('', '-')) + word for word in rng.sample(words, rng.randint(1, 2)))}"
        )
    return text


def addition(rng: random.Random, catalogue: Catalogue) -> str:
    fields = [*catalogue.fields]
    numbers = [field.word for field in fields if field.kind == "number"]
    texts = [
        field.word
        for field in fields
        if field.kind in ("name", "text", "word", "words", "exact") and field.word != "number"
    ]
    match rng.randrange(5):
        case 0:
            return f"{rng.choice(texts)}:{slashed(rng.choice(PATTERNS))}"
        case 1:
            return f"{rng.choice(numbers)}{rng.choice(COMPARED)}{rng.choice(numbers)}"
        case 2:
            return f"similar:{quoted(rng.choice(catalogue.cards)[0].key)}"
        case 3:
            return f"number{rng.choice(COMPARED)}{rng.randrange(400)}"
        case _:
            return rng.choice(
                (
                    "is:disputed",
                    "not:reprint",
                    "in:rare",
                    "in:x1",
                    "prints>1",
                    "prints=0",
                    "disputed:craft",
                    "has:disputed",
                )
            )


@pytest.mark.django_db
@pytest.mark.seeds(3)
def test_a_snapshot_of_the_rows_finds_what_a_plain_reading_finds_in_the_same_order(
    catalogue: Catalogue, seed: int
) -> None:
    rng = random.Random(seed)
    found_something = 0
    for _ in range(QUERIES):
        text = random_text(rng, catalogue)
        query = check(parse(text), catalogue.fields)
        wanted = catalogue.expected(query)
        assert catalogue.cards_of(query) == wanted, text
        found_something += 0 < len(wanted) < len(catalogue.cards)
        again = check(parse(normal(query)), catalogue.fields)
        assert (again.tree, again.order) == (query.tree, query.order), text
    assert found_something > QUERIES // 6
