"""Decks and cards in the files of other tools, a module for each (``contract.py``).

Pure: the standard library, the kit, and defusedxml for what strangers wrote. Formats know no game by
name; ``Game.exports`` says what a tool calls a game's cards and sections. This file writes a deck in any
format, recognises the format of a file by its content, and reads it.
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

# In the order in which people are offered them.
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
# The names of all formats, for lists of choices.
CHOICES = sorted(FORMATS)

# Signs of a format in the first characters of a file, read as Latin letters whatever the encoding.
_ROOTS = {"deck": "", "cockatrice_deck": "cod", "order": "mpc"}
_ROOT = re.compile(
    r"^\s*+(?:<\?xml[^>]*\?>)?(?:\s|(?><!--.*?-->)|(?><!(?!--)[^>]*>))*+<\s*(?P<tag>[\w:]+)(?P<rest>[^>]*)",
    re.DOTALL,
)
_RULER = re.compile(r"(?m)^#\s*GCCG v|^#{3,}[ \t]*\r?\n\w[^\r\n]*\r?\n#{3,}[ \t]*$")
_SEPARATED = re.compile(r'(?i)^\s*"?sep=.')
_ENDINGS = {".o8d": "o8d", ".dek": "dek", ".cod": "cod", ".xml": "mpc", ".csv": "csv", ".tsv": "csv"}
_HEAD = 4_000
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
    """The list as a file of the format with this name, with the losses: what the file does not hold.

    ``texts``: card code -> text, to be written where the format has a place for it.
    Raises KeyError for a name that is not in ``FORMATS``.
    """
    format = FORMATS[name]
    clean: Reading = cleaned(reading)
    # No format has a line of several prints: each is a line of its own, which reading puts together again.
    split = replace(clean, deck=by_print(clean.deck))
    if texts and format.with_texts:
        body, told = format.with_texts(game, split, texts)
    else:
        body, told = format.write(game, split)
    losses = [*told] if clean.deck.entries else [Loss("no_cards", "The list has no cards."), *told]
    if texts and not format.with_texts:
        losses.append(Loss("texts_left_out", "The file has no place for the texts of cards."))
    if clean != reading:
        losses.append(Loss("characters_replaced", "Characters that files cannot hold are written as �."))
    stem = file_stem(game, clean.deck)
    return Written(stem + format.suffix, format.content_type, body, tuple(losses), format.encoding)


def format_of(data: bytes, filename: str = "") -> str:
    """The name of the file's format; ``text`` if it is no other. Raises Unreadable for files that cannot be
    decks.
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
            return "tts" if '"ObjectStates"' in data.decode("latin-1") else "json"
        if name.endswith(".json") or re.match(r"\s*\[\s*[\[{\"]", head):
            return "json"
    if _RULER.search(head):
        return "gccg"
    if _SEPARATED.match(head) or _is_header(head):
        return "csv"
    ending = next((name_of for suffix, name_of in _ENDINGS.items() if name.endswith(suffix)), "")
    # A file may have any name: plain text is read as such even if its name promises another format.
    if ending in ("o8d", "dek", "cod", "mpc") and "<" not in head:
        return "text"
    return ending or "text"


def _deck_of(attributes: str, head: str, name: str) -> str:
    """OCTGN's format or LackeyCCG's, which both begin with <deck>: by what only one has, by the file's name,
    else the stricter.
    """
    if re.search("<superzone|<meta", head):
        return "dek"
    if "game=" in attributes or re.search(r"<section|\bqty\s*=", head) or name.endswith(".o8d"):
        return "o8d"
    return "dek" if name.endswith(".dek") or "version=" in attributes else "o8d"


def read_any(
    game: Game | None, data: bytes, filename: str = "", format: str = "", among: Games | None = None
) -> ReadFile:
    """Read a file of this format, or of any if none is named, as a deck of the game, or else of one of those
    among which it is looked for, by default those of the folders. Raises Unreadable, and KeyError for an
    unknown format.
    """
    if not data.strip():
        raise Unreadable("empty", "There is nothing in it. Choose a file, or paste a list.")
    return FORMATS[format or format_of(data, filename)].read(game, data, filename, among or games())


def _is_header(head: str) -> bool:
    """True if the first line names the columns of a table."""
    line = next(iter(head.lstrip().splitlines()), "")
    separator = max(",;\t", key=line.count)
    return bool(site_of([cell.strip().strip('"').casefold() for cell in line.split(separator)]))


def _head(data: bytes) -> str:
    """The beginning of the file as text, without byte order marks and the zeros of UTF-16."""
    start = data[:_HEAD].replace(b"\0", b"") if b"\0" in data[:64] else data[:_HEAD]
    for mark in (b"\xef\xbb\xbf", b"\xff\xfe", b"\xfe\xff"):
        start = start.removeprefix(mark)
    return start.decode("utf-8", "replace") if start[:1] != b"\xef" else start.decode("latin-1")
