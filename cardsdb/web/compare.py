"""The page that compares up to four cards: a row for each fact, with a word on whether the values differ.

All state is in the address: ``?card=game/code``, up to four times. ``add`` takes a name or key and redirects
to the address with that card. Tests: ``tests/cardsdb/web/test_compare.py``.
"""

import re
from collections.abc import Callable, Iterable, Sequence
from typing import Literal, NamedTuple
from urllib.parse import urlencode

from django.http import HttpRequest, HttpResponse, HttpResponseRedirect
from django.shortcuts import render
from django.urls import reverse
from django.views.decorators.http import require_safe

from cardsdb.catalogue.current import catalogue, games
from cardsdb.games.kit import Card, Fact, Game, as_words, fold
from cardsdb.search.query.grammar import parse
from cardsdb.search.query.tree import Exact
from cardsdb.site.sharing import public_or_own
from cardsdb.web.lists.rows import prints_of

MAX_CARDS = 4
# If more cards than this have the name that was typed, only the first are offered.
MAX_OFFERED = 12
# Keys of an address that are read; those beyond MAX_CARDS are named as left out.
MAX_KEYS = 20
# Notices that the page shows.
MAX_NOTICES = 8
# Characters of a typed name that are read.
MAX_NAME = 200
# A card's key: game/code.
_KEY = re.compile(r"[a-z0-9_-]{1,40}/[A-Za-z0-9_-]{1,120}")
Verdict = Literal["same", "same where stated", "differs", "not all known", ""]


class Cell(NamedTuple):
    """The value of one card. ``value`` is "" if it is unknown, or if the fact does not apply to the card.
    ``applies``: the card has the fact, or should have it.
    """

    value: str = ""
    applies: bool = True


class Row(NamedTuple):
    """A fact of all compared cards, with their cells in the same order."""

    title: str
    help: str
    cells: tuple[Cell, ...]
    number: bool = False

    @property
    def verdict(self) -> Verdict:
        """The agreement of the stated values; "" if fewer than two cards can have the fact.

        With - for a card that cannot have the fact, ? for an unknown value: ``2 2`` is "same", ``7 8`` and
        ``7 8 ?`` "differs", ``2 2 ?`` and ``2 2 -`` "same where stated", ``2 ?`` and ``? ?`` "not all known",
        ``2 -`` "".
        """
        applying = [cell for cell in self.cells if cell.applies]
        stated = [fold(cell.value) for cell in applying if cell.value]
        if len(set(stated)) > 1:
            return "differs"
        if len(applying) < 2:
            return ""
        # From here on all stated values are equal.
        if len(stated) == len(self.cells):
            return "same"
        return "same where stated" if len(stated) > 1 else "not all known"


def rows_of(compared: Sequence[tuple[Game, Card]]) -> list[Row]:
    """Return a row for game and type, then one for each fact that at least one of the cards has or should
    have.

    Facts of different games share a row if key and title are the same. Ids of programs are left out, and
    a fact that no card has and only some could have.
    """

    def row_of(title: str, help: str, value: Callable[[Game, Card], str]) -> Row:
        """Return the row of something that every card has, with a function that gives its value."""
        shown = (value(game, card) for game, card in compared)
        return Row(title, help, tuple(Cell(text, bool(text)) for text in shown))

    rows = [
        row_of("Game", "The game the card belongs to.", lambda game, card: game.name),
        row_of("Type", "What kind of card it is.", lambda game, card: game.type_named(card.type).name),
    ]
    facts = {(fact.key, fact.title): fact for game, _ in compared for fact in game.facts if not fact.is_id}
    for fact in facts.values():
        cells = tuple(_cell(game, card, fact) for game, card in compared)
        rows.append(Row(fact.title, fact.help, cells, fact.kind == "number"))
    rows += [
        row_of("Effect", "In our words.", lambda game, card: card.told),
        row_of("Prints", "Set and collector number.", lambda game, card: prints_of(card)),
    ]
    return [row for row in rows if any(cell.value or cell.applies for cell in row.cells)]


def _cell(game: Game, card: Card, asked: Fact) -> Cell:
    """Return the card's cell in the row of a fact, which may be one of another game."""
    fact = game.facts_by_key.get(asked.key)
    if fact is None or fact.title != asked.title:
        return Cell(applies=False)
    value = card.fact(fact.key)
    if value is not None:
        return Cell(as_words(value))
    # ``unless``: facts that stand in its place; a card with one of them needs not have this one.
    return Cell(applies=fact.expected_of(card.type) and not any(key in card.facts for key in fact.unless))


# -- the page -----------------------------------------------------------------------


@require_safe
@public_or_own
def compare(request: HttpRequest) -> HttpResponse:
    """The cards of the address as a table. ``add`` names one more; if it is clear and there is room, the
    answer redirects to the address with it, else the page says why not.
    """
    keys = list(dict.fromkeys(filter(None, map(str.strip, request.GET.getlist("card")))))[:MAX_KEYS]
    known = _cards(keys)
    found = [key for key in keys if key in known]
    shown, left_out = found[:MAX_CARDS], found[MAX_CARDS:]
    has_room = len(shown) < MAX_CARDS
    added = _added(request.GET.get("add", "").strip())
    if added.key and has_room:
        return HttpResponseRedirect(_address([*_without(shown, added.key), added.key]))
    notices = [
        f"No card has the key “{key[:80]}”. A key is game and code, as in the card’s address: spycraft/li."
        for key in keys
        if key not in known
    ]
    if left_out:
        names = ", ".join(known[key].name for key in left_out)
        notices.append(f"{MAX_CARDS} cards fit side by side. Left out: {names[:400]}.")
    if added.key:
        notices.append(f"{MAX_CARDS} cards are here already: remove one first.")
    elif added.notice:
        notices.append(added.notice)
    compared = [(games()[known[key].game], known[key]) for key in shown]
    context = {
        "columns": [
            {"game": game, "card": card, "remove": _address(_without(shown, card.key))}
            for game, card in compared
        ],
        "rows": rows_of(compared) if compared else [],
        "keys": shown,
        "room": has_room,
        "most": MAX_CARDS,
        "notices": notices[:MAX_NOTICES],
        "offered": [
            {"row": card, "game": games()[card.game], "address": _address([*shown, card.key][:MAX_CARDS])}
            for card in added.offered[:MAX_OFFERED]
        ],
        "games_shown": list({game.slug: game for game, _ in compared}.values()),
    }
    return render(request, "cardsdb/pages/compare.html", context)


def _address(keys: list[str]) -> str:
    """Return the address of the page for these cards."""
    return reverse("compare") + (f"?{urlencode([('card', key) for key in keys], safe='/')}" if keys else "")


def _without(keys: Iterable[str], gone: str) -> list[str]:
    return [key for key in keys if key != gone]


def _cards(keys: Iterable[str]) -> dict[str, Card]:
    """Return key (``spycraft/kai``) -> card for the keys that exist. Retired cards count, as they have a page
    too.
    """
    whole = catalogue()
    found = {key: whole.at(*key.split("/", 1)) for key in keys if _KEY.fullmatch(key)}
    return {key: entry.card for key, entry in found.items() if entry and entry.card.game in whole.games}


class Added(NamedTuple):
    """The card that was typed into ``add``: its ``key``; or if that is not clear, a sentence that says so,
    and the cards to choose from.
    """

    key: str = ""
    notice: str = ""
    offered: Sequence[Card] = ()


def _added(text: str) -> Added:
    """Return the card that a key or name means; everything is empty if the text is."""
    if not text or _cards([text]):
        return Added(text)
    # As in a search, ``!"Kai"`` means the exact name.
    tree = parse(text[:MAX_NAME]).tree if text.startswith("!") else None
    name = fold(tree.value if isinstance(tree, Exact) else text[:MAX_NAME])
    if not name:
        return Added(notice="That is not the name of a card. Type a name, or a key such as spycraft/li.")
    named = catalogue().named(name)
    matches = named or [entry.card for entry in catalogue().entries if entry.name.startswith(name)]
    if len(matches) == 1:
        return Added(matches[0].key)
    if named:
        many = len(named) if len(named) <= MAX_OFFERED else "Many"
        return Added("", f"{many} cards are called “{text[:80]}”. Which one?", named)
    advice = "These names begin with it:" if matches else "Type the whole name, or a key such as spycraft/li."
    return Added("", f"No card is called “{text[:80]}”. {advice}", matches)
