"""``manage.py load_cards``: load the cards of every game folder into the database.

Tests in ``tests/cardsdb``: ``management/commands/test_load_cards.py``; without tables
``catalogue/test_loader.py``, with a faulty game ``games/test_left_out.py``.
"""

from collections.abc import Callable, Iterable
from typing import Any

from django.core.management.base import BaseCommand, CommandError
from django.db import OperationalError, ProgrammingError, connection

from cardsdb.catalogue.loader import KINDS, load_whole_ones
from cardsdb.games import faults, games
from cardsdb.models import Card


class Command(BaseCommand):
    help = (
        "Load the cards of every game folder. Safe to repeat: unchanged cards are not written, none is"
        " deleted."
    )
    # The system checks judge examples of whole folders; loading checks each card itself.
    requires_system_checks: list[str] = []

    def handle(self, *args: Any, **options: Any) -> None:
        try:
            loaded, broken = load_whole_ones(games().values(), self.stdout.write)
        except (OperationalError, ProgrammingError) as error:
            if Card._meta.db_table in connection.introspection.table_names():
                raise
            raise CommandError(
                f"The database has no tables yet ({error}): run manage.py migrate first."
            ) from None
        for game_loaded in loaded:
            name = games()[game_loaded.game].name
            counts = ", ".join(f"{game_loaded.count(kind)} {kind}" for kind in KINDS)
            self.stdout.write(f"{name}: {game_loaded.cards} cards ({counts})")
        tell_what_is_left_out(self.stderr.write, broken)


def tell_what_is_left_out(say: Callable[[str], object], also: Iterable[str] = ()) -> None:
    """Write a line for each fault of a game folder that keeps the game out."""
    for problem in (*faults(), *also):
        say(f"Left out until it is repaired; its cards and decks stay as they are: {problem}")
