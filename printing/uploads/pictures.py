"""Whose pictures are whose: adding, changing, giving up, and what of them a print job uses."""

from __future__ import annotations

import contextlib
from collections.abc import Iterable, Mapping
from typing import Any

from django.conf import settings
from django.db import transaction
from django.db.models import Max, Sum
from django.db.models.signals import post_delete
from django.dispatch import receiver
from django.http import Http404
from django.urls import reverse

from cardsdb.games.kit import Game
from cardsdb.site.faults import Fault, Refused
from decks.identity.viewer import Viewer
from printing.models import UploadedPicture
from printing.models.pictures import Side
from printing.models.private import PrivateQuerySet, owned_by
from printing.pictures.limits import MAX_PICTURES, MAX_STORED, MEGABYTE
from printing.pictures.ref import PictureRef
from printing.uploads import storage
from printing.uploads.intake import CleanPicture

Place = tuple[str, str, str]
NOWHERE: Place = ("", "", Side.UNPLACED.value)


def ref_of(picture: UploadedPicture) -> PictureRef:
    """The picture as printing knows it."""
    whole = (0, 0, 1000, 1000)
    return PictureRef(
        sha256=picture.sha256,
        kind=picture.kind,  # type: ignore[arg-type]
        width=picture.width,
        height=picture.height,
        folder=str(storage.folder()),
        address=reverse("picture_file", args=[picture.sha256]),
        turn=picture.turn,
        mirrored=picture.mirrored,
        crop=tuple(picture.crop) if len(picture.crop) == len(whole) else whole,  # type: ignore[arg-type]
        fit=picture.fit,  # type: ignore[arg-type]
        edge=picture.edge,  # type: ignore[arg-type]
        bleed=picture.bleed,
        label=picture.label,
    )


def pictures_of(viewer: Viewer, game: Game) -> Mapping[tuple[str, str], PictureRef]:
    """(card's code, front or back) -> the picture this visitor has for it. The code is empty for the back of all cards. One query."""
    rows = UploadedPicture.objects.of(viewer).filter(game=game.slug).exclude(side=Side.UNPLACED)
    return {(row.card_code, row.side): ref_of(row) for row in rows}


def room_left(viewer: Viewer) -> tuple[int, int]:
    """How many pictures, and how many bytes of them, this visitor may still bring."""
    mine = UploadedPicture.objects.of(viewer)
    used = mine.aggregate(total=Sum("bytes"))["total"] or 0
    return MAX_PICTURES - mine.count(), MAX_STORED - used


def fits_on_site(size: int) -> bool:
    """Whether the site still takes so many bytes of pictures, of all its visitors together. One file of several owners counts once."""
    most, rows = int(settings.CUTOUT_PICTURES_MEGABYTES) * MEGABYTE - size, UploadedPicture.objects.order_by()
    if (rows.aggregate(total=Sum("bytes"))["total"] or 0) <= most:
        return True
    # Only near the bound is it worth the time to look which of them share a file.
    distinct = rows.values("sha256").annotate(size=Max("bytes"))
    return (distinct.aggregate(total=Sum("size"))["total"] or 0) <= most


def add(viewer: Viewer, taken: CleanPicture, label: str, place: Place = NOWHERE, **values: Any) -> tuple[UploadedPicture, bool]:
    """(the picture, whether it is new to this visitor). One that was in its place is kept too, used nowhere.

    The same file is the same picture: what they have of it stays as it is, and one that is used nowhere yet comes to its place.
    Only where a card is to show it that did not, it is there once more. Raises Refused when they have no room left, or the
    server has none; then nothing is kept.
    """
    sha256 = taken.sha256
    with storage.held():
        if before := _same(viewer, sha256, place):
            # A file that was lost is brought back by bringing it again.
            storage.keep(sha256, {"": taken.data, "colour": taken.colour, "mask": taken.mask})
            return before, False
        pictures, room = room_left(viewer)
        if pictures < 1:
            raise Refused(Fault("too_many", f"{label}: you have {MAX_PICTURES} pictures, which is the most. Delete some first.", "files"))
        if taken.bytes > room:
            sentence = f"{label}: your pictures would take more than {MAX_STORED // MEGABYTE} MB. Delete some first."
            raise Refused(Fault("quota", sentence, "files"))
        if not storage.path_of(sha256).exists() and not fits_on_site(taken.bytes):
            sentence = f"{label}: this site has no room left for pictures. Whoever runs it can make some; nothing is wrong with the file."
            raise Refused(Fault("site_full", sentence, "files"), status=507)
        fresh = storage.keep(sha256, {"": taken.data, "colour": taken.colour, "mask": taken.mask})
        try:
            with transaction.atomic():
                _make_room(viewer, place)
                made = UploadedPicture.objects.create(
                    **owned_by(viewer),
                    **dict(zip(("game", "card_code", "side"), place, strict=True)),
                    **({"turn": taken.turn, "mirrored": taken.mirrored} | values),
                    label=label[:120],
                    sha256=sha256,
                    kind=taken.kind,
                    width=taken.width,
                    height=taken.height,
                    bytes=taken.bytes,
                )
                return made, True
        except BaseException:
            storage.discard(fresh)
            raise


def _same(viewer: Viewer, sha256: str, place: Place) -> UploadedPicture | None:
    """What this visitor has of the same file that will do for this place; one that is used nowhere is put there."""
    mine = list(UploadedPicture.objects.of(viewer).filter(sha256=sha256))
    if not place[2]:
        return next((one for one in mine if one.side), mine[0] if mine else None)
    there = next((one for one in mine if (one.game, one.card_code, one.side) == place), None)
    loose = next((one for one in mine if not one.side), None)
    if there is None and loose is not None:
        _put(viewer, loose, place, {})
    return there or loose


def put(viewer: Viewer, picture: UploadedPicture, place: Place, **values: Any) -> None:
    """Print this picture there from now on, so changed. One that was there is used nowhere."""
    # Under the lock of ``add``: of two at one place the second sees the first.
    with storage.held():
        _put(viewer, picture, place, values)


def _put(viewer: Viewer, picture: UploadedPicture, place: Place, values: Mapping[str, Any]) -> None:
    changed = {**dict(zip(("game", "card_code", "side"), place, strict=True)), **values}
    with transaction.atomic():
        _make_room(viewer, place, picture)
        # Of a picture that is gone by now nothing is written back.
        if not UploadedPicture.objects.of(viewer).filter(pk=picture.pk).update(**changed):
            raise Http404
    for name, value in changed.items():
        setattr(picture, name, value)


def claim_pictures(viewer: Viewer) -> int:
    """Make what this browser has brought without an account the account's; how many pictures. What the account has keeps its place.

    Raises Refused when the account has no room for them, or others hold the lock for too long.
    """
    theirs = UploadedPicture.objects.of_browser(viewer)
    # Under the lock of ``add``: what is put at a place meanwhile comes before this or after it.
    with storage.held():
        moved, twice = _moved_along(viewer, theirs)
    # Not before the lock is free, which is taken to give up a file.
    theirs.filter(pk__in=twice).delete()
    return moved


@transaction.atomic
def _moved_along(viewer: Viewer, theirs: PrivateQuerySet[UploadedPicture]) -> tuple[int, list[int]]:
    """(how many are the account's now, which of the others it has already)."""
    pictures, room = room_left(viewer)
    if theirs.count() > pictures or (theirs.aggregate(total=Sum("bytes"))["total"] or 0) > room:
        raise Refused(Fault("quota", "Your account has no room for the pictures of this browser. Delete some first.", "files"))
    mine = list(UploadedPicture.objects.of(viewer).values_list("sha256", "game", "card_code", "side"))
    taken, known = {tuple(place) for _, *place in mine if place[2]}, {sha256 for sha256, *_ in mine}
    moved, twice = 0, []
    for row in theirs:
        is_taken = (row.game, row.card_code, row.side) in taken
        if row.sha256 in known and (not row.side or is_taken):
            # The account has this very picture, which would be used nowhere a second time.
            twice.append(row.pk)
            continue
        side = Side.UNPLACED if is_taken else row.side
        # Of a picture that was deleted meanwhile nothing is written back.
        moved += theirs.filter(pk=row.pk).update(owner=viewer.user_id, browser=None, side=side)
    return moved, twice


def _make_room(viewer: Viewer, place: Place, but: UploadedPicture | None = None) -> None:
    game, code, side = place
    if side:
        there = UploadedPicture.objects.of(viewer).filter(game=game, card_code=code, side=side)
        there.exclude(pk=but.pk if but else None).update(side=Side.UNPLACED)


@receiver(post_delete, sender=UploadedPicture)
def _give_up_file(instance: UploadedPicture, **_: Any) -> None:
    """However a picture goes, also with its owner's account: its file goes with the last that uses it."""
    transaction.on_commit(lambda: remove_unused([instance.sha256]))


def remove_unused(hashes: Iterable[str]) -> None:
    """Take away the files of those of these pictures that nobody has. What cannot be taken away now is left to ``sanity_check --fix``."""
    with contextlib.suppress(Refused), storage.held():
        wanted = set(hashes)
        used = set(UploadedPicture.objects.filter(sha256__in=wanted).values_list("sha256", flat=True))
        for sha256 in wanted - used:
            storage.remove(sha256)
