"""How many pictures, and how many bytes of them, one owner may have, and all owners of a site together."""

from __future__ import annotations

from typing import NamedTuple

from django.conf import settings
from django.db.models import Max, Sum

from cardsdb.faults import Fault, Refused
from cardsdb.games.kit.model.text import some
from cardsdb.identity.viewer import Viewer
from printing.models import Everyone, UploadedPicture
from printing.pictures.limits import MAX_OF_BROWSER, MAX_PICTURES, MAX_STORED, MAX_STORED_OF_BROWSER, MEGABYTE

SITE_FULL = (
    "this site has no room left for pictures. Whoever runs it can make some; nothing is wrong with the file."
)


class Quota(NamedTuple):
    """A number of pictures and of their bytes."""

    pictures: int
    bytes: int


def quota_of(owner: Viewer | Everyone) -> Quota:
    """What an owner may have. Browsers without an account may come in any number, so that on a public site
    they have less.
    """
    if settings.HTTPS and isinstance(owner, Viewer) and not owner.user_id:
        return Quota(MAX_OF_BROWSER, MAX_STORED_OF_BROWSER)
    return Quota(MAX_PICTURES, MAX_STORED)


def room_left(owner: Viewer | Everyone) -> Quota:
    """What this owner may still add."""
    mine, quota = UploadedPicture.objects.of(owner), quota_of(owner)
    used = mine.aggregate(total=Sum("bytes"))["total"] or 0
    return Quota(quota.pictures - mine.count(), quota.bytes - used)


def fits_on_site(size: int) -> bool:
    """Whether the site still takes so many bytes of pictures, of all its visitors together. One file of
    several owners counts once.
    """
    most = int(settings.CUTOUT_PICTURES_MEGABYTES) * MEGABYTE - size
    rows = UploadedPicture.objects.all_owners("counted for the site's bound").order_by()
    if (rows.aggregate(total=Sum("bytes"))["total"] or 0) <= most:
        return True
    # Which rows share a file takes time to find, and matters only near the bound.
    distinct = rows.values("sha256").annotate(size=Max("bytes"))
    return (distinct.aggregate(total=Sum("size"))["total"] or 0) <= most


def refuse_without_room(
    owner: Viewer | Everyone, pictures: int, size: int, label: str = "", is_stored: bool = False
) -> None:
    """Raise Refused where so many new pictures of so many bytes have no room; ``label`` is that of one that
    comes by itself.

    ``is_stored``: their files are on the site already, and take no more of it.
    """
    left, quota = Quota(*(max(0, rest) for rest in room_left(owner))), quota_of(owner)
    begin, field = (f"{label}: ", "files") if label else ("Nothing was kept: ", "file")
    if pictures > left.pictures:
        room = f"there is room for {left.pictures:,} more, and {quota.pictures:,} are the most"
        raise Refused(
            Fault(
                "too_many", f"{begin}{some(pictures, 'picture')} came, but {room}. Delete some first.", field
            )
        )
    if size > left.bytes:
        room = (
            f"there is room for {left.bytes / MEGABYTE:,.1f} MB more, and {quota.bytes // MEGABYTE:,} MB are"
            " the most"
        )
        needs = f"{size / MEGABYTE:,.1f} MB are needed, but {room}"
        raise Refused(Fault("quota", f"{begin}{needs}. Delete some first, or save them smaller.", field))
    if size and not is_stored and not fits_on_site(size):
        raise Refused(Fault("site_full", f"{begin}{SITE_FULL}", field), status=507)
