"""Lists to print and their jobs, made directly, without a page."""

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
    """Return the job that prints these lists with these options; ``root`` is the address of the site."""
    listed = (lists,) if isinstance(lists, PrintList) else lists
    chosen, asking = read_options(options), viewer or NOBODY
    fields = PrintFields(MultiValueDict(), False, asking, root)
    return build_job(PrintRequest(fields, listed, options=chosen, selections=select(listed, chosen, asking)))


def parse_lists(fields: Mapping[str, Any], viewer: Viewer, *, partly: bool = False) -> Lists:
    """Return the lists that these form fields name; a value is one text or several."""
    sent = {
        name: list(value) if isinstance(value, (list, tuple)) else [value] for name, value in fields.items()
    }
    return named.parse_lists(MultiValueDict(sent), viewer, partly=partly)


def stored_deck(link: str, viewer: Viewer) -> PrintList:
    """Return the deck with this link as a list to print."""
    return named.stored_decks([link], viewer)[0]


def entries_of(lists: Lists | PrintList) -> tuple[Entry, ...]:
    """Return the entries of all lists."""
    listed = (lists,) if isinstance(lists, PrintList) else lists
    return tuple(entry for print_list in listed for entry in print_list.deck)
