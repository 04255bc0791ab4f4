"""The command ``judge_decks``: renew the stale verdicts of all decks. Run it after loading cards or
installing a release. What it calls is tested in ``tests/decks/saving/test_save.py``.
"""

from typing import Any

from django.core.management.base import BaseCommand

from cardsdb.games.kit import some
from decks.saving.save import renew_all


class Command(BaseCommand):
    help = (
        "Judge the decks again whose verdict rests on cards or rules that have changed. Safe to repeat and"
        " to stop at any time."
    )

    def handle(self, *args: Any, **options: Any) -> None:
        count = renew_all()
        self.stdout.write(f"{some(count, 'deck')} judged again.")
