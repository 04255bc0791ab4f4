"""Judge every deck anew whose stored verdict rests on cards or rules of before: after loading cards or a new
release.
"""

from typing import Any

from django.core.management.base import BaseCommand

from cardsdb.games.kit import some
from decks.saving.save import renew_all


class Command(BaseCommand):
    help = (
        "Judge the decks anew whose verdict rests on something that has changed. Safe to repeat and to stop"
        " at any time."
    )

    def handle(self, *args: Any, **options: Any) -> None:
        count = renew_all()
        self.stdout.write(f"{some(count, 'deck')} judged anew.")
