"""The work that a file is: which files are made while a visitor waits, which by a worker, and which are too
large for either.
"""

from typing import IO, Any, Literal, NamedTuple

from printing.job.job import Job
from printing.options.sizes import INCH
from printing.options.values import CannotPrint

# A file of more sides or pages, or of more own pictures, is left to a worker. What we draw takes some
# milliseconds a side; a side with own pictures, which are read and copied, counts as several.
BIG_SIDES, BIG_PICTURES = 400, 30
SIDES_WITH_PICTURES = 100
# A file for which more pixels are drawn and read is left to a worker; some twenty million take a second.
BIG_PIXELS = 25_000_000
# The most pixels of one file: half a minute's work.
MAX_PIXELS = 500_000_000
# The most pixels of one picture, which is drawn at twice its size: a tarot card at 600 dpi has five million.
MAX_FACE_PIXELS = 8_000_000
# The most bytes of one file. Photographs as PNG are the largest.
MAX_BYTES = 600_000_000


class Cost(NamedTuple):
    """The cost of a file: how many pages or pictures it has, the pixels of all of them, and those of the
    largest picture.
    """

    steps: int
    unit: Literal["page", "picture"] = "page"
    pixels: int = 0
    largest: int = 0


class TooLarge(CannotPrint):
    """A file that would keep a machine busy for minutes, or fill its disk."""

    code = "too_large"
    field = ""


def pages(steps: int) -> Cost:
    """The cost of this many pages, or sides of paper."""
    return Cost(steps)


def pictures(size: tuple[int, int], dpi: int, number: int) -> Cost:
    """The cost of ``number`` pictures of this size in micrometres."""
    each = size[0] * size[1] * dpi * dpi // (INCH * INCH)
    return Cost(number, "picture", number * each, each)


def is_big(job: Job, work: Cost) -> bool:
    """Say whether a worker makes the file, rather than the request while its visitor waits."""
    used = job.every_picture
    if work.unit == "picture":
        # Each picture is unpacked for each card that shows it.
        return work.pixels + sum(one.ref.width * one.ref.height for one in used) > BIG_PIXELS
    return (
        work.steps > (SIDES_WITH_PICTURES if used else BIG_SIDES)
        or len({one.ref.sha256 for one in used}) > BIG_PICTURES
    )


def refuse_too_large(work: Cost, field: str, less: str) -> None:
    """Raise TooLarge for more pixels than a file may have. ``field`` is the option at fault, ``less`` begins
    the advice what to choose.
    """
    if work.largest > MAX_FACE_PIXELS:
        raise TooLarge(
            f"one card of this size has more pixels than one picture may have: choose {less}smaller cards",
            field,
        )
    if work.pixels > MAX_PIXELS:
        raise TooLarge(
            f"these {work.steps} pictures have more pixels than one file may have: choose {less}fewer cards",
            field,
        )


class Bounded:
    """A file that raises TooLarge when more bytes are written than it takes."""

    def __init__(self, file: IO[bytes], most: int | None = None) -> None:
        self.file, self.left = file, MAX_BYTES if most is None else most

    def write(self, data: bytes) -> int:
        self.left -= len(data)
        if self.left < 0:
            raise TooLarge(
                f"this file has more than {MAX_BYTES // 1_000_000} MB: choose fewer cards, or smaller"
                " pictures"
            )
        return self.file.write(data)

    def __getattr__(self, name: str) -> Any:
        return getattr(self.file, name)
