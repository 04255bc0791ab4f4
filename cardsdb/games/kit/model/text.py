"""Text: how names are compared, what no text may hold, how words and numbers are listed, and numbers read;
the tables of words that stand beside modules.

It stands with the nouns of a game because all of them use it; only what knows no game belongs here. What
``fold`` and ``slugify`` give is stored: folded names of cards and decks, codes of cards that lists write in.
So a change of either needs a migration of decks besides a load of the catalogue. ``test_names.py`` and the
tests of reading lists (``tests/cardsdb/games/kit/listtext``) tell of a change first.
"""

import re
import tomllib
import unicodedata
from collections.abc import Sequence
from pathlib import Path
from typing import Any

# Controls except the line's end, lone surrogates, private and unassigned characters, marks that turn the
# direction of writing, and what leaves no mark at all: blank letters (the fillers of Hangul, empty Braille),
# word joiners, tags.
UNPRINTABLE = re.compile(
    "[\x00-\x09\x0b-\x1f\x7f-\x9f\u200b\u202a-\u202e\u2066-\u2069\ufeff\ud800-\udfff\ue000-\uf8ff\ufdd0-\ufdef\ufffe\uffff"
    "\u115f\u1160\u2060-\u2065\u206a-\u206f\u2800\u3164\uffa0\ufff9-\ufffb\U000e0000-\U000e007f]"
)
# Characters that NFKD does not take apart -> what they are folded to.
_FOLDED = str.maketrans(
    {"’": "'", "‘": "'", "“": '"', "”": '"', "–": "-", "—": "-", "−": "-", "×": "x", "\u00a0": " "}
    | {
        "ø": "o",
        "Ø": "o",
        "æ": "ae",
        "Æ": "ae",
        "ß": "ss",
        "ł": "l",
        "Ł": "l",
        "đ": "d",
        "Đ": "d",
        "œ": "oe",
        "Œ": "oe",
    }
)


def fold(text: str) -> str:
    """Reduce text to what names are compared by: no case, no accents, plain quotes and dashes, single
    spaces.
    """
    if text.isascii():
        return " ".join(text.lower().split())
    plain = unicodedata.normalize("NFKD", text.translate(_FOLDED))
    # Quotation marks and dashes are plain by now, and accents are characters of their own.
    if not plain.isascii():
        plain = "".join([c for c in plain if not unicodedata.combining(c)])
    return " ".join(plain.casefold().split())


def table_beside(module: str, name: str) -> dict[str, Any]:
    """The table of the file ``name``.toml beside a module, which passes its ``__file__``: words and values as
    data, read when the module is imported.
    """
    return tomllib.loads(Path(module).with_name(f"{name}.toml").read_text(encoding="utf-8"))


def slugify(text: str) -> str:
    """A code for a name, of small letters a to z, digits and hyphens: ``RS-9, "The Koffin"`` ->
    ``rs-9-the-koffin``. Empty for a name in another script.
    """
    return re.sub(r"[^a-z0-9]+", "-", fold(text).replace("'", "")).strip("-")


def unprintable(text: str) -> str:
    """The rest of a sentence about the first invisible character of a text, to stand behind the words for the
    text; empty if there is none.
    """
    match = UNPRINTABLE.search(text)
    return f"holds an invisible character (U+{ord(match[0]):04X}); type it again" if match else ""


def listed(words: tuple[str, ...], most: int = 8) -> str:
    """Words as a person lists them: ``a, b and c``; beyond ``most`` the rest is counted: ``a, b and 3 more``.
    Semicolons part words that hold a comma.
    """
    if len(words) > most:
        words = (*words[:most], f"{len(words) - most} more")
    if len(words) < 2:
        return "".join(words)
    # A name may hold a comma itself, which does no harm within quotation marks.
    comma = "; " if any(", " in re.sub("“[^”]*”", "", word) for word in words) else ", "
    return f"{comma.join(words[:-1])}{comma.rstrip() if comma == '; ' else ''} and {words[-1]}"


def either(words: Sequence[str]) -> str:
    """Words of which one is chosen: ``a, b or c``."""
    return f"{', '.join(words[:-1])} or {words[-1]}" if len(words) > 1 else "".join(words)


def some(count: int, noun: str, several: str = "") -> str:
    """A number and its noun: ``1 card``, ``4 cards``. ``several``: the plural, where ``plural`` does not make
    it.
    """
    return f"{count:,} {plural(count, noun, several)}"


def plural(count: int, one: str, several: str = "") -> str:
    """The word for so many, without the number: ``card`` or ``cards``. ``several``: the word for more than
    one where it is not ``one`` with s or es, as in ``has`` and ``have``.
    """
    return one if count == 1 else several or one + ("es" if one.endswith(("ch", "sh", "x")) else "s")


def singular(plural: str) -> str:
    """The singular of a noun: its first word that ends in s loses it (``leaders of level 4`` -> ``leader of
    level 4``), and ``ies`` becomes ``y``.
    """
    words = plural.split(" ")
    for place, word in enumerate(words):
        if word.endswith("s") and not word.endswith("ss"):
            words[place] = f"{word[:-3]}y" if word.endswith("ies") else word[:-1]
            break
    return " ".join(words)


# The words of the numbers from 1 to 12.
NUMBER_WORDS = "one two three four five six seven eight nine ten eleven twelve".split()
# The largest number that a database column for whole numbers holds, and a bound on its digits: Python refuses
# to read thousands.
MAX_INTEGER, MAX_DIGITS = 2**31 - 1, 18


def whole_number(text: str, most: int = MAX_INTEGER, least: int = 0) -> int | None:
    """The number from ``least`` to ``most`` that a text of the digits 0 to 9 stands for, None for any other
    text.
    """
    if not (text.isascii() and text.isdigit() and len(text) <= MAX_DIGITS):
        return None
    number = int(text)
    return number if least <= number <= most else None
