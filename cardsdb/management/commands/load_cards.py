"""Load every game folder's cards into the database."""

from __future__ import annotations

from typing import Any

from django.core.management.base import BaseCommand, CommandError

from cardsdb.catalogue import load
from cardsdb.games import games
from cardsdb.games.kit.folder import FolderError


class Command(BaseCommand):
    help = "Load the cards of every game folder. Safe to repeat: unchanged cards are not written, none is deleted."

    def handle(self, *args: Any, **options: Any) -> None:
        for game in games().values():
            try:
                loaded = load(game)
            except FolderError as error:
                raise CommandError(str(error)) from None
            self.stdout.write(
                f"{game.name}: {loaded.cards} cards ({loaded.added} added, {loaded.changed} changed, {loaded.retired} retired)"
            )
