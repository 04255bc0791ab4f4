"""Print lists without a request over HTTP."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

from django.utils.datastructures import MultiValueDict

from cardsdb.games.kit import Entry
from cardsdb.identity.viewer import NOBODY, Viewer
from printing.job.job import Job
from printing.options.values import read_options
from printing.request import lists as named
from printing.request.assembly import build_job
from printing.request.lists import Lists, PrintList
from printing.request.print_request import PrintFields, PrintRequest
from printing.request.selection import select


def job_for(
    lists: Lists | PrintList, options: Mapping[str, Any], viewer: Viewer | None = None, root: str = ""
) -> Job:
    """The job of these lists with these options. ``root`` is the site's address, for QR codes."""
    listed = (lists,) if isinstance(lists, PrintList) else lists
    chosen, asking = read_options(options), viewer or NOBODY
    fields = PrintFields(MultiValueDict(), False, asking, root)
    return build_job(PrintRequest(fields, listed, options=chosen, selections=select(listed, chosen, asking)))


def parse_lists(fields: Mapping[str, Any], viewer: Viewer, *, partly: bool = False) -> Lists:
    """The lists that these fields of a request name. A value is a text, or a list of texts for a repeated
    field.
    """
    sent = {
        name: list(value) if isinstance(value, (list, tuple)) else [value] for name, value in fields.items()
    }
    return named.parse_lists(MultiValueDict(sent), viewer, partly=partly)


def stored_deck(link: str, viewer: Viewer) -> PrintList:
    """The stored deck with this link."""
    return named.stored_decks([link], viewer)[0]


def entries_of(lists: Lists | PrintList) -> tuple[Entry, ...]:
    """The entries of all these lists."""
    all_lists = (lists,) if isinstance(lists, PrintList) else lists
    return tuple(entry for listed in all_lists for entry in listed.deck)
