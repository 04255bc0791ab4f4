"""Rows of a brought file that are no card of the catalogue, as cards of a set of their owner's.

A row is a whole card or none: what of it cannot be read is reported with its column. The second time a row
finds its card in the set, by the code that a table of the set has, else by its name and type, and changes
what it says otherwise.
"""

import re
from collections import defaultdict
from collections.abc import Iterator
from dataclasses import dataclass, field
from itertools import islice
from typing import Any, NamedTuple

from cardsdb.box.card_form import TypedCard, card_of, own_types, typed_facts, typed_of
from cardsdb.box.reading.rows import FACT, Columns, NotUnderstood, Package, Row, Stated
from cardsdb.box.sets import (
    LENGTHS,
    MAX_CARDS,
    check_room,
    columns_of,
    in_its_set,
    room_for_cards,
    save_cards,
)
from cardsdb.box.texts import plain_cell
from cardsdb.faults import Refused
from cardsdb.games.kit import OWN_CODE, Card, Fact, Game, fold, slugify
from cardsdb.models import OwnBox, OwnCard, OwnSet
from cardsdb.models.box import new_code

# Cells that say nothing.
SAYS_NOTHING = {"", "-", "--", "n/a", "na", "none", "?", "unknown", "null"}
# How other programs write yes and no.
_FLAGS = {"true": "yes", "1": "yes", "x": "yes", "y": "yes", "false": "no", "0": "no", "n": "no"}
# Rows by whose set a new set is called.
SAMPLE = 200


class IntoSet(NamedTuple):
    """The set that rows go into: one that there is (``pk``), else a new one of this name.

    ``card_type`` is that of rows which say none. ``with_similar``: names that are only like those of cards
    are cards of their own. ``is_sure``: the cards are to be made; without it they are only counted.
    """

    name: str
    pk: int | None = None
    card_type: str = ""
    with_similar: bool = False
    is_sure: bool = False


def into_set(box: OwnBox | None, game: Game, name: str, **wish: Any) -> IntoSet:
    """The set of this name in the box, in any case of letters; a new one if there is none. ``wish``: the
    other fields of it.
    """
    name = " ".join(name.split())
    sets = box.sets.filter(game=game.slug).values_list("pk", "name") if box else ()
    pk, name = next(((pk, called) for pk, called in sets if fold(called) == fold(name)), (None, name))
    return IntoSet(name, pk, **wish)


def name_for_set(package: Package, columns: Columns) -> str:
    """Return what a set of a package's rows is called: as they all say, else as the file is."""
    said, *more = {columns.read(row).set for row in islice(package.rows(), SAMPLE)} or {""}
    if more or not any(map(str.isalnum, said)):
        said = re.sub(r"[_\s]+", " ", re.sub(r"\.\w{1,5}$", "", package.name)).strip()
    return said[: LENGTHS["name"]]


@dataclass
class SetRows:
    """Tells what rows come to in a set: cards to be ``made``, as their columns; cards of it that are
    ``changed``; how many stay as they are.

    ``faulty`` rows make no card, ``untyped`` of them because they say no type. ``more`` came after as many as
    an owner may have, and were not read. ``link`` is the address of the set, once they are written.
    """

    game: Game
    columns: Columns
    into: IntoSet
    box: OwnBox | None = None
    made: list[dict[str, Any]] = field(default_factory=list)
    changed: list[tuple[int, dict[str, Any]]] = field(default_factory=list)
    unchanged: int = 0
    faulty: int = 0
    untyped: int = 0
    more: int = 0
    link: str = ""

    def __post_init__(self) -> None:
        mine = OwnCard.objects.in_boxes([self.box] if self.box else []).select_related("in_set")
        known = list(mine.filter(in_set=self.into.pk) if self.into.pk else ())
        # The names of the owner's sets of the game, and how many cards more they may have.
        sets = self.box.sets.filter(game=self.game.slug).values_list("name", flat=True) if self.box else ()
        self.sets, self.room = tuple(sets), room_for_cards(self.box)
        self._by_code = {card.code: card for card in known}
        self._by_name: dict[str, list[OwnCard]] = defaultdict(list)
        for card in known:
            self._by_name[fold(card.name)].append(card)
        self._seen: dict[tuple[str, str] | str, tuple[int, dict[str, Any]]] = {}
        self._types = {
            slugify(word): one.slug for one in self.game.types for word in (one.plural, one.name, one.slug)
        }
        self._own_types = own_types(self.game)

    @property
    def total(self) -> int:
        """Return how many rows are cards of the set, or would be."""
        return len(self.made) + len(self.changed) + self.unchanged + self.more

    def card_of(self, stated: Stated) -> OwnCard | None:
        """The card of the set that a row is about."""
        if stated.id in self._by_code:
            return self._by_code[stated.id]
        kind = self._type(stated)
        cards = [card for card in self._by_name.get(fold(stated.name), ()) if not kind or card.type == kind]
        return cards[0] if len(cards) == 1 else None

    def take(self, row: Row, stated: Stated) -> Iterator[NotUnderstood]:
        """Read a row as a card; what is wrong with it."""
        if len(self.made) >= MAX_CARDS:
            self.more += 1
            return
        before = self.card_of(stated)
        typed = self._typed(stated, before)
        try:
            card = card_of(self.game, typed, before.code if before else OWN_CODE)
        except Refused as refused:
            self.faulty += 1
            self.untyped += not typed.type
            for fault in refused.faults:
                why = self._why_no_type(typed) if fault.where == "type" else f": {fault.message}"
                yield row.problem(f"“{stated.called}”{why}", self._column(fault.where))
            return
        yield from self._not_of_type(row, stated, card)
        values = columns_of(card, typed.number)
        key = before.code if before else (fold(card.name), card.type)
        number, first = self._seen.setdefault(key, (row.number, values))
        if first is not values:
            if first != values:
                reason = f"stands in row {number} already, with something else in it; the first is taken."
                yield row.problem(f"“{card.name}” {reason}")
        elif before is None:
            self.made.append({"code": new_code(), **values})
        elif any(getattr(before, column) != value for column, value in values.items()):
            self.changed.append((before.pk, values))
        else:
            self.unchanged += 1

    @property
    def cards(self) -> list[Card]:
        """The cards that would be made, under the codes that they will have."""
        in_set = OwnSet(game=self.game.slug, name=self.into.name)
        return [in_its_set(OwnCard(in_set=in_set, **values)) for values in self.made]

    def write(self, box: OwnBox) -> None:
        """Make and change the cards, within the transaction that has locked the box. Raises Refused where
        there is no room.
        """
        if self.more:
            check_room(box, len(self.made) + self.more)
        into = save_cards(box, self.game, self.into.name, self.into.pk, self.made, dict(self.changed))
        self.link = into.link

    # -- parts -----------------------------------------------------------------------------

    def _type(self, stated: Stated) -> str:
        return self._types.get(slugify(stated.type), "") if stated.type else self.into.card_type

    def _typed(self, stated: Stated, before: OwnCard | None) -> TypedCard:
        """The row as a form would have it; what it does not speak of is as it was."""
        typed = typed_of(self.game, before.as_card(), before.number) if before else TypedCard("", "", {})
        only = self._own_types[0] if len(self._own_types) == 1 else ""
        said = {
            key: _as_typed(self.game.facts_by_key[key], cell)
            for key, cell in stated.facts.items()
            if fold(cell) not in SAYS_NOTHING
        }
        return typed._replace(
            name=stated.name or typed.name,
            type=self._type(stated) or stated.type or typed.type or only,
            facts={**typed.facts, **said},
            text=plain_cell(stated.text) or typed.text,
            number=stated.number or typed.number,
        )

    def _not_of_type(self, row: Row, stated: Stated, card: Card) -> Iterator[NotUnderstood]:
        """Cells of facts that cards of this type do not have."""
        has = {fact.key for fact in typed_facts(self.game, card.type)}
        for key, cell in stated.facts.items():
            fact = self.game.facts_by_key[key]
            if key not in has and not fact.is_aside and fold(cell) not in SAYS_NOTHING | {"0", "no", "false"}:
                reason = (
                    f"“{card.name}”: a card of the type {self._called(card.type)} has no"
                    f" {fact.title.lower()}; “{cell[:60]}” was left out."
                )
                yield row.problem(reason, self._column(f"fact-{key}"))

    def _column(self, where: str) -> str:
        return next(iter(self.columns.of(where.replace("fact-", FACT))), "")

    def _called(self, slug: str) -> str:
        return self.game.type_named(slug).name.lower()

    def _why_no_type(self, typed: TypedCard) -> str:
        said = f"and “{typed.type[:40]}” is none" if typed.type else "and its row says none"
        return (
            f" is no card of this game. To be a card of your own it needs a type, {said}. Types:"
            f" {', '.join(map(self._called, self._own_types))}."
        )


def _as_typed(fact: Fact, cell: str) -> str:
    """A cell of another program as a form has it: yes for true, 3 for +3."""
    if fact.kind == "flag":
        return _FLAGS.get(fold(cell), cell)
    return cell.removeprefix("+") if fact.kind == "number" else cell
