"""LackeyCCG: a deck (.dek, version 0.8), one element a copy, and a whole plug-in for a game.

LackeyCCG finds a card by the name of its picture, which is the card's code here. A game may say in
``exports['dek']``: ``game``, the plug-in's name; ``sections``, section -> label of its deck zone;
``playerstats``, label -> value at the start, of what LackeyCCG counts for each player. The plug-in is text
files only, the same bytes for the same catalogue.
"""

from __future__ import annotations

import io
import re
import zipfile
from datetime import date
from html import unescape
from math import fmod
from xml.etree.ElementTree import Element, SubElement, indent, tostring
from xml.sax.saxutils import escape

from cardsdb.games.kit import Card, Game
from cardsdb.games.kit.listtext.deck import read_deck
from cardsdb.games.kit.listtext.reading import Reading
from cardsdb.games.kit.model.cards import as_words
from cardsdb.games.kit.model.text import some
from decks.formats.contract import Body, FileFormat, Lines, Loss, Parsed, Row, Unreadable, merged, settings_of
from decks.formats.files import DECLARES, SAVE_AGAIN, LeftOut, text_of_bytes
from decks.formats.placing import game_called, reader
from decks.formats.writing import (
    bounded,
    extra_losses,
    first_print,
    fit,
    fold_losses,
    named_by,
    number_losses,
    parts_of,
    print_losses,
)

# The set of cards whose set is not known.
NO_SET = "Base"
HOLDS = ("print",)


def plugin_name(game: Game) -> str:
    """What LackeyCCG calls the game."""
    return str(settings_of(game, "dek").get("game", game.slug))


def set_of(card: Card) -> str:
    """The set under which the plug-in has the card."""
    return first_print(card).set or NO_SET


def write(game: Game, reading: Reading) -> Body:
    plugin = plugin_name(game)
    deck, beyond = bounded(reading.deck)
    parts = parts_of(game, deck, named_by(game, "dek"))
    root = Element("deck", version="0.8")
    SubElement(SubElement(root, "meta"), "game").text = plugin
    for part in parts:
        zone = SubElement(root, "superzone", name=part.name)
        for entry in part.entries:
            card, chosen = entry.card, entry.card.print_called(entry.marks.prints.label)
            for _ in range(entry.count):
                copy = SubElement(zone, "card")
                SubElement(copy, "name", id=card.code).text = card.name
                SubElement(copy, "set").text = chosen.set if chosen else set_of(card)
    message = f"LackeyCCG opens this with a plug-in called {plugin}, in which a card's picture is named by its code."
    return _laid_out(root), (
        Loss("plugin_needed", message),
        *beyond,
        *fold_losses(parts),
        *print_losses(deck),
        *number_losses(deck),
        *extra_losses(game, reading, HOLDS),
    )


def _laid_out(root: Element) -> str:
    """The text laid out like LackeyCCG's own files, one line a card, because its reader is not a full XML
    parser.
    """
    indent(root, "\t")
    for copy in root.iter("card"):
        for part in copy:
            part.tail = None
        copy.text = None
    return tostring(root, encoding="unicode") + "\n"


_TOKEN = re.compile(r"<(?P<end>/?)(?P<tag>\w++)(?P<rest>[^<>]*+)>|<!(?P<declared>\w+)|(?P<text>[^<]+)|<")
_ATTRIBUTE = re.compile(r"""\b(\w++)\s*+=\s*+(?:"([^"]*)"|'([^']*)')""")


_KNOWN = {"deck", "meta", "game", "set"}


def parse(data: bytes) -> Parsed:
    """Any LackeyCCG deck, read tag by tag because its files are not always well-formed. Raises Unreadable
    where a tag breaks off.
    """
    text, losses = text_of_bytes(data)
    if not re.search(r"<deck[\s>]", text) or not re.search(r"<(?:superzone|card|meta)\b", text):
        raise Unreadable(
            "wrong_format",
            "A file of LackeyCCG has a <deck> with a <superzone> for each part; this one has none.",
            "line 1",
        )
    lines = Lines(text)
    if (broken := text.rfind("<")) > text.rfind(">"):
        where = str(lines.place(broken))
        message = f"The file is damaged: a tag that begins at {where} is not closed. {SAVE_AGAIN}"
        raise Unreadable("bad_xml", message, where)
    rows: list[Row] = []
    cut: list[int] = []
    nameless: list[int] = []
    told = LeftOut()
    zone = game_name = open_tag = name = code = set_code = ""
    begun = -1
    for token in _TOKEN.finditer(text):
        if token["declared"]:
            raise Unreadable("bad_xml", DECLARES)
        if token["text"]:
            words = " ".join(unescape(token["text"]).split())
            match open_tag:
                case "game":
                    game_name = game_name or words
                case "name":
                    name += words
                case "set":
                    set_code = words if words != NO_SET else ""
            continue
        tag, closes = (token["tag"] or "").casefold(), bool(token["end"])
        open_tag = "" if closes else tag
        values = {key.casefold(): unescape(a or b) for key, a, b in _ATTRIBUTE.findall(token["rest"] or "")}
        if tag == "card":
            if not closes:
                cut += [begun] if begun >= 0 else []
            elif name or code:
                rows.append(Row(lines.place(max(begun, 0)), "1", name, zone, set_code, code=code))
            else:
                nameless.append(max(begun, 0))
            begun, name, code = (-1 if closes else token.start()), "", ""
            set_code = set_code if closes else ""
        elif closes:
            continue
        elif tag == "superzone":
            zone = values.get("name", "")
        elif tag == "name":
            name, code, set_code = "", values.get("id", ""), ""
        elif tag and tag not in _KNOWN:
            told.add("element_dropped", f"the element {tag[:40]}", str(lines.place(token.start())))
    cut += [begun] if begun >= 0 else []
    losses = (*losses, *told.losses)
    for code, found, why in (
        ("cards_cut", cut, "not closed by </card>"),
        ("cards_nameless", nameless, "without a name"),
    ):
        if found:
            message = f"Left out: {some(len(found), 'card')} {why}."
            losses = (*losses, Loss(code, message, str(lines.place(found[0]))))
    if "</deck>" not in text.casefold():
        message = "The file ends without </deck>: its last cards may be missing."
        losses = (*losses, Loss("file_cut", message, str(lines.place(len(text)))))
    return Parsed(merged(rows), game_called("dek", game_name), losses=losses)


FORMAT = FileFormat("dek", "LackeyCCG", ".dek", "application/xml", write, reader("dek", parse))


# The earliest day that zip archives can state; a fixed day keeps the bytes the same.
_DAY_IN_ZIP = (1980, 1, 1, 0, 0, 0)
_ZONES_OF_ALL = (("Hand", "yes", "no"), ("Discard", "yes", "yes"), ("Removed", "yes", "yes"))
_FUNCTIONS = (
    ("Draw", "DRAWCARD"),
    ("Ready all", "ALLYOURCARDSMAKERIGHT0DEGREES"),
    ("Roll a die", "ROLLD6"),
    ("Next turn", "NEXTTURN"),
)


def checksum(data: bytes) -> int:
    """LackeyCCG's checksum: the sum of the bytes as signed numbers without line ends, cut to eight digits,
    less one.
    """
    total = sum(byte - 256 if byte > 127 else byte for byte in data if byte not in b"\r\n")
    return int(fmod(total, 100_000_000)) - 1


def plugin_files(game: Game, address: str = "", day: date | None = None) -> dict[str, bytes]:
    """Path in the plug-in's folder -> content. ``address`` is where the files can be downloaded, ``day`` the
    day of the catalogue.
    """
    name = plugin_name(game)
    files = {
        "plugininfo.txt": _plugin_info(game),
        f"sets/{name}.txt": _card_table(game),
        "formats.txt": _formats(game),
        "credits.txt": _credits(game),
    }
    for starter in game.starters:
        files[f"decks/{starter.slug}.dek"] = write(game, read_deck(game, starter.text))[0]
    if address and day:
        files["version.txt"] = (
            f"<version>\n<lastupdateYYMMDD>{day:%y%m%d}</lastupdateYYMMDD>\n"
            f"<versionurl>{escape(address)}version.txt</versionurl>\n"
            f"<updateurl>{escape(address)}updatelist.txt</updateurl>\n"
            f"<message>{escape(game.name)}: the cards as Cutout has them.</message>\n</version>\n"
        )
        rows = (
            f"plugins/{name}/{path}\t{address}{path}\t{checksum(text.encode())}"
            for path, text in files.items()
        )
        files["updatelist.txt"] = "\n".join([f"{name}\t{day:%m-%d-%y}", *rows, ""])
    return {path: text.encode() for path, text in files.items()}


def plugin_zip(game: Game, address: str = "", day: date | None = None) -> bytes:
    """The folder as an archive, to be unpacked into LackeyCCG's folder ``plugins``, the same bytes for the same
    files.
    """
    out = io.BytesIO()
    with zipfile.ZipFile(out, "w") as packed:
        for path, data in sorted(plugin_files(game, address, day).items()):
            entry = zipfile.ZipInfo(f"{plugin_name(game)}/{path}", _DAY_IN_ZIP)
            entry.external_attr, entry.create_system = 0o644 << 16, 3
            packed.writestr(entry, data, zipfile.ZIP_DEFLATED)
    return out.getvalue()


def _plugin_info(game: Game) -> str:
    zones = [named_by(game, "dek")(section) for section in game.sections]
    largest = max(game.sections, key=lambda section: len(section.types))
    lines = [
        f"<playerstat><label>{escape(label)}</label><initialvalue>{value}</initialvalue></playerstat>"
        for label, value in settings_of(game, "dek").get("playerstats", {}).items()
    ]
    for section, zone in zip(game.sections, zones, strict=True):
        shuffle = "<shuffle>yes</shuffle>" if section is largest else ""
        lines.append(f"<deckzone><label>{escape(zone)}</label>{shuffle}</deckzone>")
    for label, own, others in (*_ZONES_OF_ALL, *((zone, "no", "no") for zone in dict.fromkeys(zones))):
        seen = f"<visibletoowner>{own}</visibletoowner><visibletoothers>{others}</visibletoothers>"
        lines.append(f"<gamezone><label>{escape(label)}</label>{seen}</gamezone>")
    lines += [
        f"<generalfunction><label>{label}</label><kind>{kind}</kind><includeasbutton>yes</includeasbutton></generalfunction>"
        for label, kind in _FUNCTIONS
    ]
    return "\n".join(["<plugin>", *lines, "</plugin>", ""])


def _card_table(game: Game) -> str:
    """One row a card and set, cells between tabs; there is no quoting."""
    facts = [fact for fact in game.facts if fact.kind != "text"]
    rows = [["Name", "Set", "ImageFile", "Type", *(fact.title for fact in facts), "Rarity", "Number", "Text"]]
    for card in game.cards:
        kind = game.type_named(card.type)
        if kind.in_decks:
            values = [as_words(card.facts[fact.key]) if fact.key in card.facts else "" for fact in facts]
            rows += [
                [card.name, set_code, card.code, kind.name, *values, rarity, number, card.text]
                for set_code, rarity, number in _prints(card)
            ]
    return "".join("\t".join(" ".join(fit(cell).split()) for cell in row) + "\n" for row in rows)


def _prints(card: Card) -> list[tuple[str, str, str]]:
    """(set, rarity, number) of the first print in each set."""
    sets: dict[str, tuple[str, str, str]] = {}
    for print_ in card.prints:
        sets.setdefault(print_.set, (print_.set or NO_SET, print_.rarity, print_.number or print_.code))
    return list(sets.values()) or [(NO_SET, "", "")]


def _formats(game: Game) -> str:
    sets = dict.fromkeys(set_code for card in game.cards for set_code, _, _ in _prints(card))
    listed = "".join(f"<set>{escape(code)}</set>" for code in sets)
    formats = [f"<format><label>{escape(format.name)}</label>{listed}</format>" for format in game.formats]
    return "\n".join(["<formatdefinitions>", *formats, "</formatdefinitions>", ""])


def _credits(game: Game) -> str:
    lines = [
        f"{game.name}: names and facts of its cards, gathered by Cutout from the sources it cites. No art, no"
        " card text of the game."
    ]
    if credit := game.credit:
        lines.append(f"{credit.text} ({credit.licence}, {credit.licence_url}). {credit.work_url}")
        lines.append(credit.changes)
    return "\n".join([*lines, game.rights, ""])
