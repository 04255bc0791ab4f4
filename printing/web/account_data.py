"""What an account has of printing: pictures, words on cards, printers.

It goes into the account's export, and away with the account. What a browser has from before its visitor logged in is taken
along into the account.
"""

from __future__ import annotations

import json
from collections.abc import Iterator
from typing import Any

from django.contrib import messages
from django.db.models import Model, Sum
from django.http import Http404, HttpRequest, HttpResponse
from django.shortcuts import redirect
from django.views.decorators.cache import never_cache
from django.views.decorators.http import require_POST

from cardsdb.games.kit.model.text import slugify, some
from cardsdb.identity.viewer import Viewer, viewer_of
from cardsdb.models import OwnChoice, OwnSet, OwnText
from cardsdb.own.texts import claim_texts
from cardsdb.site.errors import try_later
from cardsdb.site.faults import Refused
from cardsdb.site.shortcuts import say_taken_along
from decks.accounts.other_apps import Belongings
from printing.models import PrinterCalibration, UploadedPicture
from printing.pictures.limits import MAX_PICTURES, MEGABYTE
from printing.request.printers import claim_printers
from printing.uploads import storage
from printing.uploads.pictures import claim_pictures

ABOUT = """pictures/     your own pictures as they are stored; pictures.json says where each is printed, and how it is cut and turned
texts.json, choices.json   your own words on cards, and the cards that you chose for entries of files
sets.json                  sets of your own, with their cards
printers.json              what you measured of your printers
"""
SUFFIXES = {"jpeg": "jpg"}
# Of the owner, who has the archive; and of how a picture is stored.
LEFT_OUT = {"id", "box", "in_set", "owner", "browser", "sha256"}


def files_of(user_id: int) -> Iterator[tuple[str, str | bytes]]:
    """(name, content) of every file of the export. A picture is read when its turn comes; one whose file is gone has no file here."""
    viewer = Viewer(user_id)
    listed = []
    for number, picture in enumerate(UploadedPicture.objects.of(viewer)[:MAX_PICTURES], 1):
        called = slugify(f"{picture.game} {picture.card_code} {picture.side}".strip() or "picture")[:100]
        name = f"pictures/{number:03}-{called}.{SUFFIXES.get(picture.kind, picture.kind)}"
        try:
            yield name, storage.read(picture.sha256)
        except OSError:
            name = ""
        listed.append({"file": name, **_values(picture)})
    yield "pictures.json", _json(listed)
    yield "texts.json", _json([_values(text) for text in OwnText.objects.of(viewer).iterator(500)])
    choices = OwnChoice.objects.of(viewer).order_by("game", "entry")
    yield "choices.json", _json([_values(choice) for choice in choices.iterator(500)])
    sets = OwnSet.objects.of(viewer).prefetch_related("cards")
    yield "sets.json", _json([{**_values(one), "cards": [_values(card) for card in one.cards.all()]} for one in sets])
    yield "printers.json", _json([_values(printer) for printer in PrinterCalibration.objects.of(viewer)])


def numbers_of(user_id: int) -> Iterator[tuple[str, str]]:
    """(words, amount) for each kind of thing that the account has."""
    viewer = Viewer(user_id)
    pictures = UploadedPicture.objects.of(viewer)
    number, size = pictures.count(), pictures.aggregate(total=Sum("bytes"))["total"] or 0
    yield "Your pictures", f"{number}, {size / MEGABYTE:.1f} MB" if number else "0"
    yield "Your words on cards", some(OwnText.objects.of(viewer).count(), "card")
    yield "Your own sets", some(OwnSet.objects.of(viewer).count(), "set")
    yield "Your printers", str(PrinterCalibration.objects.of(viewer).count())


BELONGINGS = Belongings(ABOUT, files_of, numbers_of)


def _values(row: Model) -> dict[str, Any]:
    """Every column, also of later versions, but those that only the site needs."""
    return {field.name: getattr(row, field.attname) for field in row._meta.concrete_fields if field.name not in LEFT_OUT}


def _json(value: object) -> str:
    return json.dumps(value, ensure_ascii=False, indent=2, default=str) + "\n"


# -- taken along from the browser -------------------------------------------------------


@require_POST
@never_cache
def take_pictures(request: HttpRequest) -> HttpResponse:
    """Take the pictures of this browser into the account."""
    viewer = _account_or_404(request)
    try:
        moved = claim_pictures(viewer)
        say_taken_along(request, "picture", moved)
    except Refused as error:
        if error.status >= 500:
            return try_later(request, error)
        messages.warning(request, error.faults[0].message)
    return redirect("pictures")


@require_POST
def take_texts(request: HttpRequest) -> HttpResponse:
    """Take the words on cards that were written in this browser into the account."""
    moved = claim_texts(_account_or_404(request))
    say_taken_along(request, "text", moved)
    return redirect("card_texts")


@require_POST
def take_printers(request: HttpRequest) -> HttpResponse:
    """Take the printers that were measured in this browser into the account."""
    moved = claim_printers(_account_or_404(request))
    say_taken_along(request, "printer", moved)
    return redirect("calibration")


def _account_or_404(request: HttpRequest) -> Viewer:
    """The visitor with an account, who alone has something to take along."""
    viewer = viewer_of(request)
    if not viewer.user_id:
        raise Http404
    return viewer
