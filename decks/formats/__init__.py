"""Decks and cards in the files of other tools, a module for each (``contract.py``).

``export`` writes a deck in any format (pages of files, API, commands, print shop), ``format_of`` recognises
the format of a file by its content, and ``read_any`` reads it (``decks/importing``). Pure: only the standard
library, the kit, and defusedxml for untrusted XML. Formats know no game by name: ``Game.exports`` says what a
tool calls a game's cards and sections.
"""

import re
from dataclasses import replace

from cardsdb.games import games
from cardsdb.games.kit import Game
from cardsdb.games.kit.listtext.reading import Reading
from cardsdb.games.kit.model.decklist import by_print
from decks.formats import json_deck, mpc, tables, tabletop
from decks.formats.contract import FileFormat, Games, Loss, ReadFile, Texts, Unreadable, Written, file_stem
from decks.formats.files import looks_like_xml, refuse_xml
from decks.formats.tables import site_of
from decks.formats.text import GCCG, TEXT
from decks.formats.writing import cleaned
from decks.formats.xml_decks import COCKATRICE, LACKEY, OCTGN

# Name -> format, in the order in which pages offer them.
FORMATS: dict[str, FileFormat] = {
    format.name: format
    for format in (
        TEXT,
        tables.FORMAT,
        json_deck.FORMAT,
        OCTGN,
        GCCG,
        LACKEY,
        COCKATRICE,
        tabletop.FORMAT,
        mpc.FORMAT,
    )
}
# The names of all formats in alphabetical order, for the command line and the API.
CHOICES = sorted(FORMATS)

# Root tag of an XML file -> its format. Two formats begin with <deck>: ``_deck_of`` tells them apart.
_ROOTS = {"deck": "", "cockatrice_deck": "cod", "order": "mpc"}
# The first tag of an XML file, after its declaration, comments and document type.
_ROOT = re.compile(
    r"^\s*+(?:<\?xml[^>]*\?>)?(?:\s|(?><!--.*?-->)|(?><!(?!--)[^>]*>))*+<\s*(?P<tag>[\w:]+)(?P<rest>[^>]*)",
    re.DOTALL,
)
# The first line of a GCCG file, or a heading between two rulers of #.
_RULER = re.compile(r"(?m)^#\s*GCCG v|^#{3,}[ \t]*\r?\n\w[^\r\n]*\r?\n#{3,}[ \t]*$")
# The line with which Excel is told the separator of a table.
_SEPARATED = re.compile(r'(?i)^\s*"?sep=.')
# Ending of a file's name -> format, for files that show no other sign.
_ENDINGS = {".o8d": "o8d", ".dek": "dek", ".cod": "cod", ".xml": "mpc", ".csv": "csv", ".tsv": "csv"}
# Bytes at the beginning of a file that are searched for signs.
_HEAD = 4_000
# The first bytes of archives, pictures, PDF files and Windows programs.
_PICTURES_AND_ARCHIVES = (
    b"PK\x03\x04",
    b"\x89PNG",
    b"\xff\xd8\xff",
    b"GIF8",
    b"%PDF",
    b"\x1f\x8b",
    b"Rar!",
    b"7z\xbc\xaf",
    b"RIFF",
    b"MZ",
)


def export(name: str, game: Game, reading: Reading, texts: Texts | None = None) -> Written:
    """Write the list as a file of the format with this name, and report as losses what the file cannot hold.
    Raise KeyError for an unknown name.

    ``texts``: card code -> text, written if the format has a place for it.
    """
    format = FORMATS[name]
    clean: Reading = cleaned(reading)
    # A line of several prints is split into one line for each, since no format has such lines. Reading the
    # file joins them again.
    split = replace(clean, deck=by_print(clean.deck))
    if texts and format.with_texts:
        body, found = format.with_texts(game, split, texts)
    else:
        body, found = format.write(game, split)
    losses = [*found] if clean.deck.entries else [Loss("no_cards", "The list has no cards."), *found]
    if texts and not format.with_texts:
        losses.append(Loss("texts_left_out", "The file has no place for the texts of cards."))
    if clean != reading:
        losses.append(Loss("characters_replaced", "Characters that files cannot hold are written as �."))
    stem = file_stem(game, clean.deck)
    return Written(stem + format.suffix, format.content_type, body, tuple(losses), format.encoding)


def format_of(data: bytes, filename: str = "") -> str:
    """Return the name of the file's format, ``text`` if no other is recognised. Raise Unreadable for files
    that cannot be decks.

    The order of the tests matters: the content counts for more than the file's name, and a sign of a program
    for more than the look of a table.
    """
    if data.startswith(_PICTURES_AND_ARCHIVES):
        raise Unreadable(
            "not_a_deck",
            "This is an archive, a picture or a program. Unpack it, and choose the file of the deck.",
        )
    head = _head(data)
    name = filename.casefold()
    if root := _ROOT.match(head):
        tag = root["tag"]
        if tag == "deck":
            return _deck_of(root["rest"], head, name)
        if tag in _ROOTS:
            return _ROOTS[tag]
    if looks_like_xml(head) or (name.endswith((".xml", ".o8d", ".cod")) and head.lstrip().startswith("<")):
        raise refuse_xml(data)
    if head.lstrip()[:1] in ("{", "["):
        if head.lstrip()[0] == "{":
            # Without the zero bytes of UTF-16, as in ``_head``.
            return "tts" if b'"ObjectStates"' in data.replace(b"\0", b"") else "json"
        # A list of cards may begin with a heading such as "[Agents]", JSON with "[{" or "["Kai"".
        if name.endswith(".json") or re.match(r"\s*\[\s*[\[{\"]", head):
            return "json"
    if _RULER.search(head):
        return "gccg"
    if _SEPARATED.match(head) or _is_header(head):
        return "csv"
    ending = next((format for suffix, format in _ENDINGS.items() if name.endswith(suffix)), "")
    # Plain text is read as text even if the file's name promises XML.
    if ending in ("o8d", "dek", "cod", "mpc") and "<" not in head:
        return "text"
    return ending or "text"


def _deck_of(attributes: str, head: str, name: str) -> str:
    """Return the format of a file that begins with <deck>: ``o8d`` (OCTGN) or ``dek`` (LackeyCCG).

    Decided by elements and attributes that only one of them has, then by the file's name; else OCTGN, whose
    reader is the stricter.
    """
    if re.search("<superzone|<meta", head):
        return "dek"
    if "game=" in attributes or re.search(r"<section|\bqty\s*=", head) or name.endswith(".o8d"):
        return "o8d"
    return "dek" if name.endswith(".dek") or "version=" in attributes else "o8d"


def read_any(
    game: Game | None, data: bytes, filename: str = "", format: str = "", among: Games | None = None
) -> ReadFile:
    """Read a file in this format, by default in the one that it looks like.

    ``game``: None to take the game that the file is for, out of ``among``, by default all installed games.
    Raise Unreadable for a file that cannot be read, and KeyError for an unknown format.
    """
    if not data.strip():
        raise Unreadable("empty", "There is nothing in it. Choose a file, or paste a list.")
    return FORMATS[format or format_of(data, filename)].read(game, data, filename, among or games())


def _is_header(head: str) -> bool:
    """True if the first line names the columns of a table, between commas, semicolons or tabs."""
    line = next(iter(head.lstrip().splitlines()), "")
    separator = max(",;\t", key=line.count)
    return bool(site_of([cell.strip().strip('"').casefold() for cell in line.split(separator)]))


def _head(data: bytes) -> str:
    """Return the beginning of the file as text, without byte order mark and, for UTF-16, without zero
    bytes.
    """
    start = data[:_HEAD]
    # This is for recognising the format only, so that no byte is refused here; readers decode properly.
    # Every second byte of western text in UTF-16 is zero. A zero further on is a fault, which readers report.
    if b"\0" in start[:64]:
        start = start.replace(b"\0", b"")
    for mark in (b"\xef\xbb\xbf", b"\xff\xfe", b"\xfe\xff"):
        start = start.removeprefix(mark)
    return start.decode("utf-8", "replace") if start[:1] != b"\xef" else start.decode("latin-1")
