"""Pictures that people bring for their cards. They are private: every look-up says who asks."""

from __future__ import annotations

from typing import Self

from django.db import models
from django.db.models import F, Q
from django.utils import timezone

from cardsdb.identity.owning import shown_on_pages
from cardsdb.identity.viewer import Viewer
from cardsdb.models.own import has_box_for_everyone
from cardsdb.models.owned import ONE_OF_THREE_OWNERS, Everyone, OwnedQuerySet, Private

# The four sides a picture may be turned by, clockwise.
TURNS = (0, 90, 180, 270)


class Side(models.TextChoices):
    """Tells where a picture is printed; ``UNPLACED`` until its owner has said where."""

    UNPLACED = "", "Not used yet"
    FRONT = "front", "Front"
    BACK = "back", "Back"


class Fit(models.TextChoices):
    """Tells how a picture of another shape comes onto a card."""

    FILL = "fill", "Fill the card, cut off what is too much"
    WHOLE = "whole", "Show all of it, leave a white edge"


class Edge(models.TextChoices):
    """Tells what is printed outside the cut line."""

    MIRRORED = "mirrored", "Mirror the edge of the picture"
    INCLUDED = "included", "The picture has its own bleed"
    NONE = "none", "Nothing: the paper stays white"


class Use(models.TextChoices):
    """Tells what a picture is of its card's front."""

    CARD = "card", "It is the whole card"
    ART = "art", "It stands in the face’s window, with our facts around it"


class PictureQuerySet(OwnedQuerySet["UploadedPicture"]):
    """Pictures by who asks."""

    def of(self, owner: Viewer | Everyone) -> Self:
        return self.for_everyone() if isinstance(owner, Everyone) else super().of(owner)

    def for_everyone(self) -> Self:
        """The pictures of everyone on this machine's site; none on a public site."""
        return self.filter(everyone=True) if has_box_for_everyone() else self.none()

    def visible_to(self, viewer: Viewer) -> Self:
        """Return what this visitor sees: what everyone has comes first, so that in a mapping their own
        stands in its place.
        """
        seen = self.none() if viewer.is_nobody else self.of(viewer) | self.for_everyone()
        return seen.order_by(F("everyone").desc(nulls_last=True), "pk")


@shown_on_pages
class UploadedPicture(Private):
    """One picture, and where it is printed: on a card's front or back, or, without a card, on the back of all
    cards of its game.

    The file is stored by ``sha256`` of its cleaned bytes (cardsdb.box.picture_store); many rows may share one.
    ``width`` and ``height`` are the pixels of the file as it is. ``mirrored`` and then ``turn`` (clockwise)
    make it upright; ``crop`` is [left, top, right, bottom] of the upright picture in thousandths, empty for
    all of it. ``bleed``: how much of the picture is bleed on each side, in micrometres; it is cut off where
    ``edge`` says so, else shown. ``use`` is about fronts. ``everyone``: it belongs to everyone on this
    machine's site, and has no other owner. ``label`` is what its owner called the file; it is shown to them
    and used for nothing else.
    """

    everyone = models.BooleanField(null=True, blank=True, editable=False)
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
    use = models.CharField(max_length=4, choices=Use, default=Use.CARD)
    made = models.DateTimeField(default=timezone.now, editable=False)

    objects = PictureQuerySet.as_manager()

    class Meta(Private.Meta):
        app_label = "printing"
        ordering = ("game", "card_code", "side", "made", "pk")
        constraints = [
            models.CheckConstraint(condition=ONE_OF_THREE_OWNERS, name="picture_has_one_owner"),
            models.UniqueConstraint(
                fields=("owner", "game", "card_code", "side"),
                condition=~Q(side=""),
                name="account_picture_once_a_side",
            ),
            models.UniqueConstraint(
                fields=("browser", "game", "card_code", "side"),
                condition=~Q(side=""),
                name="browser_picture_once_a_side",
            ),
            models.UniqueConstraint(
                fields=("everyone", "game", "card_code", "side"),
                condition=~Q(side=""),
                name="everyones_picture_once_a_side",
            ),
        ]

    def __str__(self) -> str:
        return f"picture {self.pk} for {self.game}/{self.card_code} {self.side}"
