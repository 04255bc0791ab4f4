"""Make the database agree with the game folders. Nothing is ever deleted.

Cards are matched by game and code. A card that has left its folder is retired, so that decks
which hold it keep working; one that comes back is current again.

Folders are read card by card and compared by digest. What differs is written a batch at a time, in
one transaction that begins with the first batch: a load holds few cards in memory, takes no lock
while nothing differs, and is rolled back whole by a fault in any folder.
"""

from __future__ import annotations

import json
from collections.abc import Callable, Iterable, Sequence
from contextlib import ExitStack
from dataclasses import dataclass
from hashlib import blake2b
from itertools import chain
from typing import Any, NamedTuple

from django.db import connection, transaction

from cardsdb.catalogue.edition_files import has_bulk, write_bulk
from cardsdb.catalogue.stats import CatalogueStats, Counting
from cardsdb.games import games, left_out
from cardsdb.games.kit import Card as KitCard
from cardsdb.games.kit import Claim, Game
from cardsdb.games.kit import Print as KitPrint
from cardsdb.games.kit.folder.files import FolderError
from cardsdb.models import Card, Edition, EditionState, Holding, Print
from cardsdb.search.query.vocabulary import search_columns, sort_name
from cardsdb.storage.contract import StoreAway

# How many codes of each kind an edition names.
MAX_NAMED = 100
BATCH = 500
# Cards between two lines of progress.
PROGRESS = 100_000
CLAIM_PARTS = ("document", "section", "lines", "certainty", "value", "note")
_as_json = json.JSONEncoder(check_circular=False).encode

Report = Callable[[str], None]


@dataclass(frozen=True, slots=True)
class Loaded:
    """What loading one game changed. ``codes`` has the codes of the cards added, changed and retired."""

    game: str
    cards: int
    codes: tuple[Sequence[str], Sequence[str], Sequence[str]]

    @property
    def added(self) -> int:
        return len(self.codes[0])

    @property
    def changed(self) -> int:
        return len(self.codes[1])

    @property
    def retired(self) -> int:
        return len(self.codes[2])

    def as_json(self) -> dict[str, Any]:
        """As an edition's ``changes`` store it."""
        kinds = dict(zip(("added", "changed", "retired"), self.codes, strict=True))
        named = {kind: list(codes[:MAX_NAMED]) for kind, codes in kinds.items()}
        return {"game": self.game, **named, "counts": {kind: len(codes) for kind, codes in kinds.items()}}


def load(game: Game) -> Loaded:
    """Load one game."""
    return load_all((game,))[0]


def load_all(chosen: Iterable[Game], report: Report = lambda line: None) -> tuple[Loaded, ...]:
    """Load these games, and make the next edition if that changed anything.

    ``report`` gets lines of progress. Raises BrokenGames with the problems of all folders, and
    stores nothing then.
    """
    chosen = tuple(chosen)
    while True:
        try:
            with _Writing() as writing:
                return _load(chosen, writing, report)
        except _Overtaken:
            continue


class BrokenGames(FolderError):
    """The problems of the games that cannot be loaded, and these games' slugs."""

    def __init__(self, problems: Iterable[str], slugs: Iterable[str]) -> None:
        super().__init__(*problems)
        self.slugs = frozenset(slugs)


def load_whole_ones(
    chosen: Iterable[Game], report: Report = lambda line: None
) -> tuple[tuple[Loaded, ...], tuple[str, ...]]:
    """Load those of these games whose folders say nothing that cannot be true; and the problems of the
    others, whose cards stay as they are.
    """
    chosen, told = tuple(chosen), ()
    while True:
        try:
            return load_all(chosen, report), told
        except BrokenGames as broken:
            # What was written of them was taken back with all else.
            chosen, told = (
                tuple(game for game in chosen if game.slug not in broken.slugs),
                (*told, *broken.problems),
            )


class _Overtaken(Exception):
    """Another load ended while this one compared: the comparison must be made once more."""


class _Writing(ExitStack):
    """What one load writes, in one transaction that begins when there is something to write."""

    def __init__(self) -> None:
        super().__init__()
        self.edition = Edition.objects.current()
        self._begun = False
        self._waiting: list[CardRows] = []

    def begin(self) -> None:
        """Begin the transaction, unless it has begun. Raises _Overtaken if another load has ended since this
        one began to compare.
        """
        if self._begun:
            return
        self._begun = True
        self.enter_context(transaction.atomic())
        if connection.vendor == "postgresql":  # SQLite's transaction is such a lock by itself. Readers go on.
            with connection.cursor() as cursor:
                cursor.execute("LOCK TABLE cardsdb_card, cardsdb_print IN SHARE ROW EXCLUSIVE MODE")
        if Edition.objects.current() != self.edition:
            raise _Overtaken

    def add(self, rows: CardRows) -> None:
        self._waiting.append(rows)
        if len(self._waiting) >= BATCH:
            self.flush()

    def flush(self) -> None:
        if self._waiting:
            self.begin()
            write_cards(self._waiting)
            self._waiting = []

    def retire(self, game: str, codes: Sequence[str]) -> None:
        """Take cards out of lists. Without a digest they count as changed when they come back."""
        for start in range(0, len(codes), BATCH):
            self.begin()
            Card.objects.in_game(game).filter(code__in=codes[start : start + BATCH]).update(
                retired=True, digest=""
            )


def _load(chosen: Sequence[Game], writing: _Writing, report: Report) -> tuple[Loaded, ...]:
    loaded: list[tuple[Loaded, CatalogueStats]] = []
    problems: dict[str, Sequence[str]] = {}
    for game in chosen:
        try:
            loaded.append(_load_game(game, writing, report))
        except FolderError as error:
            problems[game.slug] = error.problems
    if problems:
        raise BrokenGames(chain.from_iterable(problems.values()), problems)
    writing.flush()
    summaries = dict(Holding.objects.values_list("game", "summary"))
    changes = []
    for one, stats in loaded:
        if any(one.codes) or summaries.get(one.game) != stats.as_json():
            writing.begin()
            Holding.objects.update_or_create(game=one.game, defaults={"summary": stats.as_json()})
            changes.append(one.as_json())
    # Games that were loaded once and are no longer there: their cards stay, but no list shows them. One that
    # is left out will be back.
    for slug in sorted(summaries.keys() - games().keys() - left_out() - {game.slug for game in chosen}):
        writing.begin()
        Holding.objects.filter(game=slug).delete()
        codes = (
            Card.objects.in_game(slug).filter(retired=False).order_by("code").values_list("code", flat=True)
        )
        changes.append(Loaded(slug, 0, ((), (), tuple(codes))).as_json())
    if changes:
        edition = Edition.objects.create(changes=changes)
        state = EditionState(edition.number, edition.made)
        transaction.on_commit(lambda: _publish(state, report))
    elif writing.edition.number and not has_bulk(writing.edition.number):
        # A machine that shares another's database lacks the files of the current edition.
        transaction.on_commit(lambda: _write_files(writing.edition, report))
    return tuple(one for one, _ in loaded)


def _load_game(game: Game, writing: _Writing, report: Report) -> tuple[Loaded, CatalogueStats]:
    """Read one folder, write the cards that differ from the database's and retire those that are gone. Raises
    FolderError.
    """
    stored = Card.objects.in_game(game.slug).values_list("code", "digest", "retired")
    known = {code: (digest, retired) for code, digest, retired in stored.iterator(chunk_size=10_000)}
    problems: list[str] = []
    counting, total = Counting(game), 0
    added: list[str] = []
    changed: list[str] = []
    for total, card in enumerate(game.card_files.cards(problems), start=1):
        rows = rows_of(card, game)
        counting.add(card, rows.card.terms)
        before = known.pop(card.code, None)
        if before != (rows.card.digest, False):
            (changed if before else added).append(card.code)
            writing.add(rows)
        if not total % PROGRESS:
            report(f"{game.name}: {total:,} cards read")
    if problems:
        raise FolderError(*problems)
    gone = sorted(code for code, (_, retired) in known.items() if not retired)
    writing.retire(game.slug, gone)
    return Loaded(game.slug, total, (added, changed, gone)), counting.stats()


def _publish(edition: EditionState, report: Report) -> None:
    if connection.vendor == "postgresql":
        with connection.cursor() as cursor:  # Its planner would go by the old statistics.
            cursor.execute("ANALYZE cardsdb_card, cardsdb_print")
    _write_files(edition, report)


def _write_files(edition: EditionState, report: Report) -> None:
    try:
        write_bulk(edition.number)
    except StoreAway:
        report(
            f"Edition {edition.number}: bulk files lack, for the object store does not answer; run load_cards"
            " again when it does"
        )
    else:
        report(f"Edition {edition.number}: bulk files made")


# -- cards as rows of the database ----------------------------------------------------


class CardRows(NamedTuple):
    """One card as a row that is not stored yet, and the rows of its prints."""

    card: Card
    prints: Sequence[Print]


def rows_of(card: KitCard, game: Game) -> CardRows:
    """The card's row and those of its prints.

    ``digest`` is made from everything in them, so that it changes with the card, with the game's
    declarations and with the way search columns are made.
    """
    search = search_columns(card, game)
    sources = {key: [_claim_json(claim) for claim in claims] for key, claims in card.sources.items()}
    columns = {
        "game": game.slug,
        "code": card.code,
        "name": card.name,
        "name_folded": search["name_folded"],
        "sort_name": sort_name(search["name_folded"]),
        "type": card.type,
        "facts": dict(card.facts),
        "text": card.text,
        "sources": sources,
        "aliases": list(card.aliases),
        "note": card.note,
        "search_text": search["search_text"],
        "terms": search["terms"],
        "print_count": len(card.prints),
    }
    # No cell of a folder holds a NUL, so no two different cards run together to the same text.
    cells = [_as_json(one) if isinstance(one, dict | list) else str(one) for one in columns.values()]
    cells += [cell for one in card.prints for cell in (one.set, one.number, one.rarity, one.code, one.note)]
    digest = blake2b("\0".join(cells).encode(), digest_size=16).hexdigest()
    row = Card(**columns, digest=digest, retired=False)
    return CardRows(row, [_print_row(row, one) for one in card.prints])


def _claim_json(claim: Claim) -> dict[str, str | None]:
    return {part: getattr(claim, part) for part in CLAIM_PARTS}


def _print_row(card: Card, one: KitPrint) -> Print:
    return Print(
        card=card, set_code=one.set, number=one.number, rarity=one.rarity, code=one.code, note=one.note
    )


def write_cards(rows: Sequence[CardRows]) -> None:
    """Insert these cards, or rewrite those that are there, and replace their prints, in the caller's
    transaction.
    """
    cards, key = [row.card for row in rows], ("game", "code")
    rest = [field.name for field in Card._meta.concrete_fields if field.name not in (*key, "id")]
    Card.objects.bulk_create(cards, update_conflicts=True, unique_fields=key, update_fields=rest)
    Print.objects.filter(card__in=cards).delete()
    Print.objects.bulk_create(one for row in rows for one in row.prints)
