"""Whether the site is alive, for monitoring: plain text, 200 or 503."""

from __future__ import annotations

from django.db import Error, connection
from django.db.migrations.executor import MigrationExecutor
from django.http import HttpRequest, HttpResponse
from django.views.decorators.cache import never_cache
from django.views.decorators.http import require_safe

from cardsdb.models import Card

SILENT = "the database does not answer"


@require_safe
@never_cache
def healthz(request: HttpRequest) -> HttpResponse:
    """200 when the database answers."""
    try:
        with connection.cursor() as cursor:
            cursor.execute("SELECT 1")
    except Error:
        return _plain(SILENT, 503)
    return _plain("ok")


@require_safe
@never_cache
def readyz(request: HttpRequest) -> HttpResponse:
    """200 when the site can serve: migrated, and the catalogue loaded."""
    reason = what_is_lacking()
    return _plain(reason, 503) if reason else _plain("ready")


def what_is_lacking() -> str:
    """Why the site cannot serve yet and what to do, empty when it can."""
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


def _plain(sentence: str, status: int = 200) -> HttpResponse:
    return HttpResponse(f"{sentence}\n", content_type="text/plain; charset=utf-8", status=status)
