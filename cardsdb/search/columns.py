"""What a card's row holds for searching.

Three columns. ``name_folded`` is its name; ``search_text`` is all its words, a line each; ``terms``
is every value of every field between bars, as in ``|type=agent|traits=soldier|traits=snoop|craft=4|``,
so that one plain text column answers for any fact of any game. "Folded" is always
``cardsdb.games.kit.model.cards.fold``.
"""

from __future__ import annotations

from collections.abc import Iterator
from functools import lru_cache

from cardsdb.games.kit import Card, Game
from cardsdb.games.kit.model.cards import as_words
from cardsdb.games.kit.model.text import fold
from cardsdb.search.values import folded as _folded

# A catalogue has few values and many cards that share them.
folded = lru_cache(maxsize=20_000)(_folded)


def search_columns(card: Card, game: Game) -> dict[str, str]:
    """What the card's row holds for searching: ``name_folded``, ``search_text`` and ``terms``."""
    kind = game.types_by_slug[card.type]
    words = [word for fact in game.facts if fact.kind in ("word", "words") for word in card.words(fact.key)]
    lines = dict.fromkeys(fold(line) for line in (card.name, *card.aliases, kind.name, kind.plural, game.name, *words, card.text))
    terms = dict.fromkeys(f"{key}={folded(value)}" for key, value in _said(card, game) if folded(value))
    return {
        "name_folded": fold(card.name),
        "search_text": "\n".join(line for line in lines if line),
        "terms": f"|{'|'.join(terms)}|",
    }


def _said(card: Card, game: Game) -> Iterator[tuple[str, str]]:
    """Everything ``terms`` says about a card: key and value."""
    yield from (("game", game.slug), ("game", game.name), ("type", card.type), ("type", game.types_by_slug[card.type].name))
    for print_ in card.prints:
        card_set = game.sets_by_code.get(print_.set)
        yield from (("set", print_.set), ("set-name", card_set.name if card_set else print_.set))
        yield from (("rarity", print_.rarity), ("number", print_.number), ("number", print_.code))
    for key, value in card.facts.items():
        if isinstance(value, bool | int):
            yield key, as_words(value)
        else:
            yield from ((key, word) for word in card.words(key))
    for claim in (claim for claims in card.sources.values() for claim in claims):
        yield from (("certainty", claim.certainty), ("source", claim.document))
        if claim.document in game.documents:
            yield "source", game.documents[claim.document].title
    yield "prints", str(len(card.prints))
    yield from (("disputed", key) for key in card.disagreements())
    yield "text", card.text
