"""Look up the lists that a print request names, each with only what its viewer may see.

``parse_lists`` reads these fields (the first four may be repeated or have commas) into PrintLists:

- ``deck``: links of stored decks
- ``card``: single cards, ``spycraft/kai``, or three copies of it, ``3.spycraft/kai``
- ``starter``: starters of a game, ``xfiles/deck-mulder``
- ``evening``: ``spynet/3``, a list without cards, whose extras are printed for that many players
- ``game``, ``text``, ``format``: a pasted list

Tests: ``tests/printing/request/test_lists.py``.
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
from decks.core.judging import game_of, game_or_refuse
from decks.core.pasted_text import read_text
from decks.core.used_format import format_or_refuse
from decks.models import Deck
from decks.saving.room import note_opened
from printing.options.copies import MAX_COPIES_OF_CARD

# Decks in one print.
MAX_DECKS = 12
# Values of ``card`` in one request.
MAX_SINGLE = 200
# Unknown single cards that an error names.
MAX_FAULTS = 12
# Unread lines of a pasted list that an error names.
MAX_UNREAD = 100
# Characters of a wrong value or line that an error repeats.
MAX_QUOTED = 80
# ``3.spycraft/kai``: copies (1 to 99, optional), game, code.
_SINGLE = re.compile(r"(?:(?P<count>[1-9][0-9]?)\.)?(?P<game>[a-z0-9-]{1,40})/(?P<code>[a-z0-9_-]{1,120})")


@dataclass(frozen=True)
class PrintList:
    """One list to print from. ``deck`` has only the cards that the viewer may see.

    - ``row``: the stored deck, if the list is one.
    - ``page``: the path of its page on the site; empty if it has none.
    - ``loose``: True if the list is not a deck (single cards, an evening), so it has no register and no
      label.
    - ``unread``: its lines that could not be read, and are missing from ``deck``.
    - ``players``: the number of players of an evening; 0 for other lists.
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
    def deck_title(self) -> str:
        """The title, or for a deck without one ``Spycraft deck``."""
        return self.title or f"{self.game.name} deck"

    @property
    def without(self) -> str:
        """``without 2 unread lines``; empty if all lines were read."""
        return f"without {some(len(self.unread), 'unread line')}" if self.unread else ""

    @property
    def version(self) -> tuple[str, ...]:
        """``("version 7",)`` for a stored deck with a history, else empty."""
        return (f"version {self.row.revision}",) if self.row and self.row.revision else ()

    @property
    def privacy_warning(self) -> str:
        """A warning that a QR code leads to a page that only the owner can open; empty if it is shared."""
        if not self.row or self.row.is_shared:
            return ""
        sentence = "is private: its page opens for you alone, and not for others who scan its QR code."
        return f"“{self.title}” {sentence}"

    @property
    def in_order(self) -> tuple[Entry, ...]:
        """The list's entries in the order of printing: in the order of the game's sections, then as
        listed.
        """
        order = {section.slug: place for place, section in enumerate(self.game.sections)}
        return tuple(sorted(self.deck.entries, key=lambda entry: order.get(entry.section, len(order))))


Lists = tuple[PrintList, ...]


def parse_lists(cards: MultiValueDict[str, str], viewer: Viewer, *, partly: bool = False) -> Lists:
    """The lists that the fields of a request name. ``partly``: see ``pasted_list``.

    Raises Refused if there are none or one cannot be read, and Http404 for a deck that is hidden from the
    viewer.
    """
    lists = (
        *evening_lists(dict.fromkeys(_parts(cards, "evening"))),
        *stored_decks(dict.fromkeys(_parts(cards, "deck")), viewer),
        *single_cards(_parts(cards, "card"), viewer),
        *starter_lists(dict.fromkeys(_parts(cards, "starter"))),
    )
    text, game, format = (cards.get(name, "") for name in ("text", "game", "format"))
    if text.strip():
        lists += (pasted_list(game, text, format, partly=partly, viewer=viewer),)
    if not lists:
        raise Refused(
            Fault("nothing_asked", "Say what to print: a deck, cards, a starter, or a list.", "deck")
        )
    return lists


def _parts(cards: MultiValueDict[str, str], name: str) -> list[str]:
    """The values of a field that may be repeated and have commas: ``a,b`` and ``c`` -> ``[a, b, c]``."""
    return [part.strip() for value in cards.getlist(name) for part in value.split(",") if part.strip()]


def _refuse_too_many(decks: Sequence[object], field: str) -> None:
    if len(decks) > MAX_DECKS:
        sentence = f"One print takes {MAX_DECKS} decks at most, not {len(decks)}."
        raise Refused(Fault("too_many_decks", sentence, field))


def stored_decks(links: Iterable[str], viewer: Viewer) -> Lists:
    """The decks with these links, in this order. Each is noted as opened, so that it is not swept as unused.
    The number of database queries does not depend on the number of decks.

    Raises Http404 if one does not exist or is hidden from the viewer.
    """
    wanted = list(links)
    _refuse_too_many(wanted, "deck")
    # PostgreSQL raises an error for a NUL character, so only words that can be a link reach it.
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
    """Single cards named as ``game/code`` or ``count.game/code``: one list for each game, in which a card
    named twice has both counts. Own cards can be named too if the viewer may see them.

    Raises Refused, with a fault for each card that does not exist.
    """
    wanted = list(cards)
    if len(wanted) > MAX_SINGLE:
        sentence = f"At most {MAX_SINGLE} single cards are named; paste a list of them instead."
        raise Refused(Fault("too_many_cards", sentence, "card"))
    counts_by_game: dict[str, Counter[str]] = {}
    faults, lists = [], []
    for words in wanted:
        match = _SINGLE.fullmatch(words)
        if match is None or game_named(match["game"]) is None:
            faults.append(
                f"“{words[:MAX_QUOTED]}” is no card: write game/code, such as in the card's address."
            )
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
    """The cards with these codes, by code. Codes without a card are left out."""
    known, own_codes = dict[str, Card](), list[str]()
    for code in codes:
        if card := game.card(code):
            known[code] = card
        elif entry := catalogue().at(game.slug, code):
            # A card that was removed from the game folder is still in the catalogue, and can be printed.
            known[code] = entry.card
        elif code.startswith(OWN_CODE):
            own_codes.append(code)
    if own_codes:
        own = OwnCard.objects.visible_to(viewer).select_related("in_set").filter(in_set__game=game.slug)
        known |= {row.code: row.as_card() for row in own.filter(code__in=own_codes)}
    return known


def starter_lists(starters: Iterable[str]) -> Lists:
    """Starters named as ``game/slug``. Raises Refused, with a fault for each that does not exist."""
    return _of_games(starters, "starter", _starter)


def evening_lists(evenings: Iterable[str]) -> Lists:
    """Evenings named as ``game/players``: lists without cards. Raises Refused, with a fault for each that
    does not exist.
    """
    return _of_games(evenings, "evening", _evening)


def _of_games(names: Iterable[str], kind: str, list_of: Callable[[Game | None, str], PrintList]) -> Lists:
    """The lists with these names, ``game/name``. ``list_of`` makes one of them from a game and a name, or
    raises a ValueError with the allowed names as its message.
    """
    wanted = list(names)
    _refuse_too_many(wanted, kind)
    lists, faults = [], []
    for words in wanted:
        slug, _, name = words.partition("/")
        try:
            lists.append(list_of(game_named(slug), name))
        except ValueError as error:
            faults.append(
                Fault(f"unknown_{kind}", f"“{words[:MAX_QUOTED]}” is no {kind}: write {error}.", kind)
            )
    if faults:
        raise Refused(*faults)
    return tuple(lists)


def _starter(game: Game | None, name: str) -> PrintList:
    for starter in game.starters if game else ():
        if game and starter.slug == name:
            page = f"{reverse('deck_new')}?game={game.slug}&starter={name}"
            deck = as_printed(read_text(game, starter.text).deck)
            format = format_or_refuse(game, starter.format)
            return PrintList(game, deck, starter.name, format, page=page)
    raise ValueError("game/name, as the print page does")


def _evening(game: Game | None, number: str) -> PrintList:
    guide = game.set_up_guide if game else None
    players = whole_number(number)
    if game and guide and players in guide.players:
        page = f"{reverse('game', args=[game.slug])}?players={players}"
        title = f"{game.name} for {some(players, 'player')}"
        return PrintList(game, Decklist(()), title, page=page, loose=True, players=players)
    allowed = f"{guide.players} players" if guide else "a game with a set-up"
    raise ValueError(f"game/players, for {allowed}")


def pasted_list(
    game_slug: object, text: str, format_slug: object = "", *, partly: bool = False, viewer: Viewer = NOBODY
) -> PrintList:
    """Read a pasted list, which may name the viewer's own cards. Without ``game_slug`` the text must state
    its game. Raises Refused, with a fault for each unread line, because sheets that lack cards waste paper.

    ``partly``: the page shows the unread lines, so a list is accepted if at least one line was read. If none
    was, the text may be of another game than ``game_slug``, the field of the form; then it is read as that.
    """
    game, _ = game_of(text, game_slug, games())
    chosen = format_or_refuse(game, format_slug)
    own_cards = () if viewer.is_nobody else own_of_game(viewer, game).cards.values()
    reading = read_text(game, text, chosen, own_cards)
    if reading.unread and not (partly and reading.deck.entries):
        other = guess_game(games().values(), text).game if partly and game_slug else None
        if other and other is not game:
            # Without a game, the text itself states it, so this does not come here again.
            return pasted_list("", text, partly=True, viewer=viewer)
        raise Refused(*_faults_of(reading.unread))
    format = chosen or guess_format(game, reading)[0]
    return PrintList(game, as_printed(reading.deck), reading.deck.name, format, unread=reading.unread)


def _faults_of(lines: Sequence[Unread]) -> Iterator[Fault]:
    """A fault for each unread line up to MAX_UNREAD, and one that counts the others."""
    for line in lines[:MAX_UNREAD]:
        yield Fault(line.code, f"{line.message} ({line.text[:MAX_QUOTED]})", f"line {line.line}")
    if (more := len(lines) - MAX_UNREAD) > 0:
        were = plural(more, "line was", "lines were")
        message = f"{more:,} more {were} not read; the last is line {lines[-1].line}."
        yield Fault("more_unread", message, "text")
