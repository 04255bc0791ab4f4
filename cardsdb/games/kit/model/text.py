"""Text functions that know no game: comparing names (``fold``, ``slugify``), invisible characters, lists and
plurals in English, reading whole numbers, and TOML tables that belong to a module.

All apps use them. Results of ``fold`` and ``slugify`` are stored in the database (names of cards and decks,
codes of cards written into lists): a change of either needs a migration of decks and a load of the catalogue.
Tests: ``test_text.py`` and ``test_names.py`` in ``tests/cardsdb/games/kit/model``.
"""

import re
import tomllib
import unicodedata
from collections.abc import Sequence
from pathlib import Path
from typing import Any

# Characters that people cannot see, or that change how others are seen.
UNPRINTABLE = re.compile(
    "["
    "\x00-\x09\x0b-\x1f\x7f-\x9f"  # controls except the newline
    "\ud800-\udfff\ue000-\uf8ff\ufdd0-\ufdef\ufffe\uffff"  # lone surrogates, private and unassigned ones
    "\u202a-\u202e\u2066-\u2069"  # marks that turn the direction of writing
    "\u115f\u1160\u3164\uffa0\u2800"  # blank letters: the fillers of Hangul, empty Braille
    "\u200b\u2060-\u2065\u206a-\u206f\ufeff"  # spaces without width, word joiners
    "\ufff9-\ufffb\U000e0000-\U000e007f"  # annotations, tags
    "]"
)
# Signs within a word: the apostrophe of ``khan's``, and the comma of ``1,000``.
_IN_WORDS = re.compile(r"'|(?<=[0-9]),(?=[0-9]{3}(?![0-9]))")
# Letters and digits: word characters without the underscore.
_LETTERS = re.compile(r"[^\W_]+")
# Characters that NFKD normalization keeps -> their plain form; ``fold`` makes capitals small afterwards.
_FOLDED = str.maketrans("’‘“”–—−×\u00a0øØłŁđĐ", "''\"\"---x oolldd") | str.maketrans(
    {"æ": "ae", "Æ": "ae", "ß": "ss", "œ": "oe", "Œ": "oe"}
)


def fold(text: str) -> str:
    """Return the text in the form by which names are compared: without case and accents, with plain quotes
    and dashes, and single spaces. ``“Señor”  X`` -> ``"senor" x``. A folded text is its own folded form.
    """
    if text.isascii():
        return " ".join(text.lower().split())
    # Normalized first: ``Ǿ`` becomes ``Ø`` with an accent, and only ``Ø`` is in the table. Accents are
    # combining characters of their own then; texts without any need no second pass.
    plain = unicodedata.normalize("NFKD", text).translate(_FOLDED)
    if not plain.isascii():
        plain = "".join([c for c in plain if not unicodedata.combining(c)])
    return " ".join(plain.casefold().split())


def plain_key(text: str) -> str:
    """Return the letters and digits of a name, words joined by hyphens: names that differ only in punctuation
    have the same key. ``First-Aid!`` -> ``first-aid``, ``The Khan's 1,000`` -> ``the-khans-1000``. Unlike
    ``slugify`` it keeps letters of all scripts.
    """
    return plain_folded(fold(text))


def plain_folded(folded: str) -> str:
    """Return the ``plain_key`` of a text that is folded already."""
    # Most texts have no such sign, and looking for one is quicker than the pattern.
    folded = _IN_WORDS.sub("", folded) if "'" in folded or "," in folded else folded
    return "-".join(_LETTERS.findall(folded))


def slugify(text: str) -> str:
    """Return a code for a name, of letters a to z, digits and hyphens: ``RS-9, "The Koffin"`` ->
    ``rs-9-the-koffin``. Empty for a name in another script than Latin.
    """
    return re.sub(r"[^a-z0-9]+", "-", fold(text).replace("'", "")).strip("-")


def unprintable(text: str) -> str:
    """Return the predicate of a sentence about the first invisible character of a text; empty if it has none.
    The caller adds the subject: "The name" + " holds an invisible character (U+200B); type it again".
    """
    match = UNPRINTABLE.search(text)
    return f"holds an invisible character (U+{ord(match[0]):04X}); type it again" if match else ""


def listed(words: tuple[str, ...], most: int = 8) -> str:
    """Return words as an English list: ``a, b and c``. More than ``most`` are counted: ``a, b and 3 more``.
    If a word has a comma, semicolons separate the words.
    """
    if len(words) > most:
        words = (*words[:most], f"{len(words) - most} more")
    if len(words) < 2:
        return "".join(words)
    # A comma within quotation marks does not count.
    has_comma = any(", " in re.sub("“[^”]*”", "", word) for word in words)
    *first, last = words
    return f"{'; '.join(first)}; and {last}" if has_comma else f"{', '.join(first)} and {last}"


def either(words: Sequence[str]) -> str:
    """Return words as an English list of choices: ``a, b or c``."""
    return f"{', '.join(words[:-1])} or {words[-1]}" if len(words) > 1 else "".join(words)


def some(count: int, noun: str, several: str = "") -> str:
    """Return a number with its noun: ``1 card``, ``1,200 cards``. ``several``: an irregular plural."""
    return f"{count:,} {plural(count, noun, several)}"


def plural(count: int, one: str, several: str = "") -> str:
    """Return the word for this number, without the number: ``card`` or ``cards``. ``several``: the word for
    more than one if it is not ``one`` with s or es, such as ``have`` for ``has``.
    """
    if count == 1:
        return one
    return several or one + ("es" if one.endswith(("ch", "sh", "x")) else "s")


def singular(plural: str) -> str:
    """Return the singular of a phrase, by the first word that ends in a single s: ``leaders of level 4`` ->
    ``leader of level 4``, ``entries`` -> ``entry``.
    """
    words = plural.split(" ")
    for place, word in enumerate(words):
        if word.endswith("s") and not word.endswith("ss"):
            words[place] = f"{word[:-3]}y" if word.endswith("ies") else word[:-1]
            break
    return " ".join(words)


# The words for the numbers from 1 to 12.
NUMBER_WORDS = "one two three four five six seven eight nine ten eleven twelve".split()
# The largest number that an integer column of the database holds.
MAX_INTEGER = 2**31 - 1
# Longer texts of digits are refused before ``int`` reads them, since Python raises ValueError for more than
# 4300 digits. No number that is asked for has more than ten; leading zeros fit in too.
MAX_DIGITS = 18


def whole_number(text: str, most: int = MAX_INTEGER, least: int = 0) -> int | None:
    """Return the number that a text of the digits 0 to 9 stands for, if it is from ``least`` to ``most``;
    None for any other text.
    """
    if not (text.isascii() and text.isdigit() and len(text) <= MAX_DIGITS):
        return None
    number = int(text)
    return number if least <= number <= most else None


# -- data of a module ---------------------------------------------------------------------


def table_beside(module: str, name: str) -> dict[str, Any]:
    """Return the content of ``<name>.toml`` in the folder of a module, which passes its ``__file__``. In
    ``format.py`` here, ``table_beside(__file__, "sentences")`` reads ``sentences.toml`` of this folder.

    Modules of all apps keep words and numbers in such files, and all of them may import this module.
    """
    return tomllib.loads(Path(module).with_name(f"{name}.toml").read_text(encoding="utf-8"))
