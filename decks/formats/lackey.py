"""A LackeyCCG deck (.dek, version 0.8): one element a copy.

LackeyCCG finds a card by the name of its picture, which is the card's code here. A game may say
in ``exports["dek"]``: ``game``, the plug-in's name; ``sections``, section -> label of its deck zone.
"""

from __future__ import annotations

import re
from html import unescape
from xml.etree.ElementTree import Element, SubElement, indent, tostring

from cardsdb.games.kit import Card, Entry, Game
from cardsdb.games.kit.listtext.reading import Reading
from cardsdb.games.kit.model.text import some
from decks.formats.contract import Body, FileFormat, Loss, Unreadable, settings_of
from decks.formats.decoding import text_of_bytes
from decks.formats.extras import extra_losses
from decks.formats.places import Lines
from decks.formats.placing import game_called, reader
from decks.formats.rows import Parsed, Row, merged
from decks.formats.writing import (
    bounded,
    first_print,
    fold_losses,
    named_by,
    number_losses,
    parts_of,
    print_losses,
)
from decks.formats.xml_file import MAX_TOLD

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
            for _ in range(entry.count):
                _add(zone, entry)
    needed = Loss(
        "plugin_needed",
        f"LackeyCCG opens this with a plug-in called {plugin}, in which a card's picture is named by its"
        " code.",
    )
    return _laid_out(root), (
        needed,
        *beyond,
        *fold_losses(parts),
        *print_losses(deck),
        *number_losses(deck),
        *extra_losses(game, reading, HOLDS),
    )


def _add(zone: Element, entry: Entry) -> None:
    card, chosen = entry.card, entry.card.print_called(entry.marks.prints.label)
    copy = SubElement(zone, "card")
    SubElement(copy, "name", id=card.code).text = card.name
    SubElement(copy, "set").text = chosen.set if chosen else set_of(card)


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


_KNOWN = {"deck", "meta", "game", "superzone", "card", "name", "set"}


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
        message = (
            f"The file is damaged: a tag that begins at {where} is not closed. Save it again in the program"
            " it is from."
        )
        raise Unreadable("bad_xml", message, where)
    rows: list[Row] = []
    cut: list[int] = []
    nameless: list[int] = []
    dropped: dict[str, Loss] = {}
    zone = game_name = open_tag = name = code = set_code = ""
    begun = -1
    for token in _TOKEN.finditer(text):
        if token["declared"]:
            raise Unreadable(
                "bad_xml", "The file declares entities or a document type, which no deck needs. Remove them."
            )
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
        tag = (token["tag"] or "").casefold()
        open_tag = "" if token["end"] else tag
        values = {key.casefold(): unescape(a or b) for key, a, b in _ATTRIBUTE.findall(token["rest"] or "")}
        if tag and tag not in _KNOWN and not token["end"] and len(dropped) < MAX_TOLD:
            loss = Loss(
                "element_dropped", f"Left out: the element {tag[:40]}.", str(lines.place(token.start()))
            )
            dropped.setdefault(tag, loss)
        if tag == "superzone" and not token["end"]:
            zone = values.get("name", "")
        elif tag == "card" and not token["end"]:
            cut += [begun] if begun >= 0 else []
            begun, name, code, set_code = token.start(), "", "", ""
        elif tag == "name" and not token["end"]:
            name, code, set_code = "", values.get("id", ""), ""
        elif tag == "card":
            place = lines.place(max(begun, 0))
            if name or code:
                rows.append(Row(place, "1", name, zone, set_code, code=code))
            else:
                nameless.append(max(begun, 0))
            begun, name, code = -1, "", ""
    cut += [begun] if begun >= 0 else []
    losses = (*losses, *dropped.values())
    if cut:
        losses += (
            Loss(
                "cards_cut",
                f"Left out: {some(len(cut), 'card')} not closed by </card>.",
                str(lines.place(cut[0])),
            ),
        )
    if nameless:
        losses += (
            Loss(
                "cards_nameless",
                f"Left out: {some(len(nameless), 'card')} without a name.",
                str(lines.place(nameless[0])),
            ),
        )
    if "</deck>" not in text.casefold():
        losses += (
            Loss(
                "file_cut",
                "The file ends without </deck>: its last cards may be missing.",
                str(lines.place(len(text))),
            ),
        )
    return Parsed(merged(rows), game_called("dek", game_name), losses=losses)


FORMAT = FileFormat("dek", "LackeyCCG", ".dek", "application/xml", write, read=reader("dek", parse))
