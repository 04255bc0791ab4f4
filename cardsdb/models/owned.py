"""Rows that are somebody's: an account's, or those of a browser without one. They are reached by who asks, and in no other way."""

from __future__ import annotations

from typing import Generic, Self, TypeVar

from django.db import models

from cardsdb.identity.viewer import Viewer

M = TypeVar("M", bound=models.Model)


class OwnedQuerySet(models.QuerySet[M], Generic[M]):
    """Rows with an ``owner`` or, of somebody without an account, the hash of a ``browser``: reached by who asks."""

    def of(self, viewer: Viewer) -> Self:
        """What this visitor owns: by their account, or by their browser if they have none."""
        if viewer.user_id:
            return self.filter(owner=viewer.user_id)
        return self.filter(browser=viewer.browser) if viewer.browser else self.none()

    def of_browser(self, viewer: Viewer) -> Self:
        """What a logged-in visitor's browser has from before the login, and the account may take over."""
        return self.of(Viewer(browser=viewer.browser if viewer.user_id else ""))
