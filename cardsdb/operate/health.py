"""Monitoring asks here whether the site is alive: plain text, 200 or 503."""

from __future__ import annotations

from django.core.cache import cache
from django.db import Error, connection
from django.db.migrations.executor import MigrationExecutor
from django.http import HttpRequest, HttpResponse
from django.views.decorators.http import require_safe

from cardsdb.games import games, left_out
from cardsdb.models import Card, Edition, Holding, SiteSecret
from cardsdb.site.sharing import private

SILENT = "the database does not answer"
KNOWS_NOBODY = "this machine has another secret than the site, so it knows nobody's session"
MAKE_KNOWN = (
    "give it the SECRET_KEY of the other machines (or their secret_key in CUTOUT_VAR); if all have this one"
    " for good now, run manage.py prepare --new-secret: recovery codes made under another open nothing"
)


@require_safe
@private
def healthz(request: HttpRequest) -> HttpResponse:
    """200 while this process answers, whatever the database does: to start the process again would not bring
    that back.
    """
    return _plain("ok")


@require_safe
@private
def readyz(request: HttpRequest) -> HttpResponse:
    """200 when the site can serve: migrated, the catalogue loaded, with the site's secret.

    Also where this machine has other cards in its folders: the first that is upgraded loads its own, and all
    others would be out at once. And where the shared cache fails: all that is lost is that bounds hold for
    each process instead of all.
    """
    if reason := what_is_lacking():
        return _plain(reason, 503)
    if SiteSecret.objects.is_another():
        return _plain(f"{KNOWS_NOBODY}: {MAKE_KNOWN}", 503)
    but = "; ".join(filter(None, (what_is_left_out(), what_differs(), who_counts_alone())))
    return _plain(f"ready, but {but}" if but else "ready")


def who_counts_alone() -> str:
    """Say that the shared cache fails, found out by writing into it; empty if it does not, or there is none."""
    cache.set("readyz", 1, timeout=1)
    why = getattr(cache, "away", "")
    return why and f"the server of CACHE_URL fails ({why}), so each process counts requests for itself"


def what_is_lacking() -> str:
    """Say why the site cannot serve yet and what to do, empty when it can."""
    try:
        executor = MigrationExecutor(connection)
        waiting = executor.migration_plan(executor.loader.graph.leaf_nodes())
        if waiting:
            return f"{len(waiting)} migrations wait: run manage.py migrate"
        if not Card.objects.exists():
            return "the catalogue is empty: run manage.py load_cards"
    except Error:
        return SILENT
    return ""


def what_is_left_out() -> str:
    """The games that are left out until their folders are mended, and what to do; empty where all are
    there.
    """
    slugs = sorted(left_out())
    return (
        f"without {', '.join(slugs)}, whose folders are not whole: manage.py check says why" if slugs else ""
    )


def what_differs() -> str:
    """Say how the cards in this machine's folders differ from those of the current edition and what to do,
    empty where they are the same.
    """
    loaded = Holding.objects.digests()
    here = games()
    # A digest that is not known is of a load by an older version.
    other = [
        game.name
        for slug, game in here.items()
        if slug in loaded and loaded[slug] not in ("", game.folder_digest)
    ]
    alone = [game.name for slug, game in here.items() if slug not in loaded]
    gone = sorted(loaded.keys() - here.keys() - left_out())
    found = [
        *([f"other cards of {', '.join(other)}"] if other else ()),
        *([f"{', '.join(alone)}, which it lacks"] if alone else ()),
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
