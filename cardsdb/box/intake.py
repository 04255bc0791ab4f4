"""Intake of uploaded pictures: check, clean and decode one file, and return it ready to store.

``take`` is the entrance, called by uploads (``jobs.py``), card forms (``placing.py``) and packages
(``package_pictures.py``); it returns a ``CleanPicture``. Order matters for safety: the header is checked
against the bounds first, then metadata is cut out of the bytes, and only then are the pixels decoded, once
(``pixels.py`` looks at them). Nothing here writes to a store or the database.
Tests: ``tests/cardsdb/box/test_intake.py``; kinds that are converted in ``test_converting.py`` beside it.
"""

import contextlib
import hashlib
import threading
from collections.abc import Iterator
from typing import NamedTuple

from cardsdb.box.converting import FIRST, converted, header_size, opened
from cardsdb.box.picture_files import jpeg, kinds, png
from cardsdb.box.picture_files.bounds import (
    MEGABYTE,
    PRIVATE,
    PROGRESSIVE,
    PUBLIC,
    Allowance,
    Bounds,
    Rejected,
    damaged,
)
from cardsdb.box.picture_files.kinds import has_profile, is_stored, kind_of, moves, orientation, size_of
from cardsdb.box.picture_files.ref import UNSEEN, Border, upright
from cardsdb.box.pixels import border_of, plain, with_corners
from cardsdb.faults import SOON, Fault, Refused
from cardsdb.models.box import has_box_for_everyone
from cardsdb.site.overload import elsewhere

CORNERS = "had see-through corners, which were filled with the colour beside them."
LOST_PROFILE = "has a broken colour profile, which was left out. Its colours are printed as those of sRGB."

# Seconds that a request waits for its turn. A picture takes a few, so a longer queue is growing.
MAX_WAIT = 20
# Threads of one process that may wait here. It is fewer than all, because other threads wait for request
# bodies (cardsdb/site/overload.py) and some must stay free to answer.
MAX_WAITING = 6
BUSY = "Too many pictures are being checked right now. Try again in a minute."
_one_at_a_time = threading.Lock()
_places = threading.BoundedSemaphore(MAX_WAITING)


@contextlib.contextmanager
def decoding() -> Iterator[None]:
    """Hold the lock under which one picture at a time is decoded in this process.

    25 million pixels take 100 MB of memory, so two at once could exhaust a small server. Raises Refused (503)
    if the turn does not come within MAX_WAIT seconds or too many threads wait already.
    """
    is_mine = _one_at_a_time.acquire(blocking=False)
    if not is_mine and _places.acquire(blocking=False):
        try:
            with elsewhere():
                is_mine = _one_at_a_time.acquire(timeout=MAX_WAIT)
        finally:
            _places.release()
    if not is_mine:
        raise Refused(Fault("busy", BUSY, "files"), status=503, wait=SOON)
    try:
        yield
    finally:
        _one_at_a_time.release()


class CleanPicture(NamedTuple):
    """A picture ready to be stored.

    ``mirrored``, then ``turn`` (degrees clockwise), make it upright. ``colour`` and ``mask`` are the same
    pixels as plain PNG, filled only for a picture that a PDF cannot hold as it is. ``remarks`` say what was
    changed; each is the rest of a sentence that begins with the picture's name.
    """

    kind: str
    data: bytes
    width: int
    height: int
    mirrored: bool
    turn: int
    colour: bytes = b""
    mask: bytes = b""
    remarks: tuple[str, ...] = ()
    border: Border = UNSEEN

    @property
    def edge_colour(self) -> str:
        """The prevailing colour of the picture's edge, such as ``#1a2b3c``; empty if it is see-through."""
        return self.border.colour

    @property
    def upright(self) -> tuple[int, int]:
        """Width and height in pixels of the upright picture."""
        return upright(self.width, self.height, self.turn)

    @property
    def sha256(self) -> str:
        return hashlib.sha256(self.data).hexdigest()

    @property
    def parts(self) -> dict[str, bytes]:
        """Part name -> its bytes: "" is the picture itself, the others were derived from it."""
        return {"": self.data, "colour": self.colour, "mask": self.mask}

    @property
    def bytes(self) -> int:
        """Bytes that all parts take in the store."""
        return sum(map(len, self.parts.values()))


def bounds_here() -> Bounds:
    """The bounds for uploads to this site: wider on a private site than on a public one."""
    return PRIVATE if has_box_for_everyone() else PUBLIC


def take(
    data: bytes, size: int = 0, allowance: Allowance | None = None, bounds: Bounds = PUBLIC
) -> CleanPicture:
    """Return the cleaned picture of an uploaded file.

    ``data`` may be only the beginning of the file; ``size`` is then the whole length, used in the message.
    The picture's pixels are charged to ``allowance``.

    Raises Rejected, with the reason and what to do, before anything large is decoded; Refused (503) on a busy
    machine.
    """
    if len(data) > bounds.bytes:
        # Rounded up: "has 20.0 MB; 20 MB are the most" would make no sense to the person.
        tenths = -(-max(size, len(data)) * 10 // MEGABYTE)
        most = bounds.bytes // MEGABYTE
        raise Rejected("too_large", f"has {tenths / 10:.1f} MB; {most} MB are the most. Save it smaller.")
    clean = _cleaned(data, bounds, allowance)
    with decoding():
        seen = _decoded(clean.kind, clean.data)
        # Only a see-through picture has a mask. With its corners filled it is another file: decoded again.
        if seen.mask and (filled := with_corners(clean.kind, clean.data)):
            clean = _Cleaned("png", kinds.clean("png", filled), clean.upright_by, [*clean.remarks, CORNERS])
            seen = _decoded(clean.kind, clean.data)
            seen = seen._replace(border=seen.border._replace(cut_corners=True))
    if len(seen.colour) + len(seen.mask) > bounds.unpacked:
        most = bounds.unpacked // MEGABYTE
        why = (
            f"becomes larger than {most} MB when it is unpacked for printing. Save it as a JPEG, or smaller."
        )
        raise Rejected("too_large", why)
    (width, height), (mirrored, turn) = seen.size, clean.upright_by
    return CleanPicture(
        clean.kind,
        clean.data,
        width,
        height,
        mirrored,
        turn,
        seen.colour,
        seen.mask,
        tuple(clean.remarks),
        seen.border,
    )


class _Cleaned(NamedTuple):
    """The bytes to store of a file. ``upright_by``: (mirrored, turn) that make it upright."""

    kind: str
    data: bytes
    upright_by: tuple[bool, int]
    remarks: list[str]


def _cleaned(data: bytes, bounds: Bounds, allowance: Allowance | None = None) -> _Cleaned:
    """Return a file without metadata. A picture of a kind that is not stored, or with more pixels than
    ``bounds.fine``, is converted, which decodes it. Raises Rejected and Refused.

    An upright JPEG of ordinary size comes back with the same coded pixels; a GIF as a PNG, with a remark if
    it moves.
    """
    kind, remarks = kind_of(data), list[str]()
    size = header_size(kind, data)
    bounds.check(PROGRESSIVE if kind == "jpeg" and jpeg.is_progressive(data) else kind, *size)
    if not is_stored(kind, data):
        with decoding():
            data, remarks = converted(kind, data, bounds)
        kind = kind_of(data)
    elif moves(kind, data):
        remarks.append(FIRST)
    if kind == "png":
        # ``kinds.clean`` unpacks all pixels of a PNG, so they are charged before it; those of other kinds
        # after it, as it finds damaged files without decoding.
        _spend(allowance, kind, data)
    clean, upright_by = kinds.clean(kind, data), orientation(kind, data)
    if kind != "png":
        _spend(allowance, kind, clean)
    if has_profile(kind, data) and not has_profile(kind, clean):
        remarks.append(LOST_PROFILE)
    width, height = size_of(kind, clean)
    if width * height > bounds.fine:
        with decoding():
            smaller, more = converted(kind, clean, bounds)
        kind, remarks = kind_of(smaller), remarks + more
        clean = kinds.clean(kind, smaller)
    return _Cleaned(kind, clean, upright_by, remarks)


def _spend(allowance: Allowance | None, kind: str, data: bytes) -> None:
    """Charge the pixels to the allowance; those of a progressive JPEG once for each of its passes."""
    if allowance:
        width, height = size_of(kind, data)
        allowance.spend(width * height * (jpeg.decoding_cost(data) if kind == "jpeg" else 1))


def hash_of(data: bytes, bounds: Bounds = PUBLIC) -> str:
    """Return the SHA-256 under which the picture of an uploaded file would be stored, without the full
    decoding where the file can be stored unconverted. Raises Rejected.
    """
    return hashlib.sha256(_cleaned(data, bounds).data).hexdigest()


class _Decoded(NamedTuple):
    """What only the pixels tell; see ``CleanPicture``. ``size``: (width, height)."""

    size: tuple[int, int]
    colour: bytes
    mask: bytes
    border: Border


def _decoded(kind: str, clean: bytes) -> _Decoded:
    """Decode every pixel of a cleaned picture. Raises Rejected for a damaged one."""
    expected = size_of(kind, clean)
    with opened(kind, clean) as picture:
        if picture.size != expected:
            raise damaged("it states two different sizes")
        picture.load()
        border = border_of(picture)
        colour = mask = b""
        if kind == "webp" or (kind == "png" and not png.read_png(clean).fits_pdf):
            colour, mask = plain(picture)
        return _Decoded(expected, colour, mask, border)
