"""The lists that a request names, each as its viewer may see it.

A request names stored decks (``deck``, several times or with commas), single cards (``card``:
``spycraft/kai``, three of it ``3.spycraft/kai``), starters of a game (``starter``: ``xfiles/deck-mulder``),
evenings, whose extras are for so many players (``evening``: ``spynet/3``), or a pasted list (``game``,
``text``, ``format``).
"""

import re
from collections import Counter
from collections.abc import Callable, Iterable, Iterator, Sequence
from dataclasses import dataclass

from django.core.validators import slug_re
from django.http import Http404
from django.urls import reverse
from django.utils.datastructures import MultiValueDict

from cardsdb.catalogue.current import catalogue, game_named, games
from cardsdb.faults import Fault, Refused
from cardsdb.games.kit import OWN_CODE, Card, Decklist, Entry, Format, Game, plural, some, whole_number
from cardsdb.games.kit.listtext.guess import guess_format, guess_game
from cardsdb.games.kit.listtext.reading import Unread
from cardsdb.games.kit.model.decklist import as_printed
from cardsdb.identity.viewer import NOBODY, Viewer
from cardsdb.models import OwnCard
from cardsdb.search.own_cards import own_of_game
from decks.core.judging import game_of, game_or_refuse, read_text
from decks.core.used_format import format_or_refuse
from decks.models import Deck
from decks.saving.room import note_opened
from printing.options.copies import MAX_COPIES_OF_CARD

# Decks in one print, single cards in one address.
MAX_DECKS, MAX_SINGLE = 12, 200
MAX_FAULTS = 12
# Unread lines that are named; a text with more of them is no list.
MAX_UNREAD = 100
_SINGLE = re.compile(r"(?:(?P<count>[1-9][0-9]?)\.)?(?P<game>[a-z0-9-]{1,40})/(?P<code>[a-z0-9_-]{1,120})")


@dataclass(frozen=True)
class PrintList:
    """One list to print from, as its viewer may see it. ``row``: the stored deck, if it is one.

    ``page`` is the path of its page. ``loose``: single cards, which are no deck that has a verdict.
    ``unread``: its lines that could not be read, which are missing from ``deck``. ``players``: the number of
    players of an evening; 0 for other lists.
    """

    game: Game
    deck: Decklist
    title: str
    format: Format | None = None
    row: Deck | None = None
    page: str = ""
    loose: bool = False
    unread: tuple[Unread, ...] = ()
    players: int = 0

    @property
    def without(self) -> str:
        """The words for missing lines of the list; empty if none is missing."""
        return f"without {some(len(self.unread), 'unread line')}" if self.unread else ""

    @property
    def version(self) -> tuple[str, ...]:
        """``version 7`` of a stored deck with a history; nothing for other lists."""
        return (f"version {self.row.revision}",) if self.row and self.row.revision else ()

    @property
    def about_page(self) -> str:
        """The sentence on a QR code that leads to its page; empty if all its readers can open that page."""
        sentence = "is private: its page opens for you alone, and not for others who read the code."
        return f"“{self.title}” {sentence}" if self.row and not self.row.is_shared else ""

    @property
    def in_order(self) -> tuple[Entry, ...]:
        """Its cards in the order in which they are printed, that of the game's sections."""
        order = {section.slug: place for place, section in enumerate(self.game.sections)}
        return tuple(sorted(self.deck.entries, key=lambda entry: order.get(entry.section, len(order))))


Lists = tuple[PrintList, ...]


def parse_lists(cards: MultiValueDict[str, str], viewer: Viewer, *, partly: bool = False) -> Lists:
    """The lists that the fields of a request name.

    ``partly``: as ``pasted_list`` has it. Raises Refused, and Http404 for a deck that the visitor may not
    see.
    """
    lists = (
        *evening_lists(dict.fromkeys(_parts(cards, "evening"))),
        *stored_decks(dict.fromkeys(_parts(cards, "deck")), viewer),
        *single_cards(_parts(cards, "card"), viewer),
        *starter_lists(dict.fromkeys(_parts(cards, "starter"))),
    )
    if text := cards.get("text", "").strip() and cards["text"]:
        pasted = pasted_list(
            cards.get("game", ""), text, cards.get("format", ""), partly=partly, viewer=viewer
        )
        lists += (pasted,)
    if not lists:
        raise Refused(
            Fault("nothing_asked", "Say what to print: a deck, cards, a starter, or a list.", "deck")
        )
    return lists


def _parts(cards: MultiValueDict[str, str], name: str) -> list[str]:
    """The values of a field that may come several times and have commas, in their order."""
    return [part.strip() for value in cards.getlist(name) for part in value.split(",") if part.strip()]


def _refuse_more_than(most: int, wanted: Sequence[object], field: str) -> None:
    if len(wanted) > most:
        raise Refused(
            Fault("too_many_decks", f"One print takes {most} decks at most, not {len(wanted)}.", field)
        )


def stored_decks(links: Iterable[str], viewer: Viewer) -> Lists:
    """The decks at these addresses, in this order; they are noted as opened. The number of queries is the
    same for any number of decks.

    Raises Http404 if the viewer may not see one of them.
    """
    wanted = list(links)
    _refuse_more_than(MAX_DECKS, wanted, "deck")
    # PostgreSQL refuses a NUL, so only words that can be an address reach it.
    if not all(map(slug_re.fullmatch, wanted)):
        raise Http404
    decks = Deck.objects.visible_to(viewer).with_cards()
    rows = {row.link: row for row in decks.filter(link__in=wanted)} if wanted else {}
    lists = []
    for link in wanted:
        row = rows.get(link)
        game = game_named(row.game) if row else None
        if row is None or game is None:
            raise Http404
        note_opened(row)
        deck, page = as_printed(row.decklist_for(viewer, game)), reverse("deck", args=[link])
        lists.append(PrintList(game, deck, row.name, row.format_used(game), row, page))
    return tuple(lists)


def single_cards(cards: Iterable[str], viewer: Viewer = NOBODY) -> Lists:
    """Single cards by game and code, those of one game together. Own cards are among them if the viewer may
    see them.

    Raises Refused, naming each card that does not exist.
    """
    wanted = list(cards)
    if len(wanted) > MAX_SINGLE:
        sentence = f"At most {MAX_SINGLE} single cards are named; paste a list of them instead."
        raise Refused(Fault("too_many_cards", sentence, "card"))
    counts_by_game: dict[str, Counter[str]] = {}
    faults, lists = [], []
    for one in wanted:
        match = _SINGLE.fullmatch(one)
        if match is None or game_named(match["game"]) is None:
            faults.append(f"“{one[:80]}” is no card: write game/code, such as in the card's address.")
        else:
            counts_by_game.setdefault(match["game"], Counter())[match["code"]] += int(match["count"] or 1)
    for slug, counts in counts_by_game.items():
        game = game_or_refuse(slug, games())
        known = _cards_at(game, counts, viewer)
        faults += [f"{game.name} has no card “{code}”." for code in counts if code not in known]
        entries = tuple(
            Entry(known[code], min(MAX_COPIES_OF_CARD, count), game.section_for(known[code].type))
            for code, count in counts.items()
            if code in known
        )
        alone = entries[0].card if len(entries) == 1 else None
        title = alone.name if alone else f"{game.name}: {sum(entry.count for entry in entries)} cards"
        page = reverse("card", args=[slug, alone.code]) if alone else ""
        lists.append(PrintList(game, Decklist(entries), title, page=page, loose=True))
    if faults:
        raise Refused(*(Fault("unknown_card", sentence, "card") for sentence in faults[:MAX_FAULTS]))
    return tuple(lists)


def _cards_at(game: Game, codes: Iterable[str], viewer: Viewer) -> dict[str, Card]:
    """The cards of these codes, by code, without codes of no card."""
    known: dict[str, Card] = {code: card for code in codes if (card := game.card(code))}
    if besides := [code for code in codes if code not in known]:
        own = OwnCard.objects.visible_to(viewer).select_related("in_set").filter(in_set__game=game.slug)
        if made := [code for code in besides if code.startswith(OWN_CODE)]:
            known |= {row.code: row.as_card() for row in own.filter(code__in=made)}
        # A card that has left the folder can still be printed.
        known |= {code: one.card for code in besides if (one := catalogue().at(game.slug, code))}
    return known


def starter_lists(starters: Iterable[str]) -> Lists:
    """Starters by game and slug. Raises Refused, naming each starter that does not exist."""
    return _of_games(starters, "starter", _starter)


def evening_lists(evenings: Iterable[str]) -> Lists:
    """Lists without cards, by game and number of players. Raises Refused, naming each evening that does not
    exist.
    """
    return _of_games(evenings, "evening", _evening)


def _of_games(names: Iterable[str], kind: str, named: Callable[[Game | None, str], PrintList]) -> Lists:
    """The lists that are ``named`` by game and name. A ValueError lists the names that are allowed."""
    wanted = list(names)
    _refuse_more_than(MAX_DECKS, wanted, kind)
    lists, faults = [], []
    for one in wanted:
        slug, _, name = one.partition("/")
        try:
            lists.append(named(game_named(slug), name))
        except ValueError as error:
            faults.append(Fault(f"unknown_{kind}", f"“{one[:80]}” is no {kind}: write {error}.", kind))
    if faults:
        raise Refused(*faults)
    return tuple(lists)


def _starter(game: Game | None, name: str) -> PrintList:
    for one in game.starters if game else ():
        if game and one.slug == name:
            page = f"{reverse('deck_new')}?game={game.slug}&starter={name}"
            deck = as_printed(read_text(game, one.text).deck)
            return PrintList(game, deck, one.name, format_or_refuse(game, one.format), page=page)
    raise ValueError("game/name, as the print page does")


def _evening(game: Game | None, number: str) -> PrintList:
    guide, players = game.set_up_guide if game else None, whole_number(number)
    if game and guide and players in guide.players:
        page = f"{reverse('game', args=[game.slug])}?players={players}"
        title = f"{game.name} for {some(players, 'player')}"
        return PrintList(game, Decklist(()), title, page=page, loose=True, players=players)
    raise ValueError(f"game/players, for {f'{guide.players} players' if guide else 'a game with a set-up'}")


def pasted_list(
    game_slug: object, text: str, format_slug: object = "", *, partly: bool = False, viewer: Viewer = NOBODY
) -> PrintList:
    """A pasted list, which may name the viewer's own cards. Raises Refused, naming the lines, if any was not
    read: sheets that lack cards waste paper.

    ``partly``: the reader is shown the lines that were not read, so one line that was read is enough. A list
    that cannot be read at all is then taken for the game that it states itself, since another may stand in
    its field by now. Without a slug the list states its game, or it is refused.
    """
    game, _ = game_of(text, game_slug, games())
    chosen = format_or_refuse(game, format_slug)
    also = () if viewer.is_nobody else own_of_game(viewer, game).cards.values()
    reading = read_text(game, text, chosen, also)
    if reading.unread and not (partly and reading.deck.entries):
        other = guess_game(games().values(), text).game if partly and game_slug else None
        if other and other is not game:
            return pasted_list("", text, partly=True, viewer=viewer)
        raise Refused(*_unread(reading.unread))
    format = chosen or guess_format(game, reading)[0]
    return PrintList(game, as_printed(reading.deck), reading.deck.name, format, unread=reading.unread)


def _unread(lines: Sequence[Unread]) -> Iterator[Fault]:
    for line in lines[:MAX_UNREAD]:
        yield Fault(line.code, f"{line.message} ({line.text[:80]})", f"line {line.line}")
    if (more := len(lines) - MAX_UNREAD) > 0:
        were = plural(more, "line was", "lines were")
        message = f"{more:,} more {were} not read; the last is line {lines[-1].line}."
        yield Fault("more_unread", message, "text")
