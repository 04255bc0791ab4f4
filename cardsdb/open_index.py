"""The index file of an edition, opened once in this process."""

from __future__ import annotations

import logging
from functools import lru_cache
from pathlib import Path

from django.conf import settings

from cardsdb.index import Index, IndexUnreadable

log = logging.getLogger(__name__)


def index_path(edition: int) -> Path:
    return settings.VAR_DIR / "index" / f"{edition}.index"


def index_of(edition: int) -> Index | None:
    """The index of an edition; None where this machine has none, and the database must answer by itself."""
    path = index_path(edition)
    try:
        written = path.stat().st_mtime_ns
    except OSError:
        return None
    return _opened(path, edition, written)


@lru_cache(maxsize=2)
def _opened(path: Path, edition: int, written: int) -> Index | None:
    try:
        return Index.open(path, edition)
    except IndexUnreadable as error:
        log.warning("%s; the database answers instead. Mend it with manage.py load_cards.", error)
        return None
