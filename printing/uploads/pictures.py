"""The pictures of a visitor: adding one, placing them, deleting them, and those that a print job uses."""

from __future__ import annotations

import contextlib
import zlib
from collections.abc import Collection, Iterable, Mapping
from typing import Any

from django.db import transaction
from django.db.models import Count, Sum
from django.http import Http404
from django.urls import reverse

from cardsdb.catalogue.current import games
from cardsdb.faults import Fault, Refused
from cardsdb.games.kit import Card, Game
from cardsdb.games.kit.model.cards import OWN_CODE
from cardsdb.identity.viewer import Viewer
from cardsdb.models import OwnBox, OwnCard
from cardsdb.models.audit import Event
from cardsdb.models.owned import OwnedQuerySet
from cardsdb.own.sets import cards_in, in_its_set
from cardsdb.own.texts import box_for_everyone
from cardsdb.site.audit import note
from printing.faces.own_pictures import has_window
from printing.models import EVERYONE, Everyone, Side, UploadedPicture, Use, owned_by
from printing.models.private import PictureQuerySet
from printing.pictures.limits import MAX_BYTES, Rejected
from printing.pictures.matching import OwnNames
from printing.pictures.ref import PictureRef
from printing.pictures.shape import UNSEEN, shape_of, upright
from printing.uploads import storage
from printing.uploads.intake import CleanPicture, take
from printing.uploads.quota import refuse_without_room, room_left
from printing.uploads.wishes import AS_FOUND, EDGE_OF_BLEED, settled

Place = tuple[str, str, str]
AT_ONCE = 500
NOWHERE: Place = ("", "", Side.UNPLACED.value)
# The side for which all pictures of an upload are.
FRONTS, BACKS, ALL_BACKS = "front", "back", "all"


def own_cards_of(rows: Iterable[UploadedPicture]) -> Mapping[str, Card]:
    """Code -> the card, of somebody's own, that a picture of theirs is of. One query, none where there are no
    such pictures.
    """
    codes = {row.card_code for row in rows if row.card_code.startswith(OWN_CODE)}
    cards = OwnCard.objects.all_owners("a picture is only ever put onto a card of its own owner").filter(
        code__in=codes
    )
    found = cards.select_related("in_set") if codes else ()
    return {row.code: in_its_set(row) for row in found}


def ref_of(picture: UploadedPicture, own: Card | None = None) -> PictureRef:
    """The picture as printing knows it. On a face without a window it is the whole card, whatever was wished.

    ``own``: the card that it is of, where that is somebody's own.
    """
    game = games().get(picture.game)
    in_window = (
        picture.use == Use.ART
        and game is not None
        and has_window(game, picture.card_code, own.type if own else "")
    )
    whole = (0, 0, 1000, 1000)
    return PictureRef(
        sha256=picture.sha256,
        kind=picture.kind,  # type: ignore[arg-type]
        width=picture.width,
        height=picture.height,
        files=storage.store(),
        address=reverse("picture_file", args=[picture.sha256]),
        turn=picture.turn,
        mirrored=picture.mirrored,
        crop=tuple(picture.crop) if len(picture.crop) == len(whole) else whole,  # type: ignore[arg-type]
        fit=picture.fit,  # type: ignore[arg-type]
        edge=picture.edge,  # type: ignore[arg-type]
        bleed=picture.bleed,
        label=picture.label,
        use="art" if in_window else "card",
    )


def pictures_of(
    viewer: Viewer, game: Game, codes: Collection[str] | None = None
) -> Mapping[tuple[str, str], PictureRef]:
    """(card's code, front or back) -> the picture this visitor sees for it: their own, else everyone's on a
    private site.

    The code is empty for the back of all cards. Of some cards, or all. One query.
    """
    rows = UploadedPicture.objects.visible_to(viewer).filter(game=game.slug).exclude(side=Side.UNPLACED)
    if codes is not None:
        rows = rows.filter(card_code__in=codes)
    own = own_cards_of(rows)
    return {(row.card_code, row.side): ref_of(row, own.get(row.card_code)) for row in rows}


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
                return made, True
        except BaseException:
            storage.discard(fresh)
            raise


def picture_row(
    owner: Viewer | Everyone, taken: CleanPicture, label: str, place: Place, values: Mapping[str, Any]
) -> UploadedPicture:
    """The row of a new picture, not stored yet. ``values``: further columns, such as those that are
    ``settled``.
    """
    game, code, side = place
    columns = {
        **owned_by(owner),
        "game": game,
        "card_code": code,
        "side": side,
        "label": label[:120],
        "sha256": taken.sha256,
        "kind": taken.kind,
        "width": taken.width,
        "height": taken.height,
        "bytes": taken.bytes,
        "turn": taken.turn,
        "mirrored": taken.mirrored,
    }
    return UploadedPicture(**columns | values)


def _same(viewer: Viewer, sha256: str, place: Place) -> UploadedPicture | None:
    """The row of the same file that this visitor has at this place; one without a place is put there."""
    mine = list(UploadedPicture.objects.of(viewer).filter(sha256=sha256))
    if not place[2]:
        return next((one for one in mine if one.side), mine[0] if mine else None)
    there = next((one for one in mine if (one.game, one.card_code, one.side) == place), None)
    loose = next((one for one in mine if not one.side), None)
    if there is None and loose is not None:
        _put(viewer, loose, place, {})
    return there or loose


def pictures_on_pages(viewer: Viewer, game: Game, codes: Collection[str]) -> Mapping[str, PictureRef]:
    """Card code -> the picture of its front that this visitor sees, from the small copy, for some cards. One
    query.
    """
    return {
        code: ref._replace(address=reverse("picture_small", args=[ref.sha256]))
        for (code, side), ref in pictures_of(viewer, game, codes).items()
        if side == Side.FRONT
    }


def picture_states(viewer: Viewer, codes: Collection[str]) -> Mapping[tuple[str, str], int]:
    """(game, card code) -> a number that is another when the picture of its front is, for cards of these
    codes. One query.
    """
    rows = UploadedPicture.objects.visible_to(viewer).filter(card_code__in=codes, side=Side.FRONT)
    looks = rows.values_list(
        "game", "card_code", "sha256", "use", "edge", "bleed", "crop", "turn", "mirrored", "fit"
    )
    return {(game, code): zlib.crc32(repr(look).encode()) for game, code, *look in looks}


def has_pictures(viewer: Viewer) -> bool:
    """Whether this visitor sees any picture of a card's front. One query."""
    return UploadedPicture.objects.visible_to(viewer).filter(side=Side.FRONT).order_by().exists()


def clean_of_card(file: Any) -> CleanPicture:
    """The picture of a card that was sent in its form, looked at and not stored. Raises Refused, at the field
    ``picture``.
    """
    try:
        return take(file.read(MAX_BYTES + 1), file.size or 0)
    except Rejected as error:
        raise Refused(
            Fault(error.code, f"{shown_name(file.name or '')} {error.message}", "picture")
        ) from None


def add_of_card(viewer: Viewer, game: Game, code: str, clean: CleanPicture, label: str) -> None:
    """Store the picture of a card's front, in place of the one before, which is deleted. Raises Refused."""
    place = (game.slug, code, Side.FRONT.value)
    before = list(
        UploadedPicture.objects.of(viewer)
        .filter(game=game.slug, card_code=code, side=Side.FRONT)
        .values_list("pk", flat=True)
    )
    made, _ = add(viewer, clean, shown_name(label), place, **settled(AS_FOUND, clean, game, Side.FRONT))
    UploadedPicture.objects.of(viewer).filter(pk__in=before).exclude(pk=made.pk).delete()


def forget_of_cards(box: OwnBox, game: str, codes: Iterable[str]) -> None:
    """Delete the pictures that the owner of a box has of these cards."""
    owner = EVERYONE if box.everyone else Viewer(box.owner_id, browser=box.browser or "")
    codes = list(codes)
    for start in range(0, len(codes), AT_ONCE):
        UploadedPicture.objects.of(owner).filter(
            game=game, card_code__in=codes[start : start + AT_ONCE]
        ).delete()


def own_names(owner: Viewer | Everyone, game: Game) -> OwnNames:
    """The owner's cards of a game that are their own, to find by the names of files. One query."""
    boxes = OwnBox.objects.for_everyone() if isinstance(owner, Everyone) else OwnBox.objects.of(owner)
    return OwnNames(cards_in(boxes.first(), game))


def pictures_by_game(owner: Viewer | Everyone) -> Mapping[str, int]:
    """Game -> how many pictures of its cards this owner has."""
    rows = UploadedPicture.objects.of(owner).exclude(game="").order_by("game").values_list("game")
    return dict(rows.annotate(number=Count("pk")))


def forget_pictures(owner: Viewer | Everyone, game_slug: str = "") -> int:
    """Delete this owner's pictures, or those of one game; how many."""
    mine = UploadedPicture.objects.of(owner)
    with transaction.atomic():
        number = (mine.filter(game=game_slug) if game_slug else mine).delete()[0]
        if number:
            note(
                Event.DELETED,
                owner.user_id if isinstance(owner, Viewer) else None,
                thing="pictures",
                detail=f"{number} of them",
            )
        return number


@transaction.atomic
def change_pictures(owner: Viewer | Everyone, game: Game, use: str = "", bleed: str = "") -> int:
    """Change this owner's pictures of a game: ``use`` is card, art or shape; ``bleed`` that was found is cut
    or kept. How many changed.
    """
    mine = UploadedPicture.objects.of(owner).filter(game=game.slug).exclude(side=Side.UNPLACED)
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
    changed = {**dict(zip(("game", "card_code", "side"), place, strict=True)), **values}
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
def _moved_along(viewer: Viewer, theirs: OwnedQuerySet[UploadedPicture]) -> tuple[int, list[int]]:
    """(how many are the account's now, which of the others it has already)."""
    pictures, room = room_left(viewer)
    if theirs.count() > pictures or (theirs.aggregate(total=Sum("bytes"))["total"] or 0) > room:
        raise Refused(
            Fault(
                "quota",
                "Your account has no room for the pictures of this browser. Delete some first.",
                "files",
            )
        )
    mine = list(UploadedPicture.objects.of(viewer).values_list("sha256", "game", "card_code", "side"))
    taken, known = {tuple(place) for _, *place in mine if place[2]}, {sha256 for sha256, *_ in mine}
    moved, twice = 0, []
    for row in theirs:
        is_taken = (row.game, row.card_code, row.side) in taken
        if row.sha256 in known and (not row.side or is_taken):
            # The account has this very picture, and a second one would have no place.
            twice.append(row.pk)
            continue
        side = Side.UNPLACED if is_taken else row.side
        # A picture that was deleted meanwhile is not written back.
        moved += theirs.filter(pk=row.pk).update(owner=viewer.user_id, browser=None, side=side)
    return moved, twice


def _make_room(viewer: Viewer, place: Place, but: UploadedPicture | None = None) -> None:
    game, code, side = place
    if side:
        there = UploadedPicture.objects.of(viewer).filter(game=game, card_code=code, side=side)
        there.exclude(pk=but.pk if but else None).update(side=Side.UNPLACED)


def give_up_file(instance: UploadedPicture) -> None:
    """Delete the file of a deleted picture if no other uses it, also when the picture goes with its owner's
    account.
    """
    if instance.everyone:
        note_change(EVERYONE)
    transaction.on_commit(lambda: remove_unused([instance.sha256]))


def note_change(owner: Viewer | Everyone) -> None:
    """Note that pictures have changed: pages of a private site are stored by the state of everyone's box.

    Nothing is stored by that of one's own but what is found in its texts and cards, which stays as it is.
    """
    if isinstance(owner, Everyone):
        box_for_everyone().changed()


def remove_unused(hashes: Iterable[str]) -> None:
    """Delete the files of these pictures that nobody has any more. What cannot be deleted now is left to
    ``sanity_check --fix``.
    """
    with contextlib.suppress(Refused), storage.locked():
        wanted = set(hashes)
        all_pictures = UploadedPicture.objects.all_owners("whether anybody uses a file")
        used = set(all_pictures.filter(sha256__in=wanted).values_list("sha256", flat=True))
        for sha256 in wanted - used:
            storage.remove(sha256)


class _Store:
    """What pages and sets of one's own know of pictures (cardsdb.own.pictures)."""

    on_pages, states, has_any = (
        staticmethod(pictures_on_pages),
        staticmethod(picture_states),
        staticmethod(has_pictures),
    )
    clean, add, forget = staticmethod(clean_of_card), staticmethod(add_of_card), staticmethod(forget_of_cards)
    claim = staticmethod(claim_pictures)


STORE = _Store()
