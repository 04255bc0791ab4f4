"""A print order for MPC Autofill: which picture goes to which slot.

The pictures are expected beside the tool, in its folder ``cards``, named by the cards' codes.
"""

from __future__ import annotations

from collections.abc import Iterable
from xml.etree.ElementTree import Element, SubElement

from cardsdb.games.kit import Card, Game
from cardsdb.games.kit.decktext import Reading
from decks.formats.contract import Body, FileFormat, Loss
from decks.formats.extras import extra_losses, some
from decks.formats.faces import Face, face_of, faces_of
from decks.formats.parts import fold_losses, parts_of
from decks.formats.xml_text import document

FOLDER = "cards/"
BACK = "back.png"
LARGEST_ORDER = 612


def write(game: Game, reading: Reading) -> Body:
    deck = reading.deck
    parts = parts_of(game, deck, lambda section: "one order")
    entries = [entry for part in parts for entry in part.entries]
    copies = [face_of(entry.card) for entry in entries for _ in range(entry.count)]
    slots: dict[Face, list[int]] = {}
    for slot, face in enumerate(copies):
        slots.setdefault(face, []).append(slot)
    root = Element("order")
    details = SubElement(root, "details")
    for tag, text in (("quantity", str(deck.size)), ("stock", "(S30) Standard Smooth"), ("foil", "false")):
        SubElement(details, tag).text = text
    fronts = SubElement(root, "fronts")
    cards = faces_of(entries)
    pictures = _pictures(cards)
    for face, card in cards.items():
        _add(fronts, card, pictures[face], slots[face])
    SubElement(root, "cardback").text = FOLDER + BACK
    losses = (*_order_losses(deck.size, len(cards)), *fold_losses(parts), *extra_losses(game, reading, ()))
    return document(root), losses


def _pictures(faces: Iterable[Face]) -> dict[Face, str]:
    """File names: the code, and a number behind it for a card written in twice with other facts."""
    names: dict[Face, str] = {}
    for face in faces:
        code = face[0]
        before = sum(other[0] == code for other in names)
        names[face] = f"{code}-{before + 1}.png" if before else f"{code}.png"
    return names


def _add(fronts: Element, card: Card, picture: str, slots: list[int]) -> None:
    front = SubElement(fronts, "card")
    SubElement(front, "id").text = FOLDER + picture
    SubElement(front, "sourceType").text = "Local File"
    SubElement(front, "slots").text = ",".join(map(str, slots))
    SubElement(front, "name").text = picture
    SubElement(front, "query").text = card.name


def _order_losses(size: int, pictures: int) -> tuple[Loss, ...]:
    losses = []
    if pictures:
        message = f"{some(pictures, 'picture')} and {BACK} must be put into the tool's folder {FOLDER} under the names in the order."
        losses.append(Loss("pictures_needed", message))
    if size > LARGEST_ORDER:
        losses.append(Loss("order_too_large", f"{size:,} cards: one order takes {LARGEST_ORDER} at most, so it must be split."))
    return tuple(losses)


FORMAT = FileFormat("mpc", "MPC Autofill order", ".xml", "application/xml", write)
