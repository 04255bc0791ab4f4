"""The print of an evening, for pages of a game: its parts with their numbers of cards or pages, a preview,
and the address that prints all of it. An evening is a game prepared for a number of players: the starters
that they play with, and tokens, score cards, labels and the like.

Templates call ``evening_print`` and ``print_beside`` (``printing_tags.py``). One job with all parts is built,
and the pieces of each part are counted in it by their keys. Tests: ``tests/printing/web/test_evening.py``,
and of whole evenings ``tests/printing/request/test_assembly.py``.
"""

from collections.abc import Iterable
from typing import NamedTuple

from django.http import QueryDict

from cardsdb.catalogue.current import Catalogue, catalogue
from cardsdb.faults import Refused
from cardsdb.games.kit import Format, Game, some
from cardsdb.identity.viewer import NOBODY
from printing.job.job import Job
from printing.options.values import NAMED
from printing.request.assembly import build_job
from printing.request.lists import starter_lists
from printing.request.print_request import PrintFields, PrintRequest, in_address
from printing.request.selection import select
from printing.web.print_page import Outcome

# Extra of an evening -> the beginnings of the keys of its pieces (``Piece.key``), to count them in a job.
KEYS = {"tokens": ("markers",), "scores": ("score", "table"), "reference": ("reference",)}

# A sheet for cards that would fit so many times on it is told before it is printed.
SPARED = 4


class EveningPart(NamedTuple):
    """A part of the print with a box to tick. ``field`` and ``value`` request it (``extras``, ``tokens``),
    ``words`` name it, ``count`` is its number of cards or pages in words. ``usual``: True if its box is
    ticked at first.
    """

    field: str
    value: str
    words: str
    count: str
    usual: bool = True


class EveningPrint(NamedTuple):
    """The print of an evening. ``subject`` is the evening as a request names it (``spynet/3``), ``fields``
    the query string that prints all usual parts. ``cards`` is the number of its cards in words, with those
    that need a sheet of their own, or empty. ``preview`` is the first sheet as SVG, or empty if it has
    cards of the catalogue. No ``parts`` means that there is nothing to print.
    """

    subject: str
    fields: str
    parts: tuple[EveningPart, ...]
    sheets: int
    cards: str
    preview: str

    @property
    def in_short(self) -> str:
        return some(self.sheets, "sheet")


def evening_print(game: Game, players: int) -> EveningPrint:
    """The print of a game's evening for this number of players. Cached as long as the catalogue is
    the same.
    """
    return catalogue().derived(_evening_print, game, players)


def print_beside(game: Game, formats: Iterable[Format]) -> EveningPrint | None:
    """The evening for the usual number of players, for a viewer who brings own decks of these ``formats``:
    each replaces one starter whose format shares a section with it. None if the game has no set-up.
    """
    guide = game.set_up_guide
    if guide is None:
        return None
    whole = evening_print(game, guide.tonight)
    starters = {f"{game.slug}/{starter.slug}": starter for starter in game.starters}
    needed = [part for part in whole.parts if part.usual]
    for format in formats:
        for part in needed:
            starter = starters.get(part.value)
            if starter and {*format.sections} & {*game.formats_by_slug[starter.format].sections}:
                # An own deck takes the place of this starter. The loop ends at once, so it may be removed.
                needed.remove(part)
                break
    fields = [("evening", whole.subject), *((part.field, part.value) for part in needed)]
    named = []
    for part in needed:
        starter = starters.get(part.value)
        # Shared starters belong to the table, not to a player.
        is_players = starter and starter.slug not in guide.evening.shared
        named.append(part._replace(words=f"A player’s deck: {part.words}") if is_players else part)
    return whole._replace(fields=in_address(fields), parts=tuple(named))


def _evening_print(_: Catalogue, game: Game, players: int) -> EveningPrint:
    """Build the print once to count its parts. Without cards and extras to print it has no parts."""
    guide = game.set_up_guide
    subject = f"{game.slug}/{players}"
    starters = [f"{game.slug}/{slug}" for slug in guide.evening.starters(players)] if guide else []
    words = guide.evening.words if guide else {}
    # All extras, before it is known which of them the game has: without a count.
    extras = [
        EveningPart("extras", name, words.get(name) or NAMED["extras"].choices[name], "")
        for name in (*KEYS, "sheets")
    ]
    fields = [("evening", subject), *(("starter", starter) for starter in starters)]
    everything = [*fields, ("extras", ",".join(part.value for part in extras))]
    request = PrintRequest.parse(PrintFields(QueryDict(in_address(everything)), pasted=False, viewer=NOBODY))
    try:
        job = build_job(request)
    except Refused:
        return EveningPrint(subject, "", (), 0, "", "")
    # The first list of the request is the evening itself.
    parts = [
        EveningPart("starter", value, listed.title, some(listed.deck.size, "card"))
        for value, listed in zip(starters, request.lists[1:], strict=True)
    ]
    for part in extras:
        if count := _count(job, part.value):
            parts.append(part._replace(count=count))
    if spare := guide and guide.evening.spare_for(players):
        value = f"{game.slug}/{spare}"
        (listed,) = starter_lists([value])
        (chosen,) = select([listed], request.settings, NOBODY)
        title, count = words.get("spare", listed.title), some(sum(chosen.copies), "card")
        parts.append(EveningPart("starter", value, title, count, usual=False))
    counted = ",".join(part.value for part in parts if part.field == "extras")
    preview = "" if job.entries else Outcome(request, job).sides[0]["svg"]
    address = in_address([*fields, ("extras", counted)])
    return EveningPrint(subject, address, tuple(parts), job.sheets, _cards(job), preview)


def _cards(job: Job) -> str:
    """``11 cards``, and if the last sheet with cards has few of them ``, one sheet for 2 cards alone``."""
    last = job.parts[-1]
    each = last.layout.per_sheet
    alone = last.own_cards - (last.own_sheets - 1) * each
    words = some(job.cards, "card") if job.cards else ""
    is_wasted = job.cards > each and alone * SPARED <= each
    return f"{words}, one sheet for {some(alone, 'card')} alone" if is_wasted else words


def _count(job: Job, extra: str) -> str:
    """The number of cards or pages of an extra in words, ``9 cards``; empty if there are none."""
    if extra == "sheets":
        return some(len(job.end_pages), "page") if job.end_pages else ""
    count = sum(piece.count for piece in job.extra if piece.key.startswith(KEYS[extra]))
    return some(count, "card") if count else ""
