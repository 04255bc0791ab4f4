"""The normal form of a query, which reads again as the same query; and its tree as JSON."""

from __future__ import annotations

import re
from collections.abc import Iterable
from itertools import pairwise
from typing import Any

from cardsdb.search.query.tree import (
    And,
    AtLeast,
    Exact,
    Not,
    Or,
    Query,
    Regex,
    SortKey,
    Term,
    Tree,
    Versus,
    Word,
)

OPERATOR = r"!=|<=|>=|==|=>|=<|<>|[=<>]"
# A field's name with the operator after it. Spaces may stand around a comparison, never beside
# a colon: "Operation: Paperclip" is a name.
KEY = re.compile(rf"([A-Za-z][A-Za-z0-9_-]*)(?:(:)|\s*({OPERATOR})\s*)")
_SIZE = re.compile(r"[0-9]+(?:\+|-[0-9]+)")
# Parts behind a word that may belong to the size that it begins.
NEAR = 5
BARE = re.compile(r'[^\s()"]+')
CONNECTIVES = ("or", "and")
# Words of plain English (see ``plain_english``). A word that is still in the tree when it is written down was
# meant as a word.
# These say how a number is meant: before it, and behind it after an "or".
BEFORE_NUMBERS = "least most over under above below than exactly to equals between from minimum min maximum max is are of".split()
BEHIND_NUMBERS = (
    "more greater higher better larger up above over less fewer lower smaller under below".split()
)
# These join a field to what stands before it, alone or before an article.
LINKS = "worth give gives with that have has having whose which who where in from of for are is".split()
ARTICLES = ("a", "an", "the")
# These say only what every result is; and these begin a question.
NOUNS = ("card", "cards", "ones")
OPENERS = "show me find list give all every any which what".split()


def normal(query: Query | Tree | None) -> str:
    """The normal form of this query, or of a part of one. Reading it again gives the same."""
    match query:
        case None:
            return ""
        case Query(tree=tree, order=order):
            # Behind an "or" the order would look as if it belonged to the last alternative.
            conditions = f"({normal(tree)})" if isinstance(tree, Or) and order else normal(tree)
            return " ".join(part for part in (conditions, ordered(order)) if part)
        case Word(value):
            plain = (
                value[0] not in "-!/:=<>"
                and value[-1] != "*"
                and value.casefold() not in CONNECTIVES
                and not KEY.match(value)
            )
            plain = plain and value.casefold() not in LINKS
            return value if plain and BARE.fullmatch(value) else quoted(value)
        case Exact(value):
            return f"!{written(value)}"
        case Term(key, op, value):
            return f"{key}{op}{written(value)}"
        case Regex(key, pattern):
            return f"{key}:{slashed(pattern)}"
        case Versus(left, op, right):
            return f"{left}{op}{right}"
        case AtLeast(like=like):
            return f"similar:{written(like)}"
        case Not(part):
            return f"-({normal(part)})" if isinstance(part, And | Or) else f"-{normal(part)}"
        case And(parts):
            return " ".join(_beside(part, parts[place + 1 :], place) for place, part in enumerate(parts))
        case Or(parts):
            written_down = [normal(part) for part in parts]
            for place, (before, behind) in enumerate(pairwise(parts), start=1):
                number, word = (
                    (before.parts[-1] if isinstance(before, And) else before),
                    (behind.parts[0] if isinstance(behind, And) else behind),
                )
                more = _is_word(word, BEHIND_NUMBERS) and _is_number(number)
                another = isinstance(number, Term) and number.op in (":", "=") and _is_number(word)
                if (more or another) and written_down[place][0] != '"':
                    written_down[place] = quoted(normal(word)) + written_down[place][len(normal(word)) :]
            return " or ".join(written_down)


def _beside(part: Tree, behind: tuple[Tree, ...], place: int) -> str:
    """A part of an And as it is written down: a word in quotes where it would be read as plain English."""
    if isinstance(part, Or):
        return f"({normal(part)})"
    if isinstance(part, Word) and part.value.casefold() in LINKS:
        return quoted(part.value) if _is_plain_english(part, behind, place) else part.value
    return (
        quoted(part.value)
        if isinstance(part, Word) and _is_plain_english(part, behind, place)
        else normal(part)
    )


def _is_plain_english(part: Word, behind: tuple[Tree, ...], place: int) -> bool:
    """Whether the word would be read as more than a word before these parts; in doubt, yes."""
    word = part.value.casefold()
    before_number = any(map(_is_number, behind[:NEAR]))
    if word in ("is", "are", *NOUNS):
        return place > 0 or bool(behind)
    if word in LINKS or word in ARTICLES:
        return before_number or not behind or not isinstance(behind[0], Word)
    if word in OPENERS:
        return place < NEAR and any(_is_number(part) or not isinstance(part, Word) for part in behind)
    return bool(_SIZE.fullmatch(word)) or (word in BEFORE_NUMBERS and before_number)


def _is_word(part: Tree, words: Iterable[str]) -> bool:
    return isinstance(part, Word) and part.value.casefold() in words


def _is_number(part: Tree) -> bool:
    return (
        isinstance(part, Word)
        and part.value.isascii()
        and (part.value.isdigit() or bool(_SIZE.fullmatch(part.value)))
    )


def written(value: str) -> str:
    """A value as it stands behind an operator: in quotes only where it must be."""
    return value if value[:1] not in tuple("!/:=<>") and BARE.fullmatch(value) else quoted(value)


def quoted(value: str) -> str:
    """A value in quotes; a backslash guards a quote, and itself where it would guard something."""
    if '"' not in value and "\\" not in value:
        return f'"{value}"'
    return '"' + re.sub(r'\\(?=[\\"]|\Z)|"', r"\\\g<0>", value) + '"'


def slashed(pattern: str) -> str:
    """A regular expression between slashes; a backslash guards those inside."""
    return "/" + re.sub(r"(\\.)|/", lambda match: match[1] or r"\/", pattern, flags=re.DOTALL) + "/"


def ordered(order: Iterable[SortKey]) -> str:
    """What to sort by as it is typed; empty without any."""
    keys = ",".join(f"{'-' if one.descending else ''}{one.key}" for one in order)
    return f"order:{written(keys)}" if keys else ""


def tree_json(tree: Tree | None) -> dict[str, Any] | None:
    """The tree as plain dicts and lists; ``start`` and ``end`` are columns of the typed text."""
    if tree is None:
        return None
    place = {"start": tree.span.start, "end": tree.span.end}
    match tree:
        case Word(value):
            return {"kind": "word", "value": value, **place}
        case Exact(value):
            return {"kind": "exact", "value": value, **place}
        case Term(key, op, value):
            return {"kind": "term", "key": key, "op": op, "value": value, **place}
        case Regex(key, pattern):
            return {"kind": "regex", "key": key, "pattern": pattern, **place}
        case Versus(left, op, right):
            return {"kind": "versus", "left": left, "op": op, "right": right, **place}
        case AtLeast(like=like):
            return {"kind": "similar", "value": like, **place}
        case Not(part):
            return {"kind": "not", "part": tree_json(part), **place}
        case And(parts):
            return {"kind": "and", "parts": [tree_json(part) for part in parts], **place}
        case Or(parts):
            return {"kind": "or", "parts": [tree_json(part) for part in parts], **place}
