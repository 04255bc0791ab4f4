"""What a file is: by what stands in it first, by its name second."""

from __future__ import annotations

import re

from cardsdb.games.kit import Game
from decks.formats import FORMATS
from decks.formats.contract import ReadFile, Unreadable
from decks.formats.csv_table import dialect_of

# How a file begins -> its format. Looked for in the first characters, as Latin letters whatever the encoding.
_ROOTS = {"deck": "", "cockatrice_deck": "cod", "order": "mpc"}
_ROOT = re.compile(r"^\s*+(?:<\?xml[^>]*\?>)?(?:\s|(?><!--.*?-->)|(?><!(?!--)[^>]*>))*+<\s*(?P<tag>[\w:]+)(?P<rest>[^>]*)", re.DOTALL)
_RULER = re.compile(r"(?m)^#\s*GCCG v|^#{3,}[ \t]*\r?\n\w[^\r\n]*\r?\n#{3,}[ \t]*$")
_SEPARATED = re.compile(r'(?i)^\s*"?sep=.')
_ENDINGS = {".o8d": "o8d", ".dek": "dek", ".cod": "cod", ".csv": "csv", ".tsv": "csv"}
_HEAD = 4_000
_PICTURES_AND_ARCHIVES = (b"PK\x03\x04", b"\x89PNG", b"\xff\xd8\xff", b"GIF8", b"%PDF", b"\x1f\x8b", b"Rar!", b"7z\xbc\xaf", b"RIFF", b"MZ")


def format_of(data: bytes, filename: str = "") -> str:
    """The name of the format (``FORMATS``); plain text for anything that is no other. Raises Unreadable for what can be no deck."""
    if data.startswith(_PICTURES_AND_ARCHIVES):
        raise Unreadable(
            "not_a_deck", "This is an archive, a picture or a program, no deck. Unpack it and choose the file of the deck itself."
        )
    head = _head(data)
    if root := _ROOT.match(head):
        tag = root["tag"]
        if tag == "deck":
            return "dek" if re.search("<superzone|<meta", head) or "game=" not in root["rest"] else "o8d"
        if tag in _ROOTS:
            return _ROOTS[tag]
    if head.lstrip()[:1] in ("{", "["):
        if head.lstrip()[0] == "{":
            return "tts" if '"ObjectStates"' in data.decode("latin-1") else "json"
        if filename.casefold().endswith(".json") or re.match(r"\s*\[\s*[\[{\"]", head):
            return "json"
    if _RULER.search(head):
        return "gccg"
    if _SEPARATED.match(head) or _is_header(head):
        return "csv"
    ending = next((name for suffix, name in _ENDINGS.items() if filename.casefold().endswith(suffix)), "")
    # A file may be called anything: text that is not what its name says is read as the text it is.
    if ending in ("o8d", "dek", "cod") and "<" not in head:
        return "text"
    return ending or "text"


def read_any(game: Game | None, data: bytes, filename: str = "", format: str = "") -> ReadFile:
    """Read a file of any format, or of the one given. Raises Unreadable; KeyError for a format that there is not."""
    if not data.strip():
        raise Unreadable("empty", "There is nothing in it. Choose a file, or paste a list.")
    read = FORMATS[format or format_of(data, filename)].read
    if read is None:
        raise Unreadable("not_read", "This format can be written, not read.")
    return read(game, data, filename)


def _is_header(head: str) -> bool:
    """Whether the first line names the columns of a table."""
    line = next(iter(head.lstrip().splitlines()), "")
    separator = max(",;\t", key=line.count)
    return separator in line and dialect_of(tuple(cell.strip().strip('"').casefold() for cell in line.split(separator))) is not None


def _head(data: bytes) -> str:
    """The beginning as text, without marks of the encoding and the zeros of UTF-16."""
    start = data[:_HEAD].replace(b"\0", b"") if b"\0" in data[:64] else data[:_HEAD]
    for mark in (b"\xef\xbb\xbf", b"\xff\xfe", b"\xfe\xff"):
        start = start.removeprefix(mark)
    return start.decode("utf-8", "replace") if start[:1] != b"\xef" else start.decode("latin-1")
