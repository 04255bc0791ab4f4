"""The forms in which people and programs write a line with a card: ``splits`` yields the ways to split it
into count and name, also without what is neither, such as emphasis, links and prices.

    "2x Kai"           -> (2, "Kai"), (2, "x Kai"), (None, "2x Kai")
    "Kai (2)"          -> (None, "Kai (2)"), (2, "Kai")
    "2 **Kai** $3.50"  -> (2, "**Kai** $3.50"), (None, "2 **Kai** $3.50"), (2, "Kai"), (None, "2 Kai")

``line.py`` looks up each way until a name is found, so this module knows no cards. ``test_forms.py`` has the
table of all forms: a new form is first added there. The patterns run on text from visitors; they must stay
fast on every line of 300 characters.
"""

import re
from collections.abc import Iterable, Iterator
from html import unescape
from itertools import pairwise

from cardsdb.games.kit.model.marks import begin_of_marks
from cardsdb.games.kit.model.text import NUMBER_WORDS

# (count, rest of the line); the count is None if this way to split the line has none.
Split = tuple[int | None, str]

# Code points of invisible marks: soft hyphen, vowel separator, zero-width spaces and joiners, marks of
# direction, word joiner, the frame of an emoji, its two variants, byte order mark.
_INVISIBLE = (0xAD, 0x180E, *range(0x200B, 0x2010), 0x2060, 0x20E3, 0xFE0E, 0xFE0F, 0xFEFF)
# Translates full-width digits, letters and brackets, which stand 0xFEE0 above the plain ones, and removes
# invisible marks.
_PLAIN = {code: code - 0xFEE0 for code in range(0xFF01, 0xFF5F)} | dict.fromkeys(_INVISIBLE)
# Everything before the first letter, except that a full-width x may belong to a count.
_HEAD = re.compile(r"^[\W\d_ｘＸ]*")

# The bullet of a list, "- " or "• ", and behind it a box to tick, "[ ] ".
_BULLET = re.compile(r"[^\w\s\"'“”‘’«»()\[\]{}#/|$€£¥.,:;!?&@^%\\]\s+(?:\[[ xX]?\]\s+)?")
# A count before the name: 2, 2x, x2, (2), [x2]. If a bracket is open it must be closed, "(2x) Kai"; else a
# space follows, or a dash, colon, comma, semicolon or equals sign, "2 - Kai". A point or a bracket there
# (group "place": "2. Kai", "2) Kai") may make it the number of the line.
_FIRST = re.compile(
    r"""(?P<open>[(\[{]\s?)? (?:[xX×]\s?)? (?P<count>[0-9]+) (?P<times>\s?[xX×*])?
        (?(open) \s?[)\]}]\s*
        | (?: \s[-–—=]\s | \s?:\s | \s?[,;](?:\s|(?![0-9]{3}\b)) | \s
              | (?P<place>\.(?:\s|(?=[^\W\d]))|\)\s?) ))
        (?P<rest>[^\s|].*)""",
    re.VERBOSE,
)
# A count joined to the name: 2xKai, 2x2Shy.
_JOINED = re.compile(r"(?P<count>[0-9]{1,3})[xX×*](?P<rest>\w.*)")
# Lines of the program Apprentice, main deck and sideboard: MD,4,"Name",SET and SB,1,Name.
_APPRENTICE = re.compile(
    r'(?:MD|SB),(?P<count>[0-9]+),(?P<quote>"?)(?P<name>.+?)(?P=quote)(?:,(?P<set>[\w ]*))?'
)
# A count anywhere behind a name. Groups: "bracketed" (2), [x2], (two); "divided" - 2, : 2, =2, ",2"; "times"
# x2; "copies" 2x. A comma before three digits, "1,000", divides nothing.
_BEHIND = re.compile(
    rf"""\s?[(\[{{]\s?[xX×]?\s?(?P<bracketed>[0-9]+|(?i:{"|".join(NUMBER_WORDS)}))\s?[xX×]?\s?[)\]}}](?!\()
        | (?:\s[-–—=]\s|\s?[:=;]\s?|\s?,(?![0-9]{3}\b)\s?)
          (?:[xX×]\s?)?(?P<divided>[0-9]+)(?:\s?[xX×])?(?=[\s,;.]|$)
        | \s[xX×*]\s?(?P<times>[0-9]+)(?=[\s,;.]|$) | \s(?P<copies>[0-9]+)\s?[xX×](?=[,;.]|$|\s(?![0-9]))""",
    re.VERBOSE,
)

# [[Name]] or [Name](address), where the address has a point, slash or #, or five small letters.
_LINK = re.compile(
    r"\[\[([^\[\]]+)\]\]|\[([^\[\]]+)\]\((?=[^()\s]*[/.#]|[a-z-]{5})[^()\s]+(?: \"[^\"]*\")?\)"
)
# *a whole line in italics*
_ITALIC = re.compile(r"([*_])(?=[^\s*_])(?P<words>[^*_]*[^\s*_])\1")
# What is neither count nor name: emphasis, HTML elements, costs as signs ({2}{W}, ●●●) and prices.
_NEITHER = re.compile(
    r"""\*\*|__|~~|`|</?[A-Za-z][^<>]*>|(?:\{[0-9]+\})*(?:\{[^{}\s]{0,6}[A-Za-z][^{}\s]{0,6}\})+|(?<=\s)[●○◆◇★☆■□•]+
        | [(\[]?[$€£¥]\s?[0-9](?:[0-9.,]{0,8}[0-9])?[)\]]?
        | [(\[]?(?<![\w-])[0-9][0-9.,]{0,9}\s?[$€£¥](?!\s?[0-9])[)\]]?""",
    re.VERBOSE,
)
# The markup of forums: any of it at the beginning of a line; elsewhere only what no name ends with: [/size],
# [url=...], [*], and [b] that is closed again. So “Ghost [B]” is a name.
_TAG = "b|i|u|list|center|size|color|font|url|card|spoiler|quote"
_OF_FORUMS = re.compile(
    rf"""^(?:\s*\[(?:\*|/?(?:{_TAG})(?:=[^\[\]]*)?)\])+
        | \[(?:\*|/(?:{_TAG})|(?:{_TAG})=[^\[\]]*)\] | \[(?P<tag>{_TAG})\](?=.*\[/(?P=tag)\])""",
    re.VERBOSE | re.IGNORECASE,
)


def visible(line: str) -> str:
    """The line without the markup of forums. What stands before its first letter also loses its invisible
    marks, and gets plain digits for full-width ones: "[b]２ Kai[/b]" -> "2 Kai".
    """
    if "[" in line:
        line = " ".join(_without_markup(line).split())
    return _HEAD.sub(lambda head: head[0].translate(_PLAIN), line, count=1).lstrip()


def _without_markup(line: str) -> str:
    """The line without the markup of forums in its count and name. Facts and marks behind them may have
    brackets of their own, which stay.
    """
    plain = _OF_FORUMS.sub(" ", line)
    if "|" not in line and begin_of_marks(plain) == len(plain):
        return plain
    end = min(begin_of_marks(line), len(line.partition("|")[0]))
    return _OF_FORUMS.sub(lambda tag: " " if tag.start() < end else tag[0], line)


def splits(line: str) -> Iterator[Split]:
    """Yield the ways to split a line into count and name, the likeliest first: of the line as it stands, then
    of the line without emphasis, links, prices and the like, if that is another line. Each of the two also
    has a way without a count, for names that look like counts.
    """
    yield from _splits(line)
    begin = begin_of_marks(line)
    plain = _tidied(line[:begin]) + line[begin:]
    if plain != line:
        yield from _splits(plain)


def likeliest(line: str) -> Split:
    """The likeliest way to split a line whose name is not known: the first with a count, else the last."""
    ways = list(splits(line))
    return next((way for way in ways if way[0] is not None), ways[-1])


def is_counted(line: str) -> bool:
    """True if the line has a count: ``2 Kai``, ``Kai x2``, ``Kai (2)``."""
    return likeliest(visible(" ".join(line.split())))[0] is not None


def _splits(line: str) -> Iterator[Split]:
    """Yield the ways to split a line as it stands: by a count before the name, without a count, by counts
    behind the name.
    """
    bare = _without_bullet(line)
    if match := _FIRST.fullmatch(bare):
        count = _number(match["count"])
        yield count, match["rest"]
        # The x behind the count may be the name of the card: "2 X".
        if match["times"] and not match["open"]:
            yield count, bare[match.end("count") :].strip()
    elif match := _JOINED.fullmatch(bare):
        yield _number(match["count"]), match["rest"]
    elif match := _APPRENTICE.fullmatch(bare):
        # Within quotation marks a quotation mark is written twice.
        count, name = _number(match["count"]), match["name"].replace('""', '"')
        if match["set"]:
            yield count, f"{name} ({match['set']})"
        yield count, name
    yield None, bare
    # Numbers in a note count nothing. Of many numbers only the first two and the last are tried, because each
    # way costs a look-up.
    note = bare.find(" //")
    counts = list(_BEHIND.finditer(bare, 0, note if note > 0 else len(bare)))
    for match in dict.fromkeys((*counts[:2], *counts[-1:])):
        if match.start():
            rest = f"{bare[: match.start()]} {bare[match.end() :].lstrip()}".rstrip()
            # The pattern has a group for each place of the count; ``lastgroup`` names the one that matched.
            yield _number(match[match.lastgroup or 0]), rest


def _without_bullet(line: str) -> str:
    return line[bullet.end() :] if (bullet := _BULLET.match(line)) else line


def _tidied(line: str) -> str:
    """The line without links, emphasis, prices, costs and HTML: "**Kai** $3.50 {2}{W}" -> "Kai"."""
    line = _LINK.sub(lambda link: link[1] or link[2], unescape(line).translate(_PLAIN))
    line = " ".join(_NEITHER.sub("", line).split())
    return match["words"] if (match := _ITALIC.fullmatch(line)) else line


def _number(digits: str) -> int:
    """The number that digits or a word stand for. More than three digits become 1,000, since any such number
    is refused as too large.
    """
    if not digits.isdecimal():
        return NUMBER_WORDS.index(digits.lower()) + 1
    return int(digits) if len(digits) < 4 else 1_000


# -- numbers of lines ------------------------------------------------------------------


def numbered(line: str) -> tuple[int, str] | None:
    """(number, rest) of a line such as ``2. Kai`` or ``2) Kai``; None for any other line. The number may be
    the count of the card or the place of the line (``are_places``).
    """
    match = _FIRST.fullmatch(_without_bullet(visible(line)))
    if match and match["place"]:
        return int(match["count"]), match["rest"]
    return None


def are_places(lines: Iterable[str]) -> bool:
    """True if the numbers of numbered lines count the lines: if they go 1, 2, 3 and so on, and begin again
    only below a line without number; or if all are 1.

    True for "1. Kai", "2. Sab", "Deck:", "1. Ron"; False for "1. Kai", "2. Sab", "1. Ron"
    """
    found = [numbered(" ".join(line.split())) for line in lines]
    # The number of each line; 0 if it has none.
    numbers = [number_and_rest[0] if number_and_rest else 0 for number_and_rest in found]
    if set(numbers) <= {0, 1}:
        return True
    last = 0
    for above, number in pairwise([0, *numbers]):
        begins_again = number == 1 and not above
        if number and number != last + 1 and not begins_again:
            return False
        last = number or last
    return True
