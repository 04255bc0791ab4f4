"""Turn rows of an uploaded file that are no catalogue card into cards of an own set.

``comparing`` gives each such row to ``SetRows.take``; ``taking_in`` calls ``SetRows.write`` once the visitor
agrees. A row becomes a whole card or none: faults are reported with their column. When a file is uploaded
again, rows find their card by code, else by name and type, and change what is different, so no duplicates
arise. A row is read as if it were typed into the form of ``card_form.py``.
Tests: ``tests/cardsdb/box/test_set_rows.py``.
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
from cardsdb.faults import Fault, Refused
from cardsdb.games.kit import OWN_CODE, Card, Fact, Game, fold, slugify
from cardsdb.models import OwnBox, OwnCard, OwnSet
from cardsdb.models.box import new_code

# Folded cells that count as empty.
SAYS_NOTHING = {"", "-", "--", "n/a", "na", "none", "?", "unknown", "null"}
# Words for yes and no in other programs' files -> the words that our form uses.
_FLAGS = {"true": "yes", "1": "yes", "x": "yes", "y": "yes", "false": "no", "0": "no", "n": "no"}
# Rows that are read to name a new set.
SAMPLE = 200


class IntoSet(NamedTuple):
    """The set that rows go into: the existing one with key ``pk``, or a new one with this name.

    ``card_type`` is for rows that name no type. ``with_similar``: rows whose name resembles a catalogue
    card's become own cards too. ``is_sure``: the visitor agreed to make the cards; otherwise they are only
    counted.
    """

    name: str
    pk: int | None = None
    card_type: str = ""
    with_similar: bool = False
    is_sure: bool = False


def into_set(box: OwnBox | None, game: Game, name: str, **others: Any) -> IntoSet:
    """Return the box's set with this name, ignoring case, or a new one. ``others``: its other fields."""
    name = " ".join(name.split())
    for pk, known in box.sets.filter(game=game.slug).values_list("pk", "name") if box else ():
        if fold(known) == fold(name):
            return IntoSet(known, pk, **others)
    return IntoSet(name, **others)


def name_for_set(package: Package, columns: Columns) -> str:
    """Return a name for a package's set: the set that all its rows name, else the file's name."""
    names = {columns.read(row).set for row in islice(package.rows(), SAMPLE)}
    name = names.pop() if len(names) == 1 else ""
    if not any(map(str.isalnum, name)):
        without_ending = re.sub(r"\.\w{1,5}$", "", package.name)
        name = re.sub(r"[_\s]+", " ", without_ending).strip()
    return name[: LENGTHS["name"]]


@dataclass
class SetRows:
    """The cards of an own set that the rows of a package become.

    ``made``: columns of each new card. ``changed``: key of an existing card -> its new columns. ``faulty``
    rows become no card; ``untyped`` counts those of them without a valid type. ``more`` counts rows beyond
    MAX_CARDS, which are not read. ``link`` is the set's address once written. ``write`` needs the locked box.
    Besides: ``sets``, the names of the owner's sets for this game; ``room``, how many more cards fit.
    """

    game: Game
    columns: Columns
    into: IntoSet
    box: OwnBox | None = None
    made: list[dict[str, Any]] = field(default_factory=list)
    changed: dict[int, dict[str, Any]] = field(default_factory=dict)
    unchanged: int = 0
    faulty: int = 0
    untyped: int = 0
    more: int = 0
    link: str = ""

    def __post_init__(self) -> None:
        mine = OwnCard.objects.in_boxes([self.box] if self.box else []).select_related("in_set")
        known = list(mine.filter(in_set=self.into.pk) if self.into.pk else ())
        sets = self.box.sets.filter(game=self.game.slug).values_list("name", flat=True) if self.box else ()
        self.sets, self.room = tuple(sets), room_for_cards(self.box)
        self._by_code = {card.code: card for card in known}
        self._by_name: dict[str, list[OwnCard]] = defaultdict(list)
        for card in known:
            self._by_name[fold(card.name)].append(card)
        # The cards of the rows so far: code, or (folded name, type) of a new card -> (number of its first
        # row, columns that this row gives it).
        self._seen: dict[tuple[str, str] | str, tuple[int, dict[str, Any]]] = {}
        # Every spelling of a type -> its slug.
        self._types = {
            slugify(word): kind.slug
            for kind in self.game.types
            for word in (kind.plural, kind.name, kind.slug)
        }
        self._own_types = own_types(self.game)

    @property
    def total(self) -> int:
        """The number of rows that are, or would be, cards of the set."""
        return len(self.made) + len(self.changed) + self.unchanged + self.more

    def card_of(self, stated: Stated) -> OwnCard | None:
        """Return the card of the set that a row describes, by code, else by name and type; or None."""
        if stated.id in self._by_code:
            return self._by_code[stated.id]
        kind = self._type(stated)
        cards = [card for card in self._by_name.get(fold(stated.name), ()) if not kind or card.type == kind]
        return cards[0] if len(cards) == 1 else None

    def take(self, row: Row, stated: Stated) -> list[NotUnderstood]:
        """Read one row into ``made``, ``changed`` or a count, and return what is wrong with it.

        Of several rows of one card the first counts; another one with other values is reported.
        """
        if len(self.made) >= MAX_CARDS:
            self.more += 1
            return []
        before = self.card_of(stated)
        typed = self._typed(stated, before)
        try:
            card = card_of(self.game, typed, before.code if before else OWN_CODE)
        except Refused as refused:
            self.faulty += 1
            if not typed.type:
                self.untyped += 1
            return [self._as_problem(row, stated, typed, fault) for fault in refused.faults]
        problems = list(self._not_of_type(row, stated, card))
        values = columns_of(card, typed.number)
        key = before.code if before else (fold(card.name), card.type)
        if key in self._seen:
            first_row, first_values = self._seen[key]
            if first_values != values:
                reason = f"is in row {first_row} already with other values; that row is used."
                problems.append(row.problem(f"“{card.name}” {reason}"))
            return problems
        self._seen[key] = row.number, values
        if before is None:
            self.made.append({"code": new_code(), **values})
        elif any(getattr(before, column) != value for column, value in values.items()):
            self.changed[before.pk] = values
        else:
            self.unchanged += 1
        return problems

    @property
    def has_cards_to_write(self) -> bool:
        """True if the visitor agreed to make the cards, and some are new or changed."""
        return self.into.is_sure and bool(self.made or self.changed)

    @property
    def cards(self) -> list[Card]:
        """The new cards with the codes they will have."""
        in_set = OwnSet(game=self.game.slug, name=self.into.name)
        return [in_its_set(OwnCard(in_set=in_set, **values)) for values in self.made]

    def write(self, box: OwnBox) -> None:
        """Save new and changed cards, in the transaction that locked the box. Raises Refused without room."""
        if self.more:
            check_room(box, len(self.made) + self.more)
        into = save_cards(box, self.game, self.into.name, self.into.pk, self.made, self.changed)
        self.link = into.link

    # -- helpers ---------------------------------------------------------------------------

    def _type(self, stated: Stated) -> str:
        """The slug of the row's type; "" if the row names an unknown one."""
        return self._types.get(slugify(stated.type), "") if stated.type else self.into.card_type

    def _typed(self, stated: Stated, before: OwnCard | None) -> TypedCard:
        """Return the row as the form would post it. Fields not in the row keep the value that the card
        ``before`` has; the type is the row's, else that card's, else the only one that can be made.
        """
        typed = typed_of(self.game, before.as_card(), before.number) if before else TypedCard("", "", {})
        only = self._own_types[0] if len(self._own_types) == 1 else ""
        stated_facts = {
            key: _as_typed(self.game.facts_by_key[key], cell)
            for key, cell in stated.facts.items()
            if fold(cell) not in SAYS_NOTHING
        }
        return typed._replace(
            name=stated.name or typed.name,
            type=self._type(stated) or stated.type or typed.type or only,
            facts={**typed.facts, **stated_facts},
            text=plain_cell(stated.text) or typed.text,
            number=stated.number or typed.number,
        )

    def _as_problem(self, row: Row, stated: Stated, typed: TypedCard, fault: Fault) -> NotUnderstood:
        """Return a fault of the form as a problem with the column that holds this field."""
        why = self._why_no_type(typed) if fault.where == "type" else f": {fault.message}"
        return row.problem(f"“{stated.called}”{why}", self._column(fault.where))

    def _not_of_type(self, row: Row, stated: Stated, card: Card) -> Iterator[NotUnderstood]:
        """Yield a problem for each filled cell of a fact that this card type does not have."""
        has = {fact.key for fact in typed_facts(self.game, card.type)}
        for key, cell in stated.facts.items():
            fact = self.game.facts_by_key[key]
            # A column for a fact that only some types have says "0", "no" or "false" in the rows of others.
            if key not in has and not fact.is_aside and fold(cell) not in SAYS_NOTHING | {"0", "no", "false"}:
                reason = (
                    f"“{card.name}”: a card of the type {self._called(card.type)} has no"
                    f" {fact.title.lower()}; “{cell[:60]}” was left out."
                )
                yield row.problem(reason, self._column(f"fact-{key}"))

    def _column(self, where: str) -> str:
        """The column of the file that holds this field of the form, such as ``name`` or ``fact-craft``; "" if
        none does.
        """
        return next(iter(self.columns.of(where.replace("fact-", FACT))), "")

    def _called(self, slug: str) -> str:
        """The name of a type within a sentence."""
        return self.game.type_named(slug).name.lower()

    def _why_no_type(self, typed: TypedCard) -> str:
        """Return the end of the sentence about a row without a type that can be made."""
        problem = f"and “{typed.type[:40]}” is none" if typed.type else "and its row says none"
        return (
            f" is no card of this game. To become a card of your own it needs a type, {problem}. Types:"
            f" {', '.join(map(self._called, self._own_types))}."
        )


def _as_typed(fact: Fact, cell: str) -> str:
    """Return a cell of another program as our form takes it: "true" -> "yes", "+3" -> "3"."""
    if fact.kind == "flag":
        return _FLAGS.get(fold(cell), cell)
    return cell.removeprefix("+") if fact.kind == "number" else cell
