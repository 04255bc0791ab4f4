"""The page that compares up to four cards: a row for each fact, with a word on whether the values differ.

All state is in the address: ``?card=game/code``, up to four times. ``add`` takes a name or key and redirects
to the address with that card.
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
from cardsdb.games.kit import Card, Game, as_words, fold
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
# A GUID, as other programs number their cards.
_IDENTIFIER = re.compile(r"\{?[0-9a-f]{8}(-[0-9a-f]{4}){3}-[0-9a-f]{12}\}?", re.IGNORECASE)


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

        GUIDs always differ, which says nothing about the cards, so they get "" as well.
        """
        applying = [cell for cell in self.cells if cell.applies]
        stated = [fold(cell.value) for cell in applying if cell.value]
        if len(set(stated)) > 1:
            return "" if all(_IDENTIFIER.fullmatch(value) for value in stated) else "differs"
        if len(applying) < 2:
            return ""
        # Below, all stated values are equal. "same" means that every compared card states it.
        if len(stated) == len(self.cells):
            return "same"
        return "same where stated" if len(stated) > 1 else "not all known"


def rows_of(compared: Sequence[tuple[Game, Card]]) -> list[Row]:
    """Return a row for game and type, then one for each fact that at least one of the cards has or should
    have.

    Facts of different games share a row if key and title are the same. A fact that no card has and only some
    could have is left out.
    """

    def row(title: str, help: str, value: Callable[[Game, Card], str]) -> Row:
        shown = (value(game, card) for game, card in compared)
        return Row(title, help, tuple(Cell(text, bool(text)) for text in shown))

    facts = {(fact.key, fact.title): fact for game, _ in compared for fact in game.facts}
    rows = [
        row("Game", "The game the card belongs to.", lambda game, card: game.name),
        row("Type", "What kind of card it is.", lambda game, card: game.type_named(card.type).name),
        *(
            Row(title, fact.help, tuple(_cell(*pair, key, title) for pair in compared), fact.kind == "number")
            for (key, title), fact in facts.items()
        ),
        row("Effect", "In our words.", lambda game, card: card.told),
        row("Prints", "Set and collector number.", lambda game, card: prints_of(card)),
    ]
    return [row for row in rows if any(cell.value or cell.applies for cell in row.cells)]


def _cell(game: Game, card: Card, key: str, title: str) -> Cell:
    fact = game.facts_by_key.get(key)
    if fact is None or fact.title != title:
        return Cell(applies=False)
    value = card.fact(key)
    if value is not None:
        return Cell(as_words(value))
    return Cell(applies=fact.expected_of(card.type) and not any(other in card.facts for other in fact.unless))


# -- the page -----------------------------------------------------------------------


@require_safe
@public_or_own
def compare(request: HttpRequest) -> HttpResponse:
    """The cards of the address as a table. ``add`` is one more; the answer redirects to the address with
    it.
    """
    keys = list(dict.fromkeys(filter(None, map(str.strip, request.GET.getlist("card")))))[:MAX_KEYS]
    known = _cards(keys)
    notices = [
        f"No card has the key “{key[:80]}”. A key is game and code, as in the card’s address: spycraft/li."
        for key in keys
        if key not in known
    ]
    found = [key for key in keys if key in known]
    shown, left_out = found[:MAX_CARDS], ", ".join(known[key].name for key in found[MAX_CARDS:])
    if left_out:
        notices.append(f"{MAX_CARDS} cards fit side by side. Left out: {left_out[:400]}.")
    added, offered, notice = _added(request.GET.get("add", "").strip())
    if added and len(shown) < MAX_CARDS:
        return HttpResponseRedirect(_address([*(key for key in shown if key != added), added]))
    if added:
        notice = f"{MAX_CARDS} cards are here already: remove one first."
    compared = [(games()[known[key].game], known[key]) for key in shown]
    context = {
        "columns": [
            {"game": game, "card": card, "remove": _address([other for other in shown if other != key])}
            for key, (game, card) in zip(shown, compared, strict=True)
        ],
        "rows": rows_of(compared) if compared else [],
        "keys": shown,
        "room": len(shown) < MAX_CARDS,
        "most": MAX_CARDS,
        "notices": [*notices, *([notice] if notice else [])][:MAX_NOTICES],
        "offered": [
            {"row": row, "game": games()[row.game], "address": _address([*shown, row.key][:MAX_CARDS])}
            for row in offered[:MAX_OFFERED]
        ],
        "games_shown": list({game.slug: game for game, _ in compared}.values()),
    }
    return render(request, "cardsdb/pages/compare.html", context)


def _address(keys: list[str]) -> str:
    """Return the address of the page for these cards."""
    return reverse("compare") + (f"?{urlencode([('card', key) for key in keys], safe='/')}" if keys else "")


def _cards(keys: Iterable[str]) -> dict[str, Card]:
    """Return key -> card for the keys that exist. Retired cards count, as they have a page too."""
    whole = catalogue()
    found = {key: whole.at(*key.split("/", 1)) for key in keys if _KEY.fullmatch(key)}
    return {key: entry.card for key, entry in found.items() if entry and entry.card.game in whole.games}


def _added(text: str) -> tuple[str, list[Card], str]:
    """Return (key of the typed card, cards to choose from if that is not clear, sentence that asks for
    more).
    """
    if not text or _cards([text]):
        return text, [], ""
    # As in a search, ``!"Kai"`` means the exact name.
    tree = parse(text[:MAX_NAME]).tree if text.startswith("!") else None
    name = fold(tree.value if isinstance(tree, Exact) else text[:MAX_NAME])
    if not name:
        return "", [], "That is not the name of a card. Type a name, or a key such as spycraft/li."
    named = catalogue().named(name)
    matches = named or [entry.card for entry in catalogue().entries if entry.name.startswith(name)]
    if len(matches) == 1:
        return matches[0].key, [], ""
    if named:
        many = len(named) if len(named) <= MAX_OFFERED else "Many"
        return "", named, f"{many} cards are called “{text[:80]}”. Which one?"
    begin = "These names begin with it:" if matches else "Type the whole name, or a key such as spycraft/li."
    return "", matches, f"No card is called “{text[:80]}”. {begin}"
