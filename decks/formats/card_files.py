"""Cards of one game as a file for other programs: their facts and texts, whichever cards they are. Each can
be brought again.
"""

from __future__ import annotations

import csv
import io
import json
import uuid
from collections.abc import Callable, Iterable
from typing import NamedTuple
from xml.etree.ElementTree import Element, SubElement

from cardsdb.box.reading.formats import guarded
from cardsdb.games.kit import Card, Game
from cardsdb.games.kit.model.cards import as_words
from decks.formats.contract import settings_of
from decks.formats.files import document
from decks.formats.writing import first_print, fit, fit_lines
from decks.formats.xml_decks import NOWHERE, card_database, id_of

Cards = Iterable[Card]


class CardFile(NamedTuple):
    """One kind of file: ``name`` is the word of addresses and the command line, ``title`` is for people."""

    name: str
    title: str
    suffix: str
    content_type: str
    write: Callable[[Game, Cards], str]


def _rows(game: Game, cards: Cards) -> Iterable[dict[str, str]]:
    """A card a row: what it is, its facts, its text."""
    for card in cards:
        print_ = first_print(card)
        row = {
            "code": card.code,
            "name": card.name,
            "type": card.type,
            "set": print_.set,
            "number": print_.number,
        }
        facts = ((fact.key, card.facts.get(fact.key)) for fact in game.facts)
        row |= {key: "" if value is None else as_words(value) for key, value in facts if key not in row}
        if game.credit:
            row["credit"] = (
                f"{game.credit.text}, {game.credit.licence}, {game.credit.licence_url}. {game.credit.changes}"
            )
        yield {**{key: fit(value) for key, value in row.items()}, "text": fit_lines(card.text)}


def _table(separator: str) -> Callable[[Game, Cards], str]:
    def write(game: Game, cards: Cards) -> str:
        out = io.StringIO()
        table = csv.writer(out, delimiter=separator, lineterminator="\r\n")
        rows = list(_rows(game, cards))
        columns = [
            key
            for key in (rows[0] if rows else ("code", "name", "text"))
            if key in ("code", "name", "text") or any(r[key] for r in rows)
        ]
        table.writerow(columns)
        table.writerows([guarded(row[key]) for key in columns] for row in rows)
        return out.getvalue()

    return write


def _json(game: Game, cards: Cards) -> str:
    rows = [{key: value for key, value in row.items() if value} for row in _rows(game, cards)]
    return json.dumps({"game": game.slug, "cards": rows}, ensure_ascii=False, indent=1) + "\n"


def _octgn(game: Game, cards: Cards) -> str:
    """A ``set.xml``: to stand in a folder of ``Sets`` of the game's package, in place of cards of the same
    ids.
    """
    owner = settings_of(game, "o8d").get("game", NOWHERE)
    root = Element(
        "set",
        name=fit(game.name),
        id=str(uuid.uuid5(uuid.UUID(owner), "cutout")),
        gameId=owner,
        version="1.0.0.0",
    )
    listed = SubElement(root, "cards")
    titles = {
        "type": "Type",
        "number": "Number",
        "credit": "Credit",
        "text": "Text",
        **{fact.key: fact.title for fact in game.facts},
    }
    for card in cards:
        row, known = next(iter(_rows(game, (card,)))), id_of(game, card)
        element = SubElement(
            listed,
            "card",
            id=str(uuid.uuid5(uuid.UUID(owner), card.code)) if known == NOWHERE else known,
            name=row["name"],
        )
        for key, value in row.items():
            if value and key in titles:
                SubElement(element, "property", name=titles[key], value=value)
    return document(root)


def _cockatrice(game: Game, cards: Cards) -> str:
    return card_database(game, cards=cards)


CARD_FILES = {
    one.name: one
    for one in (
        CardFile("csv", "Table (CSV)", ".csv", "text/csv", _table(",")),
        CardFile("tsv", "Table (TSV)", ".tsv", "text/tab-separated-values", _table("\t")),
        CardFile("json", "JSON", ".json", "application/json", _json),
        CardFile("cockatrice", "Cockatrice card file", ".xml", "application/xml", _cockatrice),
        CardFile("octgn", "OCTGN set", "-set.xml", "application/xml", _octgn),
    )
}
