"""Choose the facts of a card that a list shows: the columns of a table, and the few words of a row."""

from typing import NamedTuple

from cardsdb.games.kit import Card, Fact, Game, RowFact, as_words
from cardsdb.games.kit.print.face import Symbol
from cardsdb.search.card_query import CardQuery
from cardsdb.search.query.fields import Fields
from cardsdb.search.query.tree import Regex, Term, Versus, leaves, parts_of
from cardsdb.site.static_files import colour_class

# A table wider than this is read by nobody; one of several types has a column for the type.
MAX_COLUMNS, MAX_COLUMNS_OF_TYPES = 9, 8


def facts_asked_about(query: CardQuery) -> tuple[tuple[str, ...], tuple[str, ...]]:
    """The facts that the query sorts or tells cards by, and those that are the same in every row because one
    value was picked.
    """
    parts = parts_of(query.query.tree)
    picked = tuple(
        dict.fromkeys(part.key for part in parts if isinstance(part, Term) and _picks_one(part, query.fields))
    )
    conditions = (node for node in leaves(query.query.tree) if isinstance(node, Term | Regex | Versus))
    keys = (
        key
        for node in conditions
        for key in ((node.left, node.right) if isinstance(node, Versus) else (node.key,))
    )
    fields = (
        query.fields.get(key) for key in dict.fromkeys((*(sort.key for sort in query.query.order), *keys))
    )
    asked_about = dict.fromkeys(place.key for field in fields if field for place in field.places)
    return tuple(key for key in asked_about if key not in picked), picked


def _picks_one(term: Term, fields: Fields) -> bool:
    """Return whether all cards that it finds have the same in this field."""
    field = fields.get(term.key) if term.op in (":", "=") else None
    places = field.asked(term.op, term.value) if field else ()
    return len(places) == 1 and (
        places[0].kind in ("number", "flag")
        or (places[0].kind == "word" and len(places[0].meant(term.op, term.value)) == 1)
    )


def columns_of(
    game: Game, card_type: str, first: tuple[str, ...] = (), last: tuple[str, ...] = ()
) -> tuple[Fact, ...]:
    """The facts that a table shows: those the game declares for its rows, in its order; of too many those that
    most types have, asides last.

    Before them stand those asked about (``first``) that it does not declare. Where it declares none of the
    type's facts, they are what every card of the type, or the game, should have: numbers first, lists of
    words and what was picked and is the same in every row (``last``) at the end.
    """
    in_rows = game.row_facts_by_key
    facts = game.facts_of(card_type) if card_type else game.facts
    fitting = {fact.key: fact for fact in facts if fact.kind != "text" or fact.key in in_rows}
    about = [fitting[key] for key in first if key in fitting and key not in in_rows]
    declared = [
        fitting[one.key] for one in game.row_facts if one.place in ("column", "chip") and one.key in fitting
    ]
    most = max((MAX_COLUMNS if card_type else MAX_COLUMNS_OF_TYPES) - len(about), 0)
    widest = sorted(declared, key=lambda fact: (fact.is_aside, -len(fact.types or game.types)))[:most]
    if columns := [fact for fact in declared if fact in widest]:
        return (*about, *columns)[:MAX_COLUMNS]
    rest = [
        fact
        for fact in fitting.values()
        if fact.kind != "flag"
        and fact not in about
        and (fact.expected_of(card_type) if card_type else not fact.optional)
    ]
    rest.sort(key=lambda fact: (fact.key in last, fact.kind != "number", fact.kind == "words"))
    return (*about, *rest)[:MAX_COLUMNS]


def not_empty(columns: tuple[Fact, ...], cards: tuple[Card, ...], asked: tuple[str, ...]) -> tuple[Fact, ...]:
    """The columns in which something stands for one of these cards, be it that nobody knows; and those that
    were ``asked`` about.
    """

    def stands(fact: Fact) -> bool:
        keys = (fact.key, *fact.unless)
        return any(any(key in card.facts for key in keys) or fact.expected_of(card.type) for card in cards)

    return tuple(fact for fact in columns if fact.key in asked or stands(fact))


def marks_of(game: Game, card_type: str) -> tuple[RowFact, ...]:
    """The facts that stand as marks before the names of the game's cards, of a type if one is named."""
    keys = {fact.key for fact in (game.facts_of(card_type) if card_type else game.facts)}
    return tuple(row_fact for row_fact in game.row_facts if row_fact.place == "mark" and row_fact.key in keys)


def short_facts(game: Game, card: Card, first: tuple[str, ...] = (), most: int = 5) -> str:
    """The card's facts in a few words, for a row of a list: those with the keys ``first``, then the others;
    at most ``most``.
    """
    facts = [fact for fact in game.facts_of(card.type) if fact.kind != "text"]
    about = [fact for fact in facts if fact.key in first]
    shown = []
    for fact in (*about, *(fact for fact in facts if fact not in about and not fact.optional)):
        value, title = card.facts.get(fact.key), fact.title.lower()
        if value is not None and value is not False and len(shown) < most:
            words = as_words(value) if fact.kind in ("word", "words") else f"{title} {as_words(value)}"
            shown.append(title if value is True else words)
    return " · ".join(shown)


# Words of a value that its letter is not taken from.
ARTICLES = ("the", "a", "an")


class Mark(NamedTuple):
    """A drawing, the ``path`` of an SVG, or else ``letters``. ``name``: what screen readers hear; empty where
    the value stands beside it in words. ``colour`` is a CSS class.
    """

    colour: str
    path: str = ""
    letters: str = ""
    name: str = ""


def mark(game: Game, fact: RowFact, value: str) -> Mark:
    """The mark of a value that stands alone."""
    return plain_mark(game, fact, value)._replace(name=value)


def plain_mark(game: Game, fact: RowFact, value: str) -> Mark:
    """The mark of a value that stands beside it in words."""
    drawing = dict(fact.symbols).get(value, "")
    words = [word for word in value.split() if word.lower() not in ARTICLES] or [value]
    letters = value if len(value) <= 2 else words[0][:1].upper()
    return Mark(colour_class(game, value), drawing, "" if drawing else letters)


def type_mark(game: Game, slug: str) -> Mark | None:
    """The drawing that the faces of a type have, beside its name; None for a type without one."""
    card_type = game.types_by_slug.get(slug)
    drawn = game.faces[slug].elements if slug in game.faces else ()
    path = (card_type.symbol if card_type else "") or next(
        (element.path for element in drawn if isinstance(element, Symbol)), ""
    )
    return Mark("mark-type", path) if path else None
