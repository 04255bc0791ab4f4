"""The state of the site: ``/healthz`` and ``/readyz`` for monitoring, the page ``/status/`` for staff, and
``/metrics`` for Prometheus.

All show only numbers of people's things and error messages of programs, never names or contents. Counters
are kept by ``cardsdb.watch.metrics``; here values of the moment are added (``SiteNow``). To add one, add a
line to ``values`` in ``SiteNow.collect``. Tests: ``tests/cardsdb/operate/test_status.py``.
"""

import os
from collections.abc import Iterable, Iterator
from contextlib import suppress
from datetime import datetime, timedelta
from pathlib import Path
from typing import Any, NamedTuple

from django.apps import apps
from django.conf import settings
from django.contrib.auth.decorators import login_required
from django.core.cache import cache
from django.core.checks import ERROR, INFO, WARNING
from django.db.models import Count, Min
from django.http import HttpRequest, HttpResponse
from django.shortcuts import render
from django.utils import timezone
from django.utils.crypto import constant_time_compare
from django_tasks_db.models import DBTaskResult
from prometheus_client import CollectorRegistry
from prometheus_client.exposition import generate_latest
from prometheus_client.metrics_core import GaugeMetricFamily as Gauge
from prometheus_client.metrics_core import Metric

from cardsdb.catalogue.current import held_edition
from cardsdb.games import games, left_out
from cardsdb.identity.staff import acts_as_staff, with_passkey_if_staff
from cardsdb.models import Edition, Holding, Letter, RowState, SiteSecret
from cardsdb.operate.backup import last_backup
from cardsdb.operate.checks import KNOWS_NOBODY, MAKE_KNOWN, PAGE, examined, what_is_lacking
from cardsdb.site.ratelimits import counted_as_work
from cardsdb.site.shortcuts import or_404, private_page
from cardsdb.watch.metrics import counts_file

# Addresses of this machine.
LOOPBACK = ("127.0.0.1", "::1")
# The media type of Prometheus' text format.
TEXT = "text/plain; version=0.0.4; charset=utf-8"
# Level of a check's message -> its word on the page.
WORDS = {INFO: "right", WARNING: "unusual", ERROR: "wrong"}
# Failures on the page, and how far back they go.
MAX_SHOWN = 10
LATELY = timedelta(days=7)
# Bytes of a page of memory, the unit of /proc/<pid>/statm.
MEMORY_PAGE = os.sysconf("SC_PAGE_SIZE")


# -- for monitoring ---------------------------------------------------------------------


@private_page
def healthz(request: HttpRequest) -> HttpResponse:
    """Answer 200 even without the database: restarting this process would not repair that."""
    return _plain("ok")


@private_page
def readyz(request: HttpRequest) -> HttpResponse:
    """Answer 200 if the site can serve: the database is migrated, the catalogue is loaded, and this machine
    has the site's secret. Otherwise answer 503 with the reason.

    Two problems are named but do not make the site unready. Game folders that differ from the loaded edition,
    because while several machines are upgraded all but the first would be out of service. A failing shared
    cache, because only the request limits suffer.
    """
    if reason := what_is_lacking():
        return _plain(reason, 503)
    if SiteSecret.objects.is_another():
        return _plain(f"{KNOWS_NOBODY}: {MAKE_KNOWN}", 503)
    but = "; ".join(filter(None, (games_left_out(), differing_games(), failing_cache())))
    return _plain(f"ready, but {but}" if but else "ready")


def failing_cache() -> str:
    """Return a sentence if a write to the shared cache fails; empty if it works, or if there is none."""
    cache.set("readyz", 1, timeout=1)
    # Only ``SharedCache`` has this attribute.
    why = getattr(cache, "away", "")
    return why and f"the server of CACHE_URL fails ({why}), so each process counts requests for itself"


def games_left_out() -> str:
    """Return the games left out for faults of their folders, and what to do; empty if there are none."""
    slugs = sorted(left_out())
    return (
        f"without {', '.join(slugs)}, whose folders are not whole: manage.py check says why" if slugs else ""
    )


def differing_games() -> str:
    """Return how the game folders of this machine differ from the current edition, and what to do; empty if
    they do not.
    """
    loaded = Holding.objects.digests()
    here = games()
    # An empty digest was stored by an older version, so nothing is known about it.
    changed = [
        game.name
        for slug, game in here.items()
        if slug in loaded and loaded[slug] not in ("", game.folder_digest)
    ]
    new = [game.name for slug, game in here.items() if slug not in loaded]
    gone = sorted(loaded.keys() - here.keys() - left_out())
    # "this machine's folders have other cards of Spycraft and no spynet, edition 3 of the database ..."
    parts = (
        f"other cards of {', '.join(changed)}" if changed else "",
        f"{', '.join(new)}, which it lacks" if new else "",
        f"no {', '.join(gone)}" if gone else "",
    )
    if not any(parts):
        return ""
    edition = Edition.objects.current().number
    remedy = "give all machines the same version and games, then run manage.py load_cards"
    found = " and ".join(filter(None, parts))
    return (
        f"this machine's folders have {found}, edition {edition} of the database was loaded from others:"
        f" {remedy}"
    )


def _plain(sentence: str, status: int = 200) -> HttpResponse:
    return HttpResponse(f"{sentence}\n", content_type="text/plain; charset=utf-8", status=status)


# -- for staff --------------------------------------------------------------------------


class Failure(NamedTuple):
    """Something that failed. ``when`` is None for mails to be tried again; ``said``: the error message."""

    when: datetime | None
    what: str
    said: str


@private_page
@login_required
@counted_as_work()
@with_passkey_if_staff
def status(request: HttpRequest) -> HttpResponse:
    """Show the doctor's checks, what waits, and what failed lately. Raises Http404 for all but staff."""
    or_404(acts_as_staff(request))
    checks = [
        {"name": check.obj, "word": WORDS[check.level], "found": check.msg, "remedy": check.hint or ""}
        for check in examined(PAGE)
    ]
    words, states, counts = [check["word"] for check in checks], _job_states(), counts_file()
    context = {
        "checks": checks,
        "wrong": words.count("wrong"),
        "unusual": words.count("unusual"),
        "waiting_jobs": states.get(RowState.WAITING, 0),
        "running_jobs": states.get(RowState.RUNNING, 0),
        "letters": Letter.objects.count(),
        # Living workers on this machine; None if processes are not counted.
        "workers": counts.workers() if counts else None,
        "failures": failures(),
        "now": timezone.now(),
    }
    return render(request, "cardsdb/operate/status.html", context)


def failures() -> list[Failure]:
    """Return the print jobs, tasks and mails that failed in the last week, the latest first."""
    since = timezone.now() - LATELY
    jobs = _jobs("why some failed, for the operator").filter(state=RowState.FAILED, made__gt=since)
    found = [
        Failure(when, "print job", said)
        for when, said in jobs.order_by("-made").values_list("made", "error")[:MAX_SHOWN]
    ]
    if not settings.TASKS_URL:
        tasks = DBTaskResult.objects.filter(status="FAILED", finished_at__gt=since).order_by("-finished_at")
        columns = tasks.values_list("finished_at", "task_path", "exception_class_path")[:MAX_SHOWN]
        # Both paths are dotted: "printing.tasks.jobs.make_job", "builtins.OSError". Their ends tell enough.
        found += [
            Failure(when, f"task {path.rpartition('.')[2]}", error.rpartition(".")[2])
            for when, path, error in columns
        ]
    if tried := Letter.objects.filter(attempts__gt=0).count():
        found.append(Failure(None, "letters", f"{tried} could not be sent yet, and are tried again"))
    return sorted(found, key=lambda failure: failure.when or since, reverse=True)[:MAX_SHOWN]


def _jobs(why: str) -> Any:
    return apps.get_model("printing", "PrintJob").objects.all_owners(why).order_by()


def _job_states() -> dict[str, int]:
    """Return state -> number of print jobs; without states that no job is in."""
    return dict(_jobs("counted for the operator").values_list("state").annotate(Count("pk")))


# -- for Prometheus ---------------------------------------------------------------------


@private_page
def metrics(request: HttpRequest) -> HttpResponse:
    """Send counters and current values in Prometheus' format. Raises Http404 without permission."""
    or_404(_may_read_numbers(request))
    registry = CollectorRegistry()
    if counts := counts_file():
        registry.register(counts)
    registry.register(SiteNow(counts.processes() if counts else []))
    return HttpResponse(generate_latest(registry), content_type=TEXT)


def _may_read_numbers(request: HttpRequest) -> bool:
    """True if the request has the token. If none is set, true on a private site for requests from this
    machine.

    Behind a proxy the address does not count, because all requests come from a proxy on the same machine.
    """
    if token := settings.CUTOUT_METRICS_TOKEN:
        return constant_time_compare(request.headers.get("Authorization", ""), f"Bearer {token}")
    return (
        not (settings.HTTPS or settings.CUTOUT_BEHIND_PROXY) and request.META.get("REMOTE_ADDR") in LOOPBACK
    )


class SiteNow:
    """A collector of Prometheus' library for values of the moment. ``processes``: ids of processes whose
    memory is shown.
    """

    def __init__(self, processes: list[int]) -> None:
        self.processes = processes

    def describe(self) -> list[Metric]:
        """Return nothing, so that the library does not collect all values only to learn their names."""
        return []

    def collect(self) -> Iterator[Metric]:
        """Yield the metrics. The library calls this."""
        yield from _metrics_of_jobs()
        yield from _metrics_of_letters()
        yield from _metrics_of_editions()
        if backup := last_backup():
            yield Gauge("cutout_backup_age_seconds", "Seconds since the last backup", _since(backup.made))
        yield _memory_of(self.processes)


def _metrics_of_jobs() -> Iterator[Metric]:
    states = _job_states()
    jobs = Gauge("cutout_print_jobs", "Print jobs that are stored, by their state", labels=["state"])
    for state in RowState:
        jobs.add_metric([state.value], states.get(state.value, 0))
    yield jobs
    waiting = _jobs("how long the first has waited").filter(state=RowState.WAITING)
    first = waiting.aggregate(first=Min("made"))["first"]
    about = "For how long the first of the print jobs has waited"
    yield Gauge("cutout_oldest_waiting_job_seconds", about, _since(first))


def _metrics_of_letters() -> Iterator[Metric]:
    letters = Letter.objects.aggregate(number=Count("pk"), first=Min("due"))
    yield Gauge("cutout_letters", "Letters that wait for the mail server", letters["number"])
    about = "For how long the first letter is due"
    yield Gauge("cutout_oldest_letter_seconds", about, _since(letters["first"]))


def _metrics_of_editions() -> Iterator[Metric]:
    edition = Edition.objects.current()
    yield Gauge("cutout_edition", "The number of the edition in the database", edition.number)
    yield Gauge("cutout_edition_age_seconds", "Seconds since that edition was made", _since(edition.made))
    about = "The edition in the memory of the process that answers this; 0 for none"
    yield Gauge("cutout_snapshot_edition", about, held_edition())


def _memory_of(processes: Iterable[int]) -> Metric:
    """Return the memory of these processes; those that have ended are left out."""
    memory = Gauge("cutout_memory_bytes", "Memory that a process holds (RSS)", labels=["pid"])
    for number in processes:
        with suppress(OSError, IndexError, ValueError):
            # The second number of statm is the resident memory.
            pages = Path(f"/proc/{number}/statm").read_text(encoding="ascii").split()[1]
            memory.add_metric([str(number)], int(pages) * MEMORY_PAGE)
    return memory


def _since(moment: datetime | None) -> float:
    """Return the seconds since a moment; 0 for None and for a moment in the future."""
    return max(0.0, (timezone.now() - moment).total_seconds()) if moment else 0.0
