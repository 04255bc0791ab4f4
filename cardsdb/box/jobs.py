"""The work that takes longer than a visitor waits: large packages, compared and taken in, and many pictures,
unpacked and packed anew one after the other. A worker does it, and their owner sees how far it is.

A job's request names the file that waits; when the job is done, it holds the report or what was taken in. A
job of pictures that is broken off is begun again, and finds those that it stored before.
"""

import zipfile
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from tempfile import TemporaryFile
from typing import IO, Any, NamedTuple

from django.core.files.base import File

from cardsdb.box import waiting
from cardsdb.box.comparing import EVERY, Report
from cardsdb.box.converting import header_size
from cardsdb.box.intake import FIELDS, Wish, bounds_here, settled, take, wish_of
from cardsdb.box.picture_files.bounds import MAX_UPLOAD_FILES, Allowance, Rejected
from cardsdb.box.picture_files.bounds import Bounds as PictureBounds
from cardsdb.box.picture_files.kinds import kind_of
from cardsdb.box.picture_store import queue_small_copies
from cardsdb.box.pictures import own_names
from cardsdb.box.placing import ALL_BACKS, add, shown_name
from cardsdb.box.reading.container import MAX_FILES, MAX_SENT, BadPackage, open_file
from cardsdb.box.reading.formats import package_of
from cardsdb.box.reading.matching import card_and_side
from cardsdb.box.report import compare_as_posted, take_in, told, words_of
from cardsdb.catalogue.current import games
from cardsdb.faults import Fault, Refused
from cardsdb.games.kit import Game, NameIndex, plural, some
from cardsdb.identity.viewer import Viewer
from cardsdb.models import Side, UploadedPicture
from cardsdb.models.box import Place

# What a job's request says instead of a kind of print.
OWN = "own"
# Rows of one file that is sent; longer ones are for the command.
MAX_ROWS = 120_000
# Letters of a form that are stored: its columns and choices.
MAX_FIELD = 20_000
# Pixels that are packed anew while their owner waits: some seven million take a second. Those of a JPEG are
# only looked at, a tenth of it.
MAX_AT_ONCE, OF_A_JPEG = 20_000_000, 10

# Called with the number of rows or pictures that there are; and with the number that are done.
Begin = Callable[[int], None]
Progress = Callable[[int], None]
# Called with what came of it; raises if the job is no longer this worker's, and then nothing is kept.
Done = Callable[[Mapping[str, Any]], None]


class Bounds(NamedTuple):
    """The most bytes, unpacked, rows, and pictures to be stored, of a file that is read."""

    unpacked: int = MAX_SENT
    rows: int = MAX_ROWS
    pictures: int = MAX_FILES


OF_A_JOB = Bounds()


def make(request: Mapping[str, Any], viewer: Viewer, begin: Begin, progress: Progress, done: Done) -> None:
    """Do what a job's request says, with progress. Raises Refused."""
    make_of = _make_pictures if "pictures" in request else make_rows
    make_of(request, viewer, begin, progress, done)


# -- packages --------------------------------------------------------------------------


def request_of(token: str, name: str, posted: Mapping[str, str], keep: bool) -> dict[str, Any]:
    """Return what a job is to do: look at a waiting file, or take it in, with what the form says."""
    fields = {
        key: value[:MAX_FIELD]
        for key, value in posted.items()
        if key in ("game", "chosen", "do", "into", "into_type", "into_similar", *FIELDS)
        or key.startswith(("column:", "entry:"))
    }
    title = f"{'Taking in' if keep else 'Looking at'} {name}"
    return _request(token, title, "row") | {"keep": keep, "fields": fields}


def _request(token: str, title: str, unit: str) -> dict[str, Any]:
    common = {"output": OWN, "fields": {}, "summary": "", "filename": ""}
    return common | {"token": token, "title": title, "unit": unit}


def make_rows(
    request: Mapping[str, Any],
    viewer: Viewer,
    begin: Begin | None,
    progress: Progress,
    done: Done,
    bounds: Bounds = OF_A_JOB,
) -> None:
    """Compare the file; then tell its report, or take all of it in. Raises BadPackage, too, for one that is
    larger than the bounds. Without ``begin`` its rows are not counted before.
    """

    def counted(rows: int, done: int) -> None:
        if rows > bounds.rows:
            message = f"The file has more than {bounds.rows:,} rows. Send it in parts."
            raise BadPackage("too_long", message)
        progress(done)

    token, fields, keep = request["token"], request["fields"], request["keep"]
    with waiting.opened(viewer, token) as (file, name), open_file(file, name, bounds.unpacked) as files:
        package = package_of(files, name)
        pictures = len(package.pictures) if keep else 0
        if pictures > bounds.pictures:
            raise BadPackage("too_large", f"The file has more than {bounds.pictures:,} pictures.")
        rows = 0
        if begin:
            # The progress stays at none, and is told that the work goes on.
            for rows, _ in enumerate(package.rows(), 1):
                if not rows % EVERY:
                    counted(rows, 0)
            begin(rows + pictures)

        def compared() -> Report:
            return compare_as_posted(package, fields, viewer, lambda rows: counted(rows, rows))

        def taken_in(one: Report) -> None:
            done({"words": words_of(one), "set": one.own.link if one.own else ""})

        if not keep:
            done({"report": told(compared(), viewer)})
            return
        take_in(
            compared, viewer, wish_of(fields), bounds_here(), lambda number: progress(rows + number), taken_in
        )
    waiting.drop(viewer, token)
    if pictures:
        queue_small_copies(viewer)


# -- pictures --------------------------------------------------------------------------


def take_long(sent: Sequence[Any]) -> bool:
    """Say whether these files have more pixels than a visitor waits for. What is no picture costs nothing:
    it is refused at once.
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
    viewer: Viewer, sent: Sequence[Any], game: str, meant: str, wish: Wish, wanted: Iterable[str]
) -> dict[str, Any]:
    """Return what a job is to do with these files, which wait for it in one. Raises Refused where there
    is no room.

    ``wanted``: as for ``waiting.keep``.
    """
    few, most = sent[: MAX_UPLOAD_FILES + 1], bounds_here().bytes
    with TemporaryFile() as packed:
        with zipfile.ZipFile(packed, "w") as files:
            for number, file in enumerate(few):
                files.writestr(str(number), file.read(most + 1))
        packed.seek(0)
        token = waiting.keep(viewer, packed, "pictures.zip", wanted)
    names = [str(file.name)[:200] for file in few]
    pictures = {"names": names, "game": game, "meant": meant, "wish": list(wish)}
    title = f"Taking in {some(len(sent), 'picture')}"
    return _request(token, title, "picture") | {"pictures": pictures}


def _make_pictures(
    request: Mapping[str, Any], viewer: Viewer, begin: Begin, progress: Progress, done: Done
) -> None:
    """Take the waiting pictures in. Raises Refused where none was good."""
    sent = request["pictures"]
    names, game, wish = sent["names"], games()[sent["game"]], Wish(*sent["wish"])
    begin(len(names))
    with waiting.opened(viewer, request["token"]) as (file, _), zipfile.ZipFile(file) as files:
        made = upload(viewer, _files(files, names, progress), game, sent["meant"], wish)
    if made.refused is not None and made.refused.status == 503:
        # The others were not read. They wait still, and those that were stored are found.
        raise made.refused
    if made.stored:
        queue_small_copies(viewer)
    elif not made.already:
        raise Refused(*made.faults)
    words = [*made.sentences, *made.notes, *(fault.message for fault in made.faults)]
    done({"words": " ".join(words), "set": ""})
    waiting.drop(viewer, request["token"])


def _files(files: zipfile.ZipFile, names: Sequence[str], progress: Progress) -> Iterator[IO[bytes]]:
    for number, name in enumerate(names):
        progress(number)
        with files.open(str(number)) as data:
            file = File(data, name)
            file.size = files.getinfo(str(number)).file_size
            yield file


@dataclass
class Uploaded:
    """The result of an upload: the pictures that are stored now, those that were there already, what is wrong
    with the others.

    ``refused``: why the rest was not read. ``notes``: what was changed of pictures that are stored, a
    sentence each.
    """

    stored: list[UploadedPicture] = field(default_factory=list)
    already: list[UploadedPicture] = field(default_factory=list)
    faults: list[Fault] = field(default_factory=list)
    notes: list[str] = field(default_factory=list)
    refused: Refused | None = None

    @property
    def sentences(self) -> list[str]:
        """Return what came of the pictures that are good."""
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
            sentences.append(f"{loose} could not be matched to a card. Your pictures ask where {belong}.")
        refused = len(self.faults)
        sentences.append(f"{refused or 'None'} {plural(refused, 'was', 'were')} refused.")
        return sentences


def upload(
    viewer: Viewer,
    sent: Iterable[Any],
    game: Game,
    meant: str,
    wish: Wish,
    bounds: PictureBounds | None = None,
) -> Uploaded:
    """Store the pictures among these files as is wished. ``meant``: fronts or backs where names do not say,
    or one back for all. Without ``bounds`` those of this site hold.
    """
    made, bounds, own = Uploaded(), bounds or bounds_here(), own_names(viewer, game)
    allowance = Allowance(bounds.upload_pixels)
    placed: set[Place] = set()
    for number, file in enumerate(sent):
        name = shown_name(file.name)
        if number >= MAX_UPLOAD_FILES:
            message = f"{name} and what follows: at most {MAX_UPLOAD_FILES} at once. Send these next."
            made.faults.append(Fault("too_many", message, "files"))
            break
        try:
            # One byte above the bound shows that a file is too large, whatever size the request states; that
            # size is for the message.
            taken = take(file.read(bounds.bytes + 1), file.size or 0, allowance, bounds)
            place = _place(file.name, game, meant, own)
            if place in placed:
                place = (game.slug, "", Side.UNPLACED.value)
            picture, fresh = add(viewer, taken, name, place, **settled(wish, taken, game, place[2]))
            (made.stored if fresh else made.already).append(picture)
            placed.add(place)
            made.notes += [f"{name} {remark}" for remark in taken.remarks]
        except Rejected as error:
            made.faults.append(Fault(error.code, f"{name} {error.message}", "files"))
        except Refused as error:
            made.faults += error.faults
            made.refused = error
            break
    return made


def _place(name: str, game: Game, meant: str, own: NameIndex) -> Place:
    card, side, for_all = card_and_side(name, game, own)
    if for_all or meant == ALL_BACKS:
        return (game.slug, "", Side.BACK.value)
    return (game.slug, card.code, side or meant) if card else (game.slug, "", Side.UNPLACED.value)
