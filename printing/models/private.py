"""What belongs to one account, or to one browser without an account, and is nobody else's: the base of it, printers, texts on cards."""

from __future__ import annotations

from typing import Any, Generic, Self, TypeVar

from django.conf import settings
from django.db import models
from django.db.models import Q
from django.utils import timezone

from decks.identity.viewer import Viewer

M = TypeVar("M", bound=models.Model)


class PrivateQuerySet(models.QuerySet[M], Generic[M]):
    """There is no other way to a private thing than by who owns it."""

    def of(self, viewer: Viewer) -> Self:
        """What this visitor owns: by their account, or by their browser if they have none."""
        if viewer.user_id:
            return self.filter(owner=viewer.user_id)
        return self.filter(browser=viewer.browser) if viewer.browser else self.none()

    def of_browser(self, viewer: Viewer) -> Self:
        """What a logged-in visitor's browser has from before: it may go along into the account."""
        return self.of(Viewer(browser=viewer.browser if viewer.user_id else ""))


class Private(models.Model):
    """``browser`` is the hash of the browser's token (decks.identity.viewer.browser_of); one of the two owners is set, never both."""

    owner = models.ForeignKey(settings.AUTH_USER_MODEL, null=True, blank=True, on_delete=models.CASCADE, related_name="+", editable=False)
    browser = models.CharField(max_length=64, null=True, blank=True, db_index=True, editable=False)  # noqa: DJ001  none, not ""

    objects = PrivateQuerySet.as_manager()

    class Meta:
        abstract = True
        constraints = [models.CheckConstraint(condition=Q(owner__isnull=False) ^ Q(browser__isnull=False), name="%(class)s_has_one_owner")]


def owned_by(viewer: Viewer) -> dict[str, Any]:
    """The two columns of an owner, for what is made anew. The visitor has an account or a browser (``browser_of``)."""
    return {"owner_id": viewer.user_id, "browser": None if viewer.user_id else viewer.browser}


class PrinterCalibration(Private):
    """What somebody measured on the calibration sheet of one printer: micrometres, hundredths of a degree."""

    name = models.CharField(max_length=60)
    paper = models.CharField(max_length=40)
    x = models.IntegerField(default=0)
    y = models.IntegerField(default=0)
    turn = models.IntegerField(default=0)
    # How the sheet that was read was turned, and how it lay.
    edge = models.CharField(max_length=5, default="long")
    landscape = models.BooleanField(default=False)
    made = models.DateTimeField(default=timezone.now, editable=False)

    class Meta(Private.Meta):
        ordering = ("name", "pk")

    def __str__(self) -> str:
        return f"{self.name}, {self.paper}"


MAX_TEXT = 2_000


class CardText(Private):
    """Somebody's own text for a card, printed where the card leaves room to write."""

    game = models.SlugField(max_length=40)
    card_code = models.CharField(max_length=120)
    text = models.TextField(max_length=MAX_TEXT)
    changed = models.DateTimeField(default=timezone.now, editable=False)

    class Meta(Private.Meta):
        ordering = ("game", "card_code", "pk")
        constraints = [
            *Private.Meta.constraints,
            models.UniqueConstraint(fields=("owner", "game", "card_code"), name="account_text_once_a_card"),
            models.UniqueConstraint(fields=("browser", "game", "card_code"), name="browser_text_once_a_card"),
        ]

    def __str__(self) -> str:
        return f"text for {self.game}/{self.card_code}"
