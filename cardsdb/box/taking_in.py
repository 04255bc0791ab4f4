"""Write a compared package (an uploaded file or archive) into its owner's box: texts, own cards, choices of
cards and pictures, all or nothing.

``take_in`` compares, reads the pictures and writes; ``add`` writes all but the pictures; ``words_of`` says
what was done. A ``comparing.Report`` says what is new. Called by ``jobs.py`` and the command ``own``. Tests:
``tests/cardsdb/box/test_taking_in.py``; with pictures ``tests/printing/web/test_package_pictures.py``.
"""

import json
from collections.abc import Callable, Iterable, Iterator, Mapping
from contextlib import contextmanager
from dataclasses import replace

from django.db import transaction
from django.utils import timezone

from cardsdb.box import picture_store as storage
from cardsdb.box.comparing import Progress, Report
from cardsdb.box.package_pictures import in_words
from cardsdb.box.picture_files.bounds import Bounds
from cardsdb.box.placing import note_change, picture_row, refuse_without_room, used_files
from cardsdb.box.set_rows import SetRows
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
GONE = "Some pictures were deleted elsewhere while these were taken in. Nothing was kept; try again."
# Problems with pictures that the summary names.
MAX_TOLD = 10
# Characters of the name of a file that are stored with its texts, as in the model.
MAX_SOURCE = 120


class BoxChanged(Exception):
    """The box was changed after it was compared."""


def take_in(
    compare: Callable[[], Report],
    owner: Viewer | Everyone,
    wish: Wish,
    bounds: Bounds,
    progress: Progress,
    then: Callable[[Report], None] = lambda report: None,
) -> Report:
    """Take a package in, and return its report. Raises BadPackage and Refused.

    1. ``compare()`` compares the rows: slow, without a lock.
    2. ``_ready_pictures`` reads the pictures and stores their files: slow, with a short lock for each.
    3. Under the lock of pictures, one transaction writes texts and own cards (``add``), then picture rows,
       and calls ``then``. If the box changed since step 1, steps 1 and 3 are done again, up to TRIES times.

    On failure nothing is written, and the files of step 2 are deleted.
    """
    report = compare()
    pictures, own_cards = report.pictures, report.own
    new_codes = {columns["code"] for columns in own_cards.made} if own_cards else set()
    if own_cards and not own_cards.into.is_sure:
        # The visitor has not agreed to make the own cards, so their pictures have no card.
        pictures.leave(new_codes)
    with _ready_pictures(owner, report, wish, bounds, progress) as rows, storage.locked():
        # Another comparison gives the new own cards other codes. Pictures that were read for their first
        # codes would then be stored for cards that do not exist, so there is no second try.
        shows_new_card = any(place.card_code in new_codes for place in pictures.places)
        for attempt in range(1 if shows_new_card else TRIES):
            if attempt:
                # The pictures stay those that were read for the first report.
                report = replace(compare(), pictures=pictures)
            try:
                with transaction.atomic():
                    add(report, box_for_everyone() if isinstance(owner, Everyone) else box_of(owner))
                    _write_pictures(owner, rows)
                    then(report)
                return report
            except BoxChanged:
                continue
        raise Refused(Fault("busy", BUSY, "file"), status=503, wait=SOON)


@transaction.atomic
def add(report: Report, box: OwnBox) -> None:
    """Write new and changed texts, own cards and remembered choices into the box, in one transaction.

    Raises BoxChanged if the box changed since it was compared, Refused if it has no room.
    """
    codes = sorted((*report.added, *report.changed))
    own_cards = report.own if report.own and report.own.has_cards_to_write else None
    if codes or own_cards:
        if locked(box).state != report.state:
            raise BoxChanged
        if own_cards:
            own_cards.write(box)
        _write_texts(report, codes, box)
        box.changed()
    remember(box, report.game, report.chosen)


def _write_texts(report: Report, codes: Iterable[str], box: OwnBox) -> None:
    """Write the texts of these cards into the box, over those that it has. Raises Refused."""
    texts = {code: report.texts[code] for code in codes}
    size = sum(len(new.text) + len(json.dumps(dict(new.facts))) for new in texts.values())
    check_room(box, len(report.added), size)
    same_columns = {
        "box": box,
        "game": report.game.slug,
        "source": report.package.name[:MAX_SOURCE],
        "changed": timezone.now(),
    }
    OwnText.objects.bulk_create(
        [
            OwnText(card_code=code, text=new.text, facts=dict(new.facts), **same_columns)
            for code, new in texts.items()
        ],
        batch_size=AT_ONCE,
        update_conflicts=True,
        update_fields=["text", "facts", "source", "changed"],
        unique_fields=["box", "game", "card_code"],
    )


def words_of(report: Report) -> str:
    """Return a sentence on what was taken in: ``2 cards of Spycraft added, 1 changed, 0 left alone.``, with
    own cards and pictures if there are any, and sentences on the first problems with pictures.
    """
    parts = []
    about_own_cards = _words_of_own_cards(report.own) if report.own else ""
    if report.texts or not about_own_cards:
        rows = f"{len(report.changed):,} changed, {len(report.unchanged):,} left alone"
        parts.append(f"{some(len(report.added), 'card')} of {report.game.name} added, {rows}")
    if about_own_cards:
        parts.append(about_own_cards)
    if not report.package.pictures:
        return "; ".join(parts) + "."
    parts.append(in_words(report.pictures))
    problems = report.pictures.problems
    sentences = ["; ".join(parts) + "."]
    sentences += [f"{problem.file}: {problem.reason}" for problem in problems[:MAX_TOLD]]
    if len(problems) > MAX_TOLD:
        sentences.append(f"{len(problems) - MAX_TOLD:,} more remarks.")
    return " ".join(sentences)


def _words_of_own_cards(own_cards: SetRows) -> str:
    """Return the part of the sentence about own cards; "" if no row is one."""
    made, changed = len(own_cards.made), len(own_cards.changed)
    if own_cards.into.is_sure:
        of_it = f", {changed:,} of it changed" if changed else ""
        return f"{some(made, 'card')} made in your set “{own_cards.into.name}”{of_it}"
    rows = made + changed + own_cards.more
    return f"{some(rows, 'row')} that {plural(rows, 'is', 'are')} no card left out" if rows else ""


@contextmanager
def _ready_pictures(
    owner: Viewer | Everyone, report: Report, wish: Wish, bounds: Bounds, progress: Progress
) -> Iterator[dict[Place, UploadedPicture]]:
    """Read the pictures one by one and store their files; yield place -> unsaved row. Pictures that the owner
    has at their place already are skipped. If the caller fails, the new files are deleted.

    Raises Refused before the first is read if there is no room. ``progress`` gets the number read so far, and
    may raise to stop.
    """
    package, pictures = report.package, report.pictures
    known = {row.place: row.sha256 for row in UploadedPicture.objects.of(owner).placed()}
    new_names = [name for place, name in pictures.places.items() if place not in known]
    refuse_without_room(owner, len(new_names), sum(map(package.files.packed, new_names)))
    rows: dict[Place, UploadedPicture] = {}
    new_files: list[str] = []
    try:
        # A copy, because ``read_or_refuse`` removes places.
        for number, (place, name) in enumerate(list(pictures.places.items()), 1):
            progress(number)
            clean = pictures.read_or_refuse(package, place, bounds, known.get(place, ""))
            if clean is None:
                continue
            with storage.locked():
                new_files += storage.keep(clean.sha256, clean.parts)
            label, values = name.rpartition("/")[2], settled(wish, clean, report.game, place.side)
            rows[place] = picture_row(owner, clean, label, place, values)
        yield rows
    except BaseException:
        with storage.locked():
            # The rows of this owner are not saved, but another owner may have begun to use the same file.
            used = used_files(row.sha256 for row in rows.values())
            storage.discard(name for name in new_files if storage.hash_in(name) not in used)
        raise


def _write_pictures(owner: Viewer | Everyone, rows: Mapping[Place, UploadedPicture]) -> None:
    """Save the picture rows, inside the caller's transaction and ``storage.locked``. Raises Refused."""
    if not rows:
        return
    if storage.lacking(row.sha256 for row in rows.values()):
        raise Refused(Fault("gone", GONE, "file"), status=503)
    mine = UploadedPicture.objects.of(owner)
    refuse_without_room(owner, len(rows), sum(row.bytes for row in rows.values()))
    displaced = [row.pk for row in mine.placed() if row.place in rows]
    mine.filter(pk__in=displaced).update(side=Side.UNPLACED)
    UploadedPicture.objects.bulk_create(rows.values(), batch_size=AT_ONCE)
    note_change(owner)
