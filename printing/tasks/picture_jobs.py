"""Pictures that take long to take in: a worker unpacks and packs them anew, one after the other, while their
owner sees how far it is.

They wait in one file, as packages do. A job that is broken off is begun again, and finds the pictures that it
stored before.
"""

from __future__ import annotations

import zipfile
from collections.abc import Callable, Iterator, Mapping, Sequence
from tempfile import TemporaryFile
from typing import IO, Any

from django.core.files.base import File

from cardsdb.box import waiting
from cardsdb.box.intake import Wish
from cardsdb.box.picture_files.bounds import MAX_BYTES, MAX_UPLOAD_FILES, Rejected
from cardsdb.box.picture_files.kinds import kind_of, size_of
from cardsdb.box.picture_store import queue_small_copies
from cardsdb.box.uploading import upload
from cardsdb.catalogue.current import games
from cardsdb.faults import Refused
from cardsdb.games.kit.model.text import plural
from cardsdb.identity.viewer import Viewer
from printing.models import PrintJob
from printing.tasks.own_jobs import OWN, tokens_of_open

# Pixels that are packed anew while their owner waits: some seven million take a second. Those of a JPEG are
# only looked at, a tenth of it.
MAX_AT_ONCE, OF_A_JPEG = 20_000_000, 10


def take_long(sent: Sequence[Any]) -> bool:
    """Whether these files have more pixels than somebody waits for. What is no picture costs nothing: it is
    refused at once.
    """
    pixels = 0
    for file in sent[:MAX_UPLOAD_FILES]:
        data = file.read(MAX_BYTES + 1)
        file.seek(0)
        try:
            kind = kind_of(data)
            width, height = size_of(kind, data)
        except Rejected:
            continue
        pixels += width * height // (OF_A_JPEG if kind == "jpeg" else 1)
    return pixels > MAX_AT_ONCE


def kept(viewer: Viewer, sent: Sequence[Any], game: str, meant: str, wish: Wish) -> dict[str, Any]:
    """What a job is to do, whose files wait for it. Raises Refused where there is no room."""
    few = sent[: MAX_UPLOAD_FILES + 1]
    with TemporaryFile() as packed:
        with zipfile.ZipFile(packed, "w") as files:
            for number, file in enumerate(few):
                files.writestr(str(number), file.read(MAX_BYTES + 1))
        packed.seek(0)
        token = waiting.keep(viewer, packed, "pictures.zip", tokens_of_open())
    title = f"Taking in {len(sent)} {plural(len(sent), 'picture')}"
    names = [str(file.name)[:200] for file in few]
    pictures = {"names": names, "game": game, "meant": meant, "wish": list(wish)}
    common = {"output": OWN, "token": token, "fields": {}, "summary": "", "filename": ""}
    return common | {"pictures": pictures, "title": title, "unit": "picture"}


def make(
    row: PrintJob,
    begin: Callable[[int], None],
    progress: Callable[[int], None],
    done: Callable[[Mapping[str, Any]], None],
) -> None:
    """Take the waiting pictures in, with progress. Raises Refused where none was good."""
    request, viewer = row.request, Viewer(row.owner_id, browser=row.browser or "")
    told = request["pictures"]
    begin(len(told["names"]))
    with waiting.opened(viewer, request["token"]) as (file, _), zipfile.ZipFile(file) as files:
        made = upload(
            viewer,
            _files(files, told["names"], progress),
            games()[told["game"]],
            told["meant"],
            Wish(*told["wish"]),
        )
    if made.refused is not None and made.refused.status == 503:
        # The others were not read. They wait still, and those that were stored are found.
        raise made.refused
    if made.stored:
        queue_small_copies(viewer)
    if not made.stored and not made.already:
        raise Refused(*made.faults)
    words = [*made.sentences, *made.notes, *(fault.message for fault in made.faults)]
    done({"words": " ".join(words), "set": ""})
    waiting.drop(viewer, request["token"])


def _files(
    files: zipfile.ZipFile, names: Sequence[str], progress: Callable[[int], None]
) -> Iterator[IO[bytes]]:
    for number, name in enumerate(names):
        progress(number)
        with files.open(str(number)) as data:
            file = File(data, name)
            file.size = files.getinfo(str(number)).file_size
            yield file
