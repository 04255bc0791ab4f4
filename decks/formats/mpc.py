"""Print orders for MPC Autofill (``mpc``): XML that says which picture is printed in which slots.

The pictures lie beside the tool in its folder ``cards``, named by the codes of the cards. An order of two Kai
and one Termite has three slots, counted from 0; of the first picture it says::

    <card> <id>cards/kai.png</id> <sourceType>Local File</sourceType> <slots>0,1</slots> <name>kai.png</name>
      <query>Kai</query> </card>

``formats/__init__.py`` lists the format, and ``printing/exports`` calls ``order`` for files with pictures.
Tests: ``tests/decks/formats/test_mpc.py``.
"""

import re
from collections import Counter
from collections.abc import Sequence
from typing import NamedTuple
from xml.etree.ElementTree import Element, SubElement

from cardsdb.games.kit import Game, some
from cardsdb.games.kit.listtext.reading import Reading
from decks.formats.contract import Body, FileFormat, Loss, Parsed, Row, Unreadable
from decks.formats.files import XmlFile, document
from decks.formats.notes import extra_losses
from decks.formats.placing import reader
from decks.formats.writing import Face, face_of, faces_of, fold_losses, parts_of

FOLDER = "cards/"
BACK = "back.png"
# Cards that the print service takes in one order.
MAX_ORDER = 612


class Ordered(NamedTuple):
    """A picture of the order: its file name, the name of its card, its copies, and the file name of its own
    back, empty for the common back.
    """

    picture: str
    name: str
    copies: int
    back: str = ""


def write(game: Game, reading: Reading) -> Body:
    """Write an order in which cards that look the same share a picture."""
    deck = reading.deck
    # An order has no parts: all sections become one.
    parts = parts_of(game, deck, lambda section: "one order")
    entries, copies = [entry for part in parts for entry in part.entries], Counter[Face]()
    for entry in entries:
        copies[face_of(entry.card)] += entry.count
    # Two written-in cards of one name have the same code; the second picture is named ``<code>-2.png``.
    seen: Counter[str] = Counter()
    pictures = []
    for face, card in faces_of(entries).items():
        seen[card.code] += 1
        number = f"-{seen[card.code]}" if seen[card.code] > 1 else ""
        pictures.append(Ordered(f"{card.code}{number}.png", card.name, copies[face]))
    losses = []
    if pictures:
        message = (
            f"Put {some(len(pictures), 'picture')} and {BACK} into the tool's folder {FOLDER} under the"
            " names in the order."
        )
        losses.append(Loss("pictures_needed", message))
    if deck.size > MAX_ORDER:
        message = f"{deck.size:,} cards: one order takes {MAX_ORDER} at most, so it must be split."
        losses.append(Loss("order_too_large", message))
    return order(pictures), (*losses, *fold_losses(parts), *extra_losses(game, reading, ()))


def order(pictures: Sequence[Ordered]) -> str:
    """Return the text of an order for these pictures, one after the other, the copies of each in adjacent
    slots.
    """
    root = Element("order")
    details = SubElement(root, "details")
    quantity = sum(picture.copies for picture in pictures)
    for tag, text in (("quantity", str(quantity)), ("stock", "(S30) Standard Smooth"), ("foil", "false")):
        SubElement(details, tag).text = text
    fronts = SubElement(root, "fronts")
    backs: dict[str, list[int]] = {}
    slot = 0
    for ordered in pictures:
        slots = list(range(slot, slot + ordered.copies))
        _add(fronts, ordered.picture, ordered.name, slots)
        if ordered.back:
            backs.setdefault(ordered.back, []).extend(slots)
        slot += ordered.copies
    if backs:
        listed = SubElement(root, "backs")
        for picture, slots in backs.items():
            _add(listed, picture, "", slots)
    SubElement(root, "cardback").text = FOLDER + BACK
    return document(root)


def _add(parent: Element, picture: str, query: str, slots: list[int]) -> None:
    """Add a picture in these slots, with the elements of ``<card>`` in the order of the tool's own files.
    ``query``: the name by which the tool searches for pictures.
    """
    card = SubElement(parent, "card")
    for tag, text in (
        ("id", FOLDER + picture),
        ("sourceType", "Local File"),
        ("slots", ",".join(map(str, slots))),
        ("name", picture),
        ("query", query),
    ):
        SubElement(card, tag).text = text


# The ending of a picture's name, such as ".png".
_ENDING = re.compile(r"\.\w{2,4}$")


def parse(data: bytes) -> Parsed:
    """Read the fronts of any order. A card is named by the code in the picture's path, else by the query or
    the picture's name. Slots are its copies.
    """
    file = XmlFile(data, "order", "MPC Autofill")
    fronts, backs = file.root.find("fronts"), file.root.find("backs")
    if fronts is None:
        raise Unreadable("wrong_format", "The order has no fronts, so it names no cards.", "fronts")
    if backs is not None:
        if backs.find("card") is not None:
            where = str(file.places[backs])
            file.losses.append(Loss("backs_dropped", "Backs of single cards are left out.", where))
        # Reported by one loss, so that ``report_unread`` does not report their elements again.
        file.root.remove(backs)
    file.report_unread()
    rows, filled = [], 0
    for card in fronts.iter("card"):
        place = file.places[card]
        typed, picture, path, query = (
            card.findtext(tag, "").strip() for tag in ("slots", "name", "id", "query")
        )
        words = [*filter(None, re.split(r"[,\s]+", typed))]
        slots = {int(slot) for slot in words if re.fullmatch("[0-9]{1,6}", slot)}
        if len(slots) < len(words):
            message = f"Left out: {some(len(words) - len(slots), 'slot')}, not a number or named twice."
            file.losses.append(Loss("slots_dropped", message, place.of("slots")))
        filled += len(slots)
        picture, code = _ENDING.sub("", picture), _ENDING.sub("", re.split(r"[/\\]", path)[-1])
        # A query with capitals, "Kai", is a name as a person typed it. The tool itself writes queries in
        # lower case and without punctuation, so then the picture's name is better, unless it is the code.
        name = query if query and (picture == code or query != query.lower()) else picture
        rows.append(Row(place, str(len(slots)), name, code=code, count_at=place.of("slots")))
    quantity = file.text("details/quantity")
    if re.fullmatch("[0-9]{1,6}", quantity) and int(quantity) != filled:
        message = f"The order is for {quantity} cards, and its fronts fill {filled} slots."
        file.losses.append(Loss("slots_unfilled", message))
    return Parsed(tuple(rows), losses=tuple(file.losses))


FORMAT = FileFormat("mpc", "MPC Autofill order", ".xml", "application/xml", write, reader("mpc", parse))
