"""Prints that are too big to wait for, and files of own texts: a visitor asks for one, a worker makes it, the
visitor fetches it within a day.

A job goes from waiting to running to one of done, failed and cancelled (cardsdb/tasks/queue.py). A worker
that lost it notices at its next page and stops. docs/decisions/0015 gives the reasons for this design.
"""

import errno
import logging
import math
import os
import secrets
import time
from collections.abc import Mapping
from datetime import datetime, timedelta
from pathlib import Path
from typing import Any, NoReturn
from urllib.parse import urlencode

from django.db.models import Q, QuerySet
from django.http import Http404, QueryDict
from django.shortcuts import get_object_or_404
from django.utils import timezone
from django.utils.crypto import salted_hmac
from django_tasks import task

from cardsdb.box import jobs as box_jobs
from cardsdb.box import waiting
from cardsdb.catalogue.current import catalogue, working_with
from cardsdb.faults import Fault, Refused
from cardsdb.identity.viewer import Viewer
from cardsdb.models import RowState, owned_by
from cardsdb.models.owned import OwnedQuerySet
from cardsdb.site.ratelimits import sender
from cardsdb.storage.contract import StoreAway
from cardsdb.tasks.queue import RECOVERY_INTERVAL, Lost, QueuedRows
from cardsdb.watch.requests import current_id
from printing.exports.export import SHEETS, Bounded
from printing.exports.kinds import export_for
from printing.models import PrintJob
from printing.request.print_request import PrintFields, PrintRequest, stated
from printing.tasks.files import (
    FILE_RETENTION,
    OPEN,
    delete,
    drop_file,
    file_of,
    has_place,
    no_room,
    room,
    room_of_one,
    store,
    sweep_now_and_then,
    with_files,
)

log = logging.getLogger(__name__)

# Jobs of one visitor: those that wait or run, those whose files are kept, and all that were asked for within
# a day, however they ended.
MAX_OPEN, MAX_FILES, MAX_A_DAY = 2, 6, 30
# As many pictures as one may have are more than eighty uploads, each of which is a job where they are large.
MAX_PICTURES_A_DAY = 100
# Factor of these bounds for all who send from one address: a visitor without a cookie counts as a new one
# each time.
AT_ONE_ADDRESS = 3
# The jobs of all visitors that wait or run; and the seconds after which asking again is worth while.
MAX_OPEN_OF_ALL, RETRY_AFTER = 50, 120
# A worker reports at every page, which takes a fraction of a second; one of which nothing else is known, and
# that is silent for so long, is gone.
SILENT = timedelta(seconds=60)
MAX_ATTEMPTS = 2
# Each worker looks for what waits every few seconds. What none has seen for so long none sees.
UNSEEN = timedelta(seconds=60)
# When this process, which shows jobs, recovered lost ones last, however many ask for them: that asks the
# queue for each that waits.
_recovered = [-RECOVERY_INTERVAL]
# Seconds between two reports of progress.
BETWEEN = 0.25
# Seconds after which a worker that writes and draws nothing reports all the same.
QUIET = 2.0


# -- asking -------------------------------------------------------------------------


def network_of(request: Any) -> str:
    """The hash of a request's address with the site's key, so that the database does not hold the address
    itself.
    """
    return salted_hmac("printing.stored_jobs", sender(request), algorithm="sha256").hexdigest()


def ask(
    print_request: PrintRequest, output: str = SHEETS, owner: Viewer | None = None, network: str = ""
) -> PrintJob:
    """Store a job: sheets, or a line of ``EXPORT_KINDS``. Raises Refused, with 429 for more jobs than one
    owner may have.

    The job belongs to the visitor of the request, or to ``owner``, who has an account or a browser.
    ``network``: the result of ``network_of``.
    """
    export = export_for(print_request, output)
    sent = print_request.fields
    fields = sent.cards
    for name, value in print_request.list_fields.items() if sent.pasted else ():
        fields[name] = value
    fields.update({**stated(print_request.read), **export.chosen})
    request = {
        "output": output,
        "pasted": sent.pasted,
        "partly": bool(print_request.unread_lines),
        "fields": urlencode(dict(fields.lists()), doseq=True),
        # A deck may be visible to the browser, or to a holder of its key, rather than to the account.
        "browser": sent.viewer.browser,
        "key": sent.viewer.key_hash,
        "root": sent.root,
        "title": export.job.heading,
        "summary": export.summary,
        "unit": export.work.unit,
    }
    return _store(owner or sent.viewer, network, request, export.work.steps)


def ask_own(request: dict[str, Any], viewer: Viewer, network: str) -> PrintJob:
    """Store a job of ``cardsdb.box.jobs``. Raises Refused, with 429 for more jobs than one owner may have."""
    return _store(viewer, network, request, 0)


def ask_again(row: PrintJob, viewer: Viewer, network: str) -> PrintJob:
    """Store the same job once more, unless it is under way or its file is still there. Raises Refused."""
    return row if row.state in OPEN or file_of(row) else _store(viewer, network, row.request, row.pages)


def _store(viewer: Viewer, network: str, request: dict[str, Any], pages: int) -> PrintJob:
    sweep_now_and_then()
    still_open = PrintJob.objects.all_owners("counted for the site's bound").filter(state__in=OPEN)
    if still_open.count() >= MAX_OPEN_OF_ALL or not has_place():
        raise Refused(
            Fault("busy", "Too many files are being made for others just now. Try again in some minutes."),
            status=503,
            wait=RETRY_AFTER,
        )
    if room() <= 0:
        raise Refused(
            Fault("no_room", "The server has no room for more files just now. Try again in some hours."),
            status=507,
        )
    request = request | {"asked_in": current_id()}
    row = PrintJob.objects.create(**owned_by(viewer), sender=network, request=request, pages=pages)
    # The rows before this one are counted once it is stored, so the first of several requests at once gets
    # the last place.
    try:
        for (whose, rows), times in zip(_counted_with(row), (1, AT_ONE_ADDRESS), strict=False):
            _refuse_too_many(whose, rows.filter(pk__lt=row.pk), times, "pictures" in request)
    except BaseException:
        row.delete()
        raise
    JOBS.enqueue(row)
    return row


def _counted_with(row: PrintJob) -> list[tuple[str, OwnedQuerySet[PrintJob]]]:
    """The jobs of the same visitor, and those from the same address, with the words for them."""
    viewer = Viewer(row.owner_id, browser=row.browser or "")
    own = ("of your jobs", PrintJob.objects.of(viewer))
    from_network = PrintJob.objects.all_owners("counted by network").filter(sender=row.sender)
    return [own, ("jobs from your network", from_network)] if row.sender else [own]


def _refuse_too_many(whose: str, rows: OwnedQuerySet[PrintJob], times: int, of_pictures: bool) -> None:
    """Raise Refused if these jobs are too many for another, with advice and, if it is known, the seconds to
    wait.

    ``of_pictures``: the other job takes pictures in, and such jobs of a day are counted apart.
    """
    now, day = timezone.now(), timedelta(days=1)

    def refuse(sentence: str, until: datetime | None = None) -> NoReturn:
        wait = max(1, math.ceil((until - now).total_seconds())) if until else 0
        raise Refused(Fault("too_many_jobs", sentence), status=429, wait=wait)

    if rows.filter(state__in=OPEN).count() >= (most := times * MAX_OPEN):
        refuse(f"{most} {whose} are waiting or being made. Wait until one is done, or cancel one.")
    pictures = Q(request__has_key="pictures")
    today = rows.filter(pictures if of_pictures else ~pictures, made__gt=now - day)
    if today.count() >= (most := times * (MAX_PICTURES_A_DAY if of_pictures else MAX_A_DAY)):
        first = today.order_by("made").values_list("made", flat=True).first()
        sentence = (
            f"{most} {whose} were asked for within a day, which is as many as may be. Ask again tomorrow."
        )
        refuse(sentence, (first or now) + day)
    files = with_files(rows)
    until = files[0].expires if files else None
    advice = "The oldest goes after a day; delete one on its page, or print fewer cards at once meanwhile."
    if len(files) >= (most := times * MAX_FILES):
        refuse(f"The files of {most} {whose} are kept at a time. {advice}", until)
    if room_of_one(rows) <= 0:
        refuse(f"The files of {whose} take all the room that they may. {advice}", until)


def cancel(row: PrintJob) -> None:
    """Stop the job if it still waits or runs; delete the file of a job that is done."""
    if not _move(PrintJob.objects.stored(row).filter(state__in=OPEN), RowState.CANCELLED):
        drop_file(row)
    elif "pictures" in row.request:
        # Nothing else deletes what waits for a job that is never made.
        waiting.drop(Viewer(row.owner_id, browser=row.browser or ""), row.request["token"])


# -- making -------------------------------------------------------------------------


@task
def make_job(key: int) -> None:
    """Make this job, if it still waits."""
    with JOBS.claimed(key) as row:
        if row:
            work(row)


def _abandoned(rows: QuerySet[PrintJob], attempts: int) -> None:
    if attempts < MAX_ATTEMPTS:
        JOBS.put_back(rows)
    else:
        _move(
            rows,
            RowState.FAILED,
            error="The work was broken off twice. Ask for less at once, or tell the operator of this site.",
        )


JOBS = QueuedRows(PrintJob, make_job, SILENT, _abandoned, fresh={"pages_done": 0})


def recover() -> None:
    """Put lost jobs back and sweep, as each worker does every few seconds."""
    JOBS.recover()
    sweep_now_and_then()


def recover_now_and_then() -> None:
    """Recover lost jobs before a job is shown, unless this process did so recently, so that none seems to run
    for ever on a site without a worker.
    """
    if time.monotonic() - _recovered[0] >= RECOVERY_INTERVAL:
        _recovered[0] = time.monotonic()
        JOBS.recover(as_worker=False)


def job_or_404(viewer: Viewer, link: str) -> PrintJob:
    """The viewer's job at this address; if it is under way, lost ones are recovered first. Raises Http404."""
    rows = PrintJob.objects.of(viewer)
    row = get_object_or_404(rows, link=link)
    if row.state in OPEN:
        recover_now_and_then()
        row = get_object_or_404(rows, link=link)
    return row


def is_unattended(row: PrintJob) -> bool:
    """True if the job waits, and no worker of any machine has seen it in the queue for a while."""
    return row.state == RowState.WAITING and (row.queued or row.made) < timezone.now() - UNSEEN


def work(row: PrintJob, between: float = BETWEEN) -> None:
    """Make a job that was taken, and store its file. Any fault ends in the job's state. ``between``: seconds
    between two reports of progress.
    """
    mine = JOBS.held(row)
    progress = _Progress(mine, between)
    try:
        with working_with(catalogue()):
            if row.request.get("output") == box_jobs.OWN:
                _make_own(row, progress)
            else:
                _make(row, progress)
        return
    except Lost:
        return
    except StoreAway as away:
        # It may answer in a moment; what is over is found done.
        if row.attempts < MAX_ATTEMPTS:
            JOBS.put_back(mine)
            return
        error = away.faults[0].message
    except OSError as full:
        error = no_room(full).faults[0].message
    except Refused as refused:
        error = " ".join(fault.message for fault in refused.faults)
    except Http404:
        error = "The deck is no longer there, or no longer to be seen by you."
    except Exception:
        number = secrets.token_hex(4)
        # With the id of the request that asked, as a line of that request has it.
        asked_in = {"request": row.request.get("asked_in", "")}
        log.exception("print job %s failed: error %s", row.link, number, extra=asked_in)
        error = f"Something went wrong here. The operator of this site finds it as {number}."
    _move(mine, RowState.FAILED, error=error[:400])


def _make(row: PrintJob, progress: "_Progress") -> None:
    """Write the file, under a name of this attempt that it gets when it is whole; then the job is done."""
    request = row.request
    viewer = Viewer(row.owner_id, request["key"], request["browser"])
    fields = PrintFields(
        QueryDict(request["fields"]),
        request["pasted"],
        viewer,
        request["root"],
        partly=request.get("partly", False),
    )
    export = export_for(PrintRequest.parse(fields), request["output"])
    steps = export.work.steps
    progress.begin(steps)
    left = min(room(), *(room_of_one(rows) for _, rows in _counted_with(row)))
    if left <= 0:
        raise _full()
    name = f"{row.link}.{secrets.token_hex(4)}{Path(export.filename).suffix}"
    with store().writing(name, progress.lives) as file:
        # Pictures of a PDF are written long after its last page is drawn.
        export.write(Bounded(file, left, _full, progress.lives), progress)  # type: ignore[arg-type]
        size = file.seek(0, os.SEEK_END)
    named = request | {"filename": export.filename}
    ended = {"file": name, "size": size, "request": named, "pages": steps, "pages_done": steps}
    if not _move(progress.mine, RowState.DONE, **ended):
        delete(name)


def _make_own(row: PrintJob, progress: "_Progress") -> None:
    """Look at a file of own texts, or take it in. The content, and the fact that the job is done, are kept
    together or not at all. Pictures that come alone are kept one by one.
    """

    def done(values: Mapping[str, Any]) -> None:
        request = row.request | dict(values)
        if not _move(progress.mine, RowState.DONE, request=request, pages_done=progress.done):
            raise Lost

    viewer = Viewer(row.owner_id, browser=row.browser or "")
    box_jobs.make(row.request, viewer, progress.begin, progress, done)


class _Progress:
    """The progress of a job. Called with the number of pages done, it stores the number with a sign that the
    worker lives. Raises Lost if the job is another worker's now.
    """

    def __init__(self, mine: QuerySet[PrintJob], between: float) -> None:
        self.mine, self.between = mine, between
        self.written, self.done = 0.0, 0

    def begin(self, pages: int) -> None:
        """Store the number of pages to be made: the deck may have changed since the job was stored."""
        self._tell(pages=pages)

    def __call__(self, pages_done: int) -> None:
        self.done = pages_done
        if time.monotonic() - self.written >= self.between:
            self._tell(pages_done=pages_done)

    def lives(self) -> None:
        """Report between two pages, if one takes long."""
        if time.monotonic() - self.written >= QUIET:
            self._tell(pages_done=self.done)

    def _tell(self, **values: int) -> None:
        self.written = time.monotonic()
        if not self.mine.update(heartbeat=timezone.now(), **values):
            raise Lost


def _full() -> OSError:
    return OSError(errno.ENOSPC, "the files of print jobs have taken the room that they may take")


def _move(rows: QuerySet[PrintJob], state: RowState, **values: Any) -> int:
    """Bring these jobs to one of the end states, and return their number."""
    return int(rows.update(state=state, expires=timezone.now() + FILE_RETENTION, **values))
