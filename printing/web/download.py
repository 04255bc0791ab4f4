"""Answers with a file. It is made whole before its first byte is sent, so that no download breaks off."""

from __future__ import annotations

import threading
from collections import Counter
from collections.abc import Iterator
from contextlib import contextmanager
from tempfile import SpooledTemporaryFile
from typing import IO, cast

from django.http import FileResponse, Http404, HttpRequest, HttpResponse
from django.http.response import HttpResponseBase
from django.utils.http import content_disposition_header, parse_etags

from cardsdb.faults import SOON, Fault, Refused
from cardsdb.site.ratelimits import sender
from printing.exports.export import Export
from printing.models import PrintJob
from printing.tasks.files import file_of, no_room, store

# Bytes. A larger file waits on the disk, and not in memory.
SPOOLED = 8 * 1024 * 1024
# Bytes of a stored file that are sent at a time.
BLOCK = 256 * 1024
# Files that each process is asked for at a time by one address, and by all: its other threads are for pages.
MAX_AT_ONCE, MAX_TOGETHER = 2, 3
FULL = "Several files are being made for others just now. Ask again in a moment."
BUSY = (
    "Other files are being made for you, or for somebody in your network. Wait until they are there, then ask"
    " again."
)
_under_way: Counter[str] = Counter()
_counting = threading.Lock()
# Threads of one process do not draw faster side by side; they only keep each other, and pages, waiting.
_drawing = threading.RLock()


class NoTurn(Refused):
    """Enough files are being made already."""

    def __init__(self, sentence: str) -> None:
        super().__init__(Fault("busy", sentence), status=503, wait=SOON)


@contextmanager
def turn(request: HttpRequest) -> Iterator[None]:
    """Count the file that is asked for, from before anything is read or made for it. Raises NoTurn, with 503,
    when enough are under way.
    """
    who = sender(request)
    with _counting:
        if _under_way[who] >= MAX_AT_ONCE:
            raise NoTurn(BUSY)
        if _under_way.total() >= MAX_TOGETHER:
            raise NoTurn(FULL)
        _under_way[who] += 1
    try:
        yield
    finally:
        with _counting:
            _under_way[who] -= 1
            if not _under_way[who]:
                del _under_way[who]


def file_answer(request: HttpRequest, export: Export) -> HttpResponseBase:
    """The file, or 304 for a browser that has these very bytes; within a ``turn``. Raises Refused for what
    cannot be made.
    """
    etag = f'"{export.key}"'
    # Compression on the way makes the tag a weak one (W/"..."), which comes back as such.
    if etag in [tag.removeprefix("W/") for tag in parse_etags(request.headers.get("If-None-Match", ""))]:
        return HttpResponse(status=304, headers={"ETag": etag})
    # Pictures and PDFs are compressed already; once more would only keep the server busy.
    headers = {"ETag": etag, "Cache-Control": "private, no-cache", "Content-Encoding": "identity"}
    headers["Content-Disposition"] = content_disposition_header(True, export.filename) or "attachment"
    if request.method == "HEAD":
        return HttpResponse(content_type=export.content_type, headers=headers)
    file = SpooledTemporaryFile(max_size=SPOOLED)  # noqa: SIM115  the answer closes it
    try:
        with _drawing:
            export.write(cast("IO[bytes]", file))
        file.seek(0, 2)
        size = file.tell()
        file.seek(0)
    except OSError as error:
        file.close()
        raise no_room(error) from None
    except BaseException:
        file.close()
        raise
    if size <= SPOOLED:
        with file:
            return HttpResponse(file.read(), content_type=export.content_type, headers=headers)
    return FileResponse(file, content_type=export.content_type, headers=headers)


def stored_file(row: PrintJob) -> HttpResponseBase:
    """The finished file of a stored job; 404 while there is none, and when it is gone."""
    name = file_of(row)
    try:
        opened = store().stream(name) if name else None
    except OSError:
        opened = None
    if opened is None:
        raise Http404
    # PDF and zip are compressed already.
    headers = {
        "Cache-Control": "private, no-store",
        "Content-Encoding": "identity",
        "Content-Length": str(opened.size),
    }
    answer = FileResponse(opened, as_attachment=True, filename=row.request["filename"], headers=headers)
    answer.block_size = BLOCK
    return answer
