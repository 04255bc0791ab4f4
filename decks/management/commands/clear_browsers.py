"""Clear the sessions that have ended, the things of browsers that do not come back, and decks that are not
opened any more.

For a timer, once a week.
"""

from typing import Any

from django.core.management import call_command
from django.core.management.base import BaseCommand

from cardsdb.games.kit import some
from cardsdb.site.audit import forget_old_entries
from decks.accounts.account_kinds import forget_browsers
from decks.accounts.backend import forget_ended_sessions
from decks.saving.room import delete_expired


class Command(BaseCommand):
    help = (
        "Clear ended sessions and what browsers held that did not come back for a year: decks they"
        " edit, collections,"
        " formats, pictures, texts, sets, printers. Delete decks without an owner that were not opened"
        " for two years."
        " Keep print jobs. Forget entries of the audit log after CUTOUT_AUDIT_DAYS."
    )

    def handle(self, *args: Any, **options: Any) -> None:
        count = forget_browsers()
        call_command("clearsessions")
        forget_ended_sessions()
        # Of the print shop, above this, so that it goes by its name.
        call_command("own", "clear")
        decks = delete_expired()
        forget_old_entries()
        self.stdout.write(
            f"{some(count, 'browser')} forgotten, {some(decks, 'deck')} deleted that"
            " were not opened for two years."
        )
