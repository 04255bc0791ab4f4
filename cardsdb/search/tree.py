"""What a query means: a tree of terms, what was wrong with it, and the two ways to write it down again."""

from __future__ import annotations

import re
from collections.abc import Iterable
from dataclasses import dataclass, field, replace
from itertools import pairwise
from typing import Any, NamedTuple

from cardsdb.search.limits import MAX_PROBLEMS


class Span(NamedTuple):
    """A piece of the typed text: the column of its first character, from 0, and the one after its last."""

    start: int
    end: int


NOWHERE = Span(0, 0)


@dataclass(frozen=True, slots=True)
class Word:
    """A word or phrase that occurs somewhere on the card."""

    value: str
    span: Span = field(default=NOWHERE, compare=False)


@dataclass(frozen=True, slots=True)
class Exact:
    """The whole name of the card."""

    value: str
    span: Span = field(default=NOWHERE, compare=False)


@dataclass(frozen=True, slots=True)
class Term:
    """A field, an operator (``: = != < <= > >=``) and a value as typed; whether they fit is not looked at here."""

    key: str
    op: str
    value: str
    span: Span = field(default=NOWHERE, compare=False)
    key_span: Span = field(default=NOWHERE, compare=False)
    value_span: Span = field(default=NOWHERE, compare=False)
    # A value typed in quotes is never the name of another field.
    in_quotes: bool = field(default=False, compare=False)


@dataclass(frozen=True, slots=True)
class Regex:
    """A regular expression, in re2's syntax and whatever the case, that is found in the folded name, text or one value of a field."""

    key: str
    pattern: str
    span: Span = field(default=NOWHERE, compare=False)
    key_span: Span = field(default=NOWHERE, compare=False)
    value_span: Span = field(default=NOWHERE, compare=False)


@dataclass(frozen=True, slots=True)
class Versus:
    """Two number fields of the same card compared (``= != < <= > >=``). Where either is unknown it does not hold."""

    left: str
    op: str
    right: str
    span: Span = field(default=NOWHERE, compare=False)


@dataclass(frozen=True, slots=True)
class AtLeast:
    """So many of the parts, or more. Nobody types this: ``like`` is the card's name in the ``similar:`` that it stands for."""

    count: int
    parts: tuple[Tree, ...]
    span: Span = field(default=NOWHERE, compare=False)
    like: str = ""


@dataclass(frozen=True, slots=True)
class Not:
    part: Tree
    span: Span = field(default=NOWHERE, compare=False)


@dataclass(frozen=True, slots=True)
class And:
    """All of the parts: two or more, none of them an And."""

    parts: tuple[Tree, ...]
    span: Span = field(default=NOWHERE, compare=False)


@dataclass(frozen=True, slots=True)
class Or:
    """Any of the parts: two or more, none of them an Or."""

    parts: tuple[Tree, ...]
    span: Span = field(default=NOWHERE, compare=False)


Tree = Word | Exact | Term | Regex | Versus | AtLeast | Not | And | Or


@dataclass(frozen=True, slots=True)
class Order:
    """What the results are sorted by, a field's name; what is unknown comes last either way."""

    key: str
    descending: bool = False
    span: Span = field(default=NOWHERE, compare=False)


@dataclass(frozen=True, slots=True)
class Problem:
    """What is wrong with text[start:end]. Each suggestion may take that text's place.

    ``advice`` marks what is valid and yet probably not meant: nothing was dropped.
    """

    code: str
    message: str
    start: int
    end: int
    suggestions: tuple[str, ...] = ()
    advice: bool = False

    def as_json(self) -> dict[str, Any]:
        return {"code": self.code, "message": self.message, "start": self.start, "end": self.end, "suggestions": list(self.suggestions)}


@dataclass(frozen=True, slots=True)
class Query:
    """A query as understood. ``tree`` is None when nothing is asked, which every card meets.

    ``order`` is what was asked for, the most important first; without it the likeliest names come
    first where words were typed, else the catalogue's order holds.
    """

    tree: Tree | None
    problems: tuple[Problem, ...] = ()
    order: tuple[Order, ...] = ()
    # As typed: what every span counts its columns in.
    text: str = field(default="", compare=False)

    @property
    def faults(self) -> tuple[Problem, ...]:
        """The problems for which a strict caller refuses the query."""
        return tuple(problem for problem in self.problems if not problem.advice)


def limited(problems: Iterable[Problem]) -> tuple[Problem, ...]:
    """The problems in the order of the text, alike neighbours as one; of very many the first."""
    found: list[Problem] = []
    for problem in sorted(problems, key=lambda problem: (problem.start, problem.end)):
        last = found[-1] if found else None
        if last and (last.code, last.message, last.end) == (problem.code, problem.message, problem.start):
            found[-1] = replace(last, end=problem.end)
        else:
            found.append(problem)
    if len(found) > MAX_PROBLEMS:
        rest = found[MAX_PROBLEMS:]
        message = f"There are {len(rest)} more problems after this."
        found = [*found[:MAX_PROBLEMS], Problem("more-problems", message, rest[0].start, max(p.end for p in rest))]
    return tuple(found)


def all_of(parts: Iterable[Tree | None]) -> Tree | None:
    """The And of what is there, without needless nesting; None if nothing is."""
    flat: list[Tree] = []
    for part in parts:
        flat += part.parts if isinstance(part, And) else (part,) if part is not None else ()
    return And(tuple(flat), _around(flat)) if len(flat) > 1 else flat[0] if flat else None


def any_of(parts: Iterable[Tree | None]) -> Tree | None:
    """The Or of what is there, without needless nesting; None if nothing is."""
    flat: list[Tree] = []
    for part in parts:
        flat += part.parts if isinstance(part, Or) else (part,) if part is not None else ()
    return Or(tuple(flat), _around(flat)) if len(flat) > 1 else flat[0] if flat else None


def none_of(part: Tree, start: int | None = None) -> Tree:
    """The opposite of a tree; ``start`` is the column of its minus sign."""
    if isinstance(part, Not):
        return part.part
    return Not(part, part.span if start is None else Span(start, part.span.end))


def _around(parts: list[Tree]) -> Span:
    return Span(min((p.span.start for p in parts), default=0), max((p.span.end for p in parts), default=0))


# -- writing a tree down -------------------------------------------------------

OPERATOR = r"!=|<=|>=|==|=>|=<|<>|[=<>]"
# A field's name with the operator after it. Spaces may stand around a comparison, never beside
# a colon: "Operation: Paperclip" is a name.
KEY = re.compile(rf"([A-Za-z][A-Za-z0-9_-]*)(?:(:)|\s*({OPERATOR})\s*)")
_SIZE = re.compile(r"[0-9]+(?:\+|-[0-9]+)")
# So many parts behind a word may belong to the size that it begins.
NEAR = 5
BARE = re.compile(r'[^\s()"]+')
CONNECTIVES = ("or", "and")
# Words of plain English (see ``plainly``). What is still there when a query is written down was meant as a word.
# They say how a number is meant: before it, and behind it after an "or".
BEFORE_NUMBERS = "least most over under above below than exactly to equals between from minimum min maximum max is are of".split()
BEHIND_NUMBERS = "more greater higher better larger up above over less fewer lower smaller under below".split()
# They join a field to what stands before it, alone or before an article.
LINKS = "worth give gives with that have has having whose which who where in from of for are is".split()
ARTICLES = ("a", "an", "the")
# They say only what everything found is, and begin a question.
NOUNS = ("card", "cards", "ones")
OPENERS = "show me find list give all every any which what".split()


def normal(query: Query | Tree | None) -> str:
    """The one way to write this query, or a part of one. Reading it again gives the same."""
    match query:
        case None:
            return ""
        case Query(tree=tree, order=order):
            # Behind an "or" the order would look as if it belonged to the last alternative.
            asked = f"({normal(tree)})" if isinstance(tree, Or) and order else normal(tree)
            return " ".join(part for part in (asked, ordered(order)) if part)
        case Word(value):
            plain = value[0] not in "-!/:=<>" and value[-1] != "*" and value.casefold() not in CONNECTIVES and not KEY.match(value)
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
    return quoted(part.value) if isinstance(part, Word) and _is_plain_english(part, behind, place) else normal(part)


def _is_plain_english(part: Word, behind: tuple[Tree, ...], place: int) -> bool:
    """Whether the word would be more than a word before these parts; sooner too often than once too little."""
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
    return isinstance(part, Word) and part.value.isascii() and (part.value.isdigit() or bool(_SIZE.fullmatch(part.value)))


def written(value: str) -> str:
    """A value as it stands behind an operator: in quotes only where it must be."""
    return value if value[:1] not in tuple("!/:=<>") and BARE.fullmatch(value) else quoted(value)


def quoted(value: str) -> str:
    """A value in quotes; a backslash guards a quote, and itself where it would guard something."""
    return '"' + re.sub(r'\\(?=[\\"]|\Z)|"', r"\\\g<0>", value) + '"'


def slashed(pattern: str) -> str:
    """A regular expression between slashes; a backslash guards those inside."""
    return "/" + re.sub(r"(\\.)|/", lambda found: found[1] or r"\/", pattern, flags=re.DOTALL) + "/"


def ordered(order: Iterable[Order]) -> str:
    """What to sort by as it is typed; empty without any."""
    keys = ",".join(f"{'-' if one.descending else ''}{one.key}" for one in order)
    return f"order:{written(keys)}" if keys else ""
