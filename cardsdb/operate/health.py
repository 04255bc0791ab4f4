"""``/healthz`` and ``/readyz`` for monitoring, and what keeps the site from serving: ``what_is_lacking``,
which ``manage.py prepare`` and the doctor's checks (``checks.py``) use too.
"""

from django.core.cache import cache
from django.db import DatabaseError, InterfaceError, connection
from django.db.migrations.executor import MigrationExecutor
from django.http import HttpRequest, HttpResponse

from cardsdb.games import games, left_out
from cardsdb.models import Card, Edition, Holding, SiteSecret
from cardsdb.site.shortcuts import private_page

KNOWS_NOBODY = "this machine has another secret than the site, so it knows no session"
MAKE_KNOWN = (
    "give it the SECRET_KEY of the other machines (or their secret_key in CUTOUT_VAR); if all have this one"
    " for good now, run manage.py prepare --new-secret: recovery codes made under another open nothing"
)


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


def what_is_lacking() -> str:
    """Return why the site cannot serve, and what to do; empty if it can."""
    try:
        executor = MigrationExecutor(connection)
        if waiting := executor.migration_plan(executor.loader.graph.leaf_nodes()):
            return f"{len(waiting)} migrations wait: run manage.py migrate"
        if not Card.objects.exists():
            return "the catalogue is empty: run manage.py load_cards"
    except (DatabaseError, InterfaceError):
        return "the database does not answer"
    return ""


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
    found = [
        *([f"other cards of {', '.join(changed)}"] if changed else ()),
        *([f"{', '.join(new)}, which it lacks"] if new else ()),
        *([f"no {', '.join(gone)}"] if gone else ()),
    ]
    if not found:
        return ""
    edition = Edition.objects.current().number
    remedy = "give all machines the same version and games, then run manage.py load_cards"
    return (
        f"this machine's folders have {' and '.join(found)}, edition {edition} of the database was loaded"
        f" from others: {remedy}"
    )


def _plain(sentence: str, status: int = 200) -> HttpResponse:
    return HttpResponse(f"{sentence}\n", content_type="text/plain; charset=utf-8", status=status)
