"""Draw the faces of all cards, so that no visitor waits for one."""

from __future__ import annotations

from typing import Any

from django.core.management.base import BaseCommand

from cardsdb.games import games
from cardsdb.games.kit.model.text import plural
from printing.render.kept_faces import keep_faces


class Command(BaseCommand):
    help = "Draw the face of every card, as far as cards, fonts or code changed since last time, so that pages need not."
    requires_system_checks: list[str] = []

    def handle(self, *args: Any, **options: Any) -> None:
        for game in keep_faces(games().values()):
            number = len(game.cards)
            self.stdout.write(f"{game.name}: {number:,} {plural(number, 'face')} drawn")
