"""The pictures of an owner stored, put in their places and taken out of them, and how many one may have."""

import contextlib
from collections.abc import Collection, Iterable, Mapping
from typing import Any, NamedTuple

from django.conf import settings
from django.db import transaction
from django.db.models import Max, Sum
from django.http import Http404

from cardsdb.box import picture_store as storage
from cardsdb.box.intake import AS_FOUND, EDGE_OF_BLEED, CleanPicture, bounds_here, settled, take
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
from cardsdb.faults import Fault, Refused
from cardsdb.games.kit import Game, some
from cardsdb.identity.viewer import Viewer
from cardsdb.models import EVERYONE, Everyone, OwnBox, Side, UploadedPicture, Use, owned_by
from cardsdb.models.audit import Event
from cardsdb.models.box import PictureQuerySet, Place
from cardsdb.site.audit import note

Owner = Viewer | Everyone
NOWHERE: Place = ("", "", Side.UNPLACED.value)
# The side for which all pictures of an upload are.
FRONTS, BACKS, ALL_BACKS = "front", "back", "all"
SITE_FULL = (
    "this site has no room left for pictures. Its operator can make some; nothing is wrong with the file."
)


class Quota(NamedTuple):
    """A number of pictures and of their bytes."""

    pictures: int
    bytes: int


def quota_of(owner: Owner) -> Quota:
    """Return what an owner may have. Browsers without an account may come in any number, so that on a
    public site they have less.
    """
    if settings.HTTPS and isinstance(owner, Viewer) and not owner.user_id:
        return Quota(MAX_OF_BROWSER, MAX_STORED_OF_BROWSER)
    return Quota(MAX_PICTURES, MAX_STORED)


def room_left(owner: Owner) -> Quota:
    """Return what this owner may still add."""
    mine, quota = UploadedPicture.objects.of(owner), quota_of(owner)
    return Quota(quota.pictures - mine.count(), quota.bytes - _bytes(mine))


def _bytes(rows: PictureQuerySet) -> int:
    return rows.aggregate(total=Sum("bytes"))["total"] or 0


def fits_on_site(size: int) -> bool:
    """Say whether the site still takes so many bytes of pictures, of all its visitors together. One file
    of several owners counts once.
    """
    most = int(settings.CUTOUT_PICTURES_MEGABYTES) * MEGABYTE - size
    rows = UploadedPicture.objects.all_owners("counted for the site's bound").order_by()
    if _bytes(rows) <= most:
        return True
    # Which rows share a file takes time to find, and matters only near the bound.
    distinct = rows.values("sha256").annotate(size=Max("bytes"))
    return (distinct.aggregate(total=Sum("size"))["total"] or 0) <= most


def refuse_without_room(
    owner: Owner, pictures: int, size: int, label: str = "", is_stored: bool = False
) -> None:
    """Raise Refused where so many new pictures of so many bytes have no room; ``label`` is that of one that
    comes by itself.

    ``is_stored``: their files are on the site already, and take no more of it.
    """
    left, quota = Quota(*(max(0, rest) for rest in room_left(owner))), quota_of(owner)
    if pictures > left.pictures:
        room = f"there is room for {left.pictures:,} more, and {quota.pictures:,} are the most"
        code, why = "too_many", f"{some(pictures, 'picture')} came, but {room}. Delete some first."
    elif size > left.bytes:
        room = f"there is room for {left.bytes / MEGABYTE:,.1f} MB more"
        most = f"{quota.bytes // MEGABYTE:,} MB are the most. Delete some first, or save them smaller."
        code, why = "quota", f"{size / MEGABYTE:,.1f} MB are needed, but {room}, and {most}"
    elif size and not is_stored and not fits_on_site(size):
        code, why = "site_full", SITE_FULL
    else:
        return
    begin, field = (label, "files") if label else ("Nothing was kept", "file")
    raise Refused(Fault(code, f"{begin}: {why}", field), status=507 if code == "site_full" else 400)


def add(
    viewer: Viewer, taken: CleanPicture, label: str, place: Place = NOWHERE, **values: Any
) -> tuple[UploadedPicture, bool]:
    """(the picture, whether it is new to this visitor). A picture that was in its place stays, without a
    place.

    The same file is the same picture: rows that the visitor has of it stay as they are, and one without a
    place gets this place. It becomes another row only for a card that did not show it. Raises Refused when
    the visitor or the server has no room left; then nothing is stored.
    """
    sha256 = taken.sha256
    with storage.locked():
        if before := _same(viewer, sha256, place):
            # An upload restores a file that was lost.
            storage.keep(sha256, taken.parts)
            return before, False
        refuse_without_room(viewer, 1, taken.bytes, label, is_stored=storage.has(sha256))
        fresh = storage.keep(sha256, taken.parts)
        try:
            with transaction.atomic():
                _make_room(viewer, place)
                made = picture_row(viewer, taken, label, place, values)
                made.save(force_insert=True)
        except BaseException:
            storage.discard(fresh)
            raise
        return made, True


def picture_row(
    owner: Owner, taken: CleanPicture, label: str, place: Place, values: Mapping[str, Any]
) -> UploadedPicture:
    """The row of a new picture, not stored yet. ``values``: further columns, such as those that are
    ``settled``.
    """
    facts = ("sha256", "kind", "width", "height", "bytes", "turn", "mirrored", "edge_colour")
    columns = owned_by(owner) | _columns_of(place) | {name: getattr(taken, name) for name in facts}
    return UploadedPicture(label=label[:120], **columns | dict(values))


def _columns_of(place: Place) -> dict[str, Any]:
    return dict(zip(("game", "card_code", "side"), place, strict=True))


def _same(viewer: Viewer, sha256: str, place: Place) -> UploadedPicture | None:
    """The row of the same file that this visitor has at this place; one without a place is put there."""
    mine = list(UploadedPicture.objects.of(viewer).filter(sha256=sha256))
    if not place[2]:
        return next((one for one in mine if one.side), mine[0] if mine else None)
    there = next((one for one in mine if one.place == place), None)
    loose = next((one for one in mine if not one.side), None)
    if there is None and loose is not None:
        _put(viewer, loose, place, {})
    return there or loose


def clean_of_card(file: Any) -> CleanPicture:
    """The picture of a card that was sent in its form, looked at and not stored. Raises Refused, at the field
    ``picture``.
    """
    bounds = bounds_here()
    try:
        return take(file.read(bounds.bytes + 1), file.size or 0, bounds=bounds)
    except Rejected as error:
        message = f"{shown_name(file.name or '')} {error.message}"
        raise Refused(Fault(error.code, message, "picture")) from None


def add_of_card(viewer: Viewer, game: Game, code: str, clean: CleanPicture, label: str) -> None:
    """Store the picture of a card's front, in place of the one before, which is deleted. Raises Refused."""
    place = (game.slug, code, Side.FRONT.value)
    mine = UploadedPicture.objects.of(viewer)
    before = [row.pk for row in mine.filter(**_columns_of(place))]
    made, _ = add(viewer, clean, shown_name(label), place, **settled(AS_FOUND, clean, game, Side.FRONT))
    mine.filter(pk__in=before).exclude(pk=made.pk).delete()


def forget_of_cards(box: OwnBox, game: str, codes: Iterable[str]) -> None:
    """Delete the pictures that the owner of a box has of these cards."""
    UploadedPicture.objects.of(box.whose).filter(game=game, card_code__in=list(codes)).delete()


def forget_pictures(owner: Owner, game_slug: str = "") -> int:
    """Delete this owner's pictures, or those of one game; how many."""
    mine = UploadedPicture.objects.of(owner)
    with transaction.atomic():
        number = (mine.filter(game=game_slug) if game_slug else mine).delete()[0]
        if number:
            account = owner.user_id if isinstance(owner, Viewer) else None
            note(Event.DELETED, account, thing="pictures", detail=f"{number} of them")
        return number


@transaction.atomic
def change_pictures(owner: Owner, game: Game, use: str, bleed: str) -> int:
    """Change this owner's pictures of a game: ``use`` is card, art or shape; ``bleed`` that was found is cut
    or kept. How many changed.
    """
    mine = UploadedPicture.objects.of(owner).placed().filter(game=game.slug)
    fronts, changed = mine.filter(side=Side.FRONT), set[int]()

    def update(rows: PictureQuerySet, **values: str) -> None:
        changed.update(pks := list(rows.exclude(**values).values_list("pk", flat=True)))
        mine.filter(pk__in=pks).update(**values)

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
    """The name of a file, without characters that cannot be shown."""
    return "".join(char for char in name if char.isprintable())[:80] or "a file without a name"


def put(viewer: Viewer, picture: UploadedPicture, place: Place, **values: Any) -> None:
    """Print this picture there from now on, with these values. A picture that was there loses its place."""
    # Under the lock of ``add``: the second of two pictures at one place sees the first.
    with storage.locked():
        _put(viewer, picture, place, values)


def _put(viewer: Viewer, picture: UploadedPicture, place: Place, values: Mapping[str, Any]) -> None:
    changed = {**_columns_of(place), **values}
    with transaction.atomic():
        _make_room(viewer, place, picture)
        # A picture that was deleted meanwhile is not written back.
        if not UploadedPicture.objects.of(viewer).filter(pk=picture.pk).update(**changed):
            raise Http404
    for name, value in changed.items():
        setattr(picture, name, value)


def claim_pictures(viewer: Viewer, codes: Collection[str] | None = None) -> int:
    """Make the pictures of this browser, or of these cards, the account's; how many. Pictures that the
    account has keep their places.

    Raises Refused when the account has no room for them, or others hold the lock for too long.
    """
    theirs = UploadedPicture.objects.of_browser(viewer)
    if codes is not None:
        theirs = theirs.filter(card_code__in=codes)
        if not theirs.exists():
            return 0
    # Under the lock of ``add``, so that a picture is placed before this or after it.
    with storage.locked():
        moved, twice = _moved_along(viewer, theirs)
    # After the lock is free: deleting a file takes it again.
    theirs.filter(pk__in=twice).delete()
    return moved


@transaction.atomic
def _moved_along(viewer: Viewer, theirs: PictureQuerySet) -> tuple[int, list[int]]:
    """(how many are the account's now, which of the others it has already)."""
    pictures, room = room_left(viewer)
    if theirs.count() > pictures or _bytes(theirs) > room:
        message = "Your account has no room for the pictures of this browser. Delete some first."
        raise Refused(Fault("quota", message, "files"))
    mine = list(UploadedPicture.objects.of(viewer))
    taken, known = {row.place for row in mine if row.side}, {row.sha256 for row in mine}
    moved, twice = 0, []
    for row in theirs:
        is_taken = row.place in taken
        if row.sha256 in known and (not row.side or is_taken):
            # The account has this very picture, and a second one would have no place.
            twice.append(row.pk)
            continue
        side = Side.UNPLACED if is_taken else row.side
        # A picture that was deleted meanwhile is not written back.
        moved += theirs.filter(pk=row.pk).update(owner=viewer.user_id, browser=None, side=side)
    return moved, twice


def _make_room(viewer: Viewer, place: Place, but: UploadedPicture | None = None) -> None:
    if place[2]:
        there = UploadedPicture.objects.of(viewer).filter(**_columns_of(place))
        there.exclude(pk=but.pk if but else None).update(side=Side.UNPLACED)


def give_up_file(instance: UploadedPicture, **_: Any) -> None:
    """Delete the file of a deleted picture if no other uses it, also when the picture goes with its owner's
    account.
    """
    if instance.everyone:
        note_change(EVERYONE)
    transaction.on_commit(lambda: remove_unused([instance.sha256]))


def note_change(owner: Owner) -> None:
    """Note that pictures have changed: pages of a private site are stored by the state of everyone's box.

    Nothing is stored by that of one's own but what is found in its texts and cards, which stays as it is.
    """
    if isinstance(owner, Everyone):
        box_for_everyone().changed()


def remove_unused(hashes: Iterable[str]) -> None:
    """Delete the files of these pictures that no row names any more. What cannot be deleted now is left to
    ``sanity_check --fix``.
    """
    with contextlib.suppress(Refused), storage.locked():
        wanted = set(hashes)
        for sha256 in wanted - used_files(wanted):
            storage.remove(sha256)


def used_files(hashes: Iterable[str]) -> set[str]:
    """The hashes of those of these pictures that a row names."""
    rows = UploadedPicture.objects.all_owners("files that rows use").filter(sha256__in=set(hashes))
    return set(rows.values_list("sha256", flat=True))
