"""The facts of a card that a row of the editor shows beside its name: the mark of its faction, its deciding
numbers in columns, a few words.

The columns of all types of a game have the same places, so that a mixed list is read downwards: what a card
costs first, its rank or its last number at the end.
"""

from collections import Counter
from collections.abc import Iterable
from dataclasses import dataclass
from itertools import islice
from typing import Any

from cardsdb.catalogue.current import Catalogue, catalogue
from cardsdb.games.kit import Card, Fact, FactValue, Game, as_words
from cardsdb.web.lists.facets import mark
from cardsdb.web.lists.rows import HIGH

# Numbers in a row. A type that has so few of them that the first of their places stay free has room for
# words.
MAX_NUMBERS, FEW_NUMBERS = 6, 2
# Letters of a title that has no short name.
MAX_HEADING = 6
# Values of facts among the words of a row.
MAX_WORDS = 2


@dataclass(frozen=True)
class Column:
    """A place in the rows of one type; ``fact`` is None where the type has nothing there. ``symbol``: the
    drawing that stands in place of the heading, if the game has one; ``is_chip``: the number stands in a
    frame, as a cost does.
    """

    fact: Fact | None = None
    heading: str = ""
    symbol: str = ""
    is_chip: bool = False


def _column(game: Game, fact: Fact) -> Column:
    """The column of a fact. Its heading is short: the game's, else what players write before a value, else
    the first letters of the title.
    """
    declared, title = game.row_facts_by_key.get(fact.key), fact.title
    short = (alias for alias in fact.aliases if len(alias) in (2, 3) and alias.isalpha())
    heading = next(short, title if len(title) <= MAX_HEADING else title[:4].rstrip()).capitalize()
    if declared is None:
        return Column(fact, heading, is_chip=_is_cost(fact))
    return Column(fact, declared.heading or heading, declared.symbol, declared.place == "chip")


def columns_of(game: Game, card_type: str) -> tuple[Column, ...]:
    """The columns of a type: the numbers that the game declares for its rows, what a card costs first. Empty
    for a type without them.
    """
    return catalogue().derived(_columns, game).get(card_type, ())


def _columns(whole: Catalogue, game: Game) -> dict[str, tuple[Column, ...]]:
    """The columns of each type. A fact has one place in all of them, where it can; the type with the most
    numbers sets the first.
    """
    numbers = {each.slug: _numbers(game, each.slug) for each in game.types}
    width = max(map(len, numbers.values()), default=0)
    places: dict[str, int] = {}
    columns = {}
    for slug, facts in sorted(numbers.items(), key=lambda pair: -len(pair[1])):
        row: dict[int, Column] = {}
        made = [_column(game, fact) for fact in facts]
        if made and made[0].is_chip:
            places.setdefault(facts[0].key, 0)
        for fact, column in [pair for pair in zip(facts, made, strict=True) if pair[0].key in places]:
            row.setdefault(places[fact.key], column)
        free = [place for place in reversed(range(width)) if place not in row]
        for fact, column in zip(reversed(facts), reversed(made), strict=True):
            if column not in row.values():
                row[free[0]] = column
                places.setdefault(fact.key, free.pop(0))
        columns[slug] = tuple(row.get(place, Column()) for place in range(width)) if facts else ()
    return columns


def headings_of(game: Game, card_types: Iterable[str]) -> tuple[Column, ...]:
    """The headings over rows of several types: at each place what most of them have there. Empty where no row
    has a number.
    """
    rows = filter(None, (columns_of(game, slug) for slug, _ in Counter(card_types).most_common()))
    return tuple(next((one for one in place if one.fact), Column()) for place in zip(*rows, strict=True))


def _numbers(game: Game, card_type: str) -> list[Fact]:
    """The number facts of a type; of too many, those that every card of it should have. Ranks, by which
    sections are ordered, stand behind the rest.
    """
    ranks = {section.order for section in game.sections if section.order}
    places = {key: place for place, key in enumerate(game.row_facts_by_key)}
    numbers = [f for f in game.facts_of(card_type) if f.kind == "number" and card_type not in f.optional_for]
    if declared := [fact for fact in numbers if fact.key in places]:
        declared.sort(key=lambda fact: (not fact.expected_of(card_type), places[fact.key]))
        return sorted(declared[:MAX_NUMBERS], key=lambda fact: (fact.key in ranks, places[fact.key]))
    expected = [fact for fact in numbers if fact.expected_of(card_type)]
    return sorted(expected, key=lambda fact: (not _is_cost(fact), fact.key in ranks))[:MAX_NUMBERS]


def _is_cost(fact: Fact) -> bool:
    return "cost" in (fact.key, *fact.aliases)


def cost_of(game: Game) -> Fact | None:
    """The fact that says what a card costs, if the game has one."""
    return next((fact for fact in game.facts if fact.kind == "number" and _is_cost(fact)), None)


def allegiance_of(game: Game) -> Fact | None:
    """The fact whose values have colours: the faction, branch or pool of a card; None in a game without
    one.
    """
    return catalogue().derived(_allegiance, game)


def _allegiance(whole: Catalogue, game: Game) -> Fact | None:
    coloured: set[str] = set(game.colours)
    facts = [fact for fact in game.facts if fact.kind in ("word", "words")]
    return next(
        (fact for fact in facts if any(coloured & set(card.words(fact.key)) for card in game.cards)), None
    )


def row_facts(
    game: Game, card: Card, first: tuple[str, ...] = (), headings: tuple[Column, ...] = ()
) -> dict[str, Any]:
    """The facts that the row of a card shows: its ``mark``, its ``numbers`` under their headings, None where
    it has none there, and its ``words``. ``first``: the keys of facts that were asked about; those that are
    no column stand among the words.

    ``headings``: what stands over the rows, if that is of other types too. A number under another heading has
    its own beside it.
    """
    columns, name = columns_of(game, card.type), game.type_named(card.type).name
    shown = {column.fact.key for column in columns if column.fact}
    has_room = len(shown) <= FEW_NUMBERS
    marks = [one for one in game.row_facts if one.place == "mark"]
    shown |= {one.key for one in marks}
    facts = [fact for fact in game.facts_of(card.type) if fact.key not in shown]
    asked = [fact for fact in facts if fact.key in first]
    told = [fact for fact in facts if has_room and fact not in asked and _is_told(fact, card)]
    words = (
        _words(fact, card.facts[fact.key], name)
        for fact in (*asked, *told)
        if card.facts.get(fact.key) not in (None, False, name)
    )
    values = ((one, card.facts.get(one.key)) for one in marks)
    drawn = (mark(game, one, _first(value)) for one, value in values if value)
    return {
        "mark": next(drawn, None),
        "numbers": [_number(*pair, card) for pair in zip(columns, headings or columns, strict=False)],
        "words": ", ".join(islice(filter(None, words), MAX_WORDS)),
    }


def _is_told(fact: Fact, card: Card) -> bool:
    return fact.kind in ("word", "words") and (fact.expected_of(card.type) or "header" in fact.aliases)


def _first(value: FactValue) -> str:
    return value[0] if isinstance(value, tuple | list) else str(value)


def _words(fact: Fact, value: FactValue, type_name: str) -> str:
    """The value in words, without the name of the card's type, which some games have among their keywords."""
    if value is True:
        return fact.title.lower()
    if fact.kind == "words" and isinstance(value, tuple | list):
        return ", ".join(word for word in value if word != type_name)
    return as_words(value) if fact.kind in ("word", "words") else f"{fact.title.lower()} {as_words(value)}"


def _number(column: Column, over: Column, card: Card) -> dict[str, str | None] | None:
    """The number of a card in this column, under the heading ``over``. ``words`` is None for an unknown
    number. ``symbol`` or ``heading``: the name of its own that it has under the heading of another.
    """
    fact = column.fact
    value = card.facts.get(fact.key) if fact else None
    if fact is None or (value is None and not fact.expected_of(card.type)):
        return None
    kind = "row-cost" if column.is_chip else ""
    if isinstance(value, int):
        kind += " is-zero" if value == 0 else " is-high" if value >= HIGH else ""
    own = {"symbol": column.symbol, "heading": column.heading}
    is_named = (column.symbol or column.heading) == (over.symbol or over.heading)
    words = None if value is None else as_words(value)
    return {"title": fact.title, "words": words, "css_class": kind.strip()} | ({} if is_named else own)
