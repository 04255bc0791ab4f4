"""The forms in which people and programs write a line: the ways to split it into count and name, and the line
without what is neither, such as emphasis, links and prices. The table of forms stands in the tests.
"""

import re
from collections.abc import Iterable, Iterator
from html import unescape

from cardsdb.games.kit.model.marks import begin_of_marks
from cardsdb.games.kit.model.text import NUMBER_WORDS

# The count that a form states, None if it states none, and the rest of the line.
Split = tuple[int | None, str]

# Invisible marks, and the wide forms of digits, letters and brackets.
_PLAIN = {code: code - 0xFEE0 for code in range(0xFF01, 0xFF5F)} | dict.fromkeys(
    (0xAD, 0x180E, *range(0x200B, 0x2010), 0x2060, 0x20E3, 0xFE0E, 0xFE0F, 0xFEFF)
)
_HEAD = re.compile(r"^[\W\d_ｘＸ]*")

# A sign alone before the words, and a box to tick.
_BULLET = re.compile(r"[^\w\s\"'“”‘’«»()\[\]{}#/|$€£¥.,:;!?&@^%\\]\s+(?:\[[ xX]?\]\s+)?")
_FIRST = re.compile(
    r"""(?P<open>[(\[{]\s?)? (?:[xX×]\s?)? (?P<count>[0-9]+) (?P<times>\s?[xX×*])?
        (?(open) \s?[)\]}]\s*
        | (?: \s[-–—=]\s | \s?:\s | \s?[,;](?:\s|(?![0-9]{3}\b)) | \s
              | (?P<place>\.(?:\s|(?=[^\W\d]))|\)\s?) ))
        (?P<rest>[^\s|].*)""",
    re.VERBOSE,
)
# 2xKai, 2x2Shy
_JOINED = re.compile(r"(?P<count>[0-9]{1,3})[xX×*](?P<rest>\w.*)")
# MD,4,"Name",SET and SB,1,Name
_APPRENTICE = re.compile(
    r'(?:MD|SB),(?P<count>[0-9]+),(?P<quote>"?)(?P<name>.+?)(?P=quote)(?:,(?P<set>[\w ]*))?'
)
# (2), [x2], (two), - 2, : 2, =2, ",2", x2, 2x, wherever one stands behind a name.
_BEHIND = re.compile(
    rf"""\s?[(\[{{]\s?[xX×]?\s?(?P<bracketed>[0-9]+|(?i:{"|".join(NUMBER_WORDS)}))\s?[xX×]?\s?[)\]}}](?!\()
        | (?:\s[-–—=]\s|\s?[:=;]\s?|\s?,(?![0-9]{3}\b)\s?)
          (?:[xX×]\s?)?(?P<divided>[0-9]+)(?:\s?[xX×])?(?=[\s,;.]|$)
        | \s[xX×*]\s?(?P<times>[0-9]+)(?=[\s,;.]|$) | \s(?P<copies>[0-9]+)\s?[xX×](?=[,;.]|$|\s(?![0-9]))""",
    re.VERBOSE,
)

_LINK = re.compile(
    r"\[\[([^\[\]]+)\]\]|\[([^\[\]]+)\]\((?=[^()\s]*[/.#]|[a-z-]{5})[^()\s]+(?: \"[^\"]*\")?\)"
)
_ITALIC = re.compile(r"([*_])(?=[^\s*_])(?P<words>[^*_]*[^\s*_])\1")
# Emphasis, elements of a page, prices, and costs as signs.
_NEITHER = re.compile(
    r"""\*\*|__|~~|`|</?[A-Za-z][^<>]*>|(?:\{[0-9]+\})*(?:\{[^{}\s]{0,6}[A-Za-z][^{}\s]{0,6}\})+|(?<=\s)[●○◆◇★☆■□•]+
        | [(\[]?[$€£¥]\s?[0-9](?:[0-9.,]{0,8}[0-9])?[)\]]?
        | [(\[]?(?<![\w-])[0-9][0-9.,]{0,9}\s?[$€£¥](?!\s?[0-9])[)\]]?""",
    re.VERBOSE,
)
# The markup of forums at the head of a line, and behind it what no name ends with: [/size], [url=...], [*],
# and [b] that is closed again. “Ghost [B]” is a name.
_TAG = "b|i|u|list|center|size|color|font|url|card|spoiler|quote"
_OF_FORUMS = re.compile(
    rf"""^(?:\s*\[(?:\*|/?(?:{_TAG})(?:=[^\[\]]*)?)\])+
        | \[(?:\*|/(?:{_TAG})|(?:{_TAG})=[^\[\]]*)\] | \[(?P<tag>{_TAG})\](?=.*\[/(?P=tag)\])""",
    re.VERBOSE | re.IGNORECASE,
)


def visible(line: str) -> str:
    """Return the line without the markup of forums and without invisible marks before its first letter, and
    with plain digits there.
    """
    if "[" in line:
        line = " ".join(_without_markup(line).split())
    return _HEAD.sub(lambda head: head[0].translate(_PLAIN), line, count=1).lstrip()


def _without_markup(line: str) -> str:
    """The line without the markup of forums; facts and marks behind the name keep theirs."""
    plain = _OF_FORUMS.sub(" ", line)
    if "|" not in line and begin_of_marks(plain) == len(plain):
        return plain
    end = min(begin_of_marks(line), len(line.partition("|")[0]))
    return _OF_FORUMS.sub(lambda found: " " if found.start() < end else found[0], line)


def splits(line: str) -> Iterator[Split]:
    """Yield the ways to split a line into count and name, the likeliest first: as it stands, then without
    what is of neither.

    One of them has no count, for names that look like counts.
    """
    yield from _splits(line)
    begin = begin_of_marks(line)
    plain = _tidied(line[:begin]) + line[begin:]
    yield from _splits(plain) if plain != line else ()


def likeliest(line: str) -> Split:
    """Return the split of a line whose name may be anything: the first with a count, if one has any."""
    *_, last = ways = list(splits(line))
    return next((way for way in ways if way[0] is not None), last)


def is_counted(line: str) -> bool:
    """Say if the line has a count: ``2 Kai``, ``Kai x2``, ``Kai (2)``."""
    return likeliest(visible(" ".join(line.split())))[0] is not None


def _splits(line: str) -> Iterator[Split]:
    bare = _without_bullet(line)
    if match := _FIRST.fullmatch(bare):
        count = _number(match["count"])
        yield count, match["rest"]
        # A card may be called X.
        if match["times"] and not match["open"]:
            yield count, bare[match.end("count") :].strip()
    elif match := _JOINED.fullmatch(bare) or _APPRENTICE.fullmatch(bare):
        found = match.groupdict()
        name = found.get("rest") or found["name"].replace('""', '"')
        if found.get("set"):
            yield _number(found["count"]), f"{name} ({found['set']})"
        yield _number(found["count"]), name
    yield None, bare
    note = bare.find(" //")
    counts = list(_BEHIND.finditer(bare, 0, note if note > 0 else len(bare)))
    for match in dict.fromkeys((*counts[:2], *counts[-1:])):
        if match.start():
            rest = f"{bare[: match.start()]} {bare[match.end() :].lstrip()}".rstrip()
            yield _number(match[match.lastgroup or 0]), rest


def _without_bullet(line: str) -> str:
    return line[bullet.end() :] if (bullet := _BULLET.match(line)) else line


def _tidied(line: str) -> str:
    line = _LINK.sub(lambda match: match[1] or match[2], unescape(line).translate(_PLAIN))
    line = " ".join(_NEITHER.sub("", line).split())
    return match["words"] if (match := _ITALIC.fullmatch(line)) else line


def _number(digits: str) -> int:
    """The count. A number with more digits than any count has becomes 1,000, which is too large."""
    if not digits.isdecimal():
        return NUMBER_WORDS.index(digits.lower()) + 1
    return int(digits) if len(digits) < 4 else 1_000


# -- numbers of lines ------------------------------------------------------------------


def numbered(line: str) -> tuple[int, str] | None:
    """Return (number, rest) of a line such as ``2. Kai`` or ``2) Kai``; None for any other line."""
    match = _FIRST.fullmatch(_without_bullet(visible(line)))
    return (int(match["count"]), match["rest"]) if match and match["place"] else None


def are_places(lines: Iterable[str]) -> bool:
    """Say if the numbers before names count the lines: 1, 2, 3 and so on, again from 1 only below another
    line; or if they all are 1.
    """
    last, fits, may_restart, numbers = 0, True, True, set[int]()
    for line in lines:
        number = (numbered(" ".join(line.split())) or (0, ""))[0]
        fits = fits and number in (0, last + 1, *[1] * may_restart)
        last, may_restart = number or last, not number
        numbers.add(number)
    return fits or numbers <= {0, 1}
