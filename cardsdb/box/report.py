"""The dry run of a file that somebody brings: what would be done, what its columns mean, what is to be
chosen.

A report is a value that can be stored as JSON, for a large file is compared long before its page is asked
for.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping
from dataclasses import asdict, dataclass
from itertools import islice
from typing import Any

from django.core import signing

from cardsdb.box.comparing import Comparison, Open, Progress, add, compare, likely_game
from cardsdb.box.reading.container import BadPackage
from cardsdb.box.reading.rows import Columns, Package, changed, guessed, shown_meanings
from cardsdb.box.set_rows import IntoSet, as_shown, into_set, name_for_set
from cardsdb.box.texts import remember, with_text
from cardsdb.box.typed_card import own_types
from cardsdb.catalogue.current import games
from cardsdb.games.kit import Card, Game
from cardsdb.games.kit.model.cards import OWN_CODE, as_words
from cardsdb.identity.viewer import Viewer
from cardsdb.models import OwnBox

# Of one file that is sent; longer ones are for the command.
MAX_ROWS = 120_000
MAX_COLUMNS, MAX_OPEN, MAX_SHOWN, MAX_FACES, MAX_MADE = 80, 50, 100, 3, 20
# What a form does that makes cards, too, of the rows that are none. Of a set's name, so many letters are
# looked at.
MAKE, MAX_SET_NAME = "make", 500
CHOSEN = "cardsdb.own.report.chosen"
A_DAY = 24 * 60 * 60
UNKNOWN_GAME = (
    "No row of it is a card of a game that is known here. Say which game it is, or what its columns mean."
)
WAYS = {"id": "by its id", "number": "by set and number", "name": "by its name", "choice": "as you chose"}


# -- compared --------------------------------------------------------------------------


@dataclass(frozen=True, slots=True)
class ComparedRows:
    """The rows of a package, read under a game and what its columns mean, compared with what its owner has
    (``found``).

    ``chosen``: the cards that they chose for its entries, which is not kept yet.
    """

    package: Package
    game: Game
    columns: Columns
    found: Comparison
    chosen: Mapping[str, str]

    def choosable(self) -> list[tuple[str, Open]]:
        """(field of the form, entry) of those that fit several cards, or none but similar names."""
        return [
            (f"entry:{number}", one)
            for number, one in enumerate([one for one in self.found.open if one.stated.key][:MAX_OPEN])
        ]

    def choices(self, posted: Mapping[str, str]) -> Iterator[tuple[str, str]]:
        """(key of an entry, code of the card that was chosen for it) of what a form says.

        The code is empty for an entry to be passed over, ``OWN_CODE`` for one that is a card of one's own.
        """
        for field, one in self.choosable():
            said = posted.get(field, "")
            if said == "none" or said in {OWN_CODE, *(card.code for card in one.candidates)}:
                yield one.stated.key, "" if said == "none" else said


def compare_rows(
    package: Package, posted: Mapping[str, Any], viewer: Viewer, progress: Progress = lambda rows: None
) -> ComparedRows:
    """Compare a package with the viewer's box, with what the form says of its game, columns and entries.
    Raises BadPackage.
    """
    first = _compare_rows(package, posted, viewer, {}, progress)
    if choices := dict(first.choices(posted)):
        return _compare_rows(package, posted, viewer, choices, progress)
    return first


def _compare_rows(
    package: Package,
    posted: Mapping[str, Any],
    viewer: Viewer,
    choices: Mapping[str, str],
    progress: Progress,
) -> ComparedRows:
    game = games().get(posted.get("game", "")) or likely_game(package)
    if game is None:
        raise BadPackage("unknown_game", UNKNOWN_GAME, "game")
    columns = guessed(package, game)
    chosen = {
        name: posted[f"column:{number}"]
        for number, name in enumerate(columns.meanings)
        if f"column:{number}" in posted
    }
    changes = {name: meaning for name, meaning in chosen.items() if meaning != columns.meanings[name]}
    try:
        columns = changed(columns, changes, game)
    except ValueError as error:
        raise BadPackage("bad_column", str(error), "columns") from None
    chosen = {**_carried(posted, game), **choices}
    box = OwnBox.objects.of(viewer).first()
    found = compare(
        package, game, columns, box, bounded(progress), chosen, _into(posted, package, columns, game, box)
    )
    return ComparedRows(package, game, columns, found, chosen)


def _into(
    posted: Mapping[str, Any], package: Package, columns: Columns, game: Game, box: OwnBox | None
) -> IntoSet | None:
    """The set for rows that are no card: that which the form names, else one that is called as the rows or
    the file are.
    """
    if not package.tables:
        return None
    name = " ".join(posted.get("into", "").split()) or name_for_set(package, columns)
    kind = posted.get("into_type", "")
    return into_set(
        box,
        game,
        name[:MAX_SET_NAME],
        kind if kind in own_types(game) else "",
        bool(posted.get("into_similar")),
        posted.get("do") == MAKE,
    )


def _carried(posted: Mapping[str, Any], game: Game) -> Mapping[str, str]:
    """What was chosen on the pages before."""
    try:
        slug, chosen = signing.loads(posted.get("chosen", ""), salt=CHOSEN, max_age=A_DAY)
    except signing.BadSignature:
        return {}
    return dict(chosen) if slug == game.slug else {}


def bounded(progress: Progress) -> Progress:
    """The progress, which ends with BadPackage at more rows than a file that is sent may have."""

    def counted(rows: int) -> None:
        if rows > MAX_ROWS:
            raise BadPackage("too_long", f"The file has more than {MAX_ROWS:,} rows. Send it in parts.")
        progress(rows)

    return counted


def take_in(one: ComparedRows, box: OwnBox) -> None:
    """Write all that is new into the box, and remember what was chosen. Raises BoxChanged, and Refused where
    there is no room.
    """
    add(one.found, box, one.package.name)
    remember(box, one.game, one.chosen)


# -- reported --------------------------------------------------------------------------


@dataclass(frozen=True, slots=True)
class ReportedColumn:
    """A column, the first cell that says something, and what it means."""

    field: str
    name: str
    sample: str
    meaning: str


@dataclass(frozen=True, slots=True)
class ReportedEntry:
    """An entry of which its owner chooses the card: what it is called, where it stands, the codes of the
    cards that it may be.
    """

    field: str
    name: str
    place: str
    candidates: tuple[str, ...]


@dataclass(frozen=True, slots=True)
class ReportedSet:
    """What rows are in a set of their owner's: how many cards would be made and changed, and how many stay;
    the columns of some.

    ``faulty`` rows make no card, ``untyped`` of them because they say no type. ``sets``: the names of the
    owner's sets. ``similar``: how many other rows have names that are only like those of cards. ``room``: how
    many cards more the owner may have.
    """

    name: str
    is_new: bool
    made: int
    changed: int
    unchanged: int
    faulty: int
    untyped: int
    similar: int
    with_similar: bool
    card_type: str
    sets: tuple[str, ...]
    room: int
    cards: tuple[Mapping[str, Any], ...]

    @property
    def fresh(self) -> int:
        return self.made + self.changed

    @property
    def is_too_many(self) -> bool:
        return self.made > self.room


@dataclass(frozen=True, slots=True)
class OwnReport:
    """What a comparison came to, in numbers and words alone."""

    name: str
    title: str
    game_slug: str
    rows: int
    cards_with_text: int
    added: int
    changed: int
    unchanged: int
    without_text: int
    several: int
    pictures: int
    ways: tuple[tuple[str, int], ...]
    chosen: Mapping[str, str]
    columns: tuple[ReportedColumn, ...]
    open: tuple[ReportedEntry, ...]
    problems: tuple[tuple[str, int, str, str], ...]
    more_problems: int
    texts: Mapping[str, str]
    # Which cards its pictures show, in words; how many have a card, and at how many of those cards their
    # owner has one already.
    pictures_found: str = ""
    pictures_placed: int = 0
    pictures_there: int = 0
    # What the rows are that are no card of the catalogue; None where there are none.
    own: ReportedSet | None = None

    @classmethod
    def of(
        cls, one: ComparedRows, pictures_found: str = "", pictures_placed: int = 0, pictures_there: int = 0
    ) -> OwnReport:
        """What the page of a dry run shows of it."""
        found = one.found
        problems = tuple(
            (problem.file, problem.row, problem.column, problem.reason)
            for problem in found.not_understood[:MAX_SHOWN]
        )
        return cls(
            name=one.package.name,
            title=one.package.format.title,
            game_slug=one.game.slug,
            rows=found.rows,
            cards_with_text=found.cards_with_text,
            added=len(found.added),
            changed=len(found.changed),
            unchanged=len(found.unchanged),
            without_text=found.without_text,
            several=found.several,
            pictures=len(one.package.pictures),
            ways=tuple((WAYS[how], count) for how, count in found.found.items()),
            chosen=dict(one.chosen),
            columns=tuple(_columns(one)),
            open=tuple(_entries(one)),
            problems=problems,
            more_problems=len(found.not_understood) + found.more - len(problems),
            texts=dict(islice(_texts(found), MAX_FACES)),
            pictures_found=pictures_found,
            pictures_placed=pictures_placed,
            pictures_there=pictures_there,
            own=_own(one),
        )

    @classmethod
    def from_json(cls, value: Mapping[str, Any]) -> OwnReport:
        """The report that ``as_json`` wrote."""
        columns = tuple(ReportedColumn(**column) for column in value["columns"])
        own = ReportedSet(**value["own"]) if value.get("own") else None
        return cls(
            **{
                **value,
                "columns": columns,
                "open": tuple(ReportedEntry(**entry) for entry in value["open"]),
                "own": own,
            }
        )

    def as_json(self) -> dict[str, Any]:
        return asdict(self)

    # -- as the page shows it --

    @property
    def game(self) -> Game:
        return games()[self.game_slug]

    @property
    def fresh(self) -> int:
        """How many cards would be written."""
        return self.added + self.changed

    @property
    def keeps(self) -> bool:
        """Whether there is anything to keep besides cards of one's own."""
        return bool(self.fresh or self.chosen or self.pictures_placed)

    @property
    def carried(self) -> str:
        """What was chosen, as the page's form takes it along."""
        return signing.dumps([self.game_slug, dict(self.chosen)], salt=CHOSEN, compress=True)

    @property
    def meanings(self) -> list[tuple[str, str]]:
        """(meaning, words) of everything that a column can mean."""
        return list(shown_meanings(self.game))

    @property
    def matches(self) -> bool:
        """Whether there is more to tell of the catalogue's cards than that no row is one."""
        return bool(self.ways or not self.own)

    @property
    def new_cards(self) -> list[tuple[Card, str, str]]:
        """(card, its type, its facts in words) of some of those that would be made."""
        game = self.game
        cards = [as_shown(game, values) for values in self.own.cards] if self.own else []
        titles = {fact.key: fact.title for fact in game.facts}
        in_words = (
            ", ".join(
                f"{titles[key]} {as_words(value)}" for key, value in card.facts.items() if key in titles
            )
            for card in cards
        )
        return [
            (card, game.type_named(card.type).name, facts)
            for card, facts in zip(cards, in_words, strict=True)
        ]

    @property
    def types(self) -> list[tuple[str, str]]:
        """(slug, name) of the types of which cards of one's own can be."""
        return [(slug, self.game.type_named(slug).name) for slug in own_types(self.game)]

    @property
    def entries(self) -> list[tuple[ReportedEntry, list[Card]]]:
        """The entries with the cards that they may be."""
        return [(entry, self._cards(entry.candidates)) for entry in self.open]

    @property
    def faces(self) -> list[Card]:
        """Some cards as they would be printed."""
        return [with_text(card, self.texts) for card in self._cards(self.texts)]

    def _cards(self, codes: Iterable[str]) -> list[Card]:
        """The cards with these codes; those that the game has no longer are left out."""
        return [card for card in map(self.game.card, codes) if card]


def _columns(one: ComparedRows) -> Iterator[ReportedColumn]:
    first = list(islice(one.package.rows(), 50))
    for number, (name, meant) in enumerate(islice(one.columns.meanings.items(), MAX_COLUMNS)):
        sample = next((cell for row in first if (cell := row.cells.get(name, "").strip())), "")
        yield ReportedColumn(f"column:{number}", name, sample[:80], meant)


def _entries(one: ComparedRows) -> Iterator[ReportedEntry]:
    for field, entry in one.choosable():
        place = ", ".join(filter(None, (entry.row.file, str(entry.row.number), entry.stated.set)))
        yield ReportedEntry(
            field, entry.stated.name or entry.stated.id, place, tuple(card.code for card in entry.candidates)
        )


def _own(one: ComparedRows) -> ReportedSet | None:
    rows, similar = one.found.own, sum(entry.is_similar for entry in one.found.open)
    if rows is None or not (rows.total or rows.faulty or similar):
        return None
    return ReportedSet(
        name=rows.into.name,
        is_new=rows.into.pk is None,
        made=len(rows.made) + rows.more,
        changed=len(rows.changed),
        unchanged=rows.unchanged,
        faulty=rows.faulty,
        untyped=rows.untyped,
        similar=similar,
        with_similar=rows.into.with_similar,
        card_type=rows.into.card_type,
        sets=rows.sets,
        room=rows.room,
        cards=tuple(rows.made[:MAX_MADE]),
    )


def _texts(found: Comparison) -> Iterator[tuple[str, str]]:
    for code in (*found.added, *found.changed, *found.unchanged):
        if text := found.texts[code].text:
            yield code, text
