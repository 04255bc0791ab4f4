"""Write a compared package (an uploaded file or archive) into its owner's box: texts, own cards, choices of
cards and pictures, all or nothing.

``take_in`` compares, reads the pictures and writes; ``add`` writes all but the pictures; ``words_of`` says
what was done. A ``comparing.Report`` says what is new. Called by ``jobs.py`` and the command ``own``; tests
with pictures: ``tests/printing/web/test_package_pictures.py``.
"""

import json
from collections.abc import Callable, Iterator, Mapping
from contextlib import contextmanager

from django.db import transaction
from django.utils import timezone

from cardsdb.box import picture_store as storage
from cardsdb.box.comparing import Progress, Report
from cardsdb.box.picture_files.bounds import Bounds
from cardsdb.box.pictures import in_words
from cardsdb.box.placing import note_change, picture_row, refuse_without_room, used_files
from cardsdb.box.texts import box_for_everyone, box_of, check_room, locked, remember
from cardsdb.box.wish import Wish, settled
from cardsdb.faults import SOON, Fault, Refused
from cardsdb.games.kit import plural, some
from cardsdb.identity.viewer import Viewer
from cardsdb.models import Everyone, OwnBox, OwnText, Side, UploadedPicture
from cardsdb.models.box import Place

# Rows that one SQL statement writes; SQLite limits the values of a statement.
AT_ONCE = 500
# Comparisons that ``take_in`` makes at most, if the box is changed in another tab after each of them.
TRIES = 5
BUSY = (
    "Your texts were changed elsewhere again and again while this was compared. Nothing was kept; try again"
    " in a minute."
)
_GONE = "Some pictures were deleted elsewhere while these were taken in. Nothing was kept; try again."
# Problems with pictures that the summary names.
MAX_TOLD = 10


class BoxChanged(Exception):
    """The box was changed after it was compared."""


def take_in(
    compared: Callable[[], Report],
    owner: Viewer | Everyone,
    wish: Wish,
    bounds: Bounds,
    progress: Progress,
    then: Callable[[Report], None] = lambda report: None,
) -> Report:
    """Take a package in, and return its report. Raises BadPackage and Refused.

    1. ``compared()`` compares the rows: slow, without a lock.
    2. ``_ready_pictures`` reads the pictures and stores their files: slow, with a short lock for each.
    3. Under the lock of pictures, one transaction writes texts and own cards (``add``), then picture rows,
       and calls ``then``. If the box changed since step 1, steps 1 and 3 are done again, up to TRIES times.

    On failure nothing is written, and the files of step 2 are deleted.
    """
    report = compared()
    placed, own = report.pictures, report.own
    new_codes = {values["code"] for values in own.made} if own else set()
    if own and not own.into.is_sure:
        # The own cards are not made, so their pictures have no card.
        without_card = [(game, code, side) for game, code, side in placed.places if code in new_codes]
        placed.left += len(without_card)
        for place in without_card:
            del placed.places[place]
    with _ready_pictures(owner, report, wish, bounds, progress) as ready, storage.locked():
        for attempt in range(TRIES):
            if attempt:
                report = compared()
                # The pictures were read already, for the places of the first report.
                report.pictures = placed
            try:
                with transaction.atomic():
                    add(report, box_for_everyone() if isinstance(owner, Everyone) else box_of(owner))
                    _write_pictures(owner, ready)
                    then(report)
                return report
            except BoxChanged:
                # Another comparison gives the new own cards new codes. Pictures that were read for the old
                # codes would then be stored for cards that do not exist, so there is no second try.
                if any(code in new_codes for _, code, _ in placed.places):
                    break
        raise Refused(Fault("busy", BUSY, "file"), status=503, wait=SOON)


@transaction.atomic
def add(report: Report, box: OwnBox) -> None:
    """Write new and changed texts, own cards and remembered choices into the box, in one transaction.

    Raises BoxChanged if the box changed since it was compared, Refused if it has no room.
    """
    own = report.own
    written = {code: report.texts[code] for code in sorted((*report.added, *report.changed))}
    # Own cards to write, once the visitor has agreed.
    cards = own if own and own.into.is_sure and (own.made or own.changed) else None
    if written or cards:
        if locked(box).state != report.state:
            raise BoxChanged
        if cards:
            cards.write(box)
        size = sum(len(new.text) + len(json.dumps(dict(new.facts))) for new in written.values())
        check_room(box, len(report.added), size)
        about = {
            "box": box,
            "game": report.game.slug,
            # As long as the column.
            "source": report.package.name[:120],
            "changed": timezone.now(),
        }
        OwnText.objects.bulk_create(
            [
                OwnText(card_code=code, text=new.text, facts=dict(new.facts), **about)
                for code, new in written.items()
            ],
            batch_size=AT_ONCE,
            update_conflicts=True,
            update_fields=["text", "facts", "source", "changed"],
            unique_fields=["box", "game", "card_code"],
        )
        box.changed()
    remember(box, report.game, report.chosen)


def words_of(report: Report) -> str:
    """Return a sentence on what was taken in: ``2 cards of Spycraft added, 1 changed, 0 left alone.``, with
    own cards and pictures if there are any.
    """
    own, parts = report.own, list[str]()
    if own and own.into.is_sure:
        changed = f", {len(own.changed):,} of it changed" if own.changed else ""
        parts.append(f"{some(len(own.made), 'card')} made in your set “{own.into.name}”{changed}")
    elif own and (left := len(own.made) + len(own.changed) + own.more):
        parts.append(f"{some(left, 'row')} that {plural(left, 'is', 'are')} no card left out")
    if report.texts or not parts:
        rows = f"{len(report.changed):,} changed, {len(report.unchanged):,} left alone"
        parts.insert(0, f"{some(len(report.added), 'card')} of {report.game.name} added, {rows}")
    if not report.package.pictures:
        return "; ".join(parts) + "."
    problems = report.pictures.problems
    named = [f"{problem.file}: {problem.reason}" for problem in problems[:MAX_TOLD]]
    more = [f"{len(problems) - MAX_TOLD:,} more remarks."] if len(problems) > MAX_TOLD else []
    return " ".join(("; ".join((*parts, in_words(report.pictures))) + ".", *named, *more))


@contextmanager
def _ready_pictures(
    owner: Viewer | Everyone, report: Report, wish: Wish, bounds: Bounds, progress: Progress
) -> Iterator[dict[Place, UploadedPicture]]:
    """Read the pictures one by one and store their files; yield place -> unsaved row. Pictures that the owner
    has at their place already are skipped. If the caller fails, the new files are deleted.

    Raises Refused before the first is read if there is no room. ``progress`` gets the number read so far, and
    may raise to stop.
    """
    files, placed = report.package.files, report.pictures
    there = {row.place: row.sha256 for row in UploadedPicture.objects.of(owner).placed()}
    new = [name for place, name in placed.places.items() if place not in there]
    refuse_without_room(owner, len(new), sum(map(files.packed, new)))
    rows: dict[Place, UploadedPicture] = {}
    fresh: list[str] = []
    try:
        # A copy, because ``placed.take`` removes the place of a picture that it refuses.
        for number, (place, name) in enumerate(list(placed.places.items()), 1):
            progress(number)
            taken = placed.take(report.package, place, bounds, there.get(place, ""))
            if taken is None:
                continue
            with storage.locked():
                fresh += storage.keep(taken.sha256, taken.parts)
            _, _, side = place
            values = settled(wish, taken, report.game, side)
            rows[place] = picture_row(owner, taken, name.rpartition("/")[2], place, values)
        yield rows
    except BaseException:
        with storage.locked():
            # The rows of this owner are not saved, but another owner may have begun to use the same file.
            used = used_files(row.sha256 for row in rows.values())
            storage.discard(name for name in fresh if storage.hash_in(name) not in used)
        raise


def _write_pictures(owner: Viewer | Everyone, rows: Mapping[Place, UploadedPicture]) -> None:
    """Save the picture rows, inside the caller's transaction and ``storage.locked``. Raises Refused."""
    if not rows:
        return
    if storage.lacking(row.sha256 for row in rows.values()):
        raise Refused(Fault("gone", _GONE, "file"), status=503)
    mine = UploadedPicture.objects.of(owner)
    refuse_without_room(owner, len(rows), sum(row.bytes for row in rows.values()))
    displaced = [row.pk for row in mine.placed() if row.place in rows]
    mine.filter(pk__in=displaced).update(side=Side.UNPLACED)
    UploadedPicture.objects.bulk_create(rows.values(), batch_size=AT_ONCE)
    note_change(owner)
