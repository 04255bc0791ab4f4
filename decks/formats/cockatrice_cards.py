"""All cards of a game as Cockatrice's card file (cards.xml, version 4).

Cockatrice knows a card by its name alone, so cards that share one are called by their labels here and
in its decks (``cockatrice.name_in``). The facts stand in ``prop``, which may hold anything.
"""

from __future__ import annotations

from xml.etree.ElementTree import Element, SubElement

from cardsdb.games.kit import Card, Game
from cardsdb.games.kit.model.cards import as_words
from decks.formats.cleaning import fit
from decks.formats.cockatrice import name_in
from decks.formats.decoding import document

VERSION = "4"
# Cards that came in no set, or in none that is known, need one all the same.
NO_SET = "CUTOUT"


def card_database(game: Game, source: str = "", version: str = "") -> str:
    """The file. ``source`` is the address it is from, ``version`` the state of the catalogue."""
    root = Element("cockatrice_carddatabase", version=VERSION)
    info = SubElement(root, "info")
    SubElement(info, "author").text = fit(f"Cutout; {game.credit.text if game.credit else game.publisher}")
    for tag, text in (("sourceUrl", source), ("sourceVersion", version)):
        if text:
            SubElement(info, tag).text = fit(text)
    cards = [card for card in game.cards if game.type_named(card.type).in_decks]
    sets = SubElement(root, "sets")
    names = {code: card_set.name for code, card_set in game.sets_by_code.items()}
    for code in dict.fromkeys(code for card in cards for code in _sets(card)):
        element = SubElement(sets, "set")
        SubElement(element, "name").text = code
        SubElement(element, "longname").text = fit(names.get(code, game.name))
        SubElement(element, "settype").text = "Custom"
    listed = SubElement(root, "cards")
    for card in cards:
        _add(game, listed, card)
    return document(root)


def _sets(card: Card) -> dict[str, dict[str, str]]:
    """Set code -> what is known of the card's first print in it."""
    found: dict[str, dict[str, str]] = {}
    for print_ in card.prints:
        values = {"rarity": print_.rarity, "num": print_.number or print_.code}
        found.setdefault(print_.set or NO_SET, {key: fit(value) for key, value in values.items() if value})
    return found or {NO_SET: {}}


def _add(game: Game, listed: Element, card: Card) -> None:
    """The order of the elements is the schema's: name, text, prop, sets, table row."""
    element = SubElement(listed, "card")
    SubElement(element, "name").text = fit(name_in(game, card))
    if card.text:
        SubElement(element, "text").text = fit(card.text)
    prop = SubElement(element, "prop")
    kind = game.type_named(card.type).name
    SubElement(prop, "type").text = SubElement(prop, "maintype").text = fit(kind)
    for key, value in card.facts.items():
        fact = game.facts_by_key.get(key)
        if fact and fact.kind != "text" and key not in ("type", "maintype"):
            SubElement(prop, key).text = fit(as_words(value))
    for code, values in _sets(card).items():
        SubElement(element, "set", values).text = code
    SubElement(element, "tablerow").text = "1"
