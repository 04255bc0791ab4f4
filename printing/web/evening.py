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
from cardsdb.games.kit import Format, Game, Starter, some
from cardsdb.games.kit.model.guides import NO_EVENING
from cardsdb.identity.viewer import NOBODY
from printing.job.job import Job
from printing.options.values import NAMED
from printing.request.assembly import build_job
from printing.request.lists import PrintList, starter_lists
from printing.request.print_request import PrintFields, PrintRequest, in_address
from printing.web.print_page import Outcome

# Extra of an evening -> the beginnings of the keys of its pieces (``Piece.key``), to count them in a job.
KEYS = {"tokens": ("markers",), "scores": ("score", "table"), "reference": ("reference",)}
# A sheet for cards that would fit so many times on it is told before it is printed.
SPARED = 4


class EveningPart(NamedTuple):
    """A part of the print with a box to tick. ``field`` and ``value`` request it (``extras``, ``tokens``),
    ``words`` name it, ``count`` is its number of cards or pages in words. ``starter``: the starter, if it is
    one. ``usual``: True if its box is ticked at first.
    """

    field: str
    value: str
    words: str
    count: str
    starter: Starter | None = None
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
    needed = [part for part in whole.parts if part.usual]
    for format in formats:
        own = {*format.sections}
        like_it = (
            part
            for part in needed
            if part.starter and own & {*game.formats_by_slug[part.starter.format].sections}
        )
        if replaced := next(like_it, None):
            needed.remove(replaced)
    fields = [("evening", whole.subject), *((part.field, part.value) for part in needed)]
    # Shared starters belong to the table, not to a player.
    named = (
        part._replace(words=f"A player’s deck: {part.words}")
        if part.starter and part.starter.slug not in guide.evening.shared
        else part
        for part in needed
    )
    return whole._replace(fields=in_address(fields), parts=tuple(named))


def _evening_print(_: Catalogue, game: Game, players: int) -> EveningPrint:
    """Build the print with all extras, to see which of them the game has and to count their pieces. Without
    cards and extras to print it has no parts. SpyNet for three::

        asked    evening=spynet/3&extras=tokens,scores,reference,sheets
        parts    "Branch tokens, four for each" 3 cards, "Counting" 1, "Your turn for each, ..." 5, and not
                 ticked "No box? Cards to write in" 76; its evening has no worksheets
        fields   evening=spynet/3&extras=tokens,scores,reference

    The spare cards (76 here) are in no job: they are printed only if their box is ticked, which adds the
    part's ``field`` and ``value`` to the address. So they count neither in ``sheets`` nor in ``cards``.
    """
    # 1. Ask for the evening with its starters and all extras.
    evening = game.set_up_guide.evening if game.set_up_guide else NO_EVENING
    known = {starter.slug: starter for starter in game.starters}
    starters = [known[slug] for slug in evening.starters(players) if slug in known]
    subject, extras = f"{game.slug}/{players}", (*KEYS, "sheets")
    lists = [("evening", subject), *(("starter", f"{game.slug}/{starter.slug}") for starter in starters)]
    asked = in_address([*lists, ("extras", ",".join(extras))])
    request = PrintRequest.parse(PrintFields(QueryDict(asked), pasted=False, viewer=NOBODY))
    # 2. Build all of it as one job.
    try:
        job = build_job(request)
    except Refused:
        return EveningPrint(subject, "", (), 0, "", "")
    # 3. The parts: starters, the extras that the game has, spare cards. The first list of the request is the
    # evening itself.
    parts = [_deck_part(starter, listed) for starter, listed in zip(starters, request.lists[1:], strict=True)]
    counts = {extra: count for extra in extras if (count := _count(job, extra))}
    for extra, count in counts.items():
        words = evening.words.get(extra) or NAMED["extras"].choices[extra]
        parts.append(EveningPart("extras", extra, words, count))
    if spare := known.get(evening.spare_for(players)):
        part = _spare_part(game, spare)
        parts.append(part._replace(words=evening.words.get("spare", part.words)))
    # 4. The address of what is ticked at first, and the numbers of the job.
    preview = "" if job.entries else Outcome(request, job).sides[0]["svg"]
    fields = in_address([*lists, ("extras", ",".join(counts))])
    return EveningPrint(subject, fields, tuple(parts), job.sheets, _cards(job), preview)


def _spare_part(game: Game, spare: Starter) -> EveningPart:
    """The part of the spare cards, not ticked at first."""
    (listed,) = starter_lists([f"{game.slug}/{spare.slug}"])
    return _deck_part(spare, listed)._replace(usual=False)


def _deck_part(starter: Starter, listed: PrintList) -> EveningPart:
    value = f"{listed.game.slug}/{starter.slug}"
    return EveningPart("starter", value, listed.title, some(listed.deck.size, "card"), starter)


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
