"""How many pictures, and how many bytes of them, one owner may have, and all owners of a site together."""

from __future__ import annotations

from typing import NamedTuple

from django.conf import settings
from django.db.models import Max, Sum

from cardsdb.identity.viewer import Viewer
from cardsdb.site.faults import Fault, Refused
from printing.models import Everyone, UploadedPicture
from printing.pictures.limits import MAX_OF_BROWSER, MAX_PICTURES, MAX_STORED, MAX_STORED_OF_BROWSER, MEGABYTE

SITE_FULL = "this site has no room left for pictures. Whoever runs it can make some; nothing is wrong with the file."


class Quota(NamedTuple):
    """A number of pictures and of their bytes."""

    pictures: int
    bytes: int


def quota_of(owner: Viewer | Everyone) -> Quota:
    """What an owner may have. Browsers without an account may come in any number, so that on a public site they have less."""
    if settings.HTTPS and isinstance(owner, Viewer) and not owner.user_id:
        return Quota(MAX_OF_BROWSER, MAX_STORED_OF_BROWSER)
    return Quota(MAX_PICTURES, MAX_STORED)


def room_left(owner: Viewer | Everyone) -> Quota:
    """What this owner may still add."""
    mine, quota = UploadedPicture.objects.of(owner), quota_of(owner)
    used = mine.aggregate(total=Sum("bytes"))["total"] or 0
    return Quota(quota.pictures - mine.count(), quota.bytes - used)


def fits_on_site(size: int) -> bool:
    """Whether the site still takes so many bytes of pictures, of all its visitors together. One file of several owners counts once."""
    most, rows = int(settings.CUTOUT_PICTURES_MEGABYTES) * MEGABYTE - size, UploadedPicture.objects.order_by()
    if (rows.aggregate(total=Sum("bytes"))["total"] or 0) <= most:
        return True
    # Which rows share a file takes time to find, and matters only near the bound.
    distinct = rows.values("sha256").annotate(size=Max("bytes"))
    return (distinct.aggregate(total=Sum("size"))["total"] or 0) <= most


def refuse_without_room(owner: Viewer | Everyone, pictures: int, size: int) -> None:
    """Raise Refused where so many new pictures of so many bytes have no room."""
    left, quota = room_left(owner), quota_of(owner)
    if pictures > left.pictures:
        sentence = f"These are {pictures:,} new pictures, and there is room for {max(0, left.pictures):,}: {quota.pictures:,} are the most."
        raise Refused(Fault("too_many", f"{sentence} Nothing was kept; delete some first.", "file"))
    if size > left.bytes:
        most, rest = quota.bytes // MEGABYTE, max(0, left.bytes) / MEGABYTE
        sentence = f"The pictures take {size / MEGABYTE:,.1f} MB, and there is room for {rest:,.1f} MB: {most:,} MB are the most."
        raise Refused(Fault("quota", f"{sentence} Nothing was kept; delete some first, or save them smaller.", "file"))
    if size and not fits_on_site(size):
        raise Refused(Fault("site_full", f"Nothing was kept: {SITE_FULL}", "file"), status=507)
