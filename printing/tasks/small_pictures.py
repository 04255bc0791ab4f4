"""Small copies of what was just uploaded, made by a worker before, or while, pages ask for them. A page that
comes first makes its own.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from contextlib import suppress
from itertools import islice

from django_tasks import task

from cardsdb.faults import Refused
from cardsdb.identity.viewer import Viewer
from cardsdb.tasks.queue import LONG, enqueue
from printing.models import Everyone, UploadedPicture
from printing.uploads import storage
from printing.uploads.small_copies import small_copy

# Copies that are made before others' prints have their turn.
BATCH = 20
# So many have their copies, one after the other from the newest: then older ones have theirs, or a page makes
# it.
ENOUGH = 60


def queue_small_copies(owner: Viewer | Everyone) -> None:
    """Have a worker make the small copies that this owner's pictures lack."""
    newest = UploadedPicture.objects.of(owner).order_by("-pk").values_list("pk", flat=True).first()
    if newest is not None:
        enqueue(make_small_copies, newest)


@task(queue_name=LONG)
def make_small_copies(key: int) -> None:
    """Make the small copies that this picture and older ones of its owner lack, until many have theirs; the
    rest after what else waits by then.
    """
    pictures = UploadedPicture.objects.all_owners("a worker makes their small copies")
    picture = pictures.filter(pk=key).first()
    if picture is None:
        return
    owned = pictures.filter(
        owner=picture.owner_id, browser=picture.browser, everyone=picture.everyone, pk__lte=key
    )
    lacking = _lacking(owned.order_by("-pk"))
    for one in islice(lacking, BATCH):
        with suppress(Refused, OSError):
            small_copy(one)
    if more := next(lacking, None):
        enqueue(make_small_copies, more.pk)


def _lacking(pictures: Iterable[UploadedPicture]) -> Iterator[UploadedPicture]:
    """Those without a small copy, as far as ``ENOUGH``. A store is asked for each, which takes long where
    somebody has thousands.
    """
    have = 0
    for one in pictures:
        if storage.has(one.sha256, "small"):
            have += 1
            if have == ENOUGH:
                return
        else:
            have = 0
            yield one
