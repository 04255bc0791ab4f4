"""An OCTGN deck (.o8d).

OCTGN finds a card by its id, else by its name, and refuses the whole deck when it finds neither.
A game says in ``exports["o8d"]``: ``game``, the plug-in's id; ``id_fact``, the fact that holds a
card's id; ``sections``, section -> name in the plug-in; ``shared``, the sections that all players
share.
"""

from __future__ import annotations

import uuid
from xml.etree.ElementTree import Element, SubElement

from cardsdb.games.kit import Card, Decklist, Game
from cardsdb.games.kit.listtext.reading import Reading
from decks.formats.contract import Body, FileFormat, Loss, Parsed, Row, settings_of
from decks.formats.extras import extra_losses, note_lines
from decks.formats.files import TEXT, cards_in_parts, document, left_out, text_of_element, xml_file
from decks.formats.placing import game_called, reader
from decks.formats.writing import alike_losses, fold_losses, in_parts, named_by, parts_of

NOWHERE = str(uuid.UUID(int=0))


def write(game: Game, reading: Reading) -> Body:
    settings = settings_of(game, "o8d")
    shared = set(settings.get("shared", ()))
    parts = parts_of(game, reading.deck, named_by(game, "o8d"))
    root = Element("deck", game=settings.get("game", NOWHERE))
    for part in parts:
        is_shared = all(section.slug in shared for section in part.sections)
        section = SubElement(root, "section", name=part.name, shared=str(is_shared))
        for entry in part.entries:
            card = SubElement(section, "card", qty=str(entry.count), id=id_of(game, entry.card))
            card.text = entry.card.name
    SubElement(root, "notes")
    notes = "\n".join(note_lines(game, in_parts(reading, parts), ())).replace("]]>", "]] >")
    # OCTGN reads notes from one CDATA section only, which ElementTree does not write.
    text = document(root).replace("<notes />", f"<notes><![CDATA[{notes}]]></notes>")
    losses = (
        *_id_losses(game, reading.deck),
        *fold_losses(parts),
        *extra_losses(game, reading, (), "the notes"),
    )
    return text, losses


def id_of(game: Game, card: Card) -> str:
    """The card's id in the plug-in; if it is not known, an id of nothing, so that OCTGN goes by the name."""
    known = card.fact(settings_of(game, "o8d").get("id_fact", ""))
    try:
        return str(uuid.UUID(str(known)))
    except ValueError:
        return NOWHERE


def _id_losses(game: Game, deck: Decklist) -> tuple[Loss, ...]:
    unnumbered = tuple(entry for entry in deck if id_of(game, entry.card) == NOWHERE)
    alike = alike_losses(game, Decklist(unnumbered))
    if "game" not in settings_of(game, "o8d"):
        message = (
            f"No OCTGN plug-in for {game.name} is known. Put the id of yours into the deck element; it will"
            " find the cards by their names."
        )
        return (Loss("plugin_unknown", message), *alike)
    names = dict.fromkeys(entry.card.name for entry in unnumbered)
    missing = [
        Loss("id_unknown", f"No OCTGN id of {name} is known: OCTGN will look for the name.", name)
        for name in names
    ]
    return (*missing, *alike)


# What is read of each element; the names of sleeves are told apart.
_READ = {
    "deck": ("game", "sleeveid"),
    "section": ("name", "shared"),
    "card": ("qty", "id", "sleeveid", TEXT),
    "notes": ("shared", TEXT),
    "sleeve": ("id", "name", "cropped", TEXT),
}


def parse(data: bytes) -> Parsed:
    """Any OCTGN deck: ``shared`` may be missing, cards may have sleeves, names may be wrong where the id is
    right.
    """
    file = xml_file(data, "deck", "OCTGN")
    root, losses = file.root, (*file.losses, *left_out(file, _READ))
    rows = []
    for card, section in cards_in_parts(root, "section"):
        place, name = file.places[card], " ".join((card.text or "").split())
        rows.append(
            Row(
                place,
                card.get("qty") or "",
                name,
                section,
                id=(card.get("id") or "").strip(),
                count_at=place.of("qty"),
            )
        )
    sleeves = (
        root.get("sleeveid")
        or root.find(".//sleeve") is not None
        or any(card.get("sleeveid") for card in root.iter("card"))
    )
    if sleeves:
        losses = (*losses, Loss("sleeves_dropped", "The card sleeves are left out."))
    slug = game_called("o8d", (root.get("game") or "").strip().casefold())
    return Parsed(
        tuple(rows),
        slug,
        notes_field=text_of_element(root.find("notes")).replace("]] >", "]]>"),
        losses=losses,
    )


FORMAT = FileFormat("o8d", "OCTGN", ".o8d", "application/xml", write, reader("o8d", parse))
