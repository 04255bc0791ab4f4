"""Bring the database in step with the game folders. Nothing is ever deleted.

Cards are matched by game and code. A card that has left its folder is retired, so that decks
which hold it keep working; one that comes back is current again. Folders are read and checked
first, card by card; what differs waits in a file on the disk, so that a million cards need
little memory and others wait for the database only while it is written. Then one transaction
writes all of it and a new edition, or nothing.
"""

from __future__ import annotations

import marshal
from collections.abc import Callable, Iterable, Iterator, Sequence
from dataclasses import dataclass
from tempfile import SpooledTemporaryFile
from typing import Any, cast

from django.conf import settings
from django.db import transaction

from cardsdb.catalogue import writer
from cardsdb.catalogue.publish import is_published, publish
from cardsdb.catalogue.rows import DIGEST, TERMS, CardRow, PrintRow, rows_of
from cardsdb.catalogue.stats import Counting
from cardsdb.games import games
from cardsdb.games.kit import Game
from cardsdb.games.kit.folder.files import FolderError
from cardsdb.models import Card, Edition, EditionState, Holding

# How many codes of each kind an edition names.
MOST_NAMED = 100
# Bytes of rows that wait in memory; beyond, they wait in a file.
MOST_WAITING = 32 * 1024 * 1024
# Cards between two lines of progress.
PROGRESS = 100_000

Say = Callable[[str], None]
Batch = list[tuple[CardRow, tuple[PrintRow, ...]]]


@dataclass(frozen=True, slots=True)
class Loaded:
    """What loading one game changed. ``named`` has the first codes of those added, changed and retired."""

    game: str
    cards: int
    added: int
    changed: int
    retired: int
    named: tuple[Sequence[str], Sequence[str], Sequence[str]] = ((), (), ())

    def as_json(self) -> dict[str, Any]:
        """As an edition's ``changes`` keep it."""
        kinds = ("added", "changed", "retired")
        named = {kind: list(codes) for kind, codes in zip(kinds, self.named, strict=True)}
        return {"game": self.game, **named, "counts": {kind: getattr(self, kind) for kind in kinds}}


def load(game: Game) -> Loaded:
    """Load one game."""
    return load_all((game,))[0]


def load_all(chosen: Iterable[Game], say: Say = lambda line: None) -> tuple[Loaded, ...]:
    """Load these games, and make the next edition if that changed anything.

    ``say`` is told lines of progress. Raises FolderError with the problems of all folders, and
    stores nothing then.
    """
    chosen = tuple(chosen)
    while True:
        before = Edition.objects.current()
        readings = _read_all(chosen, say)
        try:
            left = _left(chosen)
            if not left and not any(reading.differs for reading in readings):
                _mend(before, say)
                return tuple(reading.loaded for reading in readings)
            with writer.much_to_write(), transaction.atomic():
                writer.lock_cards()
                # Someone else may have loaded while these folders were read: then they are compared once more.
                if Edition.objects.current() == before:
                    edition = _write(readings, left, say)
                    break
        finally:
            for reading in readings:
                reading.close()
    transaction.on_commit(lambda: _publish(edition, say))
    return tuple(reading.loaded for reading in readings)


# -- reading ----------------------------------------------------------------------


class _Reading:
    """One folder, read and compared with the database; the rows that differ wait to be written."""

    def __init__(self, game: Game, say: Say) -> None:
        self.game = game
        self._waiting = SpooledTemporaryFile(max_size=MOST_WAITING, dir=settings.VAR_DIR)  # noqa: SIM115  (closed by whoever reads)
        self._sizes: list[int] = []
        try:
            self._read(say)
        except BaseException:
            self.close()
            raise

    def _read(self, say: Say) -> None:
        game, problems = self.game, list[str]()
        known, retired = _known(game)
        counting = Counting(game)
        cards, added, changed = 0, _Codes(), _Codes()
        batch: tuple[Batch, Batch] = ([], [])
        for cards, card in enumerate(game.card_files.cards(problems), start=1):
            row, prints = rows_of(card, game)
            counting.add(card, cast(str, row[TERMS]))
            digest = known.pop(card.code, None)
            if digest != row[DIGEST]:
                (added if digest is None else changed).add(card.code)
                batch[digest is not None].append((row, prints))
                if len(batch[0]) + len(batch[1]) >= writer.BATCH:
                    batch = self._put_by(batch)
            if not cards % PROGRESS:
                say(f"{game.name}: {cards:,} cards read")
        if problems:
            raise FolderError(*problems)
        self._put_by(batch)
        self.stats = counting.stats()
        self.retired = sorted(code for code in known if code not in retired)
        named = (added.first, changed.first, self.retired[:MOST_NAMED])
        self.loaded = Loaded(game.slug, cards, added.count, changed.count, len(self.retired), named)
        self.recounted = Holding.objects.filter(game=game.slug).values_list("summary", flat=True).first() != self.stats.as_json()

    @property
    def differs(self) -> bool:
        return bool(self.recounted or self.loaded.added or self.loaded.changed or self.loaded.retired)

    def _put_by(self, batch: tuple[Batch, Batch]) -> tuple[Batch, Batch]:
        if batch[0] or batch[1]:
            self._sizes.append(self._waiting.write(marshal.dumps(batch)))
        return [], []

    def waiting(self) -> Iterator[tuple[Batch, Batch]]:
        """The rows to add and to change, a batch at a time."""
        self._waiting.seek(0)
        for size in self._sizes:
            yield marshal.loads(self._waiting.read(size))  # noqa: S302  (this process wrote it)

    def close(self) -> None:
        self._waiting.close()


def _known(game: Game) -> tuple[dict[str, str], set[str]]:
    """Code -> digest of every card the database has, and the codes of the retired, which count as changed when they come back."""
    known: dict[str, str] = {}
    retired: set[str] = set()
    for code, digest, is_retired in Card.objects.in_game(game.slug).values_list("code", "digest", "retired").iterator(chunk_size=10_000):
        known[code] = "" if is_retired else digest
        if is_retired:
            retired.add(code)
    return known, retired


class _Codes:
    """How many, and the first of them."""

    def __init__(self) -> None:
        self.count = 0
        self.first: list[str] = []

    def add(self, code: str) -> None:
        self.count += 1
        if len(self.first) < MOST_NAMED:
            self.first.append(code)


def _read_all(chosen: Sequence[Game], say: Say) -> list[_Reading]:
    readings: list[_Reading] = []
    problems: list[str] = []
    for game in chosen:
        try:
            readings.append(_Reading(game, say))
        except FolderError as error:
            problems += error.problems
    if problems:
        for reading in readings:
            reading.close()
        raise FolderError(*problems)
    return readings


# -- writing ----------------------------------------------------------------------


def _write(readings: Sequence[_Reading], left: Sequence[str], say: Say) -> EditionState:
    """Everything that differs, and the edition that says so."""
    for reading in readings:
        slug, done = reading.game.slug, 0
        for new, changed in reading.waiting():
            writer.add_cards(new)
            writer.change_cards(slug, changed)
            done += len(new) + len(changed)
            if done % PROGRESS < writer.BATCH <= done:
                say(f"{reading.game.name}: {done:,} cards written")
        writer.retire_cards(slug, reading.retired)
        if reading.recounted:
            Holding.objects.update_or_create(game=slug, defaults={"summary": reading.stats.as_json()})
    changes = [reading.loaded.as_json() for reading in readings if reading.differs] + [_leaving(slug) for slug in left]
    Holding.objects.filter(game__in=left).delete()
    edition = Edition.objects.create(changes=changes)
    return EditionState(edition.number, edition.made)


def _left(chosen: Sequence[Game]) -> list[str]:
    """The games that were loaded once and are no longer there. Their cards stay, but no list shows them."""
    here = {*games(), *(game.slug for game in chosen)}
    return sorted(slug for slug in Holding.objects.values_list("game", flat=True) if slug not in here)


def _leaving(slug: str) -> dict[str, Any]:
    cards = Card.objects.in_game(slug).filter(retired=False)
    count = cards.count()
    return Loaded(slug, count, 0, 0, count, ((), (), list(cards.order_by("code").values_list("code", flat=True)[:MOST_NAMED]))).as_json()


def _publish(state: EditionState, say: Say) -> None:
    writer.written()
    publish(state, say)


def _mend(state: EditionState, say: Say) -> None:
    """Make the files of the current edition that this machine lacks, as one does that shares another's database."""
    if state[0] and not is_published(state):
        transaction.on_commit(lambda: publish(state, say))
