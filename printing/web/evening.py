"""The print of an evening: its parts, each with its number of cards or pages, and the address that prints all
of it.
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
from printing.request.print_request import PrintFields, PrintRequest, in_address
from printing.web.print_page import Outcome

# Extras of an evening -> how the keys of their pieces begin.
KEYS = {"tokens": ("markers",), "scores": ("score", "table"), "reference": ("reference",)}


class EveningPart(NamedTuple):
    """A part of the print that can be left out: the field and the value that ask for it, and its number of
    cards or pages. ``usual``: it is printed unless it is left out.
    """

    field: str
    value: str
    words: str
    count: str
    usual: bool = True


class EveningPrint(NamedTuple):
    """The print of an evening. ``fields``: the request for all of it, as an address has it; ``subject`` is
    the evening alone. ``preview``: the first sheet as SVG, empty for a print of cards that have pages of
    their own. Without ``parts`` there is nothing to print.
    """

    subject: str
    fields: str
    parts: tuple[EveningPart, ...]
    sheets: int
    cards: int
    preview: str

    @property
    def in_short(self) -> str:
        return some(self.sheets, "sheet")


def evening_print(game: Game, players: int) -> EveningPrint:
    """The print of a game with a set-up for so many players, counted once for each catalogue."""
    return catalogue().derived(_evening_print, game, players)


def print_beside(game: Game, formats: Iterable[Format]) -> EveningPrint | None:
    """The usual evening without the decks of formats for which the viewer has own decks; None without a
    set-up.
    """
    guide = game.set_up_guide
    if guide is None:
        return None
    whole = evening_print(game, guide.tonight)
    starters = {f"{game.slug}/{one.slug}": one for one in game.starters}
    parts = [part for part in whole.parts if part.usual]
    for format in formats:
        for part in parts:
            one = starters.get(part.value)
            if one and {*format.sections} & {*game.formats_by_slug[one.format].sections}:
                parts.remove(part)
                break
    fields = [("evening", whole.subject), *((part.field, part.value) for part in parts)]
    shared = guide.evening.shared
    parts = [
        part._replace(words=f"A player’s deck: {part.words}")
        if part.value in starters and starters[part.value].slug not in shared
        else part
        for part in parts
    ]
    return whole._replace(fields=in_address(fields), parts=tuple(parts))


def _evening_print(whole: Catalogue, game: Game, players: int) -> EveningPrint:
    guide = game.set_up_guide
    subject = f"{game.slug}/{players}"
    starters = [f"{game.slug}/{slug}" for slug in guide.evening.starters(players)] if guide else []
    words = guide.evening.words if guide else {}
    offered = [
        EveningPart("extras", name, words.get(name) or NAMED["extras"].choices[name], "")
        for name in (*KEYS, "sheets")
    ]
    fields = [("evening", subject), *(("starter", one) for one in starters)]
    try:
        request, job = _job([*fields, ("extras", ",".join(part.value for part in offered))])
    except Refused:
        return EveningPrint(subject, "", (), 0, 0, "")
    parts = [
        EveningPart("starter", value, one.title, some(one.deck.size, "card"))
        for value, one in zip(starters, request.lists[1:], strict=True)
    ]
    parts += [part._replace(count=count) for part in offered if (count := _count(job, part.value))]
    if guide and (spare := guide.evening.spare_for(players)):
        listed = _job([("starter", value := f"{game.slug}/{spare}")])[0].lists[0]
        title = words.get("spare", listed.title)
        parts.append(EveningPart("starter", value, title, some(listed.deck.size, "card"), False))
    extras = ",".join(part.value for part in parts if part.field == "extras")
    preview = "" if job.entries else Outcome(request, job).sides[0]["svg"]
    address = in_address([*fields, ("extras", extras)])
    return EveningPrint(subject, address, tuple(parts), job.sheets, job.cards, preview)


def _job(fields: list[tuple[str, str]]) -> tuple[PrintRequest, Job]:
    data = QueryDict(in_address(fields))
    request = PrintRequest.parse(PrintFields(data, False, NOBODY))
    return request, build_job(request)


def _count(job: Job, extra: str) -> str:
    """The number of cards or pages of an extra in words; empty for none."""
    if extra == "sheets":
        return some(len(job.end_pages), "page") if job.end_pages else ""
    count = sum(piece.count for piece in job.extra if piece.key.startswith(KEYS[extra]))
    return some(count, "card") if count else ""
