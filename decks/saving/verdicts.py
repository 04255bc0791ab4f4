"""The stored verdict of a deck: what it was computed from, so that a list knows when it no longer holds, and how it is renewed."""

from __future__ import annotations

import hashlib
from collections.abc import Iterable, Iterator
from contextlib import contextmanager, suppress
from functools import lru_cache, reduce
from operator import or_
from pathlib import Path

from django.conf import settings
from django.db import OperationalError, connection
from django.db.models import Q

from cardsdb.games import game_named, kit
from cardsdb.games.kit import Game
from cardsdb.models import Edition
from decks.core.judging import without_secrets
from decks.models import Deck


def basis(game: Game, edition: int) -> str:
    """Names the cards (by the catalogue's edition) and the rules that a verdict rests on: one text for all decks of a game.

    The deck itself is no part of it: whoever writes a deck writes its verdict too.
    """
    return f"{edition}-{game.slug}-{rules_digest(game)}"


@lru_cache(maxsize=32)
def rules_digest(game: Game) -> str:
    """Stands for the game's rules as this process runs them: the code of its folder and of the kit."""
    digest = hashlib.sha256()
    for folder in (game.folder, Path(kit.__file__).parent):
        for path in sorted(path for path in folder.rglob("*") if path.suffix in (".py", ".toml")):
            digest.update(path.read_bytes())
    return digest.hexdigest()[:16]


def renew_verdicts(decks: Iterable[Deck]) -> None:
    """Judge those of these decks again whose stored verdict rests on something that has changed since.

    Costs one query when none has. Bounded by whoever calls: a page of decks.
    """
    number = Edition.objects.current().number
    known = [(deck, game) for deck in decks if (game := game_named(deck.game))]
    stale = {deck.pk: (deck, game) for deck, game in known if deck.judged_by != basis(game, number)}
    if not stale:
        return
    renewed = list(Deck.objects.with_cards().filter(pk__in=stale))
    for deck in renewed:
        shown, game = stale[deck.pk]
        judged = deck.judged(game)
        deck.verdict = shown.verdict = judged.verdict
        deck.size_shown = without_secrets(game, judged.deck).size
        deck.judged_by = basis(game, number)
    # A deck that was saved meanwhile has a verdict of its own, and keeps it. Where someone else is writing for long,
    # as loading does, the verdicts are shown and not kept.
    with suppress(OperationalError), short_wait():
        unchanged = reduce(or_, (Q(pk=deck.pk, revision=deck.revision) for deck in renewed), Q())
        Deck.objects.filter(unchanged).bulk_update(renewed, ("verdict", "judged_by", "size_shown"))


@contextmanager
def short_wait() -> Iterator[None]:
    """Wait a tenth of a second for SQLite's one writer, not the ten seconds that a visitor's own writing is worth."""
    if connection.vendor != "sqlite":
        yield
        return
    with connection.cursor() as cursor:
        cursor.execute("PRAGMA busy_timeout = 100")
    try:
        yield
    finally:
        with connection.cursor() as cursor:
            cursor.execute(f"PRAGMA busy_timeout = {int(settings.DATABASES['default']['OPTIONS']['timeout'] * 1_000)}")
