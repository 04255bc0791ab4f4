"""A LackeyCCG deck (.dek, version 0.8): one element a copy.

LackeyCCG finds a card by the name of its picture, which is the card's code here. A game may say
in ``exports["dek"]``: ``game``, the plug-in's name; ``sections``, section -> label of its deck zone.
"""

from __future__ import annotations

from xml.etree.ElementTree import Element, SubElement, indent, tostring

from cardsdb.games.kit import Card, Game
from cardsdb.games.kit.decktext import Reading
from decks.formats.bounds import bounded
from decks.formats.contract import Body, FileFormat, Loss, settings_of
from decks.formats.extras import extra_losses
from decks.formats.parts import fold_losses, named_by, parts_of
from decks.formats.prints import first_print, print_losses


def write(game: Game, reading: Reading) -> Body:
    plugin = settings_of(game, "dek").get("game", game.slug)
    deck, beyond = bounded(reading.deck)
    parts = parts_of(game, deck, named_by(game, "dek"))
    root = Element("deck", version="0.8")
    SubElement(SubElement(root, "meta"), "game").text = plugin
    for part in parts:
        zone = SubElement(root, "superzone", name=part.name)
        for entry in part.entries:
            for _ in range(entry.count):
                _add(zone, entry.card)
    needed = Loss("plugin_needed", f"LackeyCCG opens this with a plug-in called {plugin}, in which a card's picture is named by its code.")
    return _laid_out(root), (needed, *beyond, *fold_losses(parts), *print_losses(deck), *extra_losses(game, reading, ()))


def _add(zone: Element, card: Card) -> None:
    copy = SubElement(zone, "card")
    SubElement(copy, "name", id=card.code).text = card.name
    SubElement(copy, "set").text = first_print(card).set


def _laid_out(root: Element) -> str:
    """Like LackeyCCG's own files, down to the one line a card: its reader is not a full XML parser."""
    indent(root, "\t")
    for copy in root.iter("card"):
        for part in copy:
            part.tail = None
        copy.text = None
    return tostring(root, encoding="unicode") + "\n"


FORMAT = FileFormat("dek", "LackeyCCG", ".dek", "application/xml", write)
