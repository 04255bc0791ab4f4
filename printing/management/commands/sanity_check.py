"""``manage.py sanity_check``: find faults that no constraint of the database can prevent, in picture files,
print jobs and decks. Exit status 1 if any is left; ``--fix`` mends those that can be mended without loss.

The check of pictures is tested in ``tests/cardsdb/box/test_picture_store.py``, the others in
``tests/printing/management/commands/test_sanity_check.py``.
"""

import time
from collections.abc import Iterator
from typing import Any

from django.core.management.base import BaseCommand, CommandError, CommandParser

from cardsdb.box import picture_store as storage
from cardsdb.games import games
from cardsdb.games.kit import some
from cardsdb.models import Card, UploadedPicture
from cardsdb.storage.contract import StoreAway
from printing.tasks.jobs import JOBS

# Seconds. An unfinished file that is older is not being written any more.
AN_HOUR = 60 * 60
# (sentence about a fault, True if it was mended)
Wrong = tuple[str, bool]


class Command(BaseCommand):
    help = (
        "Find picture files that are missing, altered or without an owner, print jobs without a worker, and"
        " decks with cards that are gone."
    )

    def add_arguments(self, parser: CommandParser) -> None:
        parser.add_argument(
            "--fix",
            action="store_true",
            help="Remove files without an owner; let jobs wait for another worker.",
        )

    def handle(self, *, fix: bool, **_: Any) -> None:
        try:
            faults = [*_pictures(fix), *_jobs(fix), *_decks()]
        except StoreAway as away:
            raise CommandError(str(away)) from None
        for words, mended in faults:
            self.stdout.write(f"{words}: mended" if mended else words)
        if left := sum(not mended for _, mended in faults):
            raise CommandError(f"{some(left, 'thing')} wrong.")
        self.stdout.write("All of it was mended." if faults else "Nothing is wrong.")


def _pictures(fix: bool) -> Iterator[Wrong]:
    """Yield pictures whose file is missing or altered, and files that belong to no picture."""
    store = storage.store()
    pictures = UploadedPicture.objects.all_owners("each has its file, and each file a picture")
    # Reading all files takes long, so the lock is not held. A picture may be deleted meanwhile: it is looked
    # up again before its file is called missing.
    for sha256, pk in dict(pictures.order_by("-pk").values_list("sha256", "pk")).items():
        try:
            wrong = "" if storage.is_unaltered(sha256) else "altered; put it back from a backup"
        except OSError:
            wrong = "missing; put it back from a backup, or its owner sends it again"
        if wrong and pictures.filter(sha256=sha256).exists():
            yield f"picture {pk}: its file {sha256} is {wrong}", False
    with storage.locked():
        owned = set(pictures.values_list("sha256", flat=True))
        unowned = {file.name: sha256 for sha256, file in storage.stored() if sha256 not in owned}
        unfinished = [file for file in store.unfinished() if file.written < time.time() - AN_HOUR]
        if fix:
            storage.discard(list(unowned))
            for file in unfinished:
                store.delete_unfinished(file)
    for name, sha256 in unowned.items():
        yield f"pictures/{name}: {'an orphaned file, no picture is it' if sha256 else 'a stray file'}", fix
    for file in unfinished:
        yield f"pictures/{file.name}: a stray file, half of one", fix


def _jobs(fix: bool) -> Iterator[Wrong]:
    """Yield running jobs whose worker is gone."""
    for job, as_seen in JOBS.without_worker():
        worker = job.worker or "without a name"
        words = f"print job {job.link}: stuck, its worker {worker} is gone or says nothing"
        yield words, fix and bool(JOBS.put_back(as_seen))


def _decks() -> Iterator[Wrong]:
    """Yield cards that are in decks but no longer in the game folders."""
    known = {(game.slug, card.code) for game in games().values() for card in game.cards}
    used = Card.objects.filter(deck_lines__isnull=False).distinct().values_list("pk", "game", "code")
    for pk, game, code in used.order_by("game", "code").iterator(2_000):
        if (game, code) not in known:
            decks = Card.objects.filter(pk=pk).values_list("deck_lines__deck", flat=True).distinct()
            gone = f"{game}/{code}: the catalogue's files no longer have this card, and decks hold it"
            yield f"{gone}: {', '.join(map(str, decks))}", False
