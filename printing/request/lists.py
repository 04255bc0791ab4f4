"""The lists that a request names, each as its visitor may see it, and the job that prints them.

A request names stored decks (``deck``, several times or with commas), single cards (``card``:
``spycraft/kai``, three of it ``3.spycraft/kai``), starters of a game (``starter``: ``xfiles/deck-mulder``),
or a pasted list (``game``, ``text``, ``format``).
"""

from __future__ import annotations

import re
from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from typing import Any

from cardsdb.catalogue.current import game_named, games
from cardsdb.faults import Fault, Refused
from cardsdb.games.kit import Card, Decklist, Entry, Format, Game
from cardsdb.games.kit.listtext.guess import guess_format, guess_game
from cardsdb.games.kit.listtext.reading import Unread
from cardsdb.games.kit.model.decklist import as_printed
from cardsdb.games.kit.model.text import plural
from cardsdb.identity.viewer import NOBODY, Viewer
from cardsdb.search.own_cards import own_of_game
from decks.core.judging import game_of, game_or_refuse, read_text
from decks.core.used_format import format_or_refuse
from printing.job.job import Job
from printing.options.copies import MAX_COPIES_OF_CARD
from printing.options.values import CannotPrint, read_options
from printing.request.assembly import assembled, printable
from printing.request.extras import path_of
from printing.request.selection import PrintList, select
from printing.request.stored import cards_besides, decks_seen

__all__ = [
    "PrintLists",
    "job_for",
    "parse_lists",
    "pasted_list",
    "printable",
    "refused",
    "single_cards",
    "starter_lists",
    "stored_deck",
    "stored_decks",
]

# Decks in one print, single cards in one address.
MAX_DECKS, MAX_SINGLE = 12, 200
MAX_FAULTS = 12
# Unread lines that are named; a text with more of them is no list.
MAX_UNREAD = 100
_SINGLE = re.compile(r"(?:(?P<count>[1-9][0-9]?)\.)?(?P<game>[a-z0-9-]{1,40})/(?P<code>[a-z0-9_-]{1,120})")


@dataclass(frozen=True, slots=True)
class PrintLists:
    """The lists to print from, each as its visitor may see it. ``game``, ``deck`` and ``title`` are those of
    the first.
    """

    lists: tuple[PrintList, ...]

    @property
    def game(self) -> Game:
        return self.lists[0].game

    @property
    def deck(self) -> Decklist:
        return self.lists[0].deck

    @property
    def title(self) -> str:
        """The names of all."""
        return " + ".join(dict.fromkeys(filter(None, (one.title for one in self.lists))))

    @property
    def unread(self) -> tuple[Unread, ...]:
        """The lines of a pasted list that were not read, and so are not printed."""
        return tuple(line for one in self.lists for line in one.unread)

    def list_fields(self, said: Mapping[str, str]) -> dict[str, str]:
        """``game`` and ``format`` of a pasted list, the last of all, as it was read, which may be otherwise
        than was ``said``.
        """
        game, format = self.lists[-1].game, said.get("format", "")
        return {"game": game.slug, "format": format if format in game.formats_by_slug else ""}


def parse_lists(fields: Mapping[str, Any], viewer: Viewer, *, partly: bool = False) -> PrintLists:
    """The lists that a request names: a QueryDict, or a mapping of words and lists of words (a stored
    request).

    ``partly``: as ``pasted_list`` has it. Raises Refused, and Http404 for a deck that the visitor may not
    see.
    """
    links, cards, starters = (_words(fields, name) for name in ("deck", "card", "starter"))
    text = str(fields.get("text") or "")
    lists = (*stored_decks(links, viewer).lists,) if links else ()
    lists += (*single_cards(cards, viewer).lists,) if cards else ()
    if starters:
        lists += (*starter_lists(starters).lists,)
    if text.strip():
        lists += pasted_list(
            fields.get("game", ""), text, fields.get("format", ""), partly=partly, viewer=viewer
        ).lists
    if not lists:
        raise Refused(
            Fault("nothing_asked", "Say what to print: a deck, cards, a starter, or a list.", "deck")
        )
    return PrintLists(lists)


def _words(fields: Mapping[str, Any], name: str) -> list[str]:
    """The values of a field that may come several times, in their order: single cards as often as they stand
    there, others once.
    """
    getlist = getattr(fields, "getlist", None)
    values = getlist(name) if getlist else fields.get(name) or ()
    parts = [
        part.strip()
        for value in ([values] if isinstance(values, str) else values)
        for part in str(value).split(",")
    ]
    parts = [part for part in parts if part]
    return parts if name == "card" else list(dict.fromkeys(parts))


def stored_deck(link: str, viewer: Viewer) -> PrintLists:
    """A deck by its address; 404 for a visitor who may not see it."""
    return stored_decks([link], viewer)


def stored_decks(links: Iterable[str], viewer: Viewer) -> PrintLists:
    """Decks by their addresses, in this order; 404 if one of them is not the visitor's to see. Costs the same
    for any number.
    """
    wanted = list(links)
    if len(wanted) > MAX_DECKS:
        raise Refused(
            Fault("too_many_decks", f"One print takes {MAX_DECKS} decks at most, not {len(wanted)}.", "deck")
        )
    lists = []
    for row, game in decks_seen(wanted, viewer):
        page = path_of("deck", row.link)
        lists.append(
            PrintList(
                game, as_printed(row.decklist_for(viewer, game)), row.name, row.format_used(game), row, page
            )
        )
    return PrintLists(tuple(lists))


def single_cards(cards: Iterable[str], viewer: Viewer = NOBODY) -> PrintLists:
    """Single cards by game and code, those of one game together, own cards that the viewer may see among
    them.

    Raises Refused naming each that there is not.
    """
    wanted = list(cards)
    if len(wanted) > MAX_SINGLE:
        raise Refused(
            Fault(
                "too_many_cards",
                f"At most {MAX_SINGLE} single cards are named; paste a list of them instead.",
                "card",
            )
        )
    counts_by_game: dict[str, dict[str, int]] = {}
    faults = []
    for one in wanted:
        match = _SINGLE.fullmatch(one)
        if match is None or game_named(match["game"]) is None:
            faults.append(
                Fault(
                    "unknown_card",
                    f"“{one[:80]}” is no card: write game/code, such as in the card's address.",
                    "card",
                )
            )
            continue
        counts = counts_by_game.setdefault(match["game"], {})
        counts[match["code"]] = min(
            MAX_COPIES_OF_CARD, counts.get(match["code"], 0) + int(match["count"] or 1)
        )
    lists = [_single(slug, counts, faults, viewer) for slug, counts in counts_by_game.items()]
    if faults:
        raise Refused(*faults[:MAX_FAULTS])
    return PrintLists(tuple(lists))


def _single(slug: str, counts: Mapping[str, int], faults: list[Fault], viewer: Viewer) -> PrintList:
    game = game_or_refuse(slug, games())
    known: dict[str, Card] = {code: card for code in counts if (card := game.card(code))}
    if besides := counts.keys() - known.keys():
        known |= cards_besides(game, besides, viewer)
    faults += [
        Fault("unknown_card", f"{game.name} has no card “{code}”.", "card")
        for code in counts
        if code not in known
    ]
    entries = tuple(
        Entry(known[code], count, game.section_for(known[code].type))
        for code, count in counts.items()
        if code in known
    )
    alone = entries[0].card if len(entries) == 1 else None
    title = alone.name if alone else f"{game.name}: {sum(entry.count for entry in entries)} cards"
    page = path_of("card", game.slug, alone.code) if alone else ""
    return PrintList(game, Decklist(entries), title, page=page, loose=True)


def starter_lists(starters: Iterable[str]) -> PrintLists:
    """Starters by game and slug. Raises Refused naming each that there is not."""
    wanted = list(starters)
    if len(wanted) > MAX_DECKS:
        raise Refused(
            Fault(
                "too_many_decks", f"One print takes {MAX_DECKS} decks at most, not {len(wanted)}.", "starter"
            )
        )
    lists, faults = [], []
    for one in wanted:
        slug, _, name = one.partition("/")
        game = game_named(slug)
        starter = next((ready for ready in game.starters if ready.slug == name), None) if game else None
        if game is None or starter is None:
            faults.append(
                Fault(
                    "unknown_starter",
                    f"“{one[:80]}” is no starter: write game/name, as the print page does.",
                    "starter",
                )
            )
            continue
        page = f"{path_of('deck_new')}?game={slug}&starter={name}"
        deck = as_printed(read_text(game, starter.text).deck)
        lists.append(PrintList(game, deck, starter.name, format_or_refuse(game, starter.format), page=page))
    if faults:
        raise Refused(*faults)
    return PrintLists(tuple(lists))


def pasted_list(
    game_slug: object, text: str, format_slug: object = "", *, partly: bool = False, viewer: Viewer = NOBODY
) -> PrintLists:
    """A pasted list. Raises Refused, naming the lines, where any was not read: sheets that lack cards waste
    paper.

    It may name the viewer's own cards. ``partly``: somebody looks at what will be printed and is told what
    will not, so some line that was read is enough; and a list of which nothing can be read is taken for the
    game that it says itself, since another may stand in its field by now. Without a slug the list says which
    game it is for, or it is refused.
    """
    game, _ = game_of(text, game_slug, games())
    chosen = format_or_refuse(game, format_slug)
    also: Iterable[Card] = ()
    if not viewer.is_nobody:
        also = own_of_game(viewer, game).cards.values()
    reading = read_text(game, text, chosen, also)
    if reading.unread and not (partly and reading.deck.entries):
        other = guess_game(games().values(), text).game if partly and game_slug else None
        if other and other is not game:
            return pasted_list("", text, partly=True, viewer=viewer)
        raise Refused(*_unread(reading.unread))
    format: Format = chosen or guess_format(game, reading)[0]
    return PrintLists(
        (PrintList(game, as_printed(reading.deck), reading.deck.name, format, unread=reading.unread),)
    )


def _unread(lines: Sequence[Unread]) -> Iterator[Fault]:
    for line in lines[:MAX_UNREAD]:
        yield Fault(line.code, f"{line.message} ({line.text[:80]})", f"line {line.line}")
    more = len(lines) - MAX_UNREAD
    if more > 0:
        message = (
            f"{more:,} more {plural(more, 'line was', 'lines were')} not read; the last is line"
            f" {lines[-1].line}."
        )
        yield Fault("more_unread", message, "text")


def job_for(
    lists: PrintLists, options: Mapping[str, Any], viewer: Viewer | None = None, root: str = ""
) -> Job:
    """The job, each list in the order of its game's sections, with the pictures and texts that its visitor
    has.

    ``root``: the site's address without a path (``https://cutout.example``), for QR codes. Raises Refused for
    an option that cannot be, and where nothing is left to print.
    """
    try:
        chosen = read_options(options)
        return assembled(select(lists.lists, chosen, viewer or Viewer()), chosen, viewer, root.rstrip("/"))
    except CannotPrint as error:
        raise refused(error) from None


def refused(error: CannotPrint) -> Refused:
    """The printing error in the site's error shape."""
    sentence = str(error)
    return Refused(Fault(error.code, f"{sentence[:1].upper()}{sentence[1:]}.", error.field))
