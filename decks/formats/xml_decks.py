"""Decks as XML: OCTGN's (.o8d), Cockatrice's (.cod) and LackeyCCG's (.dek, version 0.8).

``formats/__init__.py`` lists the three formats; ``card_files.py`` shares the names of plug-ins. The writers
take a ``Reading``, the parsers give ``Parsed`` (``contract.py``). A game's ``exports`` may name the plug-in
and the parts of each format, as said below. Tests: ``test_xml_decks.py``; ``test_files.py``, damaged files.
"""

import hashlib
import re
import uuid
from collections.abc import Iterable
from html import unescape
from xml.etree.ElementTree import Element, SubElement, indent, tostring

from cardsdb.games.kit import Card, Decklist, Game, Section, some
from cardsdb.games.kit.listtext.reading import Reading
from decks.formats.contract import (
    Body,
    FileFormat,
    Lines,
    Loss,
    Parsed,
    Row,
    Unreadable,
    game_called,
    merged,
    settings_of,
)
from decks.formats.files import DECLARES, SAVE_AGAIN, LeftOut, XmlFile, document, text_of_bytes
from decks.formats.notes import extra_losses, note_lines
from decks.formats.placing import plain_id, reader
from decks.formats.writing import (
    alike_losses,
    bounded,
    first_print,
    fold_losses,
    name_in,
    named_by,
    number_losses,
    parts_of,
    print_losses,
)

# -- OCTGN -------------------------------------------------------------------------------------
# <deck game="d1d8cc2c-...">
#   <section name="Deck" shared="False"> <card qty="3" id="58bd4062-...">Kai</card> </section>
#   <notes><![CDATA[Strong in Craft.]]></notes></deck>
#
# OCTGN finds a card by its id, else by its name, and refuses the whole deck if it finds neither.
# ``exports["o8d"]``: ``game``, the plug-in's id; ``id_fact``, the fact that holds a card's id; ``sections``,
# section -> name in the plug-in; ``shared``, the sections that all players share.

# The id of unknown plug-ins and cards.
NOWHERE = str(uuid.UUID(int=0))


def write_octgn(game: Game, reading: Reading) -> Body:
    """Write a deck for OCTGN, with everything it has no place for in the notes."""
    settings = settings_of(game, "o8d")
    shared = set(settings.get("shared", ()))
    parts = parts_of(game, reading.deck, named_by(game, "o8d"))
    root = Element("deck", game=settings.get("game", NOWHERE))
    for part in parts:
        is_shared = shared.issuperset(section.slug for section in part.sections)
        section = SubElement(root, "section", name=part.name, shared=str(is_shared))
        for entry in part.entries:
            card = SubElement(section, "card", qty=str(entry.count), id=id_of(game, entry.card))
            card.text = entry.card.name
    SubElement(root, "notes")
    # "]]>" would end the CDATA section; ``parse_octgn`` turns it back.
    notes = "\n".join(note_lines(game, reading, parts)).replace("]]>", "]] >")
    # OCTGN reads notes only from a single CDATA section, which ElementTree cannot write.
    text = document(root).replace("<notes />", f"<notes><![CDATA[{notes}]]></notes>")
    unnumbered = [entry for entry in reading.deck if id_of(game, entry.card) == NOWHERE]
    losses = [
        Loss("id_unknown", f"No OCTGN id of {name} is known: OCTGN will look for the name.", name)
        for name in dict.fromkeys(entry.card.name for entry in unnumbered)
    ]
    if "game" not in settings:
        message = (
            f"No OCTGN plug-in for {game.name} is known. Write the id of yours into the deck element; cards"
            " are found by name."
        )
        losses = [Loss("plugin_unknown", message)]
    losses += [*alike_losses(game, unnumbered), *fold_losses(parts)]
    return text, (*losses, *extra_losses(game, reading, (), "the notes"))


def id_of(game: Game, card: Card) -> str:
    """Return the card's id in the plug-in, or NOWHERE if it is unknown: OCTGN then looks for the name."""
    return plain_id(card.fact(settings_of(game, "o8d").get("id_fact", ""))) or NOWHERE


def parse_octgn(data: bytes) -> Parsed:
    """Read any OCTGN deck. ``shared`` may be missing, cards may have sleeves, and names may be wrong if the
    id is right.
    """
    file = XmlFile(data, "deck", "OCTGN")
    file.report_unread()
    root = file.root
    rows = (
        Row(
            place,
            card.get("qty") or "",
            " ".join((card.text or "").split()),
            section,
            id=(card.get("id") or "").strip(),
            count_at=place.of("qty"),
        )
        for card, place, section in file.cards("section")
    )
    sleeved = any(element.get("sleeveid") for element in (root, *root.iter("card")))
    if sleeved or root.find(".//sleeve") is not None:
        file.losses.append(Loss("sleeves_dropped", "The card sleeves are left out."))
    return Parsed(
        tuple(rows),
        game_called("o8d", (root.get("game") or "").strip().casefold()),
        notes_field=file.text("notes").replace("]] >", "]]>"),
        losses=tuple(file.losses),
    )


OCTGN = FileFormat("o8d", "OCTGN", ".o8d", "application/xml", write_octgn, reader("o8d", parse_octgn))


# -- Cockatrice --------------------------------------------------------------------------------
#
# <cockatrice_deck version="1"> <deckname>Nine Tiger</deckname> <comments>Strong in Craft.</comments>
#   <zone name="main"> <card number="3" name="Kai" setShortName="ON" /> </zone> </cockatrice_deck>
#
# ``exports["cod"]``: ``sections``, section -> zone; by default a sideboard goes to side, all else to main.
# Cockatrice knows a card only by its name, so cards that share one get their labels as names, in decks as in
# the card file. We write only what both its old schema and its present reader accept; the print of a line
# stands in attributes that the old schema ignores.

# In the order in which they are written.
ZONES = ("main", "side", "tokens")
# Kinds of extras (``notes.Extra``) that the file has places for; the others go into the comments.
HOLDS = ("name", "print")


def write_cockatrice(game: Game, reading: Reading) -> Body:
    """Write a deck for Cockatrice, with everything it has no place for in the comments."""
    deck = reading.deck
    parts = parts_of(game, deck, lambda section: zone_of(game, section))
    parts = tuple(sorted(parts, key=lambda part: ZONES.index(part.name)))
    root = Element("cockatrice_deck", version="1")
    SubElement(root, "deckname").text = deck.name
    SubElement(root, "comments").text = "\n".join(note_lines(game, reading, parts, HOLDS))
    # A loss for each section that the game puts into another zone than the default one, main excepted.
    moved = []
    for part in parts:
        zone = SubElement(root, "zone", name=part.name)
        for entry in part.entries:
            card = SubElement(zone, "card", number=str(entry.count), name=name_in(game, entry.card))
            if chosen := entry.card.print_called(entry.marks.prints.label):
                card.set("setShortName", chosen.set)
                if number := chosen.number or chosen.code:
                    card.set("collectorNumber", number)
        for section in part.sections:
            count = part.count(section)
            if count and part.name not in ("main", _zone(section)):
                message = f"{some(count, 'card')} of {section.name} stand in the zone {part.name}."
                moved.append(Loss("section_renamed", message, section.slug))
    message = f"Cockatrice shows these cards only with a card file of {game.name} installed."
    # A label, such as "Tracer (ON)", already tells the card from others of its name.
    without_label = (entry for entry in deck if name_in(game, entry.card) == entry.card.name)
    losses = (Loss("plugin_needed", message), *fold_losses(parts), *moved, *alike_losses(game, without_label))
    return document(root), (*losses, *extra_losses(game, reading, HOLDS, "the comments"))


def zone_of(game: Game, section: Section) -> str:
    """Return the zone for the cards of a section, as the game says or by default."""
    zones: dict[str, str] = settings_of(game, "cod").get("sections", {})
    return zones.get(section.slug, _zone(section))


def _zone(section: Section) -> str:
    """Return the default zone of a section."""
    words = {word.casefold() for word in (section.slug, section.name, *section.headings)}
    return "side" if "sideboard" in words else "main"


def deck_hash(main: Iterable[tuple[int, str]], side: Iterable[tuple[int, str]] = ()) -> str:
    """Return the eight letters by which Cockatrice's players compare decks, from the (count, name) of each
    zone. Every step is Cockatrice's own: ``deck_hash([(2, "Kai"), (1, "Li Cong")])`` is "u0egn663".
    """
    copies = [name.lower() for count, name in main for _ in range(count)]
    copies += [f"SB:{name.lower()}" for count, name in side for _ in range(count)]
    # Cockatrice sorts by UTF-16 unit, which differs from Python's order outside the basic plane.
    joined = ";".join(sorted(copies, key=lambda name: name.encode("utf-16-be")))
    digest = hashlib.sha1(joined.encode(), usedforsecurity=False).digest()
    # The first five bytes, 40 bits, are written as eight digits of five bits, the highest bits first.
    number = int.from_bytes(digest[:5], "big")
    return "".join("0123456789abcdefghijklmnopqrstuv"[number >> shift & 31] for shift in range(35, -1, -5))


def hash_of(game: Game, deck: Decklist) -> str:
    """Return the hash that Cockatrice shows for this deck; tokens do not count."""
    zones: dict[str, list[tuple[int, str]]] = {zone: [] for zone in ZONES}
    for part in parts_of(game, deck, lambda section: zone_of(game, section)):
        zones[part.name] += [(entry.count, name_in(game, entry.card)) for entry in part.entries]
    return deck_hash(zones["main"], zones["side"])


# The attributes of a card: count, name, set, number in the set.
_CARD = ("number", "name", "setShortName", "collectorNumber")


def parse_cockatrice(data: bytes) -> Parsed:
    """Read any Cockatrice deck, of the old schema or of newer programs."""
    file = XmlFile(data, "cockatrice_deck", "Cockatrice")
    file.report_unread()
    rows: list[Row] = []
    for card, place, zone in file.cards("zone"):
        count, name, code, number = ((card.get(key) or "").strip() for key in _CARD)
        rows.append(Row(place, count, name, zone or "main", code, number, count_at=place.of("number")))
    tags = ((element.text or "").strip() for element in file.root.iter("tag"))
    word = file.text("format")
    game = game_called("cod", word)
    if word and not game:
        message = f"Left out: the format “{word[:40]}”, which is no game here."
        file.losses.append(Loss("format_dropped", message, "format"))
    return Parsed(
        tuple(rows),
        game,
        file.text("deckname"),
        notes_field=file.text("comments"),
        tags=tuple(dict.fromkeys(filter(None, tags))),
        losses=tuple(file.losses),
    )


def _sections(game: Game, part: str) -> tuple[str, ...]:
    """Return the sections whose cards stand in this zone."""
    return tuple(section.slug for section in game.sections if zone_of(game, section) == part)


_read_cockatrice = reader("cod", parse_cockatrice, _sections)
COCKATRICE = FileFormat("cod", "Cockatrice", ".cod", "application/xml", write_cockatrice, _read_cockatrice)


# -- LackeyCCG ----------------------------------------------------------------------------------
#
# <deck version="0.8"> <meta><game>spycraft</game></meta> <superzone name="Deck">
#   <card><name id="kai">Kai</name><set>ON</set></card> ... </superzone> </deck>
#
# There is one element for each copy. LackeyCCG finds a card by the name of its picture, which here is the
# card's code. ``exports["dek"]``: ``game``, the plug-in's name; ``sections``, section -> label of its zone;
# ``playerstats``, label -> initial value of each player's counters.

# The set of cards without a known set.
NO_SET = "Base"


def plugin_name(game: Game) -> str:
    """Return LackeyCCG's name of the game."""
    return str(settings_of(game, "dek").get("game", game.slug))


def write_lackey(game: Game, reading: Reading) -> Body:
    """Write a deck for LackeyCCG, which has no place for anything but cards and their prints."""
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
                SubElement(copy, "set").text = chosen.set if chosen else first_print(card).set or NO_SET
    message = (
        f"LackeyCCG opens this with a plug-in called {plugin}, in which a card's picture is named by its"
        " code."
    )
    return _laid_out(root), (
        Loss("plugin_needed", message),
        *beyond,
        *fold_losses(parts),
        *print_losses(deck),
        *number_losses(deck),
        *extra_losses(game, reading, ("print",)),
    )


def _laid_out(root: Element) -> str:
    """Return the text in the layout of LackeyCCG's own files, one line for each card, because its reader is
    not a full XML parser.
    """
    indent(root, "\t")
    # Take the line ends and tabs between the elements of a card out again.
    for copy in root.iter("card"):
        copy.text = None
        for part in copy:
            part.tail = None
    return tostring(root, encoding="unicode") + "\n"


# A tag, such as ``<name id="kai">`` with the rest ``id="kai"``; a declaration; a text; or a stray bracket.
_TOKEN = re.compile(r"<(?P<end>/?)(?P<tag>\w++)(?P<rest>[^<>]*+)>|<!(?P<declared>\w+)|(?P<text>[^<]+)|<")
# (name, value in double quotes, value in single quotes) of an attribute; one of the values is empty.
_ATTRIBUTE = re.compile(r"""\b(\w++)\s*+=\s*+(?:"([^"]*)"|'([^']*)')""")
# Elements without attributes that are read, besides those that ``read_tag`` handles.
_KNOWN = {"deck", "meta", "game", "set"}


def parse_lackey(data: bytes) -> Parsed:
    """Read any LackeyCCG deck, tag by tag, because its files are not always well-formed XML. Raise Unreadable
    if a tag is not closed.
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
    tags = _LackeyTags(lines)
    for token in _TOKEN.finditer(text):
        if token["declared"]:
            raise Unreadable("bad_xml", DECLARES)
        if token["text"]:
            tags.read_text(" ".join(unescape(token["text"]).split()))
        elif token["tag"]:
            tags.read_tag(token["tag"].casefold(), bool(token["end"]), token["rest"], token.start())
        else:
            # A stray bracket: what follows is no text of the element before.
            tags.open_tag = ""
    tags.drop_unclosed()
    losses = (*losses, *tags.left_out.losses)
    for code, found, why in (
        ("cards_cut", tags.cut, "not closed by </card>"),
        ("cards_nameless", tags.nameless, "without a name"),
    ):
        if found:
            message = f"Left out: {some(len(found), 'card')} {why}."
            losses = (*losses, Loss(code, message, str(lines.place(found[0]))))
    if "</deck>" not in text.casefold():
        message = "The file ends without </deck>: its last cards may be missing."
        losses = (*losses, Loss("file_cut", message, str(lines.place(len(text)))))
    return Parsed(merged(tags.rows), game_called("dek", tags.game), losses=losses)


class _LackeyTags:
    """The rows of a LackeyCCG deck while its tags are read in order.

    ``parse_lackey`` calls ``read_tag`` and ``read_text`` for each token, last ``drop_unclosed``. ``cut`` and
    ``nameless``: the indices in the text at which the cards begin that were left out.
    """

    def __init__(self, lines: Lines) -> None:
        self.lines = lines
        self.game = self.zone = ""
        self.rows: list[Row] = []
        self.cut: list[int] = []
        self.nameless: list[int] = []
        self.left_out = LeftOut()
        # The tag that was opened last, empty after a closing tag: a text belongs to it.
        self.open_tag = ""
        # Where the card that is being read begins, None between cards, and what is known of it.
        self.begun: int | None = None
        self.name = self.code = self.set = ""

    def read_text(self, words: str) -> None:
        """Read the text behind a tag."""
        match self.open_tag:
            case "game":
                self.game = self.game or words
            case "name":
                self.name += words
            case "set":
                self.set = words if words != NO_SET else ""

    def read_tag(self, tag: str, closes: bool, rest: str, at: int) -> None:
        """Read a tag that begins at this index. ``rest``: its text behind the name, with the attributes."""
        self.open_tag = "" if closes else tag
        if tag == "card":
            if closes:
                self.add_card()
            else:
                self.drop_unclosed()
                self.begun, self.name, self.code, self.set = at, "", "", ""
            return
        if closes:
            return
        values = {
            name.casefold(): unescape(double or single) for name, double, single in _ATTRIBUTE.findall(rest)
        }
        if tag == "superzone":
            self.zone = values.get("name", "")
        elif tag == "name":
            self.name, self.code, self.set = "", values.get("id", ""), ""
        elif tag not in _KNOWN:
            self.left_out.add("element_dropped", f"the element {tag[:40]}", str(self.lines.place(at)))

    def add_card(self) -> None:
        """Add the card that ends here. Its opening tag may be missing."""
        begun = self.begun or 0
        if self.name or self.code:
            place = self.lines.place(begun)
            self.rows.append(Row(place, "1", self.name, self.zone, self.set, code=self.code))
        else:
            self.nameless.append(begun)
        self.begun, self.name, self.code = None, "", ""

    def drop_unclosed(self) -> None:
        """Leave out the card that is being read, if any: another begins, or the file ends, before its end."""
        if self.begun is not None:
            self.cut.append(self.begun)


LACKEY = FileFormat("dek", "LackeyCCG", ".dek", "application/xml", write_lackey, reader("dek", parse_lackey))
