"""The list that a file with sections is made from."""

from __future__ import annotations

from cardsdb.games.kit import Decklist
from printing.jobs import Asked
from printing.sheets import Job


def list_for(asked: Asked, job: Job) -> Decklist:
    """The lists that are for the job's game, one after the other as one."""
    entries = tuple(entry for one in asked.lists if one.game is job.game for entry in one.deck)
    return Decklist(entries, name=job.title)
