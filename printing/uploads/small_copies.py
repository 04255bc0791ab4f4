"""Small copies of pictures for pages, encoded anew, made by a worker after the upload, or when a page asks
before.
"""

from __future__ import annotations

from contextlib import suppress
from io import BytesIO
from typing import Protocol

from PIL import Image

from printing.pictures.kinds import PILLOW
from printing.render.png import in_srgb
from printing.uploads import storage
from printing.uploads.intake import decoding

# Pixels: the greatest width or height of a copy.
SMALL = 480


class Stored(Protocol):
    """A picture whose file is stored."""

    @property
    def sha256(self) -> str: ...

    @property
    def kind(self) -> str: ...


def small_copy(picture: Stored) -> bytes:
    """The small copy, a WebP. Raises OSError for a picture whose file is gone, and Refused on a busy
    machine.
    """
    with suppress(FileNotFoundError):
        return storage.read(picture.sha256, "small")
    # One at a time in each process, as at the upload: a decoded picture takes a hundred megabytes.
    with decoding():
        with suppress(FileNotFoundError):
            return storage.read(picture.sha256, "small")
        made = _made(picture)
        storage.keep(picture.sha256, {"small": made})
    return made


def _made(picture: Stored) -> bytes:
    with (
        BytesIO(storage.read(picture.sha256)) as file,
        Image.open(file, formats=[PILLOW[picture.kind]]) as opened,
    ):
        opened.draft("RGB", (SMALL, SMALL))
        # The copy has no profile.
        copy = in_srgb(opened)
    copy.thumbnail((SMALL, SMALL))
    out = BytesIO()
    copy.save(out, "WEBP", quality=80)
    return out.getvalue()
