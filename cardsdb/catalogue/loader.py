"""Make the database agree with the game folders. Nothing is ever deleted.

Cards are matched by game and code. A card that has left its folder is retired, so that decks
which hold it keep working; one that comes back is current again.

Folders are read card by card and compared by digest. At the first difference one transaction begins, for
which a second load waits, and they are compared again: what differs is written a batch at a time, and a fault
in any folder takes it back whole.
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

# How many codes of each kind an edition names.
MAX_NAMED = 100
BATCH = 500
# Cards of a game after which a line of progress is told.
PROGRESS = 100_000
KINDS = ("added", "changed", "retired")
CLAIM_PARTS = ("document", "section", "lines", "certainty", "value", "note")
_as_json = json.JSONEncoder(check_circular=False).encode

Report = Callable[[str], None]


class Loaded(NamedTuple):
    """The changes that loading one game made: the codes of the cards added, changed and retired."""

    game: str
    cards: int
    codes: Mapping[str, Sequence[str]]

    def count(self, kind: str) -> int:
        """Return how many cards were ``added``, ``changed`` or ``retired``."""
        return len(self.codes.get(kind, ()))

    def as_json(self) -> dict[str, Any]:
        """The entry of an edition's ``changes``."""
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
    """Load those of these games whose folders say nothing that cannot be true; and the problems of the
    others, whose cards stay as they are.
    """
    chosen, told = tuple(chosen), list[str]()
    while True:
        try:
            return load_all(chosen, report), tuple(told)
        except BrokenGames as broken:
            # What was written of them was taken back with all else.
            chosen = tuple(game for game in chosen if game.slug not in broken.slugs)
            told += broken.problems


class _Differs(Exception):
    """A comparison that may not write has found something to write."""


def load_all(chosen: Iterable[Game], report: Report = lambda line: None) -> tuple[Loaded, ...]:
    """Load these games, and make the next edition if that changed anything.

    ``report`` gets lines of progress. Raises BrokenGames with the problems of all folders, and
    stores nothing then.
    """
    chosen = tuple(chosen)
    with suppress(_Differs):
        return _load(chosen, report, writes=False)
    with transaction.atomic():
        if connection.vendor == "postgresql":  # SQLite's transaction is such a lock by itself. Readers go on.
            answer_of("LOCK TABLE cardsdb_card, cardsdb_print IN SHARE ROW EXCLUSIVE MODE")
        return _load(chosen, report, writes=True)


def _load(chosen: Sequence[Game], report: Report, writes: bool) -> tuple[Loaded, ...]:
    """Compare these games with the database, and write what differs. Raises _Differs where it may not."""
    edition, summaries = Edition.objects.current(), dict(Holding.objects.values_list("game", "summary"))
    loaded: list[Loaded] = []
    changes: list[Loaded] = []
    problems: dict[str, Sequence[str]] = {}
    for game in chosen:
        try:
            one, stats = _load_game(game, report, writes)
        except FolderError as error:
            problems[game.slug] = error.problems
            continue
        loaded.append(one)
        if any(one.codes.values()) or summaries.get(game.slug) != stats.as_json():
            if not writes:
                raise _Differs
            Holding.objects.update_or_create(game=game.slug, defaults={"summary": stats.as_json()})
            changes.append(one)
    if problems:
        raise BrokenGames(chain.from_iterable(problems.values()), problems)
    # Games that were loaded once and are no longer there: their cards stay, but no list shows them. One that
    # is left out will be back.
    for slug in sorted(summaries.keys() - games().keys() - left_out() - {game.slug for game in chosen}):
        if not writes:
            raise _Differs
        Holding.objects.filter(game=slug).delete()
        gone = Card.objects.in_game(slug).filter(retired=False).order_by("code")
        changes.append(Loaded(slug, 0, {"retired": gone.values_list("code", flat=True)}))
    if changes:
        made = Edition.objects.create(changes=[one.as_json() for one in changes])
        transaction.on_commit(lambda: _publish(made.number, report))
    elif edition.number and not has_bulk(edition.number):
        # A machine that shares another's database lacks the files of the current edition.
        transaction.on_commit(lambda: _write_files(edition.number, report))
    return tuple(loaded)


def _load_game(game: Game, report: Report, writes: bool) -> tuple[Loaded, CatalogueStats]:
    """Read one folder, write the cards that differ from the database's and retire those that are gone. Raises
    FolderError, and _Differs where it may not write.
    """
    stored = Card.objects.in_game(game.slug).values_list("code", "digest", "retired")
    known = {code: (digest, retired) for code, digest, retired in stored}
    problems: list[str] = []
    codes: dict[str, list[str]] = {kind: [] for kind in KINDS}
    counting, waiting = Counting(game), list[CardRows]()
    for number, card in enumerate(game.card_files.cards(problems), start=1):
        rows = rows_of(card, game)
        counting.add(card, rows.card.terms)
        before = known.pop(card.code, None)
        if before != (rows.card.digest, False):
            if not writes:
                raise _Differs
            codes["changed" if before else "added"].append(card.code)
            waiting.append(rows)
        if len(waiting) >= BATCH:
            write_cards(waiting)
            waiting = []
        if not number % PROGRESS:
            report(f"{game.name}: {number:,} cards read")
    if problems:
        raise FolderError(*problems)
    write_cards(waiting)
    codes["retired"] = gone = sorted(code for code, (_, retired) in known.items() if not retired)
    if gone and not writes:
        raise _Differs
    for start in range(0, len(gone), BATCH):
        # Without a digest they count as changed when they come back.
        batch = Card.objects.in_game(game.slug).filter(code__in=gone[start : start + BATCH])
        batch.update(retired=True, digest="")
    stats = counting.stats()
    return Loaded(game.slug, stats.entries, codes), stats


def _publish(edition: int, report: Report) -> None:
    if connection.vendor == "postgresql":  # Its planner would go by the old statistics.
        answer_of("ANALYZE cardsdb_card, cardsdb_print")
    _write_files(edition, report)


def _write_files(edition: int, report: Report) -> None:
    told = "made"
    try:
        write_bulk(edition)
    except StoreAway:
        told = "lack, for the object store does not answer; run load_cards again when it does"
    report(f"Edition {edition}: bulk files {told}")


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
    # No cell of a folder holds a NUL, so no two different cards run together to the same text.
    cells = [_as_json(one) if isinstance(one, dict | list) else str(one) for one in columns.values()]
    cells += [cell for one in card.prints for cell in (one.set, one.number, one.rarity, one.code, one.note)]
    digest = blake2b("\0".join(cells).encode(), digest_size=16).hexdigest()
    row = Card(**columns, digest=digest, retired=False)
    prints = [
        Print(card=row, set_code=one.set, number=one.number, rarity=one.rarity, code=one.code, note=one.note)
        for one in card.prints
    ]
    return CardRows(row, prints)


def write_cards(rows: Sequence[CardRows]) -> None:
    """Insert these cards, or rewrite those that are there, and replace their prints, in the caller's
    transaction.
    """
    if not rows:
        return
    cards, key = [row.card for row in rows], ("game", "code")
    rest = [field.name for field in Card._meta.concrete_fields if field.name not in (*key, "id")]
    Card.objects.bulk_create(cards, update_conflicts=True, unique_fields=key, update_fields=rest)
    Print.objects.filter(card__in=cards).delete()
    Print.objects.bulk_create(one for row in rows for one in row.prints)
