"""Rows that are somebody's: an account's, or those of a browser without one. They are reached by who asks,
and in no other way.

Outside of models each look-up begins with a method that a queryset of ours has
(``tests/house/test_who_asks.py`` refuses others):

* ``of(viewer)``: what the visitor owns, or did; nothing of a deck that is not shown to them any more.
* ``visible_to(viewer)``, ``listed_for(viewer)``: what they may open who know its address, what lists may show them.
* ``on(thing, viewer)``: what stands on a thing that was looked up for them, as far as they may read it.
* ``stored(row)``: a row that was looked up for them, to be changed or read again.
* ``all_owners(because)``: the rows of all, which nobody is shown.
"""

from __future__ import annotations

from typing import Generic, Self, TypeVar

from django.db import models

from cardsdb.identity.viewer import Viewer

M = TypeVar("M", bound=models.Model)


class SomebodysQuerySet(models.QuerySet[M], Generic[M]):
    """Rows that belong to people, or say something of what belongs to them. Those below say for which
    viewer.
    """

    def stored(self, *rows: M) -> Self:
        """These rows, which were looked up by who asks, as they are stored now; without those that are
        gone.
        """
        return self.filter(pk__in=[row.pk for row in rows])

    def all_owners(self, because: str) -> Self:
        """The rows of all, for work of the site's own. ``because`` says which; no visitor is shown any of
        them.
        """
        return self.all()


class AccountQuerySet(SomebodysQuerySet[M], Generic[M]):
    """Rows of accounts, of which the column ``account`` names one."""

    account = "owner"

    def of(self, viewer: Viewer) -> Self:
        """Rows of the visitor's account; none without one."""
        return self.filter(**{self.account: viewer.user_id}) if viewer.user_id else self.none()


class OwnedQuerySet(AccountQuerySet[M], Generic[M]):
    """Rows with an ``owner`` or, of somebody without an account, the hash of a ``browser``."""

    def of(self, viewer: Viewer) -> Self:
        """What this visitor owns: by their account, or by their browser if they have none."""
        return (
            self.filter(browser=viewer.browser)
            if viewer.browser and not viewer.user_id
            else super().of(viewer)
        )

    def of_browser(self, viewer: Viewer) -> Self:
        """What a logged-in visitor's browser has from before the login, and the account may take over."""
        return self.of(Viewer(browser=viewer.browser if viewer.user_id else ""))
