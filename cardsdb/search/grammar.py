"""Read a search query. Whatever is typed gives a tree and a list of problems, never an exception.

    kai "stolen van"          words and phrases: all of them must occur
    !Kai   !"the whole name"  the exact name
    craft>=4   type:agent     a field, one of : = != < <= > >=, a value; quotes around a value with spaces
    -type:agent   -(a or b)   not
    a b or c                  "or" is weaker than standing side by side; "and" may be written
    "say \\"when\\""            a backslash before a quote inside quotes

A part that makes no sense is dropped and reported with its columns in the typed text; the rest
works. Strict callers refuse a query that has ``faults``. Nothing here knows the fields of a
game: ``compile.check`` does.
"""

from __future__ import annotations

import re
import unicodedata
from collections.abc import Iterator, Sequence
from dataclasses import dataclass, field
from functools import lru_cache
from typing import Literal

from cardsdb.search.tree import (
    BARE,
    CONNECTIVES,
    KEY,
    OPERATOR,
    Exact,
    Problem,
    Query,
    Span,
    Term,
    Tree,
    Word,
    all_of,
    any_of,
    limited,
    none_of,
    normal,
    quoted,
    tree_json,
)

__all__ = ["Exact", "Problem", "Query", "Span", "Term", "Tree", "Word", "all_of", "normal", "parse", "quoted", "tree_json"]

MAX_CHARACTERS = 1024
MAX_TERMS = 40
MAX_DEPTH = 20


def parse(text: str) -> Query:
    """Read a query of any text. Takes time in proportion to its length, up to ``MAX_CHARACTERS``."""
    scanner = _Scanner(text)
    tree = _assemble(scanner.tokens(), scanner.problems)
    return Query(tree, limited(scanner.problems))


# -- characters -----------------------------------------------------------------

_TYPED = {"≥": ">=", "≤": "<=", "≠": "!=", "−": "-", "–": "-", "—": "-", "‐": "-", "‑": "-"}
_TYPED |= dict.fromkeys("“”„‟«»″＂", '"') | dict.fromkeys("‘’‚‛′", "'")


@lru_cache(maxsize=2048)
def _plain(character: str) -> str | None:
    """The character as the scanner reads it: "" if invisible, None if no text has it."""
    if character in _TYPED:
        return _TYPED[character]
    category = unicodedata.category(character)
    if category == "Cf":
        return ""
    return None if category == "Cs" or (category == "Cc" and not character.isspace()) else character


def _plain_text(text: str, problems: list[Problem]) -> tuple[str, Sequence[int]]:
    """The text as the scanner reads it, and for each place in it the column of the typed text."""
    if text.isascii() and text.isprintable():
        return text, range(len(text) + 1)
    pieces: list[str] = []
    columns: list[int] = []
    for column, character in enumerate(text):
        piece = _plain(character)
        if piece is None:
            problems.append(Problem("bad-character", f"The character U+{ord(character):04X} is no text.", column, column + 1, (" ",)))
            piece = " "
        pieces.append(piece)
        columns += [column] * len(piece)
    return "".join(pieces), [*columns, len(text)]


# -- tokens ---------------------------------------------------------------------


@dataclass(frozen=True, slots=True)
class _Token:
    """A piece of the query. A "leaf" without a tree is a part that was dropped."""

    kind: Literal["(", ")", "or", "and", "leaf"]
    span: Span
    negated: bool = False
    tree: Tree | None = None


_SPACE = re.compile(r"\s*")
_DASHES = re.compile(r"-*")
_OPERATOR = re.compile(rf":|{OPERATOR}")
_QUOTED = re.compile(r'"((?:[^"\\]|\\.?)*)("?)', re.DOTALL)
_GUARDED = re.compile(r'\\([\\"])')
_SPELLINGS = {"==": "=", "=>": ">=", "=<": "<=", "<>": "!="}


class _Scanner:
    """Cuts the text into tokens. Places are those of the plain text until ``span`` makes columns of them."""

    def __init__(self, typed: str) -> None:
        self.problems: list[Problem] = []
        if len(typed) > MAX_CHARACTERS:
            message = f"A query has at most {MAX_CHARACTERS:,} characters; the rest is left out."
            cut = max(typed.rfind(" ", 0, MAX_CHARACTERS + 1), 0) or MAX_CHARACTERS
            self.problems.append(Problem("too-long", message, cut, len(typed), ("",)))
            typed = typed[:cut]
        self.text, self.columns = _plain_text(typed, self.problems)

    def span(self, start: int, end: int) -> Span:
        return Span(self.columns[start], self.columns[end])

    def problem(self, code: str, message: str, start: int, end: int, *suggestions: str) -> None:
        self.problems.append(Problem(code, message, *self.span(start, end), suggestions))

    def tokens(self) -> Iterator[_Token]:
        text, place, leaves = self.text, 0, 0
        while (start := _after(_SPACE, text, place)) < len(text):
            place = _after(_DASHES, text, start)
            negated = (place - start) % 2 == 1
            if place > start and (place == len(text) or text[place].isspace() or text[place] == ")"):
                self.problem("stray-minus", "A minus stands directly before what it excludes.", start, place, "")
                continue
            if text[place] in "()":
                place += 1
                yield _Token("(" if text[place - 1] == "(" else ")", self.span(start, place), negated)
                continue
            word = BARE.match(text, place)
            if word and place == start and (lower := word[0].casefold()) in CONNECTIVES:
                place = word.end()
                yield _Token("or" if lower == "or" else "and", self.span(start, place))
                continue
            leaves += 1
            if leaves > MAX_TERMS:
                message = f"A query has at most {MAX_TERMS} terms; the rest is left out."
                self.problem("too-many-terms", message, start, len(text), "")
                return
            tree, place = self.leaf(place)
            span = self.span(start, place)
            yield _Token("leaf", span, tree=none_of(tree, span.start) if tree and negated else tree)

    def leaf(self, start: int) -> tuple[Tree | None, int]:
        """The term that starts here, None if it makes no sense; and the place after it."""
        text = self.text
        if operator := _OPERATOR.match(text, start):
            _, end = self.value(operator.end())
            message = f"No field stands before “{operator[0]}”. To look for it as text, put it in quotes."
            self.problem("missing-field", message, start, end, quoted(text[start:end]))
            return None, end
        if key := KEY.match(text, start):
            value, end = self.value(key.end())
            if not value:
                return None, self.without_value(start, key.end(), end)
            op = key[2] or _SPELLINGS.get(key[3], key[3])
            return Term(key[1].lower(), op, value, self.span(start, end), self.span(start, key.end(1)), self.span(key.end(), end)), end
        exact = text[start] == "!"
        value, end = self.value(start + exact)
        if not value:
            self.problem("empty-value", "No name follows the “!”." if exact else "Nothing stands between the quotes.", start, end, "")
            return None, end
        return (Exact if exact else Word)(value, self.span(start, end)), end

    def without_value(self, start: int, after_key: int, end: int) -> int:
        """Report a field with nothing, or only a space, after its operator; the place after it."""
        bare = end == after_key
        if bare:
            end = start + len(self.text[start:after_key].rstrip())
        written = self.text[start:end]
        message = f"Nothing follows “{written}”. The value stands directly after it; to look for it as text, put it in quotes."
        following = _after(_SPACE, self.text, end)
        if bare and following > end and self.text[following : following + 1] not in ("", "(", ")"):
            self.problem("empty-value", message, start, following, written, f"{quoted(written)} ")
        else:
            self.problem("empty-value", message, start, end, quoted(written))
        return end

    def value(self, start: int) -> tuple[str, int]:
        """The bare or quoted value that starts here, "" if there is none; and the place after it."""
        match = _QUOTED.match(self.text, start)
        if not match:
            bare = BARE.match(self.text, start)
            return (bare[0], bare.end()) if bare else ("", start)
        value = " ".join(_GUARDED.sub(r"\1", match[1]).split())
        if value and not match[2]:
            self.problem("unclosed-quote", "This quote is never closed; it is read up to the end.", start, match.end(), quoted(value))
        return value, match.end()


def _after(pattern: re.Pattern[str], text: str, place: int) -> int:
    """The place after a pattern that may be empty."""
    match = pattern.match(text, place)
    return match.end() if match else place


# -- the tree -------------------------------------------------------------------


@dataclass(slots=True)
class _Group:
    """A pair of brackets being read, or the whole query: its alternatives, each a list of parts."""

    opening: _Token | None = None
    alternatives: list[list[Tree | None]] = field(default_factory=lambda: [[]])
    waiting: _Token | None = None

    def add(self, part: Tree | None) -> None:
        self.alternatives[-1].append(part)
        self.waiting = None

    def tree(self) -> Tree | None:
        tree = any_of(all_of(parts) for parts in self.alternatives)
        if tree and self.opening and self.opening.negated:
            return none_of(tree, self.opening.span.start)
        return tree


def _assemble(tokens: Iterator[_Token], problems: list[Problem]) -> Tree | None:
    """Brackets live on a list, not on Python's stack: a thousand of them are only a problem to report."""
    groups = [_Group()]
    skipped = 0

    def problem(code: str, message: str, span: Span, *suggestions: str) -> None:
        problems.append(Problem(code, message, *span, suggestions))

    def dangling(token: _Token) -> None:
        problem("dangling-operator", f"“{token.kind}” stands between two parts. To look for the word, put it in quotes.", token.span, "")

    for token in tokens:
        if skipped:
            skipped += {"(": 1, ")": -1}.get(token.kind, 0)
            continue
        group = groups[-1]
        match token.kind:
            case "leaf":
                group.add(token.tree)
            case "(" if len(groups) > MAX_DEPTH:
                problem("too-deep", f"Brackets nest at most {MAX_DEPTH} deep; what is inside is left out.", token.span)
                group.add(None)
                skipped = 1
            case "(":
                groups.append(_Group(token))
            case ")":
                if group.opening is None:
                    problem("stray-bracket", "This bracket closes nothing.", token.span, "")
                    continue
                if group.waiting:
                    dangling(group.waiting)
                elif group.alternatives == [[]]:
                    problem("empty-group", "Nothing stands between the brackets.", Span(group.opening.span.start, token.span.end), "")
                groups.pop()
                groups[-1].add(group.tree())
            case _ if group.waiting or not group.alternatives[-1]:
                dangling(token)
            case _:
                group.waiting = token
                if token.kind == "or":
                    group.alternatives.append([])
    while True:
        group = groups.pop()
        if group.waiting:
            dangling(group.waiting)
        if group.opening:
            problem("unclosed-bracket", "This bracket is never closed; it is read up to the end.", group.opening.span, "")
        if not groups:
            return group.tree()
        groups[-1].add(group.tree())
