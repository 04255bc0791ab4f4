"""Shared parts of commands: JSON output, refusals, and the cards of the folders without a database. Tests are
those of the commands, above all ``tests/decks/management/commands``.
"""

import json
import sys
from collections.abc import Mapping
from typing import Any, NoReturn

from django.core.management.base import BaseCommand

from cardsdb.catalogue.current import of_folders, working_with
from cardsdb.faults import Refused, error_list


def tell(command: BaseCommand, value: object) -> None:
    """Write a value as JSON to the command's output."""
    command.stdout.write(json.dumps(value, ensure_ascii=False, indent=1))


def refuse(command: BaseCommand, refused: Refused, as_json: bool = False) -> NoReturn:
    """Write every fault of the refusal, and exit with status 2."""
    if as_json:
        tell(command, error_list(refused.faults))
    else:
        for fault in refused.faults:
            command.stderr.write(fault.message)
    sys.exit(2)


class FolderCommand(BaseCommand):
    """A command that works with the cards in the game folders, whatever the database has, and so without one.
    Such commands are in ``decks/management`` and ``printing/management``.
    """

    # The system checks judge every game's examples, which takes seconds.
    requires_system_checks: list[str] = []

    def searches(self, options: Mapping[str, Any]) -> bool:
        """True if the command searches cards by a query, which needs search indexes."""
        return False

    def execute(self, *args: Any, **options: Any) -> str | None:
        with working_with(of_folders(searched=self.searches(options))):
            return super().execute(*args, **options)
