"""The arrangement of a deck's lines in the editor: how they are grouped and sorted, and shown as rows or as
faces. ``deck_pane.py`` lays the lines out by it; ``views.py`` remembers it in cookies.

The tests are in ``tests/decks/editor/test_deck_pane.py``.
"""

from collections.abc import Iterable, Mapping
from dataclasses import dataclass
from typing import Any, NamedTuple

from cardsdb.games.kit import Entry, Fact, Game, fold
from decks.editor.row_facts import allegiance_of, cost_of

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
    """Return an option for each slug -> title, the ``picked`` one marked. With ``or_first`` the first is
    marked instead of an unknown slug.
    """
    if or_first and picked not in titles:
        picked = next(iter(titles))
    return tuple(Option(slug, title, slug == picked) for slug, title in titles.items())


@dataclass(frozen=True)
class Arrangement:
    """The way in which lines are grouped and sorted, and shown as rows or as stacks of faces. A value that
    the game does not know counts as the first choice.
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
        cards, numbers = [entry.card for entry in entries], _numbers(game)
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
        fact = _numbers(game).get(self.sort)

        def place(entry: Entry) -> Any:
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
    facts = {"cost": cost_of(game), "faction": allegiance_of(game)}
    return {slug: fact for slug, fact in facts.items() if fact}


def _numbers(game: Game) -> dict[str, Fact]:
    """Fact key -> number fact, for the numbers that the game declares for its rows, in its order."""
    facts = (game.facts_by_key.get(row_fact.key) for row_fact in game.row_facts)
    return {fact.key: fact for fact in facts if fact and fact.kind == "number"}
