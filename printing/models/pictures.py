"""Pictures that people brought along for their own prints."""

from __future__ import annotations

from django.db import models
from django.db.models import Q
from django.utils import timezone

from printing.models.private import Private

# The four sides a picture may be turned by, clockwise.
TURNS = (0, 90, 180, 270)


class Side(models.TextChoices):
    """Where a picture is printed; nowhere yet when its owner has not said."""

    UNPLACED = "", "Not used yet"
    FRONT = "front", "Front"
    BACK = "back", "Back"


class Fit(models.TextChoices):
    """How a picture of another shape comes onto a card."""

    FILL = "fill", "Fill the card, cut off what is too much"
    WHOLE = "whole", "Show all of it, leave a white edge"


class Edge(models.TextChoices):
    """What is printed outside the cut line."""

    MIRRORED = "mirrored", "Mirror the edge of the picture"
    INCLUDED = "included", "The picture has its own bleed"
    NONE = "none", "Nothing: the paper stays white"


class UploadedPicture(Private):
    """One picture, and where it is printed: on a card's front or back, or, without a card, on the back of all cards of its game.

    The file is stored by ``sha256`` of its cleaned bytes (printing.uploads.storage); many rows may share one.
    ``width`` and ``height`` are the pixels of the file as it is. ``mirrored`` and then ``turn`` (clockwise) make it upright;
    ``crop`` is [left, top, right, bottom] of the upright picture in thousandths, empty for all of it.
    ``bleed``: how much of the picture lies outside the cut line on each side, in micrometres, where ``edge`` says that some does.
    ``label`` is what its owner called the file; it is shown to them and used for nothing else.
    """

    game = models.SlugField(max_length=40, blank=True, default="")
    card_code = models.CharField(max_length=120, blank=True, default="")
    side = models.CharField(max_length=5, choices=Side, blank=True, default=Side.UNPLACED)
    label = models.CharField(max_length=120, blank=True, default="")
    sha256 = models.CharField(max_length=64, db_index=True, editable=False)
    kind = models.CharField(max_length=4, editable=False)
    width = models.PositiveIntegerField(editable=False)
    height = models.PositiveIntegerField(editable=False)
    bytes = models.PositiveIntegerField(editable=False)
    crop = models.JSONField(default=list, blank=True)
    turn = models.PositiveSmallIntegerField(default=0)
    mirrored = models.BooleanField(default=False)
    fit = models.CharField(max_length=5, choices=Fit, default=Fit.FILL)
    edge = models.CharField(max_length=8, choices=Edge, default=Edge.MIRRORED)
    bleed = models.PositiveIntegerField(default=0)
    made = models.DateTimeField(default=timezone.now, editable=False)

    class Meta(Private.Meta):
        ordering = ("game", "card_code", "side", "made", "pk")
        constraints = [
            *Private.Meta.constraints,
            models.UniqueConstraint(
                fields=("owner", "game", "card_code", "side"), condition=~Q(side=""), name="account_picture_once_a_side"
            ),
            models.UniqueConstraint(
                fields=("browser", "game", "card_code", "side"), condition=~Q(side=""), name="browser_picture_once_a_side"
            ),
        ]

    def __str__(self) -> str:
        return f"picture {self.pk} for {self.game}/{self.card_code} {self.side}"
