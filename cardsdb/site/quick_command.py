"""Commands that ask no database, or seldom: they run before Django has set up its apps, which takes longer than they do."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import django
from django.apps import apps
from django.conf import settings
from django.core.management.base import BaseCommand

from cardsdb.games import look_in


class QuickCommand(BaseCommand):
    """A command whose module imports no model. ``manage.py`` has the names of all of them, and runs them without apps."""

    requires_system_checks: list[str] = []

    def needs_apps(self, options: dict[str, Any]) -> bool:
        """Whether what is asked for needs the apps, for their models or for addresses of pages; they are set up then."""
        return False

    def execute(self, *args: Any, **options: Any) -> str | None:
        if not apps.ready:
            if self.needs_apps(options):
                django.setup()
            else:
                # All that the apps would have set up for it.
                look_in(Path(settings.VAR_DIR))
        return super().execute(*args, **options)
