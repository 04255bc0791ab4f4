"""Small copies of what was just uploaded, made by a worker before, or while, pages ask for them. A page that comes first makes its own."""

from __future__ import annotations

from contextlib import suppress
from itertools import islice

from django_tasks import task

from cardsdb.identity.viewer import Viewer
from cardsdb.site.faults import Refused
from cardsdb.tasks.queue import LONG, enqueue
from printing.models import Everyone, UploadedPicture
from printing.uploads import storage
from printing.uploads.small_copies import small_copy

# Copies that are made before others' prints have their turn.
BATCH = 20


def queue_small_copies(owner: Viewer | Everyone) -> None:
    """Have a worker make the small copies that this owner's pictures lack."""
    newest = UploadedPicture.objects.of(owner).order_by("-pk").values_list("pk", flat=True).first()
    if newest is not None:
        enqueue(make_small_copies, newest)


@task(queue_name=LONG)
def make_small_copies(key: int) -> None:
    """Make small copies that the owner of this picture lacks, of it and older ones; the rest after what else waits by then."""
    picture = UploadedPicture.objects.filter(pk=key).first()
    if picture is None:
        return
    owned = UploadedPicture.objects.filter(owner=picture.owner_id, browser=picture.browser, everyone=picture.everyone, pk__lte=key)
    lacking = (one for one in owned.order_by("-pk") if not storage.has(one.sha256, "small"))
    for one in islice(lacking, BATCH):
        with suppress(Refused, OSError):
            small_copy(one)
    if more := next(lacking, None):
        enqueue(make_small_copies, more.pk)
