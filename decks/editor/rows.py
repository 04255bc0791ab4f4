"""The rows of the editor: the facts that a row shows beside a card's name, and the order of a deck's rows.

A row shows its faction's mark, its main numbers in columns, and a few words. Both halves of the editor use
that: ``card_pane.py`` and ``deck_pane.py``. A fact keeps the same column in all types of a game, so that a
list of several types can be compared from top to bottom. The cost has the first column, ranks the last ones.

``Arrangement`` says how the deck's lines are grouped and sorted, and shown as rows or as faces.
``deck_pane.py`` lays the lines out by it; ``views.py`` remembers it in cookies.
Tests: ``tests/decks/editor/test_rows.py``; of ``Arrangement``, ``tests/decks/editor/test_deck_pane.py``.
"""

from collections import Counter
from collections.abc import Iterable, Mapping
from dataclasses import dataclass
from itertools import islice
from typing import Any, NamedTuple

from cardsdb.catalogue.current import Catalogue, catalogue
from cardsdb.games.kit import Card, Entry, Fact, FactValue, Game, as_words, fold
from cardsdb.web.lists.columns import mark
from cardsdb.web.lists.rows import HIGH

# The most numbers in a row.
MAX_NUMBERS = 6
# The row of a type with at most so many numbers has room for words as well.
FEW_NUMBERS = 2
# The most letters of a title that serves as a heading; a longer one is cut to SHORT_HEADING letters.
MAX_HEADING = 6
SHORT_HEADING = 4
# The most facts told in words in one row.
MAX_WORDS = 2


@dataclass(frozen=True)
class Column:
    """One number column in the rows of one card type. ``fact`` is None if the type has no number there.
    ``symbol`` is the drawing shown instead of the heading, if the game has one. ``is_chip``: the number is
    framed, as a cost is.
    """

    fact: Fact | None = None
    heading: str = ""
    symbol: str = ""
    is_chip: bool = False


def columns_of(game: Game, card_type: str) -> tuple[Column, ...]:
    """The number columns of a card type, the cost first. Empty if the type has no numbers."""
    return catalogue().derived(_columns, game).get(card_type, ())


def _columns(whole: Catalogue, game: Game) -> dict[str, tuple[Column, ...]]:
    """Return type slug -> its columns, for all types of the game. The type with the most numbers is placed
    first; every other type reuses the places that its facts have got there, and fills free places from the
    end. So the types of Spycraft have these columns, by their headings::

        leader     Cost   Cha    Com    Tra    Cra    Lvl
        agent      Cost   Cha    Com    Tra    Cra    Brav
        gear       Cost   +Cha   +Com   +Tra   +Cra   Brav
        action                                        Brav
        mission                         Cov    VP     Obj
    """
    numbers = {each.slug: _numbers(game, each.slug) for each in game.types}
    width = max(map(len, numbers.values()), default=0)
    # Fact key -> its place in all types.
    places: dict[str, int] = {}
    columns = {}
    for slug, facts in sorted(numbers.items(), key=lambda pair: -len(pair[1])):
        # 1. The cost gets the first place.
        if facts and _column(game, facts[0]).is_chip:
            places.setdefault(facts[0].key, 0)
        # 2. Facts that an earlier type has placed stand there again. Two of them may have got one place, in
        # two types that each lack the other fact; then the first keeps it.
        # Place -> fact of this type.
        row: dict[int, Fact] = {}
        for fact in facts:
            if fact.key in places:
                row.setdefault(places[fact.key], fact)
        # 3. The others get free places, from the last one on, which later types use again. A mission has
        # Cov, VP and Obj, and no earlier type has them: of the places 0 to 5 Obj gets 5, VP 4 and Cov 3.
        free = [place for place in range(width) if place not in row]
        for fact in reversed(facts):
            if fact not in row.values():
                place = free.pop()
                row[place] = fact
                places.setdefault(fact.key, place)
        in_order = (_column(game, row[place]) if place in row else Column() for place in range(width))
        columns[slug] = tuple(in_order) if facts else ()
    return columns


def _column(game: Game, fact: Fact) -> Column:
    """The column of a fact. Its heading is the one that the game declares, else a short alias of two or three
    letters, else the title or its first four letters.
    """
    title = fact.title if len(fact.title) <= MAX_HEADING else fact.title[:SHORT_HEADING].rstrip()
    short = (alias for alias in fact.aliases if len(alias) in (2, 3) and alias.isalpha())
    heading = next(short, title).capitalize()
    declared = game.row_facts_by_key.get(fact.key)
    if declared is None:
        return Column(fact, heading, is_chip=_is_cost(fact))
    return Column(fact, declared.heading or heading, declared.symbol, declared.place == "chip")


def headings_of(game: Game, card_types: Iterable[str]) -> tuple[Column, ...]:
    """The headings above rows of several types (``card_types``, one for each row): in each place, the column
    of the type that has the most rows and a number there. Empty if no row has a number.
    """
    types = [slug for slug, _ in Counter(card_types).most_common()]
    columns_of_types = [columns for slug in types if (columns := columns_of(game, slug))]
    # All types with numbers have the same number of places.
    return tuple(
        next((column for column in columns if column.fact), Column())
        for columns in zip(*columns_of_types, strict=True)
    )


def _numbers(game: Game, card_type: str) -> list[Fact]:
    """The number facts of a type that get a column, at most MAX_NUMBERS: those that the game declares for its
    rows, else those that every card of the type should have, the cost first. Ranks, by which sections are
    ordered, come last.
    """
    ranks = {section.order for section in game.sections if section.order}
    places = {key: place for place, key in enumerate(game.row_facts_by_key)}
    numbers = [
        fact
        for fact in game.facts_of(card_type)
        if fact.kind == "number" and card_type not in fact.optional_for
    ]
    if declared := [fact for fact in numbers if fact.key in places]:
        # Sorted twice. First by importance, to cut off what does not fit; then in the order of the row.
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
    """The fact whose values have colours, such as a card's faction, branch or pool. None in a game without
    one.
    """
    return catalogue().derived(_allegiance, game)


def _allegiance(whole: Catalogue, game: Game) -> Fact | None:
    coloured: set[str] = set(game.colours)
    facts = [fact for fact in game.facts if fact.kind in ("word", "words")]
    for fact in facts:
        if any(coloured.intersection(card.words(fact.key)) for card in game.cards):
            return fact
    return None


def row_facts(
    game: Game, card: Card, first: tuple[str, ...] = (), headings: tuple[Column, ...] = ()
) -> dict[str, Any]:
    """Return what the row of a card shows: ``mark`` (None if it has none), ``numbers`` (one dict per heading,
    None where the card has no number), ``words`` (a string). ``first``: keys of facts that the search asked
    about; those without a column are told among the words.

    ``headings``: the headings above the list, if it holds other types too. A number that stands under another
    fact's heading carries its own. Kai, in a list of leaders in which traits were searched for::

        mark     that of Nine Tiger
        numbers  7, 2, 7, 3, 2, 3 (the last one with its own heading Brav: above it stands Lvl)
        words    "Soldier"
    """
    columns, type_name = columns_of(game, card.type), game.type_named(card.type).name
    in_columns = {column.fact.key for column in columns if column.fact}
    has_room = len(in_columns) <= FEW_NUMBERS
    mark_facts = [row_fact for row_fact in game.row_facts if row_fact.place == "mark"]
    shown = in_columns | {row_fact.key for row_fact in mark_facts}
    facts = [fact for fact in game.facts_of(card.type) if fact.key not in shown]
    asked = [fact for fact in facts if fact.key in first]
    others = [fact for fact in facts if has_room and fact not in asked and _is_told(fact, card)]
    # A fact that only repeats the type tells nothing.
    words = (
        _words(fact, card.facts[fact.key], type_name)
        for fact in (*asked, *others)
        if card.facts.get(fact.key) not in (None, False, type_name)
    )
    values = ((row_fact, card.facts.get(row_fact.key)) for row_fact in mark_facts)
    marks = (mark(game, row_fact, _first(value)) for row_fact, value in values if value)
    # Each column with the heading above it. Not strict, because a type without numbers has no columns,
    # whatever headings stand above.
    with_headings = zip(columns, headings or columns, strict=False)
    return {
        "mark": next(marks, None),
        "numbers": [_number(column, heading, card) for column, heading in with_headings],
        "words": ", ".join(islice(filter(None, words), MAX_WORDS)),
    }


def _is_told(fact: Fact, card: Card) -> bool:
    """True if the row of a card of few numbers tells this fact in words: one that its type should have, or
    that its game prints in the card's header.
    """
    return fact.kind in ("word", "words") and (fact.expected_of(card.type) or "header" in fact.aliases)


def _first(value: FactValue) -> str:
    return value[0] if isinstance(value, tuple | list) else str(value)


def _words(fact: Fact, value: FactValue, type_name: str) -> str:
    """The value in words. The name of the card's type is left out, because some games list it as a
    keyword.
    """
    if value is True:
        return fact.title.lower()
    if fact.kind == "words" and isinstance(value, tuple | list):
        return ", ".join(word for word in value if word != type_name)
    return as_words(value) if fact.kind in ("word", "words") else f"{fact.title.lower()} {as_words(value)}"


def _number(column: Column, over: Column, card: Card) -> dict[str, str | None] | None:
    """Return the number of a card in this column: ``title``, ``words`` (None if the number is unknown),
    ``css_class``. None for an empty place. ``over``: the column whose heading stands above; if it is another
    fact's, the number gets ``symbol`` and ``heading`` of its own.
    """
    fact = column.fact
    value = card.facts.get(fact.key) if fact else None
    if fact is None or (value is None and not fact.expected_of(card.type)):
        return None
    classes = ["row-cost"] if column.is_chip else []
    if value == 0:
        classes.append("is-zero")
    elif isinstance(value, int) and value >= HIGH:
        classes.append("is-high")
    words = None if value is None else as_words(value)
    shown = {"title": fact.title, "words": words, "css_class": " ".join(classes)}
    if (column.symbol or column.heading) == (over.symbol or over.heading):
        return shown
    return shown | {"symbol": column.symbol, "heading": column.heading}


# -- how the lines of a deck are grouped and sorted ---------------------------------------

# Query parameter of the editor's address -> the cookie that remembers its last value.
COOKIES = {"group": "deck_grouping", "sort": "deck_sorting", "view": "deck_view"}
# Characters of such a value; longer ones are cut, as no known value is so long.
MAX_CHOICE = 40


class Option(NamedTuple):
    """One choice of a layout, shown as a link; ``slug`` is its value in the address."""

    slug: str
    title: str
    picked: bool


def _options(titles: Mapping[str, str], picked: str, or_first: bool = True) -> tuple[Option, ...]:
    """Return an option for each of ``titles`` (slug -> title), the ``picked`` one marked. With ``or_first``
    the first is marked instead of an unknown slug.
    """
    if or_first and picked not in titles:
        picked = next(iter(titles))
    return tuple(Option(slug, title, slug == picked) for slug, title in titles.items())


@dataclass(frozen=True)
class Arrangement:
    """The way in which lines are grouped and sorted, and shown as rows or as stacks of faces. A value that
    the game does not know counts as the first choice.

    - group: "type", "cost" or "faction";
    - sort: "written" (the author's order), "name", "copies", or the key of a number fact;
    - view: "rows" or "stacks".
    """

    group: str = "type"
    sort: str = "written"
    view: str = "rows"

    @classmethod
    def of(cls, parameters: Mapping[str, str], cookies: Mapping[str, str]) -> "Arrangement":
        """The arrangement that the address asks for; what it leaves open is taken from this browser's
        cookies.
        """
        chosen = {name: parameters.get(name) or cookies.get(cookie) for name, cookie in COOKIES.items()}
        return cls(**{name: value[:MAX_CHOICE] for name, value in chosen.items() if value})

    @property
    def in_stacks(self) -> bool:
        return self.view == "stacks"

    def views(self) -> tuple[Option, ...]:
        """The ways to show the lines: rows or faces."""
        return _options({"rows": "Rows", "stacks": "Faces"}, self.view)

    def groupings(self, game: Game) -> tuple[Option, ...]:
        """The ways to group lines: by type, and by cost and faction if the game's cards have them."""
        titles = {slug: fact.title for slug, fact in facts_to_group_by(game).items()}
        return _options({"type": "Type", **titles}, self.group)

    def sortings(self, game: Game, entries: Iterable[Entry]) -> tuple[Option, ...]:
        """The orders to choose from: as written, by name, by copies, and by each number of the game's rows
        that some of these cards have.
        """
        cards, numbers = [entry.card for entry in entries], _sortable(game)
        known = {
            key: fact.title
            for key, fact in numbers.items()
            if any(card.number(key) is not None for card in cards)
        }
        titles = {"written": "As written", "name": "Name", "copies": "Copies", **known}
        # A known number that none of these cards has stays chosen, but is not offered: then none is picked.
        return _options(titles, self.sort, self.sort not in numbers)

    def sorted(self, game: Game, entries: Iterable[Entry]) -> list[Entry]:
        """The lines in the chosen order. A cost is sorted upwards, other numbers downwards; cards without the
        number come last.
        """
        fact = _sortable(game).get(self.sort)

        def place(entry: Entry) -> Any:
            """Sort key. Of equal ones the author's order is kept."""
            if self.sort == "name":
                return fold(entry.card.name)
            if self.sort == "copies":
                return -entry.count
            number = entry.card.number(fact.key) if fact else 0
            if number is None:
                return float("inf")
            return number if fact == cost_of(game) else -number

        return sorted(entries, key=place)


USUAL = Arrangement()


def facts_to_group_by(game: Game) -> dict[str, Fact]:
    """Value of ``Arrangement.group`` -> fact, for those that the game's cards have."""
    facts = {"cost": cost_of(game), "faction": allegiance_of(game)}
    return {slug: fact for slug, fact in facts.items() if fact}


def _sortable(game: Game) -> dict[str, Fact]:
    """Fact key -> number fact, for the numbers that the game declares for its rows, in its order."""
    facts = (game.facts_by_key.get(row_fact.key) for row_fact in game.row_facts)
    return {fact.key: fact for fact in facts if fact and fact.kind == "number"}
