"""The cards of one edition in memory: what searches look into, made from the columns of their table.

It never changes and may be used by several threads at once. A card is known by its position: its place in
catalogue order, from 0.
"""

from __future__ import annotations

import json
from array import array
from bisect import bisect_left
from collections import defaultdict
from collections.abc import Hashable, Iterable, Mapping, Sequence
from dataclasses import dataclass
from heapq import heappush, heappushpop
from typing import NamedTuple

from pyroaring import BitMap

from cardsdb.games.kit.model.cards import OWN_CODE, FactValue
from cardsdb.search.engine.names import Names
from cardsdb.search.engine.postings import (
    CACHE_BYTES,
    Cache,
    CardsByWord,
    Lines,
    Postings,
    Text,
    cards_by_word,
)
from cardsdb.search.query.values import collector_number, number

# ``terms`` state games and types by slug first and then by name; under these keys stands the slug alone, for
# lists and counts.
SLUGS = {"game": "game!", "type": "type!"}

# The key of the catalogue's order: the sortable name, the game, the code.
CatalogueKey = tuple[str, str, str]
# So many cards are remembered as lists show them, each of about so many bytes.
MAX_SHOWN, SHOWN_BYTES = 4_096, 1_700
# Of so many values of a key, the most frequent, the cards are ready to be counted among others.
MAX_READY = 200


@dataclass(frozen=True, slots=True)
class ListedCard:
    """A card as lists show it. ``facts`` lacks what nobody states; ``prints`` are (set code, number), the
    number empty where unknown.
    """

    game: str
    code: str
    name: str
    type: str
    facts: Mapping[str, FactValue]
    prints: tuple[tuple[str, str], ...] = ()

    @property
    def key(self) -> str:
        return f"{self.game}/{self.code}"

    @property
    def is_own(self) -> bool:
        """Whether it stands in a set of somebody's own."""
        return self.code.startswith(OWN_CODE)

    @classmethod
    def all_of_json(cls, lines: Iterable[str]) -> list[ListedCard]:
        """Read as one list, which takes half as long as to read one after another."""
        return [
            cls(game, code, name, type, facts, tuple((set_code, number) for set_code, number in prints))
            for game, code, name, type, prints, facts in json.loads(f"[{','.join(lines)}]")
        ]


class Row(NamedTuple):
    """One card as its table stores it. ``listed`` is the ``ListedCard`` as JSON."""

    pk: int
    order: CatalogueKey
    name_folded: str
    search_text: str
    terms: str
    listed: str


class Arrangement(NamedTuple):
    """All cards in some order: the position at every place, and the place of every position."""

    positions: array[int]
    places: array[int]


class Snapshot:
    """Some cards, as searches need them."""

    def __init__(self, rows: Iterable[Row], cache_bytes: int = CACHE_BYTES) -> None:
        """The rows come in catalogue order, by code point. Raises ValueError for rows that come otherwise.

        ``cache_bytes``: of bitmaps that were made for one answer and are stored for the next.
        """
        gathered = _Gathered(rows)
        cache = Cache(len(gathered.pks), cache_bytes)
        self.pks, self.total = gathered.pks, len(gathered.pks)
        self.everything = BitMap(range(self.total))
        self.names = Names(gathered.names, cache)
        self.words = Text(gathered.search_texts, cache)
        self.text = Text(gathered.texts, cache)
        self.terms = {key: Postings.of(values, cache) for key, values in gathered.terms.items()}
        # Of every position which of the sortable names it has, the first being 0.
        self.name_ranks = gathered.name_ranks
        self._order_keys = gathered.order_keys
        self._listed = gathered.listed
        self._by_pk = array("I", sorted(range(self.total), key=self.pks.__getitem__))
        self._with_text = gathered.with_text
        self._numbers: dict[str, list[tuple[int, int]]] = {}
        self._frequent: dict[str, _Frequent] = {}
        # Whole orders of the cards, as ``ordering`` makes them.
        self.arrangements: dict[Hashable, Arrangement] = {}
        self._cache_bytes = cache_bytes
        # Cards that were shown, by position: lists show the same ones again and again.
        self._shown: dict[int, ListedCard] = {}

    def __len__(self) -> int:
        return self.total

    @property
    def bytes(self) -> int:
        """About so many bytes it takes in memory once everything was asked for."""
        texts = sum(text.bytes for text in (self.names, self.words, self.text)) + sum(
            values.bytes for values in self.terms.values()
        )
        return (
            texts
            + self._order_keys.bytes
            + self._listed.bytes
            + min(self.total, MAX_SHOWN) * SHOWN_BYTES
            + (self._cache_bytes if self.total else 0)
        )

    # -- cards -----------------------------------------------------------------------

    def cards(self, positions: Iterable[int]) -> list[ListedCard]:
        """The cards as lists show them."""
        return [self._shown.get(position) or self._show(position) for position in positions]

    def _show(self, position: int) -> ListedCard:
        if self.total <= MAX_SHOWN:
            # A catalogue of a usual size is read whole with its first list, which a server process asks for
            # itself.
            self._shown = dict(enumerate(ListedCard.all_of_json(self._listed.all())))
            return self._shown[position]
        if len(self._shown) >= MAX_SHOWN:
            self._shown.clear()
        (card,) = ListedCard.all_of_json([self._listed[position]])
        self._shown[position] = card
        return card

    def position(self, pk: int) -> int | None:
        """Where the card with this primary key stands; None if it is not here."""
        place = bisect_left(self._by_pk, pk, key=self.pks.__getitem__)
        return self._by_pk[place] if place < self.total and self.pks[self._by_pk[place]] == pk else None

    def positions(self, pks: Iterable[int]) -> BitMap:
        """Where the cards with these primary keys stand; those that are not here are left out."""
        return BitMap([position for pk in pks if (position := self.position(pk)) is not None])

    def place_of(self, key: CatalogueKey) -> int:
        """Where a card that is sorted so would stand: the position of the first that is not before it."""
        return bisect_left(
            range(self.total), [*key], key=lambda position: self._order_keys[position].split("\n")
        )

    def beside(self, key: CatalogueKey) -> tuple[ListedCard | None, ListedCard | None]:
        """The cards of the same game right before and after one that is sorted so, itself here or not; None
        at the ends.
        """
        cards, place = self.of_games([key[1]]), self.place_of(key)
        before = cards.rank(place - 1) if place else 0
        after = before + (before < len(cards) and self._order_keys[cards[before]].split("\n") == [*key])
        previous = self.cards([cards[before - 1]])[0] if before else None
        return previous, self.cards([cards[after]])[0] if after < len(cards) else None

    # -- values ----------------------------------------------------------------------

    def valued(self, key: str, value: str) -> BitMap:
        """The cards with this value of a key of ``terms``, folded."""
        postings = self.terms.get(key)
        return postings.cards_of(value) if postings else BitMap()

    def known(self, key: str) -> BitMap:
        """The cards that have the key at all."""
        if key == "name":
            return self.everything
        if key == "text":
            return self._with_text
        return self.terms[key].all_cards() if key in self.terms else BitMap()

    def of_games(self, slugs: Iterable[str]) -> BitMap:
        """The cards of some games."""
        bitmaps = [self.valued(SLUGS["game"], slug) for slug in slugs]
        # Mostly it is one, whose cards need not be copied.
        return bitmaps[0] if len(bitmaps) == 1 else BitMap.union(BitMap(), *bitmaps)

    def numbers(self, key: str) -> list[tuple[int, int]]:
        """(number, which value of the key it is), ascending; values that are no numbers are left out."""
        if key not in self._numbers:
            read_number = collector_number if key == "number" else number
            values = self.terms[key].values if key in self.terms else ()
            numbers = ((read_number(value), which) for which, value in enumerate(values))
            self._numbers[key] = sorted((value, which) for value, which in numbers if value is not None)
        return self._numbers[key]

    def facet(self, cards: BitMap, key: str, limit: int) -> list[tuple[str, int]]:
        """The most frequent values of a key of ``terms`` among some cards: (folded value, cards). Games and
        types go by their slugs.
        """
        postings = self.terms.get(SLUGS.get(key, key))
        if postings is None or not limit:
            return []
        frequent = self._frequent.get(key)
        if frequent is None:
            frequent = self._frequent[key] = _Frequent.of(postings)
        if not cards.intersect(frequent.together):
            return []
        counts = map(cards.intersection_cardinality, frequent.ready)
        best = sorted(
            [(count, -which) for which, count in zip(frequent.numbers, counts, strict=False) if count]
        )[-limit:]
        for which in frequent.numbers[len(frequent.ready) :]:
            # Once a value is rarer among all cards than the last of the best is here, the rest is too.
            if len(best) == limit and postings.count(which) < best[0][0]:
                break
            if count := postings.count_among(cards, which):
                (heappush if len(best) < limit else heappushpop)(best, (count, -which))
        return [(postings.values[-which], count) for count, which in sorted(best, reverse=True)]


class _Frequent(NamedTuple):
    """The numbers of a key's values, the most frequent among all cards first.

    ``ready``: the cards of the first of them, to be counted among others; ``together``: the cards of any
    value.
    """

    numbers: list[int]
    ready: list[BitMap]
    together: BitMap

    @classmethod
    def of(cls, postings: Postings) -> _Frequent:
        numbers = sorted(range(len(postings)), key=lambda which: (-postings.count(which), which))
        return cls(numbers, [postings.cards(which) for which in numbers[:MAX_READY]], postings.all_cards())


class _Gathered:
    """What a snapshot is made of, gathered row by row."""

    def __init__(self, rows: Iterable[Row]) -> None:
        self.pks, self.name_ranks = array("Q"), array("I")
        self.order_keys, self.names, self.search_texts, self.texts, self.listed = (Lines() for _ in range(5))
        self.terms: defaultdict[str, CardsByWord] = defaultdict(cards_by_word)
        self.with_text = BitMap()
        before: CatalogueKey = ("", "", "")
        for position, row in enumerate(rows):
            if row.order <= before:
                raise ValueError(f"The rows are not in catalogue order: {row.order} comes after {before}.")
            self.name_ranks.append(self.name_ranks[-1] + (row.order[0] != before[0]) if position else 0)
            before = row.order
            self._add(position, row)

    def _add(self, position: int, row: Row) -> None:
        text = ""
        stated: set[str] = set()
        for term in row.terms[1:-1].split("|"):
            key, _, value = term.partition("=")
            if key == "text":
                text = value
                self.with_text.add(position)
                continue
            if key in SLUGS and key not in stated:
                stated.add(key)
                self.terms[SLUGS[key]][value].append(position)
            self.terms[key][value].append(position)
        self.pks.append(row.pk)
        self.order_keys.append("\n".join(row.order))
        self.names.append(row.name_folded)
        self.search_texts.append(row.search_text)
        self.texts.append(text)
        self.listed.append(row.listed)


def names_alone(names: Sequence[str]) -> Names:
    """Folded names without cards, searched as those of a snapshot are; a position is the place of a name."""
    return Names(Lines(names), Cache(len(names)))
