"""Django's ``migrate``, by one process at a time: machines that start at once on one database wait for each
other.
"""

from typing import Any

from django.core.management.commands import migrate

from cardsdb.site.turns import alone


class Command(migrate.Command):
    def handle(self, *args: Any, **options: Any) -> None:
        with alone():
            super().handle(*args, **options)
