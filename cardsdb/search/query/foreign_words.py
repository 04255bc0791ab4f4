"""Words that people bring from the searches of other card games, and what says the same here."""

from __future__ import annotations

from cardsdb.search.query.fields import Fields

_COSTS = ("cost", "expense")
# A word of theirs -> our fields of that meaning, the likeliest first.
_MEANT = {
    **dict.fromkeys(("c", "cmc", "mv", "mana", "manavalue", "mana_value"), _COSTS),
    **dict.fromkeys(("o", "oracle", "fo", "fulloracle"), ("text",)),
    **dict.fromkeys(("e", "edition", "expansion", "b", "block"), ("set",)),
    **dict.fromkeys(("a", "art"), ("artist",)),
    **dict.fromkeys(("side", "factions"), ("faction",)),
    **dict.fromkeys(("pow", "strength", "str"), ("combat",)),
}
_DECKS = "Decks are legal in a format here, not cards: check a deck."
_DATES = "When a card was printed is not known here."
_TOLD = {
    **dict.fromkeys(("legal", "format", "f", "banned"), _DECKS),
    **dict.fromkeys(("y", "year", "date"), _DATES),
}


def meant_by(word: str, fields: Fields) -> tuple[str, ...]:
    """Our words for what the word means elsewhere; only those that these fields know."""
    known = (fields.get(one) for one in _MEANT.get(word.casefold(), ()))
    return tuple(dict.fromkeys(field.word for field in known if field))


def told_about(word: str) -> str:
    """Why nothing here is called so, as a sentence; empty where there is no more to say."""
    return _TOLD.get(word.casefold(), "")
