"""What an account has of printing: pictures, words on cards, printers. It goes into the account's export, and away with the account."""

from __future__ import annotations

import json
from collections.abc import Iterator
from typing import Any

from django.db.models import Model, Sum

from cardsdb.games.kit.model.text import slugify, some
from decks.accounts.account_data import Belongings
from decks.identity.viewer import Viewer
from printing.models import CardText, PrinterCalibration, UploadedPicture
from printing.pictures.limits import MAX_PICTURES, MEGABYTE
from printing.uploads import storage

ABOUT = """pictures/     your own pictures as they are stored; pictures.json says where each is printed, and how it is cut and turned
texts.json, printers.json  your own words on cards, and what you measured of your printers
"""
SUFFIXES = {"jpeg": "jpg"}
# Of the owner, who has the archive; and of how a picture is stored.
LEFT_OUT = {"id", "owner", "browser", "sha256"}


def files_of(user_id: int) -> Iterator[tuple[str, str | bytes]]:
    """(name, content) of all of it. A picture is read when its turn comes; one whose file is gone is listed without a file."""
    viewer = Viewer(user_id)
    listed = []
    for number, picture in enumerate(UploadedPicture.objects.of(viewer)[:MAX_PICTURES], 1):
        called = slugify(f"{picture.game} {picture.card_code} {picture.side}".strip() or "picture")[:100]
        name = f"pictures/{number:03}-{called}.{SUFFIXES.get(picture.kind, picture.kind)}"
        try:
            yield name, storage.path_of(picture.sha256).read_bytes()
        except OSError:
            name = ""
        listed.append({"file": name, **_values(picture)})
    yield "pictures.json", _json(listed)
    yield "texts.json", _json([_values(text) for text in CardText.objects.of(viewer).iterator(500)])
    yield "printers.json", _json([_values(printer) for printer in PrinterCalibration.objects.of(viewer)])


def numbers_of(user_id: int) -> Iterator[tuple[str, str]]:
    """(what, how much) of what there is."""
    viewer = Viewer(user_id)
    pictures = UploadedPicture.objects.of(viewer)
    number, size = pictures.count(), pictures.aggregate(total=Sum("bytes"))["total"] or 0
    yield "Your pictures", f"{number}, {size / MEGABYTE:.1f} MB" if number else "0"
    yield "Your words on cards", some(CardText.objects.of(viewer).count(), "card")
    yield "Your printers", str(PrinterCalibration.objects.of(viewer).count())


BELONGINGS = Belongings(ABOUT, files_of, numbers_of)


def _values(row: Model) -> dict[str, Any]:
    """Every column but those that only the site needs, also those that are added one day."""
    return {field.name: getattr(row, field.attname) for field in row._meta.concrete_fields if field.name not in LEFT_OUT}


def _json(value: object) -> str:
    return json.dumps(value, ensure_ascii=False, indent=2, default=str) + "\n"
