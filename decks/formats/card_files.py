"""Files of cards, not of decks, for other programs: tables, JSON, Cockatrice's card file, OCTGN's set
(``CARD_FILES``), and LackeyCCG's plug-in of a whole game.

``decks/pages/sharing.py`` offers them for download, the command ``export_cards`` writes them. They hold facts
and own texts, which can be imported again from each of them. To add a kind of file, write a function
(game, cards) -> text and add its ``CardFile`` to ``CARD_FILES``; pages, command and tests take it from there.
The same catalogue must give the same bytes, because LackeyCCG compares checksums of the plug-in's files.
Tests: ``tests/decks/formats/test_card_files.py``.
"""

import csv
import io
import json
import uuid
import zipfile
from collections.abc import Callable, Iterable
from datetime import date
from math import fmod
from typing import NamedTuple
from xml.etree.ElementTree import Element, SubElement
from xml.sax.saxutils import escape

from cardsdb.box.reading.tables import guarded
from cardsdb.games.kit import Card, Game, Print, as_words
from cardsdb.games.kit.listtext.deck import read_deck
from decks.formats.contract import PROGRAMS, settings_of
from decks.formats.files import document
from decks.formats.writing import NO_PRINT, first_print, fit, fit_lines, name_in, named_by
from decks.formats.xml_decks import NO_SET, NOWHERE, id_of, plugin_name, write_lackey

Cards = Iterable[Card]


class CardFile(NamedTuple):
    """One kind of file. ``name`` is its word in addresses and on the command line, ``title`` is for
    people, ``suffix`` ends the file's name.
    """

    name: str
    title: str
    suffix: str
    content_type: str
    write: Callable[[Game, Cards], str]


def _rows(game: Game, cards: Cards) -> Iterable[dict[str, str]]:
    """Yield a row for each card: key of the column -> cell, such as ``{"code": "kai", "name": "Kai", "set":
    "ON", "craft": "2", ..., "text": ""}``. All rows of a game have the same keys in the same order.
    """
    for card in cards:
        first = first_print(card)
        row = {
            "code": card.code,
            "name": card.name,
            "type": card.type,
            "set": first.set,
            "number": first.number,
        }
        facts = ((fact.key, card.facts.get(fact.key)) for fact in game.facts)
        row |= {key: "" if value is None else as_words(value) for key, value in facts if key not in row}
        if credit := game.credit:
            row["credit"] = f"{credit.text}, {credit.licence}, {credit.licence_url}. {credit.changes}"
        yield {**{key: fit(value) for key, value in row.items()}, "text": fit_lines(card.told)}


def _table(separator: str) -> Callable[[Game, Cards], str]:
    """Return a writer of tables with this separator. Columns that are empty for all cards are left out."""

    def write(game: Game, cards: Cards) -> str:
        out = io.StringIO()
        table = csv.writer(out, delimiter=separator, lineterminator="\r\n")
        rows = list(_rows(game, cards))
        always = ("code", "name", "text")
        keys = rows[0] if rows else always
        columns = [key for key in keys if key in always or any(row[key] for row in rows)]
        table.writerow(columns)
        table.writerows([guarded(row[key]) for key in columns] for row in rows)
        return out.getvalue()

    return write


def _json(game: Game, cards: Cards) -> str:
    rows = [{key: value for key, value in row.items() if value} for row in _rows(game, cards)]
    return json.dumps({"game": game.slug, "cards": rows}, ensure_ascii=False, indent=1) + "\n"


def _octgn(game: Game, cards: Cards) -> str:
    """Return a ``set.xml`` for OCTGN: it goes into a folder of ``Sets`` in the game's package and replaces
    cards of the same ids.
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
    # Key of a column -> name of OCTGN's property. The other columns are attributes or left out.
    titles = {
        "type": "Type",
        "number": "Number",
        "credit": "Credit",
        "text": "Text",
        **{fact.key: fact.title for fact in game.facts},
    }
    for card in cards:
        (row,), card_id = _rows(game, (card,)), id_of(game, card)
        # Cards without an id in the plug-in get one that is the same in every file.
        if card_id == NOWHERE:
            card_id = str(uuid.uuid5(uuid.UUID(owner), card.code))
        element = SubElement(listed, "card", id=card_id, name=row["name"])
        for key, value in row.items():
            if value and key in titles:
                SubElement(element, "property", name=titles[key], value=value)
    return document(root)


# The set of cards without a known set, since Cockatrice needs one for every card.
COCKATRICE_NO_SET = "CUTOUT"


def card_database(game: Game, cards: Cards, source: str = "", version: str = "") -> str:
    """Return Cockatrice's card file, version 4. Facts stand in ``prop``, which may hold any element.

    ``source``: the address of the file; ``version``: the state of the catalogue.
    """
    root = Element("cockatrice_carddatabase", version="4")
    info = SubElement(root, "info")
    author = f"Cutout; {game.credit.text if game.credit else game.publisher}"
    for tag, text in (("author", author), ("sourceUrl", source), ("sourceVersion", version)):
        if text:
            SubElement(info, tag).text = fit(text)
    sets, listed = SubElement(root, "sets"), SubElement(root, "cards")
    # The codes of all sets, each once, in the order in which cards name them.
    codes: dict[str, None] = {}
    for card in cards:
        kind = game.type_named(card.type)
        if kind.in_decks:
            codes |= dict.fromkeys(_add_card(game, listed, card, kind.name))
    names = {code: card_set.name for code, card_set in game.sets_by_code.items()}
    for code in codes:
        element = SubElement(sets, "set")
        SubElement(element, "name").text = code
        SubElement(element, "longname").text = fit(names.get(code, game.name))
        SubElement(element, "settype").text = "Custom"
    return document(root)


def _add_card(game: Game, listed: Element, card: Card, kind: str) -> Iterable[str]:
    """Add a card with its elements in the order of the schema: name, text, prop, sets, table row. Return the
    codes of its sets. ``listed``: the element ``<cards>``; ``kind``: the name of the card's type.
    """
    element = SubElement(listed, "card")
    SubElement(element, "name").text = fit(name_in(game, card))
    # Unlike a table, which has the column for all cards, the file has no element for a card without text.
    if told := fit_lines(card.told):
        SubElement(element, "text").text = told
    prop = SubElement(element, "prop")
    SubElement(prop, "type").text = SubElement(prop, "maintype").text = fit(kind)
    for key, value in card.facts.items():
        fact = game.facts_by_key.get(key)
        if fact and fact.kind != "text" and key not in ("type", "maintype"):
            SubElement(prop, key).text = fit(as_words(value))
    firsts = _first_prints(card, COCKATRICE_NO_SET)
    for code, first in firsts.items():
        values = {"rarity": first.rarity, "num": first.number or first.code}
        attributes = {key: fit(value) for key, value in values.items() if value}
        SubElement(element, "set", attributes).text = code
    SubElement(element, "tablerow").text = "1"
    return firsts


CARD_FILES = {
    file.name: file
    for file in (
        CardFile("csv", "Table (CSV)", ".csv", "text/csv", _table(",")),
        CardFile("tsv", "Table (TSV)", ".tsv", "text/tab-separated-values", _table("\t")),
        CardFile("json", "JSON", ".json", "application/json", _json),
        CardFile("cockatrice", "Cockatrice card file", ".xml", "application/xml", card_database),
        CardFile("octgn", "OCTGN set", "-set.xml", "application/xml", _octgn),
    )
}


def _first_prints(card: Card, no_set: str) -> dict[str, Print]:
    """Return code of a set -> the card's first print in it; ``no_set`` stands for an unknown set."""
    firsts: dict[str, Print] = {}
    for print_ in card.prints or (NO_PRINT,):
        firsts.setdefault(print_.set or no_set, print_)
    return firsts


# -- LackeyCCG's plug-in ------------------------------------------------------------------------

# The earliest day that zip archives can state. A fixed day makes the bytes repeatable.
_DAY_IN_ZIP = (1980, 1, 1, 0, 0, 0)
_LACKEY = PROGRAMS["lackey"]


def checksum(data: bytes) -> int:
    """Return LackeyCCG's checksum: the sum of all bytes but line ends as signed numbers, its last eight
    digits, minus one. ``b"Kai\\n"`` -> 75 + 97 + 105 - 1 = 276.
    """
    total = sum(byte - 256 if byte > 127 else byte for byte in data if byte not in b"\r\n")
    # LackeyCCG is written in C, where the remainder of a negative number is negative; that of ``%`` is not.
    return int(fmod(total, 10**8)) - 1


def plugin_files(game: Game, address: str, day: date) -> dict[str, bytes]:
    """Return path in the plug-in's folder -> content. ``address``: where the files can be downloaded;
    ``day``: the day of the catalogue.

    LackeyCCG downloads the files that ``updatelist.txt`` lists with another checksum than its own::

        spycraft<tab>07-01-26
        plugins/spycraft/plugininfo.txt<tab>https://cards.example/plugininfo.txt<tab>138230
    """
    name = plugin_name(game)
    files = {
        "plugininfo.txt": _plugin_info(game),
        f"sets/{name}.txt": _card_table(game),
        "formats.txt": _formats(game),
        "credits.txt": _credits(game),
    }
    for starter in game.starters:
        files[f"decks/{starter.slug}.dek"] = write_lackey(game, read_deck(game, starter.text))[0]
    files["version.txt"] = (
        f"<version>\n<lastupdateYYMMDD>{day:%y%m%d}</lastupdateYYMMDD>\n"
        f"<versionurl>{escape(address)}version.txt</versionurl>\n"
        f"<updateurl>{escape(address)}updatelist.txt</updateurl>\n"
        f"<message>{escape(game.name)}: the cards as Cutout has them.</message>\n</version>\n"
    )
    made = {path: text.encode() for path, text in files.items()}
    rows = (f"plugins/{name}/{path}\t{address}{path}\t{checksum(data)}" for path, data in made.items())
    return made | {"updatelist.txt": "\n".join([f"{name}\t{day:%m-%d-%y}", *rows, ""]).encode()}


def plugin_zip(game: Game, address: str, day: date) -> bytes:
    """Return the plug-in as an archive to unpack into LackeyCCG's folder ``plugins``. The same files give the
    same bytes.
    """
    out = io.BytesIO()
    with zipfile.ZipFile(out, "w") as packed:
        for path, data in sorted(plugin_files(game, address, day).items()):
            entry = zipfile.ZipInfo(f"{plugin_name(game)}/{path}", _DAY_IN_ZIP)
            # Fixed values, so that the bytes do not depend on this system. The upper 16 bits of the external
            # attributes are the file's mode; system 3 is Unix.
            entry.external_attr = 0o644 << 16
            entry.create_system = 3
            packed.writestr(entry, data, zipfile.ZIP_DEFLATED)
    return out.getvalue()


def _plugin_info(game: Game) -> str:
    """Return plugininfo.txt: counters of players, zones of decks and of the table, and buttons."""
    zones = [named_by(game, "dek")(section) for section in game.sections]
    # Only the section that takes most types is shuffled: the draw deck.
    largest = max(game.sections, key=lambda section: len(section.types))
    lines = [
        f"<playerstat><label>{escape(label)}</label><initialvalue>{value}</initialvalue></playerstat>"
        for label, value in settings_of(game, "dek").get("playerstats", {}).items()
    ]
    for section, zone in zip(game.sections, zones, strict=True):
        shuffle = "<shuffle>yes</shuffle>" if section is largest else ""
        lines.append(f"<deckzone><label>{escape(zone)}</label>{shuffle}</deckzone>")
    # (label, seen by its owner, seen by others). No player sees into the zones of the deck itself.
    of_deck = [(zone, "no", "no") for zone in dict.fromkeys(zones)]
    for label, own, others in (*_LACKEY["zones"], *of_deck):
        seen = f"<visibletoowner>{own}</visibletoowner><visibletoothers>{others}</visibletoothers>"
        lines.append(f"<gamezone><label>{escape(label)}</label>{seen}</gamezone>")
    lines += [
        f"<generalfunction><label>{label}</label><kind>{kind}</kind>"
        "<includeasbutton>yes</includeasbutton></generalfunction>"
        for label, kind in _LACKEY["functions"]
    ]
    return "\n".join(["<plugin>", *lines, "</plugin>", ""])


def _card_table(game: Game) -> str:
    """Return the table of cards: a row for each card and set, cells between tabs, without quoting."""
    facts = [fact for fact in game.facts if fact.kind != "text"]
    rows = [["Name", "Set", "ImageFile", "Type", *(fact.title for fact in facts), "Rarity", "Number", "Text"]]
    for card in game.cards:
        kind = game.type_named(card.type)
        if kind.in_decks:
            values = [as_words(card.facts[fact.key]) if fact.key in card.facts else "" for fact in facts]
            for code, first in _first_prints(card, NO_SET).items():
                of_print = [first.rarity, first.number or first.code]
                rows.append([card.name, code, card.code, kind.name, *values, *of_print, card.told])
    return "".join("\t".join(" ".join(fit(cell).split()) for cell in row) + "\n" for row in rows)


def _formats(game: Game) -> str:
    """Return formats.txt: each format of the game, with all its sets."""
    sets = dict.fromkeys(code for card in game.cards for code in _first_prints(card, NO_SET))
    listed = "".join(f"<set>{escape(code)}</set>" for code in sets)
    formats = [f"<format><label>{escape(format.name)}</label>{listed}</format>" for format in game.formats]
    return "\n".join(["<formatdefinitions>", *formats, "</formatdefinitions>", ""])


def _credits(game: Game) -> str:
    """Return credits.txt: where the facts are from, and the licence if the game has one."""
    lines = [
        f"{game.name}: names and facts of its cards, gathered by Cutout from the sources it cites. No art, no"
        " card text of the game."
    ]
    if credit := game.credit:
        lines.append(f"{credit.text} ({credit.licence}, {credit.licence_url}). {credit.work_url}")
        lines.append(credit.changes)
    return "\n".join([*lines, game.rights, ""])
