"""The index file of an edition, opened once in this process."""

from __future__ import annotations

import logging
from functools import lru_cache
from pathlib import Path

from django.conf import settings

from cardsdb.models import EditionState
from cardsdb.search.index import Index, IndexUnreadable

log = logging.getLogger(__name__)


def index_folder() -> Path:
    return Path(settings.VAR_DIR) / "index"


def index_path(state: EditionState) -> Path:
    """Where the index of an edition stands: named for its number and for when it was made, as another database may have that number too."""
    number, made = state
    return index_folder() / f"{number}-{f'{made:%Y%m%d%H%M%S%f}' if made else 0}.index"


def index_of(state: EditionState) -> Index | None:
    """The index of an edition; None where this machine has none, and the database must answer by itself."""
    path = index_path(state)
    try:
        written = path.stat().st_mtime_ns
    except OSError:
        return None
    return _opened(path, state[0], written)


def is_indexed(number: int) -> bool:
    """Whether this machine seems to have the index of the edition with this number, at the cost of a look into its folder."""
    return any(index_folder().glob(f"{number}-*.index"))


@lru_cache(maxsize=2)
def _opened(path: Path, edition: int, written: int) -> Index | None:
    try:
        return Index.open(path, edition)
    except IndexUnreadable as error:
        log.warning("%s; the database answers instead. Mend it with manage.py load_cards.", error)
        return None
