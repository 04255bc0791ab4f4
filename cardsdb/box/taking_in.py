"""A report taken in: texts, cards of a set, choices and pictures are written together, or nothing is."""

from __future__ import annotations

import json
from collections.abc import Callable, Iterator, Mapping
from contextlib import contextmanager, suppress

from django.db import transaction
from django.utils import timezone

from cardsdb.box import picture_store as storage
from cardsdb.box.comparing import Report
from cardsdb.box.intake import AS_FOUND, Wish, hash_of, settled, take
from cardsdb.box.package_pictures import in_words
from cardsdb.box.picture_files.bounds import Rejected
from cardsdb.box.placing import Place, note_change, picture_row, refuse_without_room, used_files
from cardsdb.box.reading.container import MAX_PICTURE
from cardsdb.box.texts import box_for_everyone, box_of, check_room, locked, remember
from cardsdb.faults import SOON, Fault, Refused
from cardsdb.games.kit.model.text import some
from cardsdb.identity.viewer import Viewer
from cardsdb.models import Everyone, OwnBox, OwnText, Side, UploadedPicture

AT_ONCE = 500
# How often a file is compared with a box that others change meanwhile.
TRIES = 5
BUSY = (
    "Your texts were changed elsewhere again and again while this was compared. Nothing was kept; try again"
    " in a minute."
)
_GONE = "Some pictures were deleted elsewhere while these were taken in. Nothing was kept; try again."


class BoxChanged(Exception):
    """The box is not as it was compared."""


def take_in(
    compared: Callable[[], Report],
    owner: Viewer | Everyone,
    wish: Wish = AS_FOUND,
    progress: Callable[[int], None] = lambda pictures: None,
    then: Callable[[Report], None] = lambda report: None,
) -> Report:
    """Compare, take in rows and pictures in one transaction, and do what comes ``then``; compare anew where
    others changed the box in between. Returns the report that was taken in. Raises BadPackage and Refused.

    Rows are compared, and pictures read one at a time, before anything is locked; what fails takes their
    files away again.
    """
    report, again = compared(), 1
    placed, new = report.pictures, {values["code"] for values in report.own.made} if report.own else set()
    if report.own and not report.own.into.is_sure:
        # Their cards are not made.
        placed.places = {place: name for place, name in placed.places.items() if place[1] not in new}
    with ready_pictures(owner, report, wish, progress) as ready, storage.locked():
        while True:
            with suppress(BoxChanged):
                with transaction.atomic():
                    add(report, box_for_everyone() if isinstance(owner, Everyone) else box_of(owner))
                    _write_pictures(owner, ready)
                    then(report)
                return report
            # Compared anew, the cards would have other codes than their pictures.
            if again == TRIES or new.intersection(code for _, code, _ in placed.places):
                raise Refused(Fault("busy", BUSY, "file"), status=503, wait=SOON)
            report, again = compared(), again + 1
            report.pictures = placed


@transaction.atomic
def add(report: Report, box: OwnBox) -> None:
    """Write what is new or changed into the box, and remember what was chosen, all of it or nothing.

    Raises BoxChanged where the box is not as it was compared, Refused where there is no room.
    """
    fresh = sorted((*report.added, *report.changed))
    own = report.own
    rows = own if own and own.into.is_sure and (own.made or own.changed) else None
    if fresh or rows:
        if locked(box).state != report.state:
            raise BoxChanged
        if rows:
            rows.write(box)
        news, now = [report.texts[code] for code in fresh], timezone.now()
        check_room(
            box, len(report.added), sum(len(new.text) + len(json.dumps(dict(new.facts))) for new in news)
        )
        written = [
            OwnText(
                box=box,
                game=report.game.slug,
                card_code=code,
                text=new.text,
                facts=dict(new.facts),
                source=report.package.name[:120],
                changed=now,
            )
            for code, new in zip(fresh, news, strict=True)
        ]
        OwnText.objects.bulk_create(
            written,
            batch_size=AT_ONCE,
            update_conflicts=True,
            update_fields=["text", "facts", "source", "changed"],
            unique_fields=["box", "game", "card_code"],
        )
        box.changed()
    remember(box, report.game, report.chosen)


def words_of(report: Report) -> str:
    """Return what was taken in, as a sentence."""
    own, parts = report.own, list[str]()
    if own and own.into.is_sure:
        changed = f", {len(own.changed):,} of it changed" if own.changed else ""
        parts.append(f"{some(len(own.made), 'card')} made in your set “{own.into.name}”{changed}")
    elif own and (left := len(own.made) + len(own.changed) + own.more):
        parts.append(f"{some(left, 'row')} that {'is' if left == 1 else 'are'} no card left out")
    if report.texts or not parts:
        rows = f"{len(report.changed):,} changed, {len(report.unchanged):,} left alone"
        parts.insert(0, f"{some(len(report.added), 'card')} of {report.game.name} added, {rows}")
    if report.pictures.places:
        parts.append(in_words(report.pictures))
    return "; ".join(parts) + "."


# -- pictures --------------------------------------------------------------------------


@contextmanager
def ready_pictures(
    owner: Viewer | Everyone, report: Report, wish: Wish, progress: Callable[[int], None]
) -> Iterator[dict[Place, UploadedPicture]]:
    """Take the pictures in one by one, and store their files; the rows of those that the owner does not have
    at their places are not stored yet. What fails afterwards takes the new files away again.

    Raises Refused where there is no room, before the first is read. ``progress`` is told how many were read,
    and may raise to stop.
    """
    package, placed = report.package, report.pictures
    there = {
        (row.game, row.card_code, row.side): row.sha256
        for row in UploadedPicture.objects.of(owner).exclude(side=Side.UNPLACED)
    }
    new = {place: name for place, name in placed.places.items() if place not in there}
    refuse_without_room(owner, len(new), sum(package.files.packed(name) for name in new.values()))
    rows: dict[Place, UploadedPicture] = {}
    fresh: list[str] = []
    try:
        for number, (place, name) in enumerate(placed.places.items(), 1):
            progress(number)
            try:
                data = package.files.read(name, MAX_PICTURE)
                if place in there and hash_of(data) == there[place]:
                    continue
                taken = take(data)
            except Rejected as error:
                placed.pass_over(name, f"The picture {error.message}")
                continue
            with storage.locked():
                fresh += storage.keep(taken.sha256, taken.parts)
            values = settled(wish, taken, report.game, place[2])
            rows[place] = picture_row(owner, taken, name.rpartition("/")[2], place, values)
        yield rows
    except BaseException:
        with storage.locked():
            # Somebody else may have come to use some.
            used = used_files(row.sha256 for row in rows.values())
            storage.discard(name for name in fresh if storage.hash_in(name) not in used)
        raise


def _write_pictures(owner: Viewer | Everyone, rows: Mapping[Place, UploadedPicture]) -> None:
    """Store the rows, within the caller's transaction and under ``storage.locked``. Raises Refused."""
    if not rows:
        return
    if storage.lacking(row.sha256 for row in rows.values()):
        raise Refused(Fault("gone", _GONE, "file"), status=503)
    mine = UploadedPicture.objects.of(owner)
    there = {(row.game, row.card_code, row.side): row.pk for row in mine.exclude(side=Side.UNPLACED)}
    refuse_without_room(owner, len(rows), sum(row.bytes for row in rows.values()))
    taken = [there[place] for place in rows if place in there]
    for start in range(0, len(taken), AT_ONCE):
        mine.filter(pk__in=taken[start : start + AT_ONCE]).update(side=Side.UNPLACED)
    UploadedPicture.objects.bulk_create(rows.values(), batch_size=AT_ONCE)
    note_change(owner)
