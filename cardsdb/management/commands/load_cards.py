"""Load every game folder's cards into the database."""

from __future__ import annotations

from typing import Any

from django.core.management.base import BaseCommand, CommandError
from django.db import OperationalError, ProgrammingError, connection

from cardsdb.catalogue.loader import load_all
from cardsdb.games import faults, games
from cardsdb.games.kit.folder.files import FolderError
from cardsdb.models import Card


class Command(BaseCommand):
    help = "Load the cards of every game folder. Safe to repeat: unchanged cards are not written, none is deleted."
    # The checks read whole folders to judge their examples; loading reads card by card and checks each itself.
    requires_system_checks: list[str] = []

    def handle(self, *args: Any, **options: Any) -> None:
        # A game that cannot be read is no game that is gone: without this its cards would leave every list.
        if found := faults():
            raise CommandError("\n".join([*found, "Nothing was loaded."]))
        try:
            loaded = load_all(games().values(), self.stdout.write)
        except FolderError as error:
            raise CommandError("\n".join([*error.problems, "Nothing was loaded."])) from None
        except (OperationalError, ProgrammingError) as error:
            if Card._meta.db_table in connection.introspection.table_names():
                raise
            raise CommandError(f"The database has no tables yet ({error}): run manage.py migrate first.") from None
        for one in loaded:
            name = games()[one.game].name
            self.stdout.write(f"{name}: {one.cards} cards ({one.added} added, {one.changed} changed, {one.retired} retired)")
