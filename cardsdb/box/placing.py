"""Write own pictures: store them, put them on cards, take them off, and check how many an owner may have.

A ``Place`` (game, card code, side) holds one picture of an owner. A picture that loses its place is kept
without one. ``add``, ``put`` and ``claim_pictures`` take the lock ``picture_store.locked``, so that files and
rows agree; the functions of the last section expect that their caller holds it.

Called by ``jobs.py``, ``sets.py``, ``taking_in.py``, ``cardsdb/web/own_sets.py`` and ``printing/web``; the
app ``printing`` connects ``give_up_file`` to a signal. Tests: ``tests/cardsdb/box/test_placing.py``; in
``tests/printing/web``, of packages ``test_package_pictures.py`` and of own cards ``test_own_cards.py``.
"""

import contextlib
from collections.abc import Collection, Iterable, Mapping
from typing import Any, NamedTuple

from django.conf import settings
from django.db import transaction
from django.db.models import Max, Sum
from django.http import Http404

from cardsdb.box import picture_store as storage
from cardsdb.box.intake import CleanPicture, bounds_here, take
from cardsdb.box.picture_files.bounds import (
    MAX_OF_BROWSER,
    MAX_PICTURES,
    MAX_STORED,
    MAX_STORED_OF_BROWSER,
    MEGABYTE,
    Rejected,
)
from cardsdb.box.picture_files.ref import UNSEEN, shape_of, upright
from cardsdb.box.texts import box_for_everyone
from cardsdb.box.wish import AS_FOUND, EDGE_OF_BLEED, settled
from cardsdb.faults import Fault, Refused
from cardsdb.games.kit import Game, some
from cardsdb.identity.viewer import Viewer
from cardsdb.models import EVERYONE, Everyone, OwnBox, Side, UploadedPicture, Use, owned_by
from cardsdb.models.audit import Event
from cardsdb.models.box import PictureQuerySet, Place
from cardsdb.site.audit import note

Owner = Viewer | Everyone
NOWHERE = Place("", "", Side.UNPLACED.value)
# The values of an upload's setting "which side do these pictures show": the side of single cards, or the back
# of all.
FRONTS = "front"
BACKS = "back"
ALL_BACKS = "all"
# Characters of a picture's label, as in the model.
MAX_LABEL = 120
SITE_FULL = (
    "this site has no room left for pictures. Its operator can make some; nothing is wrong with the file."
)


class Quota(NamedTuple):
    """A number of pictures and of their bytes."""

    pictures: int
    bytes: int


def quota_of(owner: Owner) -> Quota:
    """The most that an owner may have. On a public site, browsers without an account get less, because one
    person can use any number of them.
    """
    if settings.HTTPS and isinstance(owner, Viewer) and not owner.user_id:
        return Quota(MAX_OF_BROWSER, MAX_STORED_OF_BROWSER)
    return Quota(MAX_PICTURES, MAX_STORED)


def room_left(owner: Owner) -> Quota:
    """The number and bytes of pictures that this owner may still add."""
    mine, quota = UploadedPicture.objects.of(owner), quota_of(owner)
    return Quota(quota.pictures - mine.count(), quota.bytes - _bytes(mine))


def _bytes(rows: PictureQuerySet) -> int:
    return rows.aggregate(total=Sum("bytes"))["total"] or 0


def fits_on_site(size: int) -> bool:
    """True if the site has room for this many more bytes. A file shared by several owners counts once."""
    most = int(settings.CUTOUT_PICTURES_MEGABYTES) * MEGABYTE - size
    rows = UploadedPicture.objects.all_owners("counted for the site's bound").order_by()
    if _bytes(rows) <= most:
        return True
    # Finding shared files is slow, and only matters near the limit.
    distinct = rows.values("sha256").annotate(size=Max("bytes"))
    return (distinct.aggregate(total=Sum("size"))["total"] or 0) <= most


def refuse_without_room(
    owner: Owner, pictures: int, size: int, label: str = "", is_stored: bool = False
) -> None:
    """Raise Refused if there is no room for so many new pictures of so many bytes. ``label`` names a single
    picture in the message.

    ``is_stored``: the site has their files already, so they need no more of its room.
    """
    quota = quota_of(owner)
    left = room_left(owner)
    pictures_left, bytes_left = max(0, left.pictures), max(0, left.bytes)
    if pictures > pictures_left:
        room = f"there is room for {pictures_left:,} more, and {quota.pictures:,} are the most"
        code, why = "too_many", f"{some(pictures, 'picture')} came, but {room}. Delete some first."
    elif size > bytes_left:
        room = f"there is room for {bytes_left / MEGABYTE:,.1f} MB more"
        most = f"{quota.bytes // MEGABYTE:,} MB are the most. Delete some first, or save them smaller."
        code, why = "quota", f"{size / MEGABYTE:,.1f} MB are needed, but {room}, and {most}"
    elif size and not is_stored and not fits_on_site(size):
        code, why = "site_full", SITE_FULL
    else:
        return
    # The page of pictures has the field "files", that of packages "file".
    begin, field = (label, "files") if label else ("Nothing was kept", "file")
    raise Refused(Fault(code, f"{begin}: {why}", field), status=507 if code == "site_full" else 400)


# -- storing -----------------------------------------------------------------------------


def add(
    viewer: Viewer, clean: CleanPicture, label: str, place: Place = NOWHERE, **values: Any
) -> tuple[UploadedPicture, bool]:
    """Store a picture and return (its row, whether it is new to this visitor).

    The same file is the same picture: a row that the visitor has of it is returned unchanged, and put at
    ``place`` if it had none (``_known_picture``). A further row is made only for another card. The picture
    that was at ``place`` stays without a place. Raises Refused if the visitor or the server has no room; then
    nothing is stored.
    """
    sha256 = clean.sha256
    with storage.locked():
        if known := _known_picture(viewer, sha256, place):
            if place.side and not known.side:
                _put(viewer, known, place, {})
            # The file may have been lost since; then this upload restores it.
            storage.keep(sha256, clean.parts)
            return known, False
        refuse_without_room(viewer, 1, clean.bytes, label, is_stored=storage.has(sha256))
        new_files = storage.keep(sha256, clean.parts)
        try:
            with transaction.atomic():
                _clear(viewer, place)
                made = picture_row(viewer, clean, label, place, values)
                made.save(force_insert=True)
        except BaseException:
            storage.discard(new_files)
            raise
        return made, True


def picture_row(
    owner: Owner, clean: CleanPicture, label: str, place: Place, values: Mapping[str, Any]
) -> UploadedPicture:
    """Return the unsaved row of a new picture. ``values``: further columns, as from ``settled``."""
    facts = ("sha256", "kind", "width", "height", "bytes", "turn", "mirrored", "edge_colour")
    columns = owned_by(owner) | place._asdict() | {name: getattr(clean, name) for name in facts}
    return UploadedPicture(label=label[:MAX_LABEL], **columns | dict(values))


def clean_of_card(file: Any) -> CleanPicture:
    """Return the picture posted in an own card's form, cleaned, not stored. Raises Refused (``picture``)."""
    bounds = bounds_here()
    try:
        return take(file.read(bounds.bytes + 1), file.size or 0, bounds=bounds)
    except Rejected as error:
        message = f"{shown_name(file.name or '')} {error.message}"
        raise Refused(Fault(error.code, message, "picture")) from None


def add_of_card(viewer: Viewer, game: Game, code: str, clean: CleanPicture, label: str) -> None:
    """Store the picture of a card's front; the one before is deleted. Raises Refused."""
    place = Place(game.slug, code, Side.FRONT.value)
    mine = UploadedPicture.objects.of(viewer)
    before = [row.pk for row in mine.filter(**place._asdict())]
    made, _ = add(viewer, clean, shown_name(label), place, **settled(AS_FOUND, clean, game, Side.FRONT))
    mine.filter(pk__in=before).exclude(pk=made.pk).delete()


def forget_of_cards(box: OwnBox, game: str, codes: Iterable[str]) -> None:
    """Delete the pictures of these cards that the box's owner has."""
    UploadedPicture.objects.of(box.whose).filter(game=game, card_code__in=list(codes)).delete()


def forget_pictures(owner: Owner, game_slug: str = "") -> int:
    """Delete this owner's pictures, or those of one game; return their number."""
    pictures = UploadedPicture.objects.of(owner)
    if game_slug:
        pictures = pictures.filter(game=game_slug)
    with transaction.atomic():
        number, _ = pictures.delete()
        if number:
            account = owner.user_id if isinstance(owner, Viewer) else None
            note(Event.DELETED, account, thing="pictures", detail=f"{number} of them")
        return number


@transaction.atomic
def change_pictures(owner: Owner, game: Game, use: str, bleed: str) -> int:
    """Change the settings of all the owner's pictures of a game; return how many changed.

    ``use``: "card", "art", or "shape" to decide by each picture's shape, "" to keep. ``bleed``: "cut" or
    "keep" found bleed, "" to leave it.
    """
    mine = UploadedPicture.objects.of(owner).placed().filter(game=game.slug)
    fronts = mine.filter(side=Side.FRONT)
    changed: set[int] = set()

    def update(rows: PictureQuerySet, **values: str) -> None:
        """Give these values to the rows that have others, and note their keys as changed."""
        pks = list(rows.exclude(**values).values_list("pk", flat=True))
        mine.filter(pk__in=pks).update(**values)
        changed.update(pks)

    if use == "shape":
        sizes = ((row.pk, upright(row.width, row.height, row.turn)) for row in fronts)
        cards = [pk for pk, size in sizes if shape_of(size, game.trim, UNSEEN).is_card]
        update(fronts.filter(pk__in=cards), use=Use.CARD)
        update(fronts.exclude(pk__in=cards), use=Use.ART)
    elif use:
        update(fronts, use=use)
    if bleed:
        update(mine.filter(bleed__gt=0), edge=EDGE_OF_BLEED[bleed])
    note_change(owner)
    return len(changed)


def shown_name(name: str) -> str:
    """Return the name of an uploaded file for messages, without unprintable characters."""
    return "".join(char for char in name if char.isprintable())[:80] or "a file without a name"


def put(viewer: Viewer, picture: UploadedPicture, place: Place, **values: Any) -> None:
    """Put a picture on this place, with these values. The picture that was there is kept without a place."""
    # Two requests for one place must come one after the other, so that the second sees the first.
    with storage.locked():
        _put(viewer, picture, place, values)


def claim_pictures(viewer: Viewer, codes: Collection[str] | None = None) -> int:
    """Give the browser's pictures, or those of some cards, to the account; return their number. The account's
    own pictures keep their places.

    Raises Refused if the account has no room, or the lock takes too long.
    """
    theirs = UploadedPicture.objects.of_browser(viewer)
    if codes is not None:
        theirs = theirs.filter(card_code__in=codes)
        if not theirs.exists():
            return 0
    # Under the lock of ``add``, so that no picture is placed in between.
    with storage.locked():
        claimed = _give_pictures(viewer, theirs)
    # Deleting a row deletes its file, which takes the lock again.
    theirs.filter(pk__in=claimed.copies).delete()
    return claimed.moved


# -- files that are no longer used -------------------------------------------------------


def give_up_file(instance: UploadedPicture, **_: Any) -> None:
    """Delete the file of a deleted picture if no other row uses it. A signal calls this, so it also covers
    accounts that are deleted with their pictures.
    """
    if instance.everyone:
        note_change(EVERYONE)
    transaction.on_commit(lambda: remove_unused([instance.sha256]))


def note_change(owner: Owner) -> None:
    """Renew the cached pages of a private site after a change of everyone's pictures. For any other owner do
    nothing: what is cached by a person's box depends only on its texts and cards.
    """
    if isinstance(owner, Everyone):
        box_for_everyone().changed()


def remove_unused(hashes: Iterable[str]) -> None:
    """Delete the files of these pictures that no row uses. Files that cannot be deleted now are found later
    by ``sanity_check --fix``.
    """
    with contextlib.suppress(Refused), storage.locked():
        wanted = set(hashes)
        for sha256 in wanted - used_files(wanted):
            storage.remove(sha256)


def used_files(hashes: Iterable[str]) -> set[str]:
    """Return those of these hashes that some row uses."""
    rows = UploadedPicture.objects.all_owners("files that rows use").filter(sha256__in=set(hashes))
    return set(rows.values_list("sha256", flat=True))


# -- steps under the lock of the caller --------------------------------------------------


def _known_picture(viewer: Viewer, sha256: str, place: Place) -> UploadedPicture | None:
    """Return the visitor's row of this file that a new upload of it for ``place`` means; None if it needs a
    new row.

    For a place with a side: the row at this place, else one without a place; not one on another card. For a
    place without a side: any row, preferably one with a place.
    """
    pictures = list(UploadedPicture.objects.of(viewer).filter(sha256=sha256))
    placed = [picture for picture in pictures if picture.side]
    unplaced = [picture for picture in pictures if not picture.side]
    if place.side:
        placed = [picture for picture in placed if picture.place == place]
    candidates = placed + unplaced
    return candidates[0] if candidates else None


def _put(viewer: Viewer, picture: UploadedPicture, place: Place, values: Mapping[str, Any]) -> None:
    """Put a picture on a place, as ``put`` does. Raises Http404 if the picture is gone."""
    changed = place._asdict() | dict(values)
    with transaction.atomic():
        _clear(viewer, place, picture)
        # The picture may have been deleted meanwhile; ``save`` would write it back.
        if not UploadedPicture.objects.of(viewer).filter(pk=picture.pk).update(**changed):
            raise Http404
    for name, value in changed.items():
        setattr(picture, name, value)


def _clear(viewer: Viewer, place: Place, next_picture: UploadedPicture | None = None) -> None:
    """Take the picture that is at this place off it, unless it is ``next_picture``, which belongs there. A
    place without a side has no picture.
    """
    if place.side:
        others = UploadedPicture.objects.of(viewer).filter(**place._asdict())
        if next_picture:
            others = others.exclude(pk=next_picture.pk)
        others.update(side=Side.UNPLACED)


class _Claimed(NamedTuple):
    """The number of pictures that moved to the account, and the keys of ``copies``, which stay with the
    browser: the account has the same file, and they would have no place there.
    """

    moved: int
    copies: list[int]


@transaction.atomic
def _give_pictures(viewer: Viewer, theirs: PictureQuerySet) -> _Claimed:
    """Give the browser's pictures to the account. One whose place is filled in the account loses its place.
    Raises Refused if not all fit.
    """
    room = room_left(viewer)
    if theirs.count() > room.pictures or _bytes(theirs) > room.bytes:
        message = "Your account has no room for the pictures of this browser. Delete some first."
        raise Refused(Fault("quota", message, "files"))
    mine = list(UploadedPicture.objects.of(viewer))
    filled_places = {picture.place for picture in mine if picture.side}
    files = {picture.sha256 for picture in mine}
    moved, copies = 0, []
    for picture in theirs:
        keeps_place = picture.side and picture.place not in filled_places
        if picture.sha256 in files and not keeps_place:
            copies.append(picture.pk)
            continue
        side = picture.side if keeps_place else Side.UNPLACED
        # As in ``_put``: never write back a row that was deleted meanwhile.
        moved += theirs.filter(pk=picture.pk).update(owner=viewer.user_id, browser=None, side=side)
    return _Claimed(moved, copies)
