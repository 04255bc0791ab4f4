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
from typing import NamedTuple

from cardsdb.games.kit.model.marks import begin_of_marks
from cardsdb.games.kit.model.text import NUMBER_WORDS


class Split(NamedTuple):
    """One way to split a line into the number of copies, None if it has none, and the name."""

    copies: int | None
    name: str


# -- patterns of what stands before a line's first letter

# Code points of invisible marks: soft hyphen, vowel separator, zero-width spaces and joiners, marks of
# direction, word joiner, the frame of an emoji, its two variants, byte order mark.
_INVISIBLE = (0xAD, 0x180E, *range(0x200B, 0x2010), 0x2060, 0x20E3, 0xFE0E, 0xFE0F, 0xFEFF)
# Translates full-width digits, letters and brackets, which stand 0xFEE0 above the plain ones, and removes
# invisible marks.
_PLAIN = {code: code - 0xFEE0 for code in range(0xFF01, 0xFF5F)} | dict.fromkeys(_INVISIBLE)
# Everything before the first letter, except that a full-width x may belong to a count.
_HEAD = re.compile(r"^[\W\d_ｘＸ]*")

# -- patterns of counts

# The bullet of a list, "- " or "• ", and behind it a box to tick, "[ ] ".
_BULLET = re.compile(r"[^\w\s\"'“”‘’«»()\[\]{}#/|$€£¥.,:;!?&@^%\\]\s+(?:\[[ xX]?\]\s+)?")
# A count before the name: 2, 2x, x2, (2), [x2]. The groups of "(2x) Kai" and "2. Kai":
#   open    "(", a bracket, which must be closed behind the count
#   count   "2"; a sign of times may stand before it or behind it (times: "x")
#   place   "." or ")" behind a count without bracket, which may make it the number of the line
#   rest    "Kai"
# A count without bracket and place is followed by a space, or by a dash, colon, comma, semicolon or equals
# sign: "2 - Kai". A comma before three digits belongs to a number: "1,000 Eyes".
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
# A count anywhere behind a name, in one of four groups:
#   bracketed   (2), [x2], (two)
#   divided     " - 2", ": 2", "=2", ",2"; a comma before three digits, as in "1,000", divides nothing
#   times       x2
#   copies      2x
_BEHIND = re.compile(
    rf"""\s?[(\[{{]\s?[xX×]?\s?(?P<bracketed>[0-9]+|(?i:{"|".join(NUMBER_WORDS)}))\s?[xX×]?\s?[)\]}}](?!\()
        | (?:\s[-–—=]\s|\s?[:=;]\s?|\s?,(?![0-9]{3}\b)\s?)
          (?:[xX×]\s?)?(?P<divided>[0-9]+)(?:\s?[xX×])?(?=[\s,;.]|$)
        | \s[xX×*]\s?(?P<times>[0-9]+)(?=[\s,;.]|$) | \s(?P<copies>[0-9]+)\s?[xX×](?=[,;.]|$|\s(?![0-9]))""",
    re.VERBOSE,
)

# -- patterns of what is neither count nor name

# [[Name]] or [Name](address), where the address has a point, slash or #, or five small letters.
_LINK = re.compile(
    r"\[\[([^\[\]]+)\]\]|\[([^\[\]]+)\]\((?=[^()\s]*[/.#]|[a-z-]{5})[^()\s]+(?: \"[^\"]*\")?\)"
)
# *a whole line in italics*
_ITALIC = re.compile(r"([*_])(?=[^\s*_])(?P<words>[^*_]*[^\s*_])\1")
# Emphasis, HTML elements, costs as signs ({2}{W}, ●●●) and prices.
_NEITHER = re.compile(
    r"""\*\*|__|~~|`|</?[A-Za-z][^<>]*>|(?:\{[0-9]+\})*(?:\{[^{}\s]{0,6}[A-Za-z][^{}\s]{0,6}\})+
        | (?<=\s)[●○◆◇★☆■□•]+
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
    """Return the line without the markup of forums. What stands before its first letter also loses its
    invisible marks, and gets plain digits for full-width ones: "[b]２ Kai[/b]" -> "2 Kai".
    """
    if "[" in line:
        line = " ".join(_without_markup(line).split())
    return _HEAD.sub(lambda head: head[0].translate(_PLAIN), line, count=1).lstrip()


def _without_markup(line: str) -> str:
    """Return the line without the markup of forums in its count and name. Facts and marks behind them may
    have brackets of their own, which stay: "[b]2 Kai[/b] #a[i]" -> " 2 Kai  #a[i]".
    """
    without_any = _OF_FORUMS.sub(" ", line)
    has_marks = begin_of_marks(without_any) < len(without_any)
    if "|" not in line and not has_marks:
        return without_any
    end_of_name = min(begin_of_marks(line), len(line.partition("|")[0]))
    return _OF_FORUMS.sub(lambda tag: " " if tag.start() < end_of_name else tag[0], line)


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
    """Return the likeliest way to split a line whose name is not known: the first with a count, else the
    last.
    """
    ways = list(splits(line))
    counted = [way for way in ways if way.copies is not None]
    return counted[0] if counted else ways[-1]


def is_counted(line: str) -> bool:
    """True if the line has a count: ``2 Kai``, ``Kai x2``, ``Kai (2)``."""
    return likeliest(visible(" ".join(line.split()))).copies is not None


def _splits(line: str) -> Iterator[Split]:
    """Yield the ways to split a line as it stands: by a count before the name, without a count, by counts
    behind the name.
    """
    bare = _without_bullet(line)
    yield from _counted_before(bare)
    yield Split(None, bare)
    yield from _counted_behind(bare)


def _counted_before(bare: str) -> Iterator[Split]:
    """Yield the ways to split a line without bullet by a count before the name."""
    if match := _FIRST.fullmatch(bare):
        count = _number(match["count"])
        yield Split(count, match["rest"])
        # The x behind the count may be the name of the card: "2 X".
        if match["times"] and not match["open"]:
            yield Split(count, bare[match.end("count") :].strip())
    elif match := _JOINED.fullmatch(bare):
        yield Split(_number(match["count"]), match["rest"])
    elif match := _APPRENTICE.fullmatch(bare):
        # Within quotation marks a quotation mark is written twice.
        count, name = _number(match["count"]), match["name"].replace('""', '"')
        if match["set"]:
            yield Split(count, f"{name} ({match['set']})")
        yield Split(count, name)


def _counted_behind(bare: str) -> Iterator[Split]:
    """Yield the ways to split a line without bullet by a count behind the name. Numbers in a note count
    nothing.

    "Kai (2) x3" -> (2, "Kai x3"), (3, "Kai (2)")
    """
    name, _, _ = bare.partition(" //")
    counts = list(_BEHIND.finditer(bare, 0, len(name or bare)))
    # Of many numbers only the first two and the last are tried, because each way costs a look-up.
    tried = counts if len(counts) < 4 else [*counts[:2], counts[-1]]
    for match in tried:
        if match.start() > 0:
            (digits,) = filter(None, match.groups())  # one of the four groups
            rest = f"{bare[: match.start()]} {bare[match.end() :].lstrip()}".rstrip()
            yield Split(_number(digits), rest)


def _without_bullet(line: str) -> str:
    return line[bullet.end() :] if (bullet := _BULLET.match(line)) else line


def _tidied(line: str) -> str:
    """Return the line without links, emphasis, prices, costs and HTML: "**Kai** $3.50 {2}{W}" -> "Kai"."""
    line = _LINK.sub(lambda link: link[1] or link[2], unescape(line).translate(_PLAIN))
    line = " ".join(_NEITHER.sub("", line).split())
    return match["words"] if (match := _ITALIC.fullmatch(line)) else line


def _number(digits: str) -> int:
    """Return the number that digits or a word stand for. More than three digits become 1,000, since any such
    number is refused as too large.
    """
    if not digits.isdecimal():
        return NUMBER_WORDS.index(digits.lower()) + 1
    return int(digits) if len(digits) < 4 else 1_000


# -- numbers of lines ------------------------------------------------------------------


def numbered(line: str) -> tuple[int, str] | None:
    """Return (number, rest) of a line such as ``2. Kai`` or ``2) Kai``; None for any other line. The number
    may be the count of the card or the place of the line (``are_places``).
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
    expected, above = 1, 0
    for number in numbers:
        begins_again = number == 1 and above == 0
        if number not in (0, expected) and not begins_again:
            return False
        if number:
            expected = number + 1
        above = number
    return True
