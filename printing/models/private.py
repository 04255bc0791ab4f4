"""What belongs to one account, or to one browser without an account, and is nobody else's: printers,
pictures, print jobs.
"""

from __future__ import annotations

from typing import Any, Self

from django.conf import settings
from django.db import models
from django.db.models import F, Q
from django.utils import timezone

from cardsdb.identity.owning import shown_on_pages
from cardsdb.identity.viewer import Viewer, new_key
from cardsdb.models.own import has_box_for_everyone
from cardsdb.models.owned import OwnedQuerySet
from cardsdb.models.queued import QueuedRow


class Private(models.Model):
    """``browser`` is the hash of the browser's token (cardsdb.identity.viewer.browser_of); one of the two
    owners is set, never both.
    """

    owner = models.ForeignKey(
        settings.AUTH_USER_MODEL,
        null=True,
        blank=True,
        on_delete=models.CASCADE,
        related_name="+",
        editable=False,
    )
    browser = models.CharField(max_length=64, null=True, blank=True, db_index=True, editable=False)  # noqa: DJ001  none, not ""

    objects = OwnedQuerySet.as_manager()

    class Meta:
        abstract = True
        constraints = [
            models.CheckConstraint(
                condition=Q(owner__isnull=False) ^ Q(browser__isnull=False), name="%(class)s_has_one_owner"
            )
        ]


class Everyone:
    """The owner of what belongs to everyone on a private site; on a public one it is nobody's, and not
    shown.
    """


EVERYONE = Everyone()


def owned_by(owner: Viewer | Everyone) -> dict[str, Any]:
    """The columns of the owner of a new row. A visitor has an account or a browser (``browser_of``)."""
    if isinstance(owner, Everyone):
        return {"everyone": True}
    viewer = owner
    return {"owner_id": viewer.user_id, "browser": None if viewer.user_id else viewer.browser}


class PrinterCalibration(Private):
    """A printer and its shift, as read from its calibration sheet: micrometres, hundredths of a degree."""

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


# -- pictures -----------------------------------------------------------------------

# The four sides a picture may be turned by, clockwise.
TURNS = (0, 90, 180, 270)


class Side(models.TextChoices):
    """Where a picture is printed; ``UNPLACED`` until its owner has said where."""

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


class Use(models.TextChoices):
    """What a picture is of its card's front."""

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
        """What this visitor sees: what everyone has comes first, so that in a mapping their own stands in its
        place.
        """
        seen = self.none() if viewer.is_nobody else self.of(viewer) | self.for_everyone()
        return seen.order_by(F("everyone").desc(nulls_last=True), "pk")


@shown_on_pages
class UploadedPicture(Private):
    """One picture, and where it is printed: on a card's front or back, or, without a card, on the back of all
    cards of its game.

    The file is stored by ``sha256`` of its cleaned bytes (printing.uploads.storage); many rows may share one.
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
        ordering = ("game", "card_code", "side", "made", "pk")
        constraints = [
            models.CheckConstraint(
                condition=Q(owner__isnull=False, browser__isnull=True, everyone__isnull=True)
                | Q(owner__isnull=True, browser__isnull=False, everyone__isnull=True)
                | Q(owner__isnull=True, browser__isnull=True, everyone__isnull=False, everyone=True),
                name="picture_has_one_owner",
            ),
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


# -- print jobs ---------------------------------------------------------------------


class PrintJob(Private, QueuedRow):
    """A print that a worker makes, and how far it is. ``link`` is its address: 128 random bits.

    ``request`` says what (printing/tasks/jobs.py).
    ``file`` is the name of what was made, in the folder of jobs, and ``size`` its bytes. ``sender`` stands for the address that
    asked: a hash, which only this site's key makes.
    """

    # Jobs are deleted after days anyway, and the key of one that came over the API is no browser's
    # (decks/accounts/forgetting.py).
    ends_by_itself = True

    link = models.CharField(max_length=22, unique=True, default=new_key, editable=False)
    request = models.JSONField(default=dict)
    pages_done = models.PositiveIntegerField(default=0)
    pages = models.PositiveIntegerField(default=0)
    made = models.DateTimeField(default=timezone.now, editable=False)
    file = models.CharField(max_length=120, blank=True, default="")
    size = models.PositiveBigIntegerField(default=0)
    sender = models.CharField(max_length=64, blank=True, default="", editable=False)
    error = models.CharField(max_length=400, blank=True, default="")
    expires = models.DateTimeField(null=True, blank=True)

    class Meta(Private.Meta):
        ordering = ("made", "pk")
        indexes = [models.Index(fields=("state", "made"), name="job_waiting")]

    def __str__(self) -> str:
        return f"print job {self.link}, {self.state}"
