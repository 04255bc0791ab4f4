"""The command ``clear_browsers``: delete what is no longer used. Run it once a week by a timer.

It deletes ended sessions, things of browsers that did not come back for a year, decks without an owner that
were not opened for two years, and old entries of the audit log. Tests:
``tests/decks/accounts/test_account_kinds.py``, ``tests/cardsdb/site/test_audit.py``.
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
        "Delete ended sessions and the things of browsers that did not come back for a year: access to"
        " decks, collections, formats, pictures, texts, sets, printers. Delete decks without an owner that"
        " were not opened for two years. Keep print jobs. Delete entries of the audit log after"
        " CUTOUT_AUDIT_DAYS."
    )

    def handle(self, *args: Any, **options: Any) -> None:
        count = forget_browsers()
        call_command("clearsessions")
        forget_ended_sessions()
        # This command belongs to ``printing``, which must not be imported here.
        call_command("own", "clear")
        decks = delete_expired()
        forget_old_entries()
        self.stdout.write(
            f"{some(count, 'browser')} forgotten, {some(decks, 'deck')} deleted that"
            " were not opened for two years."
        )
