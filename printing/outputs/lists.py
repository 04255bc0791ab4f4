"""The list that a file with sections is made from."""

from __future__ import annotations

from collections.abc import Iterable

from cardsdb.games.kit import Decklist
from printing.choosing import Chosen
from printing.job import Job


def list_for(chosen: Iterable[Chosen], job: Job) -> Decklist:
    """What was chosen of the lists that are for the job's game, one after the other as one, each card in its section."""
    entries = tuple(entry for one in chosen if one.listed.game is job.game for entry in one.entries)
    return Decklist(entries, name=job.title)
