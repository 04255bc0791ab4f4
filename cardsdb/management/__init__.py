"""Commands that need no database."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

from django.core.management.base import BaseCommand

from cardsdb.catalogue.current import of_folders, working_with


class FolderCommand(BaseCommand):
    """A command that works with the cards of the game folders, whatever is loaded."""

    # The checks judge every game's examples, which takes seconds.
    requires_system_checks: list[str] = []

    def searches(self, options: Mapping[str, Any]) -> bool:
        """True if the command looks for cards by a query."""
        return False

    def execute(self, *args: Any, **options: Any) -> str | None:
        with working_with(of_folders(searched=self.searches(options))):
            return super().execute(*args, **options)
