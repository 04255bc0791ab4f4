"""A text of one's own as a value: what a card is with it, and how it is cleaned before it is stored. No
database.
"""

from __future__ import annotations

import re
import unicodedata
from collections.abc import Mapping
from dataclasses import replace
from html import unescape

from cardsdb.faults import Fault, Refused
from cardsdb.games.kit import Card
from cardsdb.games.kit.model.cards import MAX_TEXT
from cardsdb.games.kit.model.text import UNPRINTABLE

_TAG = re.compile(r"</?(?:b|i|u|em|strong|span|font|p|div)(?:\s[^<>]*)?/?>", re.IGNORECASE)
_BREAK = re.compile(r"<br\s*/?>|</p>|</div>", re.IGNORECASE)
# Categories of characters that do not show; line feeds and tabs are taken out before.
_HIDDEN = {"Cc", "Cs", "Co", "Cn"}


def with_text(card: Card, texts: Mapping[str, str]) -> Card:
    """The card as its owner has it: their text stands in place of Cutout's, and no document behind it."""
    if card.code not in texts:
        return card
    return replace(
        card,
        text=texts[card.code],
        sources={key: claims for key, claims in card.sources.items() if key != "text"},
    )


def clean_text(text: str) -> str:
    """The text as it is stored: NFC, lines trimmed, no more than one empty line. Raises Refused for what is
    no text.
    """
    lines = [" ".join(line.split()) for line in text.replace("\r\n", "\n").replace("\r", "\n").split("\n")]
    clean = "\n".join(line for index, line in enumerate(lines) if line or (index and lines[index - 1])).strip(
        "\n"
    )
    # Letters and their marks become one; to order a long run of marks takes long.
    if len(clean) <= 3 * MAX_TEXT:
        clean = unicodedata.normalize("NFC", clean)
    if len(clean) > MAX_TEXT:
        raise Refused(
            Fault("too_long", f"The text has {len(clean):,} letters; {MAX_TEXT:,} are the most.", "text")
        )
    for number, line in enumerate(clean.split("\n"), 1):
        if bad := [char for char in line if unicodedata.category(char) in _HIDDEN]:
            raise Refused(Fault("bad_character", cannot_show(number, bad), "text"))
    return clean


def plain_cell(cell: str) -> str:
    """The text of a cell of another program: without its marks of layout, and what cannot be printed."""
    plain = UNPRINTABLE.sub(
        lambda match: " " if match[0] in "\t\x0b\x0c\x85" else "\n" if match[0] == "\r" else "",
        cell.replace("\r\n", "\n"),
    )
    return unescape(_TAG.sub("", _BREAK.sub("\n", plain))) if "<" in plain or "&" in plain else plain


def cannot_show(line: int, characters: list[str]) -> str:
    """The sentence about characters that cannot stand in a text."""
    named = ", ".join(
        f"U+{ord(char):04X} {unicodedata.name(char, 'a control character')}"
        for char in dict.fromkeys(characters[:5])
    )
    return f"Line {line}: {named} cannot be printed. Take it out."
