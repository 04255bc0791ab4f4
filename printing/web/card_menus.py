"""The cards of the sheet that is shown, each with a menu: how often it is printed, its page, its owner's
words and pictures.

The place of a card on the sheet leads to the menu of that card. What the menu changes is a field of the
page's form, so that the address, the files and the kept settings agree with what is seen.
"""

from __future__ import annotations

from collections.abc import Iterable
from typing import NamedTuple

from django.urls import reverse

from cardsdb.catalogue.current import game_named
from cardsdb.games.kit import Card
from cardsdb.games.kit.model.text import plural
from printing.faces.compose import has_notes
from printing.options.copies import MAX_COPIES_OF_CARD, Cards, copies_in
from printing.options.values import Options
from printing.render.preview import MAX_DRAWN, ShownSide
from printing.request.selection import Selection

# As many cards that were left out are named with a button that brings them back.
MAX_LEFT_OUT = 20


class Pick(NamedTuple):
    """The place of a card on the paper, as numbers of an SVG. ``menu``: the id of its menu; ``label`` says
    the card and its copies.
    """

    menu: str
    label: str
    x: int
    y: int
    width: int
    height: int


class CardMenu(NamedTuple):
    """What can be done with a card. ``less``, ``more`` and ``out`` are values of the field ``copies_of``;
    empty where it cannot be.
    """

    id: str
    name: str
    copies: int
    less: str
    more: str
    out: str
    page: str
    words: str
    pictures: str


class LeftOut(NamedTuple):
    """A card of the list of which no copy is printed. ``back``: the value of ``copies_of`` that brings it
    back.
    """

    name: str
    back: str


class CardMenus:
    """The cards of a print as they lie on a sheet, and what can be done with them."""

    def __init__(self, selections: Iterable[Selection], options: Options) -> None:
        selections = tuple(selections)
        self.options = options
        self.cards = Cards(one.listed.deck.entries for one in selections)
        self.copies = copies_in(one.entries for one in selections)
        # Cards of other games lie among the pieces of a sheet by their code alone.
        self.keys = {(card.code, card.name): key for key, card in self.cards.by_key.items()}

    def picks(self, side: ShownSide) -> tuple[Pick, ...]:
        """Where cards lie on a side; none on a side with so many that they are not drawn."""
        known = [
            (slot, self.keys[slot.code, slot.name])
            for slot in side.slots
            if (slot.code, slot.name) in self.keys
        ]
        if len({key for _, key in known}) > MAX_DRAWN:
            return ()
        return tuple(Pick(_id(key), self._label(key), *slot.area) for slot, key in known)

    def menus(self, picks: Iterable[Pick]) -> tuple[CardMenu, ...]:
        """One for each different card of these."""
        there = {pick.menu for pick in picks}
        return tuple(self._menu(key) for key in self.cards.by_key if _id(key) in there) if there else ()

    def left_out(self) -> tuple[LeftOut, ...]:
        """The cards that somebody left out one by one."""
        named = [
            (keys[0], one) for one in self.options.counts if len(keys := self.cards.called(one.card)) == 1
        ]
        gone = [key for key, one in named if not self.copies[key] and not one.relative]
        return tuple(
            LeftOut(self.cards.by_key[key].name, f"{self.cards.shortest(key)}:")
            for key in gone[:MAX_LEFT_OUT]
        )

    def _label(self, key: str) -> str:
        copies = self.copies[key]
        times = f", {self.options.copies} times each" if self.options.copies > 1 else ""
        return f"{self.cards.by_key[key].name}, {copies} {plural(copies, 'copy', 'copies')}{times}"

    def _menu(self, key: str) -> CardMenu:
        card, copies, name = self.cards.by_key[key], self.copies[key], self.cards.shortest(key)
        less = f"{name}:{copies - 1}" if copies > 1 else ""
        more = f"{name}:{copies + 1}" if copies < MAX_COPIES_OF_CARD else ""
        return CardMenu(_id(key), card.name, copies, less, more, f"{name}:0", *_pages(card))


def _pages(card: Card) -> tuple[str, str, str]:
    """The addresses of the card's page, of its owner's words on it, and of their pictures; an own card has
    its words on its page.
    """
    game = game_named(card.game)
    if not card.has_page or game is None:
        return "", "", ""
    if card.own:
        return reverse("card", args=[card.game, card.code]), "", reverse("pictures")
    words = reverse("card_text", args=[card.game, card.code]) if has_notes(game, card.type) else ""
    return reverse("card", args=[card.game, card.code]), words, reverse("pictures")


def _id(key: str) -> str:
    return f"pick-{key.replace('/', '-')}"
