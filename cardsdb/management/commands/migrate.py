"""Django's ``migrate``, one process at a time: machines that start at once wait for each other. Tests:
``tests/cardsdb/models/test_turns.py``, and of old databases
``tests/house/test_databases_of_earlier_releases.py``.
"""

from typing import Any

from django.core.management.commands import migrate
from django.db import connection
from django.db.migrations.recorder import MigrationRecorder

from cardsdb.models.turns import alone

# In versions of 28 November 2026 one migration, BOTH, did the work of two. Databases of these versions lack
# FIRST, which is marked as applied here.
FIRST, BOTH = ("cardsdb", "0011_audit"), ("cardsdb", "0012_browsers")


class Command(migrate.Command):
    def handle(self, *args: Any, **options: Any) -> None:
        with alone():
            recorder = MigrationRecorder(connection)
            applied = recorder.applied_migrations()
            if BOTH in applied and FIRST not in applied:
                recorder.record_applied(*FIRST)
            super().handle(*args, **options)
