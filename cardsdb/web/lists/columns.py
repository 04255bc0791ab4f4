"""The facts of a card that a list shows: the columns of a table, marks, and the few words of a row.

``card_list.py`` asks for the columns, ``rows.py`` for marks and short facts, ``facets.py`` for the marks of
values; decks use marks and short facts too. Tests: ``tests/cardsdb/web/lists/test_columns.py``.
"""

from collections.abc import Iterable, Mapping
from typing import NamedTuple

from cardsdb.games.kit import Card, Fact, FactValue, Game, RowFact, as_words
from cardsdb.games.kit.print.face import Symbol
from cardsdb.site.static_files import colour_class

# Columns of facts that fit into a table, and into one of several types, which has a column for the type.
MAX_COLUMNS = 9
MAX_COLUMNS_OF_TYPES = 8


# -- columns -----------------------------------------------------------------------------


def columns_of(
    game: Game, card_type: str, varying: tuple[str, ...] = (), picked: tuple[str, ...] = ()
) -> tuple[Fact, ...]:
    """Return the facts that are columns of a table, at most MAX_COLUMNS. ``card_type`` is "" for a list of
    several types; ``facts_asked_about`` (``filter_form.py``) gives ``varying`` and ``picked``.

    1. First come facts that only the query asks about: those of ``varying`` that the game does not declare
       for its rows (``row_facts``).
    2. Then come the declared ones, in that order.
    3. If no declared one fits: what every card should have.
    """
    in_rows = game.row_facts_by_key
    facts = game.facts_of(card_type)
    fitting = {fact.key: fact for fact in facts if fact.kind != "text" or fact.key in in_rows}
    of_query = [fitting[key] for key in varying if key in fitting and key not in in_rows]
    most = (MAX_COLUMNS if card_type else MAX_COLUMNS_OF_TYPES) - len(of_query)
    others = _declared_columns(game, fitting, max(most, 0))
    if not others:
        expected = _expected_columns(fitting.values(), card_type, picked)
        others = [fact for fact in expected if fact not in of_query]
    return (*of_query, *others)[:MAX_COLUMNS]


def _declared_columns(game: Game, fitting: Mapping[str, Fact], most: int) -> list[Fact]:
    """Return the facts that the game declares as columns, in that order. If there are too many, those that do
    not matter in play are left out, then those of the fewest types.
    """
    placed = [row_fact.key for row_fact in game.row_facts if row_fact.place in ("column", "chip")]
    declared = [fitting[key] for key in placed if key in fitting]
    # A fact without ``types`` applies to all of them.
    weightiest = sorted(declared, key=lambda fact: (fact.is_aside, -len(fact.types or game.types)))[:most]
    return [fact for fact in declared if fact in weightiest]


def _expected_columns(facts: Iterable[Fact], card_type: str, picked: tuple[str, ...]) -> list[Fact]:
    """Return the facts that every card should have: numbers first, word lists and ``picked`` at the end."""
    expected = [
        fact
        for fact in facts
        if fact.kind != "flag" and (fact.expected_of(card_type) if card_type else not fact.optional)
    ]
    return sorted(
        expected, key=lambda fact: (fact.key in picked, fact.kind != "number", fact.kind == "words")
    )


def not_empty(columns: tuple[Fact, ...], cards: tuple[Card, ...], asked: tuple[str, ...]) -> tuple[Fact, ...]:
    """Return the columns whose keys are in ``asked``, and those in which one of these cards has something to
    show: a value, a value that stands in its place (``Fact.unless``), or the blank for an unknown value.
    """

    def is_shown(fact: Fact, card: Card) -> bool:
        return fact.expected_of(card.type) or any(key in card.facts for key in (fact.key, *fact.unless))

    return tuple(fact for fact in columns if fact.key in asked or any(is_shown(fact, card) for card in cards))


# -- the words and marks of a row --------------------------------------------------------


def marks_of(game: Game, card_type: str) -> tuple[RowFact, ...]:
    """Return the facts shown as marks before card names, of one type if it is given."""
    keys = {fact.key for fact in game.facts_of(card_type)}
    return tuple(row_fact for row_fact in game.row_facts if row_fact.place == "mark" and row_fact.key in keys)


def short_facts(game: Game, card: Card, first: tuple[str, ...] = (), most: int = 5) -> str:
    """Return a card's facts in a few words for a row: those in ``first``, then others, ``most`` at most."""
    facts = [fact for fact in game.facts_of(card.type) if fact.kind != "text"]
    named_first = [fact for fact in facts if fact.key in first]
    others = [fact for fact in facts if fact not in named_first and not fact.optional]
    shown = [_short_fact(fact, card.facts.get(fact.key)) for fact in (*named_first, *others)]
    return " · ".join(list(filter(None, shown))[:most])


def _short_fact(fact: Fact, value: FactValue | None) -> str:
    """Return a fact in a few words: "craft 4", "Nine Tiger", "unique"; "" if there is nothing to say."""
    title = fact.title.lower()
    if value is None or value is False:
        return ""
    if value is True:
        return title
    return as_words(value) if fact.kind in ("word", "words") else f"{title} {as_words(value)}"


# Words that are skipped when the letter of a mark is taken.
ARTICLES = ("the", "a", "an")
# A value of at most so many characters, such as "A+", stands whole in its mark.
MAX_LETTERS = 2


class Mark(NamedTuple):
    """A small sign for a value: a drawing (``path`` of an SVG) or else ``letters``. ``name`` is read by
    screen readers; it is "" if the value stands beside the mark in words. ``colour``: a CSS class.
    """

    colour: str
    path: str = ""
    letters: str = ""
    name: str = ""


def mark(game: Game, fact: RowFact, value: str) -> Mark:
    """Return the mark of a value that stands alone."""
    return plain_mark(game, fact, value)._replace(name=value)


def plain_mark(game: Game, fact: RowFact, value: str) -> Mark:
    """Return the mark of a value that stands beside it in words."""
    drawing = dict(fact.symbols).get(value, "")
    words = [word for word in value.split() if word.lower() not in ARTICLES] or [value]
    letters = value if len(value) <= MAX_LETTERS else words[0][:1].upper()
    return Mark(colour_class(game, value), drawing, "" if drawing else letters)


def type_mark(game: Game, slug: str) -> Mark | None:
    """Return the drawing of a type, to stand beside its name; None if it has none."""
    declared = game.types_by_slug[slug].symbol if slug in game.types_by_slug else ""
    elements = game.faces[slug].elements if slug in game.faces else ()
    on_face = [element.path for element in elements if isinstance(element, Symbol)]
    for path in (declared, *on_face):
        if path:
            return Mark("mark-type", path)
    return None
