"""The print shop's part of an account: pictures, printers, print jobs and past prints.

``decks/accounts`` reads KINDS to list an account's things, export them, delete them, and move them to the
account from a browser. ``take`` of a Kind moves rows; ``written`` yields the files of its export.
Tests: ``tests/printing/web/test_account_data.py``; of ``take``
``tests/decks/accounts/test_account_kinds.py``.
"""

from django.db import transaction

from cardsdb.box import picture_store as storage
from cardsdb.box.picture_files.bounds import MAX_PICTURES
from cardsdb.box.placing import claim_pictures
from cardsdb.games.kit import slugify
from cardsdb.identity.viewer import Viewer
from cardsdb.models import UploadedPicture
from decks.accounts.kinds import Files, Kind, Taken, as_json, columns_of, room_for
from printing.models import PastPrint, PrinterCalibration, PrintJob
from printing.request.past_prints import trim
from printing.web.calibration_views import MAX_PRINTERS


def picture_files(user_id: int) -> Files:
    """Yield (name in the archive, content) of each picture of an account, then ``pictures.json`` about them.
    Each is read only when it is asked for. A picture whose file is missing has an empty file name there.
    """
    listed = []
    for number, picture in enumerate(UploadedPicture.objects.of(Viewer(user_id))[:MAX_PICTURES], 1):
        called = slugify(f"{picture.game} {picture.card_code} {picture.side}".strip() or "picture")[:100]
        name = f"pictures/{number:03}-{called}.{picture.kind.replace('jpeg', 'jpg')}"
        try:
            yield name, storage.read(picture.sha256)
        except OSError:
            name = ""
        listed.append({"file": name, **columns_of(picture)})
    yield "pictures.json", as_json(listed)


@transaction.atomic
def take_printers(viewer: Viewer) -> Taken:
    """Move the browser's printers to the account, the oldest first, as far as it has room; the others
    stay.
    """
    of_browser = PrinterCalibration.objects.of_browser(viewer)
    room = max(0, MAX_PRINTERS - PrinterCalibration.objects.of(viewer).count())
    first = list(of_browser.order_by("made", "pk").values_list("pk", flat=True)[:room])
    moved = of_browser.filter(pk__in=first).update(owner=viewer.user_id, browser=None)
    return Taken(moved, of_browser.count(), room_for(f"{MAX_PRINTERS} printers"))


def _take_jobs(viewer: Viewer) -> Taken:
    """Move all print jobs of the browser to the account."""
    return Taken(PrintJob.objects.of_browser(viewer).update(owner=viewer.user_id, browser=None))


def _take_prints(viewer: Viewer) -> Taken:
    """Move all past prints of the browser to the account, and delete the oldest beyond its bound."""
    taken = Taken(PastPrint.objects.of_browser(viewer).update(owner=viewer.user_id, browser=None))
    trim(PastPrint.objects.of(viewer))
    return taken


KINDS = (
    Kind(
        "pictures",
        "Your pictures",
        "picture",
        ("printing.UploadedPicture",),
        take=lambda viewer: Taken(claim_pictures(viewer)),
        written=picture_files,
        about=(
            "pictures/        your own pictures as they are stored; pictures.json says where each is printed,"
            " and how it is cut and turned"
        ),
    ),
    Kind(
        "printers",
        "Your printers",
        "printer",
        ("printing.PrinterCalibration",),
        take=take_printers,
        about="printers.json    what you measured of your printers",
    ),
    Kind(
        "jobs",
        "Your print jobs",
        "print job",
        ("printing.PrintJob",),
        take=_take_jobs,
        about="jobs.json        what you asked to be printed in the last days",
    ),
    Kind(
        "prints",
        "Your prints",
        "print",
        ("printing.PastPrint",),
        take=_take_prints,
        about="prints.json      what you printed last, with the cards that each deck had",
    ),
)
