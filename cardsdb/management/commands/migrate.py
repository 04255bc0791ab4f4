"""Django's ``migrate``, by one process at a time: machines that start at once on one database wait for each
other.
"""

from __future__ import annotations

from typing import Any

from django.core.management.base import CommandError
from django.core.management.commands import migrate
from django.db import connection
from django.db.migrations.loader import MigrationLoader

from cardsdb.site.turns import alone

TOO_OLD = (
    "This database was last brought up to date by a version before 28 November 2026. Bring it up to date with the"
    " version of 28 November 2026 first, then with this one. No table of Cutout was changed."
)


class Command(migrate.Command):
    def handle(self, *args: Any, **options: Any) -> None:
        with alone():
            loader = MigrationLoader(connection)
            applied = loader.applied_migrations
            known = {app for app, _ in applied}
            # Of what makes an app's tables nothing is applied, and of the app something is: that made them.
            if any(first[0] in known and first not in applied for first in loader.graph.root_nodes()):
                raise CommandError(TOO_OLD)
            super().handle(*args, **options)
