"""A print order for MPC Autofill: which picture goes to which slot.

The pictures are expected beside the tool, in its folder ``cards``, named by the cards' codes.
"""

from __future__ import annotations

import re
from collections import Counter
from collections.abc import Iterable, Sequence
from typing import NamedTuple
from xml.etree.ElementTree import Element, SubElement

from cardsdb.games.kit import Game
from cardsdb.games.kit.listtext.reading import Reading
from cardsdb.games.kit.model.text import some
from decks.formats.contract import Body, FileFormat, Loss, Parsed, Row, Unreadable
from decks.formats.extras import extra_losses
from decks.formats.files import TEXT, document, left_out, text_of_element, xml_file
from decks.formats.placing import reader
from decks.formats.writing import Face, face_of, faces_of, fold_losses, parts_of

FOLDER = "cards/"
BACK = "back.png"
MAX_ORDER = 612


class Ordered(NamedTuple):
    """A picture of the order: its file name, the name of its card, how many copies, and the file name of its
    own back, if any.
    """

    picture: str
    name: str
    copies: int
    back: str = ""


def write(game: Game, reading: Reading) -> Body:
    deck = reading.deck
    parts = parts_of(game, deck, lambda section: "one order")
    entries = [entry for part in parts for entry in part.entries]
    cards = faces_of(entries)
    copies: Counter[Face] = Counter()
    for entry in entries:
        copies[face_of(entry.card)] += entry.count
    pictures = picture_names(face[0] for face in cards)
    body = order(
        [
            Ordered(picture, card.name, copies[face])
            for (face, card), picture in zip(cards.items(), pictures, strict=True)
        ]
    )
    losses = (*_order_losses(deck.size, len(cards)), *fold_losses(parts), *extra_losses(game, reading, ()))
    return body, losses


def order(pictures: Sequence[Ordered]) -> str:
    """The order's text: these pictures one after the other, copies side by side."""
    root = Element("order")
    details = SubElement(root, "details")
    quantity = sum(one.copies for one in pictures)
    for tag, text in (("quantity", str(quantity)), ("stock", "(S30) Standard Smooth"), ("foil", "false")):
        SubElement(details, tag).text = text
    fronts = SubElement(root, "fronts")
    backs: dict[str, list[int]] = {}
    slot = 0
    for one in pictures:
        slots = list(range(slot, slot + one.copies))
        _add(fronts, one.picture, one.name, slots)
        if one.back:
            backs.setdefault(one.back, []).extend(slots)
        slot += one.copies
    if backs:
        listed = SubElement(root, "backs")
        for picture, slots in backs.items():
            _add(listed, picture, "", slots)
    SubElement(root, "cardback").text = FOLDER + BACK
    return document(root)


def picture_names(codes: Iterable[str]) -> list[str]:
    """File names: each code, with a number behind it if the code occurs again (a card written in twice with
    other facts).
    """
    seen: Counter[str] = Counter()
    names = []
    for code in codes:
        seen[code] += 1
        names.append(f"{code}-{seen[code]}.png" if seen[code] > 1 else f"{code}.png")
    return names


def _add(parent: Element, picture: str, query: str, slots: list[int]) -> None:
    card = SubElement(parent, "card")
    SubElement(card, "id").text = FOLDER + picture
    SubElement(card, "sourceType").text = "Local File"
    SubElement(card, "slots").text = ",".join(map(str, slots))
    SubElement(card, "name").text = picture
    SubElement(card, "query").text = query


def _order_losses(size: int, pictures: int) -> tuple[Loss, ...]:
    losses = []
    if pictures:
        message = (
            f"{some(pictures, 'picture')} and {BACK} must be put into the tool's folder {FOLDER} under the"
            " names in the order."
        )
        losses.append(Loss("pictures_needed", message))
    if size > MAX_ORDER:
        losses.append(
            Loss(
                "order_too_large",
                f"{size:,} cards: one order takes {MAX_ORDER} at most, so it must be split.",
            )
        )
    return tuple(losses)


# What is read of each element; stock, foil and bracket are of the printing, not of the deck.
_READ = {
    **dict.fromkeys(("order", "details", "fronts", "card"), ()),
    **dict.fromkeys(
        ("quantity", "bracket", "stock", "foil", "cardback", "id", "sourceType", "slots", "name", "query"),
        (TEXT,),
    ),
}
_ENDING = re.compile(r"\.\w{2,4}$")


def parse(data: bytes) -> Parsed:
    """Any order: the cards of its fronts, by the code in the picture's path, else by the query or the
    picture's name.
    """
    file = xml_file(data, "order", "MPC Autofill")
    root = file.root
    fronts = root.find("fronts")
    if fronts is None:
        raise Unreadable("wrong_format", "The order has no fronts, so it names no cards.", "fronts")
    backs = root.find("backs")
    losses = [*file.losses]
    if backs is not None:
        if backs.find("card") is not None:
            losses.append(
                Loss("backs_dropped", "Backs of single cards are left out.", str(file.places[backs]))
            )
        root.remove(backs)
    losses += left_out(file, _READ)
    rows, filled = [], 0
    for card in fronts.iter("card"):
        place = file.places[card]
        words = [slot for slot in re.split(r"[,\s]+", text_of_element(card.find("slots"))) if slot]
        slots = {int(slot) for slot in words if re.fullmatch("[0-9]{1,6}", slot)}
        if len(slots) < len(words):
            fewer = some(len(words) - len(slots), "slot")
            losses.append(
                Loss("slots_dropped", f"Left out: {fewer}, no number or there twice.", place.of("slots"))
            )
        filled += len(slots)
        picture = _ENDING.sub("", text_of_element(card.find("name")))
        code = _ENDING.sub("", re.split(r"[/\\]", text_of_element(card.find("id")))[-1])
        # A query with capitals is a name as someone wrote it; from one in small letters the tool has removed
        # all marks.
        query = text_of_element(card.find("query"))
        name = query if query and (picture == code or query != query.lower()) else picture
        rows.append(Row(place, str(len(slots)), name, code=code, count_at=place.of("slots")))
    quantity = text_of_element(root.find("details/quantity"))
    if re.fullmatch("[0-9]{1,6}", quantity) and int(quantity) != filled:
        losses.append(
            Loss("slots_unfilled", f"The order is for {quantity} cards, and its fronts fill {filled} slots.")
        )
    return Parsed(tuple(rows), losses=tuple(losses))


FORMAT = FileFormat("mpc", "MPC Autofill order", ".xml", "application/xml", write, reader("mpc", parse))
