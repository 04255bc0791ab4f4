"""Django's sessions in the database, read by a query that is written once: every page of whoever holds something reads one."""

from __future__ import annotations

from typing import Any

from django.contrib.sessions.backends.db import SessionStore as StoredSessions
from django.contrib.sessions.models import Session
from django.utils import timezone

from cardsdb.models.prepared import Prepared


# The name is Django's too, since it is part of what signs a session.
class SessionStore(StoredSessions):
    def load(self) -> dict[str, Any]:
        """What the session holds; nothing, and no session any more, where it is not known or has ended."""
        for data, ends in _SESSION.rows(key=self.session_key):
            if ends > timezone.now():
                return self.decode(data)  # type: ignore[no-any-return]
        self._session_key = None
        return {}


_SESSION = Prepared(lambda key: Session.objects.filter(session_key=key).values_list("session_data", "expire_date"))
