"""Browsers that never come back: what they held is nobody's any more, and goes.

A browser is known by a token in its session. Sessions end after a year, and some sooner: whoever changes their password
is logged out everywhere else. What was held stands in tables of its own, by the token's hash, and would stay for ever.
"""

from __future__ import annotations

import time
from collections.abc import Iterator

from django.apps import apps
from django.contrib.sessions.backends.db import SessionStore
from django.contrib.sessions.models import Session
from django.core import signing
from django.db import models
from django.utils import timezone

from decks.identity.viewer import BROWSER, hashed

# Seconds. Who is just logging in or out has a session without the token for a moment; a request takes no longer than this.
MOMENT = 30
AT_ONCE = 500


class SealedSessions(Exception):
    """There are sessions, and the secret key of this process opens none of them."""


def forget_browsers(moment: float = MOMENT) -> int:
    """Delete what browsers held that no session knows any more, in every table with a ``browser``; how many browsers there were.

    Tables whose model says ``ends_by_itself`` are left out. The decks stay: their edit links open them, and other browsers
    may hold them. Raises SealedSessions where it cannot be told who is still there.
    """
    gone = _unknown({browser for table in _tables() for browser in table.values_list("browser", flat=True).distinct()})
    if gone:
        time.sleep(moment)
        gone = _unknown(gone)
    names = sorted(gone)
    for start in range(0, len(names), AT_ONCE):
        for table in _tables():
            table.filter(browser__in=names[start : start + AT_ONCE]).delete()
    return len(gone)


def _tables() -> Iterator[models.QuerySet[models.Model]]:
    for model in apps.get_models():
        if any(field.name == "browser" for field in model._meta.fields) and not getattr(model, "ends_by_itself", False):
            yield model._default_manager.order_by().filter(browser__isnull=False)


def _unknown(browsers: set[str]) -> set[str]:
    """Those of these browsers that no session knows."""
    store, unknown, sealed, opened = SessionStore(), set(browsers), 0, 0
    current = Session.objects.filter(expire_date__gt=timezone.now())
    for data in current.values_list("session_data", flat=True).iterator(chunk_size=1_000):
        try:
            said = signing.loads(data, salt=store.key_salt, serializer=store.serializer)
        except signing.BadSignature:
            sealed += 1
            continue
        opened += 1
        if token := said.get(BROWSER):
            unknown.discard(hashed(token))
    if sealed and not opened:
        raise SealedSessions
    return unknown
