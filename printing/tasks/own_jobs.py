"""Large packages of own texts and pictures, which a worker compares and takes in. A job's request names the
waiting file; when the job is done, it holds the report or what was taken in.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping
from typing import Any

from cardsdb.box import own_packages, waiting
from cardsdb.box.comparing import EVERY
from cardsdb.box.intake import FIELDS, wish_of
from cardsdb.box.own_packages import DryRun, dry_run, set_of, words_of
from cardsdb.box.picture_store import queue_small_copies
from cardsdb.box.reading.container import MAX_SENT, BadPackage, open_file
from cardsdb.box.reading.programs import package_of
from cardsdb.box.reading.rows import Package
from cardsdb.box.report import bounded
from cardsdb.faults import Fault, Refused
from cardsdb.identity.viewer import Viewer
from printing.models import PrintJob
from printing.tasks.files import OPEN

# What a job's request says instead of a kind of print.
OWN = "own"
# Letters of a form that are stored: its columns and choices.
MAX_FIELD = 20_000

# Called with the number of rows that there are, and with the number that were read.
Begin = Callable[[int], None]
Progress = Callable[[int], None]
# Called with what came of it; raises if the job is no longer this worker's, and then nothing is kept.
Done = Callable[[Mapping[str, Any]], None]


def tokens_of_open() -> list[str]:
    """Of the files that jobs, whoever's, wait to look at or take in."""
    rows = PrintJob.objects.all_owners("whose files are not swept yet").filter(
        state__in=OPEN, request__has_key="token"
    )
    return list(rows.values_list("request__token", flat=True))


def request_of(token: str, name: str, posted: Mapping[str, str], keep: bool) -> dict[str, Any]:
    """What a job is to do: look at a waiting file, or take it in, with what the form says."""
    fields = {
        key: value[:MAX_FIELD]
        for key, value in posted.items()
        if key in ("game", "chosen", "do", "into", "into_type", "into_similar", *FIELDS)
        or key.startswith(("column:", "entry:"))
    }
    title = f"{'Taking in' if keep else 'Looking at'} {name}"
    return {
        "output": OWN,
        "token": token,
        "keep": keep,
        "fields": fields,
        "title": title,
        "summary": "",
        "unit": "row",
        "filename": "",
    }


def make(row: PrintJob, begin: Begin, progress: Progress, done: Done) -> None:
    """Compare the file, with progress; then tell its report, or take all of it in. Raises Refused."""
    request, viewer = row.request, Viewer(row.owner_id, browser=row.browser or "")
    try:
        with (
            waiting.opened(viewer, request["token"]) as (file, name),
            open_file(file, name, MAX_SENT) as files,
        ):
            package = package_of(files, name)
            rows = _rows_of(package, progress)
            begin(rows + len(package.pictures) * request["keep"])

            def once() -> DryRun:
                return dry_run(package, request["fields"], viewer, progress)

            if request["keep"]:
                wish = wish_of(request["fields"])
                own_packages.keep(
                    once,
                    wish,
                    lambda pictures: progress(rows + pictures),
                    lambda one: done({"words": words_of(one), "set": set_of(one)}),
                )
            else:
                done({"report": once().report().as_json()})
    except BadPackage as bad:
        raise Refused(Fault(bad.code, bad.message, bad.where)) from None
    if request["keep"]:
        waiting.drop(viewer, request["token"])
        queue_small_copies(viewer)


def _rows_of(package: Package, progress: Progress) -> int:
    """How many rows there are. The progress stays at none, and is told that the work goes on."""
    rows, count = 0, bounded(lambda rows: progress(0))
    for rows, _ in enumerate(package.rows(), 1):
        if not rows % EVERY:
            count(rows)
    return rows
