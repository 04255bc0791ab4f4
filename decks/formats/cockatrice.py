"""A Cockatrice deck (.cod), with only what both its old schema and its present reader know.

Cockatrice knows three zones: main, side and tokens. A game may say in ``exports["cod"]`` which
``sections`` go to which zone; without that a sideboard goes to side and everything else to main.
"""

from __future__ import annotations

import hashlib
from collections.abc import Iterable
from xml.etree.ElementTree import Element, SubElement

from cardsdb.games.kit import Game, Section
from cardsdb.games.kit.decklist import count_of
from cardsdb.games.kit.decktext import Reading
from decks.formats.contract import Body, FileFormat, Loss, settings_of
from decks.formats.extras import extra_losses, note_lines, some
from decks.formats.parts import Part, fold_losses, parts_of
from decks.formats.prints import alike_losses
from decks.formats.xml_text import document

ZONES = ("main", "side", "tokens")


def write(game: Game, reading: Reading) -> Body:
    zones: dict[str, str] = settings_of(game, "cod").get("sections", {})
    parts = parts_of(game, reading.deck, lambda section: zones.get(section.slug, _zone(section)))
    root = Element("cockatrice_deck", version="1")
    SubElement(root, "deckname").text = reading.deck.name
    SubElement(root, "comments").text = "\n".join(note_lines(game, reading, ("name",)))
    for part in sorted(parts, key=lambda part: ZONES.index(part.name)):
        zone = SubElement(root, "zone", name=part.name)
        for entry in part.entries:
            SubElement(zone, "card", number=str(entry.count), name=entry.card.name)
    needed = Loss("plugin_needed", f"Cockatrice shows these cards only with a card file of {game.name} installed.")
    losses = (needed, *fold_losses(parts), *_moved(parts), *alike_losses(game, reading.deck))
    return document(root), (*losses, *extra_losses(game, reading, ("name",), "the comments"))


def _zone(section: Section) -> str:
    words = {word.casefold() for word in (section.slug, section.name, *section.headings)}
    return "side" if "sideboard" in words else "main"


def _moved(parts: Iterable[Part]) -> tuple[Loss, ...]:
    """The sections that stand in a zone meant for something else."""
    return tuple(
        Loss("section_renamed", f"{some(count, 'card')} of {section.name} stand in the zone {part.name}.", section.slug)
        for part in parts
        if part.name != "main"
        for section in part.sections
        if _zone(section) != part.name and (count := count_of(e for e in part.entries if e.section == section.slug))
    )


def deck_hash(main: Iterable[tuple[int, str]], side: Iterable[tuple[int, str]] = ()) -> str:
    """The eight letters by which Cockatrice players compare decks, from (count, name) of each zone."""
    copies = [name.lower() for count, name in main for _ in range(count)]
    copies += [f"SB:{name.lower()}" for count, name in side for _ in range(count)]
    # Cockatrice sorts by UTF-16 unit, which differs from Python's order outside the basic plane.
    joined = ";".join(sorted(copies, key=lambda name: name.encode("utf-16-be")))
    digest = hashlib.sha1(joined.encode(), usedforsecurity=False).digest()
    number = int.from_bytes(digest[:5], "big")
    return "".join("0123456789abcdefghijklmnopqrstuv"[number >> shift & 31] for shift in range(35, -1, -5))


FORMAT = FileFormat("cod", "Cockatrice", ".cod", "application/xml", write)
