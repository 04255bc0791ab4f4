"""Uploads that take longer than a visitor waits, done by a worker: large files of card texts, many pictures.
Pages do small uploads at once, with the same functions (``make_rows``, ``upload``).

``printing.tasks`` stores a job with a request (a JSON object made by ``request_of`` or
``request_of_pictures``; its ``token`` names the uploaded file that waits in ``waiting``) and calls ``make``
with it. A picture job can be started again: pictures stored before are found by their hash. Tests:
``test_own_jobs.py`` and ``test_picture_jobs.py`` in ``tests/printing/tasks``; of ``upload``
``tests/cardsdb/box/test_jobs.py``.
"""

import zipfile
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from tempfile import TemporaryFile
from typing import IO, Any, NamedTuple

from django.core.files.base import File

from cardsdb.box import waiting
from cardsdb.box.comparing import EVERY, Progress, Report
from cardsdb.box.converting import header_size
from cardsdb.box.intake import bounds_here, take
from cardsdb.box.picture_files.bounds import MAX_UPLOAD_FILES, Allowance, Rejected
from cardsdb.box.picture_files.kinds import kind_of
from cardsdb.box.picture_store import queue_small_copies
from cardsdb.box.pictures import own_names
from cardsdb.box.placing import ALL_BACKS, add, shown_name
from cardsdb.box.reading.container import MAX_FILES, MAX_SENT, BadPackage, open_file
from cardsdb.box.reading.formats import package_of
from cardsdb.box.reading.matching import card_and_side
from cardsdb.box.reading.rows import Package
from cardsdb.box.report import compare_as_posted, report_as_json
from cardsdb.box.taking_in import take_in, words_of
from cardsdb.box.wish import FIELDS, Wish, settled, wish_of
from cardsdb.catalogue.current import games
from cardsdb.faults import Fault, Refused
from cardsdb.games.kit import Game, NameIndex, plural, some
from cardsdb.identity.viewer import Viewer
from cardsdb.models import Side, UploadedPicture
from cardsdb.models.box import Place

# The value of "output" in these requests; jobs of the print shop have a kind of print there.
OWN = "own"
# Rows that one uploaded file may have; longer files are for the command.
MAX_ROWS = 120_000
# Characters of each form field that are stored with the job.
MAX_FIELD = 20_000
# Pixels that are converted while the visitor waits; a server converts about seven million a second.
MAX_AT_ONCE = 20_000_000
# JPEGs are stored unconverted and only checked, so this many of their pixels count as one.
OF_A_JPEG = 10

# Called once with the total number of rows or pictures; ``Progress`` with the number that are done.
Begin = Callable[[int], None]
# Called with the result. It raises if the job was given to another worker meanwhile; then the transaction is
# rolled back.
Done = Callable[[Mapping[str, Any]], None]


class Bounds(NamedTuple):
    """Limits for a file that is read: unpacked bytes, rows, and pictures to store. The class of the same name
    in ``picture_files/bounds.py`` has the limits of one picture (``bounds_here()``).
    """

    unpacked: int = MAX_SENT
    rows: int = MAX_ROWS
    pictures: int = MAX_FILES


OF_A_JOB = Bounds()


def make(request: Mapping[str, Any], viewer: Viewer, begin: Begin, progress: Progress, done: Done) -> None:
    """Do what the request of a job says. Raises Refused. Requests of pictures have a key "pictures"."""
    make_of = _make_pictures if "pictures" in request else make_rows
    make_of(request, viewer, begin, progress, done)


# -- packages --------------------------------------------------------------------------


def request_of(token: str, name: str, posted: Mapping[str, str], keep: bool) -> dict[str, Any]:
    """Return the request of a job for a waiting file: compare it (``keep`` false) or take it in, with the
    fields of the visitor's form::

        {"output": "own", "token": "...", "title": "Looking at mine.csv", "unit": "row", "keep": False,
         "fields": {"game": "spycraft"}, "summary": "", "filename": ""}
    """
    fields = {
        key: value[:MAX_FIELD]
        for key, value in posted.items()
        if key in ("game", "chosen", "do", "into", "into_type", "into_similar", *FIELDS)
        or key.startswith(("column:", "entry:"))
    }
    title = f"{'Taking in' if keep else 'Looking at'} {name}"
    return _request(token, title, "row") | {"keep": keep, "fields": fields}


def _request(token: str, title: str, unit: str) -> dict[str, Any]:
    """Return what all these requests have; the page of jobs shows ``title``, and its progress in ``unit``."""
    empty = {"fields": {}, "summary": "", "filename": ""}
    return {"output": OWN, "token": token, "title": title, "unit": unit, **empty}


def make_rows(
    request: Mapping[str, Any],
    viewer: Viewer,
    begin: Begin | None,
    progress: Progress,
    done: Done,
    bounds: Bounds = OF_A_JOB,
) -> None:
    """Compare a waiting file and pass its report to ``done``, or take it in and pass the summary.

    A file with 900 rows and 40 pictures that is taken in calls, in this order: ``progress(0)`` while rows are
    counted, ``begin(940)``, ``progress`` with 500 and 900 while rows are compared (every EVERY rows, and at
    the end) and with 901 to 940 while pictures are read, ``done`` while the result is written.

    Raises Refused; BadPackage also for a file over ``bounds``. Without ``begin``, rows are not counted
    beforehand (counting reads the file once more), and ``progress`` begins at 0 again for the pictures.
    """

    def check_and_pass_on(rows_so_far: int, finished: int) -> None:
        """Refuse a file with too many rows, and pass the number of finished ones on."""
        if rows_so_far > bounds.rows:
            message = f"The file has more than {bounds.rows:,} rows. Send it in parts."
            raise BadPackage("too_long", message)
        progress(finished)

    token, fields, keep = request["token"], request["fields"], request["keep"]
    with waiting.opened(viewer, token) as (file, name), open_file(file, name, bounds.unpacked) as files:
        package = package_of(files, name)
        pictures = len(package.pictures) if keep else 0
        if pictures > bounds.pictures:
            raise BadPackage("too_large", f"The file has more than {bounds.pictures:,} pictures.")
        # The rows that come before the pictures in the job's progress. While they are counted, ``progress``
        # is called with 0, which keeps the job's lock alive.
        rows_before = 0
        if begin:
            rows_before = _count(package, lambda rows: check_and_pass_on(rows, 0))
            begin(rows_before + pictures)

        # A function and not a report: ``take_in`` compares once more if the box was changed, in another tab,
        # before it could write.
        def compared() -> Report:
            return compare_as_posted(package, fields, viewer, lambda rows: check_and_pass_on(rows, rows))

        # ``take_in`` calls this in the transaction that writes: if ``done`` raises, nothing is written.
        def pass_summary_on(report: Report) -> None:
            done({"words": words_of(report), "set": report.own.link if report.own else ""})

        if not keep:
            done({"report": report_as_json(compared(), viewer)})
            # The file goes on waiting, since its owner may take it in after a look at the report.
            return
        take_in(
            compared,
            viewer,
            wish_of(fields),
            bounds_here(),
            lambda pictures_read: progress(rows_before + pictures_read),
            pass_summary_on,
        )
    waiting.drop(viewer, token)
    if pictures:
        queue_small_copies(viewer)


def _count(package: Package, progress: Progress) -> int:
    """Return the number of a package's rows; ``progress`` may raise to stop."""
    rows = 0
    for _ in package.rows():
        rows += 1
        if rows % EVERY == 0:
            progress(rows)
    return rows


# -- pictures --------------------------------------------------------------------------


def take_long(sent: Sequence[Any]) -> bool:
    """True if these files have more pixels than a visitor should wait for. A file that is no picture counts
    nothing: it is refused at once.
    """
    pixels, most = 0, bounds_here().bytes
    for file in sent[:MAX_UPLOAD_FILES]:
        data = file.read(most + 1)
        file.seek(0)
        try:
            kind = kind_of(data)
            width, height = header_size(kind, data)
        except Rejected:
            continue
        pixels += width * height // (OF_A_JPEG if kind == "jpeg" else 1)
    return pixels > MAX_AT_ONCE


def request_of_pictures(
    viewer: Viewer, sent: Sequence[Any], game: str, default_side: str, wish: Wish, wanted: Iterable[str]
) -> dict[str, Any]:
    """Return the request of a job for these pictures, which are stored as one waiting zip file. Raises
    Refused where there is no room.

    ``default_side`` and ``wish`` as for ``upload``, ``wanted`` as for ``waiting.keep``.
    """
    # One file and one byte too many are kept, so that ``upload`` refuses what is beyond the limit and says
    # so.
    few, most = sent[: MAX_UPLOAD_FILES + 1], bounds_here().bytes
    with TemporaryFile() as packed:
        with zipfile.ZipFile(packed, "w") as files:
            for number, file in enumerate(few):
                files.writestr(str(number), file.read(most + 1))
        packed.seek(0)
        token = waiting.keep(viewer, packed, "pictures.zip", wanted)
    # The names of members are numbers; the pictures' own names may be alike or hostile.
    names = [str(file.name)[:200] for file in few]
    pictures = {"names": names, "game": game, "meant": default_side, "wish": list(wish)}
    title = f"Taking in {some(len(sent), 'picture')}"
    return _request(token, title, "picture") | {"pictures": pictures}


def _make_pictures(
    request: Mapping[str, Any], viewer: Viewer, begin: Begin, progress: Progress, done: Done
) -> None:
    """Store the waiting pictures and pass a summary to ``done``. Raises Refused if none could be stored."""
    sent = request["pictures"]
    names, game, wish = sent["names"], games()[sent["game"]], Wish(*sent["wish"])
    begin(len(names))
    with waiting.opened(viewer, request["token"]) as (file, _), zipfile.ZipFile(file) as files:
        result = upload(viewer, _files(files, names, progress), game, sent["meant"], wish)
    if result.refused is not None and result.refused.status == 503:
        # The machine was busy, so some were not read. The file keeps waiting, and a second try finds those
        # stored.
        raise result.refused
    if result.stored:
        queue_small_copies(viewer)
    elif not result.already:
        raise Refused(*result.faults)
    words = [*result.sentences, *result.notes, *(fault.message for fault in result.faults)]
    done({"words": " ".join(words), "set": ""})
    waiting.drop(viewer, request["token"])


def _files(files: zipfile.ZipFile, names: Sequence[str], progress: Progress) -> Iterator[IO[bytes]]:
    """Yield each waiting picture as an open Django file with its original name, as ``upload`` gets them from
    a form. It is closed when the next is taken.
    """
    for number, name in enumerate(names):
        progress(number)
        with files.open(str(number)) as data:
            file = File(data, name)
            file.size = files.getinfo(str(number)).file_size
            yield file


@dataclass
class Uploaded:
    """The result of an upload: pictures stored now, pictures that the visitor had already, and the faults of
    all others.

    ``refused`` is the refusal that ended the upload early, if one did. ``notes`` are sentences on what was
    changed in stored pictures.
    """

    stored: list[UploadedPicture] = field(default_factory=list)
    already: list[UploadedPicture] = field(default_factory=list)
    faults: list[Fault] = field(default_factory=list)
    notes: list[str] = field(default_factory=list)
    refused: Refused | None = None

    @property
    def sentences(self) -> list[str]:
        """The result in sentences for the page."""
        stored, there = len(self.stored), len({picture.pk for picture in self.already})
        loose = len({picture.pk for picture in (*self.stored, *self.already) if not picture.side})
        sentences = []
        if stored:
            sentences.append(f"{some(stored, 'picture is', 'pictures are')} kept.")
        if there:
            # The settings of this upload change nothing of them.
            one, many = "its cut, turn and bleed stay", "their cuts, turns and bleed stay"
            same = plural(there, f"was already yours: {one}", f"were already yours: {many}")
            sentences.append(f"{some(there, 'picture')} {same} as you set them.")
        if loose:
            belong = plural(loose, "it belongs", "they belong")
            sentences.append(
                f"{loose} could not be matched to a card. Say at “Your pictures” where {belong}."
            )
        faulty = len(self.faults)
        sentences.append(f"{faulty or 'None'} {plural(faulty, 'was', 'were')} refused.")
        return sentences


def upload(viewer: Viewer, sent: Iterable[Any], game: Game, default_side: str, wish: Wish) -> Uploaded:
    """Store the pictures among these files, and return what became of each.

    ``default_side`` is FRONTS or BACKS, for files whose name does not say which side they show, or ALL_BACKS
    for one back of all cards.
    """
    result, bounds, own = Uploaded(), bounds_here(), own_names(viewer, game)
    allowance = Allowance(bounds.upload_pixels)
    filled_places: set[Place] = set()
    for number, file in enumerate(sent):
        name = shown_name(file.name)
        if number >= MAX_UPLOAD_FILES:
            message = f"{name} and what follows: at most {MAX_UPLOAD_FILES} at once. Send these next."
            result.faults.append(Fault("too_many", message, "files"))
            break
        try:
            # One byte above the bound proves that a file is too large. The size that the request states may
            # be wrong and is only used in the message.
            clean = take(file.read(bounds.bytes + 1), file.size or 0, allowance, bounds)
            place = _place(file.name, game, default_side, own)
            # The second picture for a place in one upload is left for the visitor to place.
            if place in filled_places:
                place = Place(game.slug, "", Side.UNPLACED.value)
            picture, is_new = add(viewer, clean, name, place, **settled(wish, clean, game, place.side))
        except Rejected as error:
            result.faults.append(Fault(error.code, f"{name} {error.message}", "files"))
            continue
        except Refused as error:
            # There is no room, or the machine is busy, so the next would be refused too.
            result.faults += error.faults
            result.refused = error
            break
        filled_places.add(place)
        pictures = result.stored if is_new else result.already
        pictures.append(picture)
        result.notes += [f"{name} {remark}" for remark in clean.remarks]
    return result


def _place(name: str, game: Game, default_side: str, own: NameIndex) -> Place:
    """Return the place that a file's name says; one without a card and side if it fits no single card. In
    Spycraft, with FRONTS: ``kai.jpg`` is the front of Kai, ``kai_back.jpg`` the back, ``holiday.jpg`` has no
    place.
    """
    named = card_and_side(name, game, own)
    if named.for_all or default_side == ALL_BACKS:
        return Place(game.slug, "", Side.BACK.value)
    if named.card is None:
        return Place(game.slug, "", Side.UNPLACED.value)
    return Place(game.slug, named.card.code, named.side or default_side)
