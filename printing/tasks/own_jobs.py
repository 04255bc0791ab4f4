"""Large files of own texts: looked at and taken in by a worker, as prints are made. A job's request says which waiting file, and ends
with what came of it."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from typing import Any

from cardsdb.games.kit.model.text import some
from cardsdb.identity.viewer import Viewer
from cardsdb.own.comparing import EVERY, add_compared
from cardsdb.own.report import Compared, OwnReport, bounded, compared, take_in
from cardsdb.packages.container import MAX_SENT, open_file
from cardsdb.packages.contract import BadPackage, Package
from cardsdb.packages.reading import package_of
from cardsdb.site.faults import Fault, Refused
from printing.models import PrintJob
from printing.uploads import waiting

# What a job's request says instead of a kind of print.
OWN = "own"
# Letters of a form that are stored: its columns and choices.
MAX_FIELD = 20_000

# Called with the number of rows that there are, and with the number that were read.
Begin = Callable[[int], None]
Progress = Callable[[int], None]
# Called with what came of it; raises if the job is no longer this worker's, and then nothing is kept.
Done = Callable[[Mapping[str, Any]], None]


def request_of(token: str, name: str, posted: Mapping[str, str], keep: bool) -> dict[str, Any]:
    """What a job is to do: look at a waiting file, or take it in, with what the form says."""
    fields = {key: value[:MAX_FIELD] for key, value in posted.items() if key in ("game", "chosen") or key.startswith(("column:", "entry:"))}
    title = f"{'Taking in' if keep else 'Looking at'} {name}"
    return {"output": OWN, "token": token, "keep": keep, "fields": fields, "title": title, "summary": "", "unit": "row", "filename": ""}


def make(row: PrintJob, begin: Begin, progress: Progress, done: Done) -> None:
    """Compare the file, with progress; then tell its report, or take all of it in. Raises Refused."""
    request, viewer = row.request, Viewer(row.owner_id, browser=row.browser or "")
    try:
        with waiting.opened(viewer, request["token"]) as (file, name), open_file(file, name, MAX_SENT) as files:
            package = package_of(files, name)
            begin(_rows_of(package, progress))

            def once() -> Compared:
                return compared(package, request["fields"], viewer, progress)

            def take(one: Compared) -> None:
                take_in(one, viewer)
                done({"words": words_of(one)})

            if request["keep"]:
                add_compared(once, take)
            else:
                done({"report": OwnReport.of(once()).as_json()})
    except BadPackage as bad:
        raise Refused(Fault(bad.code, bad.message, bad.where)) from None
    if request["keep"]:
        waiting.drop(viewer, request["token"])


def _rows_of(package: Package, progress: Progress) -> int:
    """How many rows there are. The progress stays at none, and is told that the work goes on."""
    rows, count = 0, bounded(lambda rows: progress(0))
    for rows, _ in enumerate(package.rows(), 1):
        if not rows % EVERY:
            count(rows)
    return rows


def words_of(one: Compared) -> str:
    """What was taken in, as a sentence."""
    found = one.found
    return (
        f"{some(len(found.added), 'card')} of {one.game.name} added, {len(found.changed):,} changed, {len(found.unchanged):,} left alone."
    )
