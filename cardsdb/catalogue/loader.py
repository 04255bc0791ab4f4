"""Load game folders into the database: ``load_all`` writes the cards that differ and makes the next edition.

Cards are matched by game and code, and compared by digest. Cards are never deleted: one that has left its
folder is retired, so that decks with it keep working, and is current again when it comes back.

A load first only compares, without a lock (``writes=False``). At the first difference it starts over in one
transaction, for which other loads wait, and writes batch by batch. A fault in any folder rolls everything
back. ``manage.py load_cards`` calls ``load_whole_ones``. A new column of ``models.Card`` is filled in
``rows_of``. Tests: ``tests/cardsdb/catalogue/test_loader.py``.
"""

import json
from collections.abc import Callable, Iterable, Mapping, Sequence
from contextlib import suppress
from hashlib import blake2b
from itertools import chain
from typing import Any, NamedTuple

from django.db import connection, transaction

from cardsdb.catalogue.edition_files import has_bulk, write_bulk
from cardsdb.catalogue.stats import CatalogueStats, Counting
from cardsdb.games import games, left_out
from cardsdb.games.kit import Card as KitCard
from cardsdb.games.kit import FolderError, Game
from cardsdb.models import Card, Edition, Holding, Print
from cardsdb.models.turns import answer_of
from cardsdb.search.query.standard import search_columns, sort_name
from cardsdb.storage.contract import StoreAway

# Most codes of each kind that ``Edition.changes`` lists.
MAX_NAMED = 100
# Rows written at a time.
BATCH = 500
# Number of cards after which a line of progress is reported.
PROGRESS = 100_000
# What a load does to cards.
KINDS = ("added", "changed", "retired")
# Attributes of a claim that are stored.
CLAIM_PARTS = ("document", "section", "lines", "certainty", "value", "note")
_as_json = json.JSONEncoder(check_circular=False).encode

# Called with each line of progress.
Report = Callable[[str], None]


class Loaded(NamedTuple):
    """The result of loading one game. ``cards``: number of its entries. ``codes``: "added", "changed" or
    "retired" -> codes of these cards.
    """

    game: str
    cards: int
    codes: Mapping[str, Sequence[str]]

    def count(self, kind: str) -> int:
        """Return how many cards were of this kind: "added", "changed" or "retired"."""
        return len(self.codes.get(kind, ()))

    def as_json(self) -> dict[str, Any]:
        """Return the game's item in ``Edition.changes``."""
        named = {kind: list(self.codes.get(kind, ())[:MAX_NAMED]) for kind in KINDS}
        return {"game": self.game, **named, "counts": {kind: self.count(kind) for kind in KINDS}}


def load(game: Game) -> Loaded:
    """Load one game."""
    return load_all((game,))[0]


class BrokenGames(FolderError):
    """The problems of the games that cannot be loaded, and these games' slugs."""

    def __init__(self, problems: Iterable[str], slugs: Iterable[str]) -> None:
        super().__init__(*problems)
        self.slugs = frozenset(slugs)


def load_whole_ones(
    chosen: Iterable[Game], report: Report = lambda line: None
) -> tuple[tuple[Loaded, ...], tuple[str, ...]]:
    """Load the games whose folders have no fault. Return (results, problems of the other games, whose cards
    stay as they are).
    """
    chosen, problems = tuple(chosen), list[str]()
    while True:
        try:
            return load_all(chosen, report), tuple(problems)
        except BrokenGames as broken:
            # Everything was rolled back, so the others are loaded again. This ends, because each time at
            # least one game is dropped.
            chosen = tuple(game for game in chosen if game.slug not in broken.slugs)
            problems += broken.problems


class _Differs(Exception):
    """Raised by a comparison that may not write when it finds something to write."""


def load_all(chosen: Iterable[Game], report: Report = lambda line: None) -> tuple[Loaded, ...]:
    """Load these games, and make the next edition if anything changed. Raises BrokenGames with the problems
    of all folders; then nothing is stored.
    """
    chosen = tuple(chosen)
    with suppress(_Differs):
        return _load(chosen, report, writes=False)
    with transaction.atomic():
        # SQLite lets only one transaction write anyway. Readers are not blocked by this lock.
        if connection.vendor == "postgresql":
            answer_of("LOCK TABLE cardsdb_card, cardsdb_print IN SHARE ROW EXCLUSIVE MODE")
        return _load(chosen, report, writes=True)


def _load(chosen: Sequence[Game], report: Report, writes: bool) -> tuple[Loaded, ...]:
    """Compare these games with the database and write what differs; if not ``writes``, raise
    _Differs then.
    """
    edition, summaries = Edition.objects.current(), dict(Holding.objects.values_list("game", "summary"))
    # The results of all games; of those with a difference; and slug of a faulty game -> its problems.
    loaded: list[Loaded] = []
    changes: list[Loaded] = []
    problems: dict[str, Sequence[str]] = {}
    for game in chosen:
        try:
            result, stats = _load_game(game, report, writes)
        except FolderError as error:
            problems[game.slug] = error.problems
            continue
        loaded.append(result)
        if any(result.codes.values()) or summaries.get(game.slug) != stats.as_json():
            if not writes:
                raise _Differs
            Holding.objects.update_or_create(game=game.slug, defaults={"summary": stats.as_json()})
            changes.append(result)
    if problems:
        raise BrokenGames(chain.from_iterable(problems.values()), problems)
    # Games whose folders are gone: their cards stay in the database, but no list shows them any more. Games
    # that are left out for a fault are not gone.
    others = summaries.keys() - {game.slug for game in chosen}
    for slug in sorted(others - games().keys() - left_out()):
        if not writes:
            raise _Differs
        Holding.objects.filter(game=slug).delete()
        gone = Card.objects.in_game(slug).filter(retired=False).order_by("code")
        changes.append(Loaded(slug, 0, {"retired": gone.values_list("code", flat=True)}))
    if changes:
        made = Edition.objects.create(changes=[result.as_json() for result in changes])
        transaction.on_commit(lambda: _publish(made.number, report))
    elif edition.number and not has_bulk(edition.number):
        # The edition may have been loaded on another machine that shares the database.
        transaction.on_commit(lambda: _write_files(edition.number, report))
    return tuple(loaded)


def _load_game(game: Game, report: Report, writes: bool) -> tuple[Loaded, CatalogueStats]:
    """Read one folder, write the cards that differ from the database and retire those that are gone. Raises
    FolderError; and _Differs instead of writing if not ``writes``.
    """
    stored = Card.objects.in_game(game.slug).values_list("code", "digest", "retired")
    # Code -> (digest, is retired) of the stored cards; those that the folder has are taken out one by one.
    known = {code: (digest, retired) for code, digest, retired in stored}
    # ``cards`` below adds the folder's problems to this list while it yields.
    problems: list[str] = []
    codes: dict[str, list[str]] = {kind: [] for kind in KINDS}
    # ``waiting``: rows that are not written yet.
    counting, waiting = Counting(game), list[CardRows]()
    for number, card in enumerate(game.card_files.cards(problems), start=1):
        rows = rows_of(card, game)
        counting.add(card, rows.card.terms)
        # None for a new card.
        before = known.pop(card.code, None)
        if before != (rows.card.digest, False):
            if not writes:
                raise _Differs
            codes["changed" if before else "added"].append(card.code)
            waiting.append(rows)
        if len(waiting) >= BATCH:
            write_cards(waiting)
            waiting = []
        if number % PROGRESS == 0:
            report(f"{game.name}: {number:,} cards read")
    if problems:
        raise FolderError(*problems)
    write_cards(waiting)
    # What is left in ``known`` is not in the folder.
    gone = sorted(code for code, (_, retired) in known.items() if not retired)
    if gone and not writes:
        raise _Differs
    codes["retired"] = gone
    for start in range(0, len(gone), BATCH):
        # Without a digest, a card counts as changed when it comes back.
        batch = Card.objects.in_game(game.slug).filter(code__in=gone[start : start + BATCH])
        batch.update(retired=True, digest="")
    stats = counting.stats()
    return Loaded(game.slug, stats.entries, codes), stats


def _publish(edition: int, report: Report) -> None:
    """Finish a new edition after its transaction: statistics for the query planner, and the bulk files."""
    if connection.vendor == "postgresql":
        answer_of("ANALYZE cardsdb_card, cardsdb_print")
    _write_files(edition, report)


def _write_files(edition: int, report: Report) -> None:
    """Write the bulk files of an edition. While the object store does not answer, only report that."""
    state = "made"
    try:
        write_bulk(edition)
    except StoreAway:
        state = "missing, because the object store does not answer; run load_cards again when it does"
    report(f"Edition {edition}: bulk files {state}")


# -- cards as rows of the database ----------------------------------------------------


class CardRows(NamedTuple):
    """The unsaved rows of one card and of its prints."""

    card: Card
    prints: Sequence[Print]


def rows_of(card: KitCard, game: Game) -> CardRows:
    """Return the rows of a card. ``Card.digest`` is a hash of everything in them, so it also changes with the
    game's declarations and with the code that makes search columns.
    """
    search = search_columns(card, game)
    sources = {
        key: [{part: getattr(claim, part) for part in CLAIM_PARTS} for claim in claims]
        for key, claims in card.sources.items()
    }
    columns = {
        "game": game.slug,
        "code": card.code,
        "name": card.name,
        "name_folded": search["name_folded"],
        "sort_name": sort_name(search["name_folded"]),
        "type": card.type,
        "facts": dict(card.facts),
        "text": card.text,
        "sentences": list(card.sentences),
        "sources": sources,
        "aliases": list(card.aliases),
        "note": card.note,
        "search_text": search["search_text"],
        "terms": search["terms"],
        "print_count": len(card.prints),
    }
    # No value has a NUL character, so different cards never give the same joined text.
    values = [_as_json(value) if isinstance(value, dict | list) else str(value) for value in columns.values()]
    values += [value for p in card.prints for value in (p.set, p.number, p.rarity, p.code, p.note)]
    digest = blake2b("\0".join(values).encode(), digest_size=16).hexdigest()
    row = Card(**columns, digest=digest, retired=False)
    prints = [
        Print(card=row, set_code=p.set, number=p.number, rarity=p.rarity, code=p.code, note=p.note)
        for p in card.prints
    ]
    return CardRows(row, prints)


def write_cards(rows: Sequence[CardRows]) -> None:
    """Insert or update these cards and replace their prints, in the caller's transaction."""
    if not rows:
        return
    cards, key = [row.card for row in rows], ("game", "code")
    others = [field.name for field in Card._meta.concrete_fields if field.name not in (*key, "id")]
    Card.objects.bulk_create(cards, update_conflicts=True, unique_fields=key, update_fields=others)
    Print.objects.filter(card__in=cards).delete()
    Print.objects.bulk_create(print_ for row in rows for print_ in row.prints)
