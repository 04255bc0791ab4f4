"""Cockatrice: a deck (.cod), and all cards of a game (cards.xml).

A deck has only what both its old schema and its present reader know; a print that a line asks for stands in
attributes that the old one passes over.

Cockatrice knows three zones: main, side and tokens. A game may say in ``exports["cod"]`` which ``sections``
go to which zone; without that a sideboard goes to side and everything else to main. It knows a card by its
name alone, so cards that share one are called by their labels, in decks as in the card file.
"""

from __future__ import annotations

import hashlib
from collections.abc import Iterable
from xml.etree.ElementTree import Element, SubElement

from cardsdb.games.kit import Card, Decklist, Game, Section
from cardsdb.games.kit.listtext.reading import Reading
from cardsdb.games.kit.model.cards import as_words
from cardsdb.games.kit.model.decklist import count_of
from cardsdb.games.kit.model.text import some
from decks.formats.contract import Body, FileFormat, Loss, Parsed, Row, settings_of
from decks.formats.extras import extra_losses, note_lines
from decks.formats.files import TEXT, cards_in_parts, document, left_out, text_of_element, xml_file
from decks.formats.placing import game_called, reader
from decks.formats.writing import Part, alike_losses, fit, fit_lines, fold_losses, in_parts, parts_of

ZONES = ("main", "side", "tokens")
HOLDS = ("name", "print")


def write(game: Game, reading: Reading) -> Body:
    parts = parts_of(game, reading.deck, lambda section: zone_of(game, section))
    parts = tuple(sorted(parts, key=lambda part: ZONES.index(part.name)))
    root = Element("cockatrice_deck", version="1")
    SubElement(root, "deckname").text = reading.deck.name
    SubElement(root, "comments").text = "\n".join(note_lines(game, in_parts(reading, parts), HOLDS))
    for part in parts:
        zone = SubElement(root, "zone", name=part.name)
        for entry in part.entries:
            card = SubElement(zone, "card", number=str(entry.count), name=name_in(game, entry.card))
            if chosen := entry.card.print_called(entry.marks.prints.label):
                card.set("setShortName", chosen.set)
                if chosen.number or chosen.code:
                    card.set("collectorNumber", chosen.number or chosen.code)
    needed = Loss(
        "plugin_needed", f"Cockatrice shows these cards only with a card file of {game.name} installed."
    )
    losses = (needed, *fold_losses(parts), *_moved(parts), *alike_losses(game, _bare(game, reading.deck)))
    return document(root), (*losses, *extra_losses(game, reading, HOLDS, "the comments"))


def name_in(game: Game, card: Card) -> str:
    """What Cockatrice calls the card: its name, with the set if several cards have that name, as in our card
    file.
    """
    return card.name if card.written else game.name_index.label(card)


def _bare(game: Game, deck: Decklist) -> Decklist:
    """The cards that are written by their bare name."""
    return Decklist(tuple(entry for entry in deck if name_in(game, entry.card) == entry.card.name))


def zone_of(game: Game, section: Section) -> str:
    """The zone in which Cockatrice has the cards of a section."""
    zones: dict[str, str] = settings_of(game, "cod").get("sections", {})
    return zones.get(section.slug, _zone(section))


def _zone(section: Section) -> str:
    words = {word.casefold() for word in (section.slug, section.name, *section.headings)}
    return "side" if "sideboard" in words else "main"


def _moved(parts: Iterable[Part]) -> tuple[Loss, ...]:
    """The sections that stand in a zone meant for something else."""
    return tuple(
        Loss(
            "section_renamed",
            f"{some(count, 'card')} of {section.name} stand in the zone {part.name}.",
            section.slug,
        )
        for part in parts
        if part.name != "main"
        for section in part.sections
        if _zone(section) != part.name
        and (count := count_of(e for e in part.entries if e.section == section.slug))
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


def hash_of(game: Game, deck: Decklist) -> str:
    """The hash that Cockatrice shows of this deck; tokens do not count."""
    zones: dict[str, list[tuple[int, str]]] = {zone: [] for zone in ZONES}
    for part in parts_of(game, deck, lambda section: zone_of(game, section)):
        zones[part.name] += [(entry.count, name_in(game, entry.card)) for entry in part.entries]
    return deck_hash(zones["main"], zones["side"])


# What is read of each element. When a deck was last opened is no part of it.
_READ = {
    "cockatrice_deck": ("version",),
    "lastLoadedTimestamp": (TEXT,),
    "deckname": (TEXT,),
    "format": (TEXT,),
    "comments": (TEXT,),
    "tags": (),
    "tag": (TEXT,),
    "zone": ("name",),
    "card": ("number", "name", "setShortName", "collectorNumber"),
}


def parse(data: bytes) -> Parsed:
    """Any Cockatrice deck, of the old schema and of the newer programs."""
    file = xml_file(data, "cockatrice_deck", "Cockatrice")
    root, losses = file.root, (*file.losses, *left_out(file, _READ))
    rows: list[Row] = []
    for card, zone in cards_in_parts(root, "zone"):
        values = {key: (card.get(key) or "").strip() for key in _READ["card"]}
        place = file.places[card]
        printed = values["setShortName"], values["collectorNumber"]
        rows.append(
            Row(
                place, values["number"], values["name"], zone or "main", *printed, count_at=place.of("number")
            )
        )
    tags = tuple(dict.fromkeys(tag for element in root.iter("tag") if (tag := text_of_element(element))))
    word = text_of_element(root.find("format"))
    game = game_called("cod", word)
    if word and not game:
        losses = (
            *losses,
            Loss("format_dropped", f"Left out: the format “{word[:40]}”, which is no game here.", "format"),
        )
    return Parsed(
        tuple(rows),
        game,
        text_of_element(root.find("deckname")),
        notes_field=text_of_element(root.find("comments")),
        tags=tags,
        losses=losses,
    )


def _sections(game: Game, part: str) -> tuple[str, ...]:
    return tuple(section.slug for section in game.sections if zone_of(game, section) == part)


FORMAT = FileFormat(
    "cod", "Cockatrice", ".cod", "application/xml", write, reader("cod", parse, _sections, by_type=True)
)


# -- the card file, version 4; a fact stands in ``prop``, which may hold anything ---

VERSION = "4"
# Every card needs a set there, also one whose set is not known.
NO_SET = "CUTOUT"


def card_database(
    game: Game, source: str = "", version: str = "", cards: Iterable[Card] | None = None
) -> str:
    """The card file of a game, or of some of its cards.

    ``source`` is the address it is downloaded from, ``version`` the state of the catalogue.
    """
    root = Element("cockatrice_carddatabase", version=VERSION)
    info = SubElement(root, "info")
    SubElement(info, "author").text = fit(f"Cutout; {game.credit.text if game.credit else game.publisher}")
    for tag, text in (("sourceUrl", source), ("sourceVersion", version)):
        if text:
            SubElement(info, tag).text = fit(text)
    cards = [card for card in (game.cards if cards is None else cards) if game.type_named(card.type).in_decks]
    sets = SubElement(root, "sets")
    names = {code: card_set.name for code, card_set in game.sets_by_code.items()}
    for code in dict.fromkeys(code for card in cards for code in _sets_of(card)):
        element = SubElement(sets, "set")
        SubElement(element, "name").text = code
        SubElement(element, "longname").text = fit(names.get(code, game.name))
        SubElement(element, "settype").text = "Custom"
    listed = SubElement(root, "cards")
    for card in cards:
        _add(game, listed, card)
    return document(root)


def _sets_of(card: Card) -> dict[str, dict[str, str]]:
    """Set code -> what is known of the card's first print in it."""
    sets: dict[str, dict[str, str]] = {}
    for print_ in card.prints:
        values = {"rarity": print_.rarity, "num": print_.number or print_.code}
        sets.setdefault(print_.set or NO_SET, {key: fit(value) for key, value in values.items() if value})
    return sets or {NO_SET: {}}


def _add(game: Game, listed: Element, card: Card) -> None:
    """Add a card, its elements in the schema's order: name, text, prop, sets, table row."""
    element = SubElement(listed, "card")
    SubElement(element, "name").text = fit(name_in(game, card))
    if card.text:
        SubElement(element, "text").text = fit_lines(card.text)
    prop = SubElement(element, "prop")
    kind = game.type_named(card.type).name
    SubElement(prop, "type").text = SubElement(prop, "maintype").text = fit(kind)
    for key, value in card.facts.items():
        fact = game.facts_by_key.get(key)
        if fact and fact.kind != "text" and key not in ("type", "maintype"):
            SubElement(prop, key).text = fit(as_words(value))
    for code, values in _sets_of(card).items():
        SubElement(element, "set", values).text = code
    SubElement(element, "tablerow").text = "1"
