"""What each column of a package means: a part of the card, a fact, or nothing. Guessed by its name, and
changed by its owner.
"""

from __future__ import annotations

import re
from collections.abc import Iterable, Mapping
from dataclasses import dataclass, field

from cardsdb.games.kit import Fact, Game
from cardsdb.games.kit.model.text import fold
from cardsdb.packages.contract import ROLES, Package, Role

# The names that columns have elsewhere, the surest first.
NAMES: Mapping[Role, tuple[str, ...]] = {
    "id": ("id", "card id", "guid", "uuid", "octgn id", "gccg id", "database id", "card code", "code", "key"),
    "set": ("set", "set code", "edition", "expansion", "set name", "edition code"),
    "number": ("number", "collector number", "card number", "no", "num", "nr", "#", "cn", "collector"),
    "name": ("name", "card name", "card", "title", "card title"),
    "type": ("type", "card type"),
    "text": (
        "text",
        "rules",
        "rules text",
        "card text",
        "game text",
        "rule text",
        "effect",
        "effects",
        "ability",
        "abilities",
        "description",
    ),
    "picture": ("picture", "image", "image file", "graphics", "file", "file name", "picture file"),
}
TITLES: Mapping[Role, str] = {
    "id": "the card’s id",
    "set": "its set",
    "number": "its number",
    "name": "its name",
    "type": "its type",
    "text": "its text",
    "picture": "the file of its picture",
}
FACT = "fact:"
# How many rows are looked at for the names of columns.
SAMPLE = 500


@dataclass(frozen=True, slots=True)
class Columns:
    """Column -> what it means: a role, ``fact:KEY``, or empty for nothing. Several may be text; their cells
    stand below each other.
    """

    meanings: Mapping[str, str]
    # Meaning -> its columns: every row asks for them.
    _columns: Mapping[str, tuple[str, ...]] = field(init=False, repr=False, compare=False)

    def __post_init__(self) -> None:
        columns: dict[str, tuple[str, ...]] = {}
        for column, meaning in self.meanings.items():
            if meaning:
                columns[meaning] = (*columns.get(meaning, ()), column)
        object.__setattr__(self, "_columns", columns)

    def of(self, role: str) -> tuple[str, ...]:
        """The columns that mean this."""
        return self._columns.get(role, ())

    def cell(self, cells: Mapping[str, str], role: Role) -> str:
        """What a row says of this: the first cell that says anything, of text all of them."""
        said = [value for column in self.of(role) if (value := cells.get(column, "").strip())]
        return "\n".join(said) if role == "text" else said[0] if said else ""

    def facts(self, cells: Mapping[str, str]) -> Mapping[str, str]:
        """Fact key -> cell, of those that say anything."""
        facts = (
            (meaning.removeprefix(FACT), columns)
            for meaning, columns in self._columns.items()
            if meaning.startswith(FACT)
        )
        meant = ((key, cells.get(column, "").strip()) for key, columns in facts for column in columns)
        return {key: value for key, value in meant if value}


def guessed(package: Package, game: Game, names: list[str] | None = None) -> Columns:
    """What the columns of a package mean by their names. One column has one role; text may be several only by
    its owner's choice.

    ``names``: its columns, where they are known already.
    """
    names = column_names(package) if names is None else names
    meanings = dict.fromkeys(names, "")
    for role in ROLES:
        wanted = (*package.format.roles.get(role, ()), *NAMES[role])
        free = {_spelled(name): name for name in reversed(names) if not meanings[name]}
        if found := next((free[_spelled(word)] for word in wanted if _spelled(word) in free), None):
            meanings[found] = role
    facts = _facts(game)
    for name in names:
        if not meanings[name] and (fact := facts.get(_spelled(name))):
            meanings[name] = FACT + fact.key
    return Columns(meanings)


def changed(columns: Columns, choices: Mapping[str, str], game: Game) -> Columns:
    """The columns with what their owner says of some. Raises ValueError with a sentence for what is no
    column, or no meaning.
    """
    meanings = dict(columns.meanings)
    for column, meaning in choices.items():
        if column not in meanings:
            raise ValueError(f"There is no column “{column[:40]}”. Columns: {', '.join(meanings)[:300]}.")
        if meaning and meaning not in ROLES and meaning.removeprefix(FACT) not in game.facts_by_key:
            raise ValueError(
                f"“{meaning[:40]}” is nothing that a column can mean. Use {', '.join(ROLES)}, or {FACT}KEY"
                " for a fact."
            )
        if meaning in ROLES and meaning != "text":
            meanings = {other: "" if meant == meaning else meant for other, meant in meanings.items()}
        meanings[column] = meaning
    return Columns(meanings)


def column_names(package: Package) -> list[str]:
    """The columns of a package, in the order in which they first appear."""
    return list(
        dict.fromkeys(column for _, row in package.rows_of_tables(most=SAMPLE) for column in row.cells)
    )


def _facts(game: Game) -> Mapping[str, Fact]:
    spelled: dict[str, Fact] = {}
    for fact in game.facts:
        for word in (fact.key, fact.title, *fact.aliases):
            spelled.setdefault(_spelled(word), fact)
    return spelled


def _spelled(name: str) -> str:
    """A column's name as names are compared: ``ExpenseRating``, ``expense_rating`` and ``Expense Rating`` are
    the same.
    """
    return re.sub(r"[^0-9a-z#]+", "", fold(name))


def shown_meanings(game: Game) -> Iterable[tuple[str, str]]:
    """(meaning, words) of everything that a column can mean."""
    yield "", "nothing"
    yield from ((role, TITLES[role]) for role in ROLES)
    yield from ((FACT + fact.key, fact.title) for fact in game.facts)
